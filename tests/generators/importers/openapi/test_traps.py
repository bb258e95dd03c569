"""The traps that real OpenAPI files are known for, each in a description of its own."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.generators.importers.sources import load, only, openapi, returned, returning, taken, taking

from interplay.generators.importers.openapi.importer import import_openapi
from interplay.schemas.records.tool import Tool, ToolReport

TEXT = {"type": "string"}


def operation(folder: Path, raw: Any, path: str = "/x", method: str = "get", **rest: Any) -> tuple[Tool, ToolReport]:
    """Import a single operation."""
    return only(load(folder, openapi({path: {method: raw}}, **rest)))


@pytest.mark.parametrize("place", ["example", "examples", "x-sample"])
def test_a_ref_inside_examples_and_extensions_is_no_reference(tmp_path: Path, place: str) -> None:
    sample = {"$ref": "file:///etc/hostname"}
    held = {"named": {"value": sample}} if place == "examples" else sample
    schema = {"type": "object", "properties": {"a": TEXT}, place: [sample] if place == "examples" else sample}
    raw = {
        "operationId": "get",
        place: held,
        "parameters": [{"name": "q", "in": "query", "schema": TEXT, place: held}],
        "requestBody": {place: held, "content": {"application/json": {"schema": schema, place: held}}},
        "responses": {"200": {"description": "", place: held, "content": {"application/json": {place: held}}}},
    }
    raw["responses"]["200"]["content"]["application/json"]["schema"] = schema
    report = load(tmp_path, openapi({"/x": {"post": raw, place: held}, "x-other": held}, **{place: held}))
    assert [(item.name, item.outcome) for item in report.reports] == [("get", "imported")]
    assert "hostname" not in "".join(report.reports[0].reasons)


def test_circular_schemas_circular_files_and_circular_all_of_are_cut(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"A": {"type": "object", "properties": {"b": {"$ref": "b.json#/B"}}}}))
    (tmp_path / "b.json").write_text(json.dumps({"B": {"type": "object", "properties": {"a": {"$ref": "a.json#/A"}}}}))
    schemas = {
        "Own": {"allOf": [{"$ref": "#/components/schemas/Own"}, {"type": "object", "properties": {"x": TEXT}}]},
        "One": {"allOf": [{"$ref": "#/components/schemas/Two"}], "properties": {"one": TEXT}},
        "Two": {"allOf": [{"$ref": "#/components/schemas/One"}], "properties": {"two": TEXT}},
        "List": {"type": "array", "items": {"$ref": "#/components/schemas/List"}},
        "Map": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Map"}},
        "Nothing": {"$ref": "#/components/schemas/Nothing"},
    }
    listed = {name: {"$ref": f"#/components/schemas/{name}"} for name in schemas} | {"File": {"$ref": "a.json#/A"}}
    made, report = returned(tmp_path, {"type": "object", "properties": listed}, components={"schemas": schemas})
    assert report.outcome == "repaired"
    assert made["properties"]["Own"]["properties"] == {"x": TEXT}
    assert set(made["properties"]["One"]["properties"]) == {"one", "two"}
    assert made["properties"]["File"]["properties"]["b"]["properties"]["a"] == {"title": "A", "type": "object"}
    assert made["properties"]["Nothing"] == {}


def test_operation_ids_illegal_long_duplicate_or_missing_become_legal_unique_names(tmp_path: Path) -> None:
    given = ["a b", "a/b", "a_b", "../../etc", "日本", "x" * 200, "x" * 201, "", None, ["x"], True, 7, "search_tools"]
    paths: dict[str, Any] = {f"/p{index}": {"get": {"operationId": name}} for index, name in enumerate(given)}
    paths |= {path: {"get": {}} for path in ("/bar", "/Bar", "/bar/", "/ba-r", "/", "", "//", "/a/b", "a/b", "/a|b")}
    there = load(tmp_path, openapi(paths)).toolset.tools
    back = load(tmp_path, openapi(dict(reversed(paths.items())))).toolset.tools
    names = {tool.source.pointer: tool.name for tool in there}
    assert len(set(names.values())) == len(paths)
    assert all(name.replace("_", "").replace("-", "").isalnum() and name.isascii() for name in names.values())
    assert max(len(name) for name in names.values()) == 64
    assert names == {tool.source.pointer: tool.name for tool in back}
    kept = {tool.original_name for tool in there}
    assert {"a b", "a/b", "a_b", "../../etc", "日本", "x" * 200, "7"} <= kept


def test_one_name_in_path_query_header_and_body_becomes_four_parameters(tmp_path: Path) -> None:
    parameters = [
        {"name": "id", "in": place, "required": True, "schema": TEXT} for place in ("path", "query", "header")
    ]
    raw = taking({"type": "object", "properties": {"id": TEXT}, "required": ["id"]}, parameters=parameters)
    tool, _ = operation(tmp_path, raw, "/x/{id}", "put")
    assert tool.http is not None
    assert tool.http.locations == {"id": "path", "id_query": "query", "id_header": "header", "id_body": "body"}
    assert tool.http.original_names == {"id_query": "id", "id_header": "id", "id_body": "id"}
    assert tool.parameters["required"] == ["id", "id_query", "id_header", "id_body"]


def test_what_query_and_body_take_alike_is_asked_for_once(tmp_path: Path) -> None:
    told, other = {**TEXT, "description": "Name of the shelf."}, {**TEXT, "description": "Its new place."}
    parameters = [{"name": name, "in": "query", "schema": told} for name in ("shelf", "place")]
    body = {"type": "object", "properties": {"shelf": told, "place": other}, "required": ["shelf"]}
    tool, report = operation(tmp_path, taking(body, parameters=parameters), "/x", "post")
    assert tool.http is not None
    assert tool.http.locations == {"place": "query", "shelf": "body", "place_body": "body"}
    assert tool.parameters["required"] == ["shelf"]
    assert "query shelf: left out, for the body takes the same" in report.reasons


def test_names_that_clash_once_they_are_legal_stay_apart(tmp_path: Path) -> None:
    given = [
        "a b",
        "a[b]",
        "a[]",
        "a.b",
        "$filter",
        "é",
        "日本",
        "日本語",
        "x" * 300,
        "x" * 301,
        "a_b",
        "__proto__",
        "😀",
    ]
    raw = {"operationId": "x", "parameters": [{"name": name, "in": "query", "schema": TEXT} for name in given]}
    tool, _ = operation(tmp_path, raw)
    assert tool.http is not None
    assert [tool.http.original_names.get(name, name) for name in tool.parameters["properties"]] == given
    assert all(len(name) <= 64 and name.isascii() for name in tool.parameters["properties"])


@pytest.mark.parametrize("media", ["application/x-www-form-urlencoded", "multipart/form-data", "multipart/mixed"])
def test_form_bodies_are_parameters_that_travel_in_the_form(tmp_path: Path, media: str) -> None:
    schema = {"type": "object", "properties": {"file": {"type": "string", "format": "binary"}, "note": TEXT}}
    tool, report = operation(tmp_path, taking(schema | {"required": ["file"]}, media=media), method="post")
    assert tool.http is not None
    assert tool.http.locations == {"file": "form", "note": "form"}
    assert tool.parameters["required"] == ["file"]
    assert report.outcome == "imported"


def test_swagger_form_data_with_files_and_collections_travels_in_the_form(tmp_path: Path) -> None:
    parameters = [
        {"name": "file", "in": "formData", "type": "file", "required": True},
        {"name": "tags", "in": "formData", "type": "array", "items": TEXT, "collectionFormat": "multi"},
        {"name": "ids", "in": "query", "type": "array", "items": {"type": "integer"}, "collectionFormat": "csv"},
    ]
    tool, _ = operation(tmp_path, {"operationId": "x", "parameters": parameters}, method="post", version="2.0")
    assert tool.http is not None
    assert tool.http.locations == {"ids": "query", "file": "form", "tags": "form"}
    assert tool.parameters["properties"]["file"] == {"type": "string", "format": "binary"}
    assert tool.parameters["properties"]["tags"] == {"type": "array", "items": TEXT}


def test_a_second_body_parameter_is_left_out_and_told(tmp_path: Path) -> None:
    parameters = [{"name": name, "in": "body", "schema": {"type": "array"}} for name in ("one", "two")]
    tool, report = operation(tmp_path, {"operationId": "x", "parameters": parameters}, method="post", version="2.0")
    assert list(tool.parameters["properties"]) == ["one"]
    assert report.reasons == ("body: two left out, for a request has one body",)


@pytest.mark.parametrize("method", ["get", "delete", "head"])
def test_bodies_on_get_delete_and_head_are_kept_with_a_remark(tmp_path: Path, method: str) -> None:
    tool, report = operation(tmp_path, taking({"type": "object", "properties": {"q": TEXT}}), method=method)
    assert tool.parameters["properties"] == {"q": TEXT}
    assert (report.outcome, report.reasons) == ("imported", (f"{method.upper()} with a body, kept",))


@pytest.mark.parametrize(
    "responses",
    [{"404": {"description": "no"}}, {}, None, {"204": {"description": ""}}, {"200": {"description": ""}}, {"302": {}}],
)
def test_an_operation_without_a_schema_of_success_returns_nothing_known(tmp_path: Path, responses: Any) -> None:
    tool, report = operation(tmp_path, {"operationId": "x", "responses": responses})
    assert tool.returns is None
    assert report.outcome == "imported"


@pytest.mark.parametrize("code", ["200", "201", "2XX", "2xx", "default"])
def test_a_success_of_any_code_is_found(tmp_path: Path, code: str) -> None:
    responses = {code: {"content": {"application/json": {"schema": TEXT}}}, "400": {"description": "no"}}
    assert operation(tmp_path, {"operationId": "x", "responses": responses})[0].returns == TEXT


def test_integer_keys_dates_and_norway_stay_text(tmp_path: Path) -> None:
    text = """
        openapi: 3.0.0
        info: {title: no, version: 2020-01-01}
        paths:
          /a:
            get:
              operationId: on
              parameters:
                - {name: 2020-01-01, in: query, schema: {type: string, format: date, example: 2020-01-01}}
                - {name: 1, in: query, schema: {type: string, enum: [on, off, no, 12:30:45, 0o14, 010], default: no}}
                - {name: true, in: query, schema: {type: string}}
              responses:
                200: {content: {application/json: {schema: {
                  type: object, properties: {on: {}, 12:30: {}, null: {}, 1: {}, 2001-12-14: {}}, required: [on, 1]}}}}
    """
    tool, report = only(load(tmp_path, text.replace("\n        ", "\n")))
    assert report.outcome == "imported"
    assert tool.name == "on"
    assert tool.parameters["properties"] == {
        "2020-01-01": {"type": "string", "format": "date", "examples": ["2020-01-01"]},
        "1": {"type": "string", "enum": ["on", "off", "no", "12:30:45", "0o14", "010"], "default": "no"},
        "true": {"type": "string"},
    }
    assert tool.returns is not None
    assert list(tool.returns["properties"]) == ["on", "12:30", "null", "1", "2001-12-14"]
    assert tool.returns["required"] == ["on", "1"]


@pytest.mark.parametrize(
    ("version", "schema", "expected"),
    [
        ("3.1.0", {"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ("3.1.0", {"type": ["integer", "string", "null"]}, {"type": ["integer", "string", "null"]}),
        ("3.0.0", {"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        (
            "3.0.0",
            {"enum": ["a"], "type": "string", "nullable": True},
            {"enum": ["a", None], "type": ["string", "null"]},
        ),
        ("2.0", {"type": "string", "x-nullable": True}, {"type": ["string", "null"]}),
        ("3.0.0", {"oneOf": [TEXT], "nullable": True}, {"type": ["string", "null"]}),
    ],
)
def test_type_arrays_and_nullable_allow_null(tmp_path: Path, version: str, schema: Any, expected: Any) -> None:
    response = {"schema": schema} if version == "2.0" else {"content": {"application/json": {"schema": schema}}}
    raw = {"operationId": "x", "responses": {"200": response}}
    assert operation(tmp_path, raw, version=version)[0].returns == expected


def test_a_discriminator_without_one_of_tells_the_kinds(tmp_path: Path) -> None:
    pet = {"type": "object", "discriminator": {"propertyName": "kind"}, "properties": {"kind": TEXT}}
    cat = {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"type": "object", "properties": {"lives": {}}}]}
    schemas = {"Pet": pet, "Cat": cat, "Dog": cat}
    tool, report = taken(tmp_path, {"$ref": "#/components/schemas/Pet"}, components={"schemas": schemas})
    assert tool.parameters["properties"]["kind"] == {"type": "string", "enum": ["Cat", "Dog", "Pet"]}
    assert "kind tells 3 kinds apart" in report.reasons[0]
    pet["discriminator"] = {"propertyName": "kind", "mapping": {"c": "Cat", "d": "https://example.com/dog.json"}}
    tool, _ = taken(tmp_path, {"$ref": "#/components/schemas/Pet"}, components={"schemas": schemas})
    assert tool.parameters["properties"]["kind"] == {"type": "string", "enum": ["c", "d"]}
    tool, report = taken(tmp_path, {"$ref": "#/components/schemas/Cat"}, components={"schemas": schemas})
    assert tool.parameters["properties"] == {"kind": TEXT, "lives": {}}
    assert report.outcome == "imported"


@pytest.mark.parametrize("told", ["kind", {"propertyName": 7}, {"propertyName": "none"}, {"mapping": []}, [], True])
def test_an_odd_discriminator_changes_nothing(tmp_path: Path, told: Any) -> None:
    schemas = {"Pet": {"type": "object", "discriminator": told, "properties": {"kind": TEXT}}}
    tool, report = taken(tmp_path, {"$ref": "#/components/schemas/Pet"}, components={"schemas": schemas})
    assert tool.parameters["properties"] == {"kind": TEXT}
    assert report.outcome == "imported"


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/{a}.{b}", ["a", "b"]),
        ("/x/{a}:verb", ["a"]),
        ("/{proxy+}", ["proxy"]),
        ("/x{;matrix*}", ["matrix"]),
        ("/x{.label}", ["label"]),
        ("/users('{id}')", ["id"]),
        ("/{a}/{a}", ["a"]),
        ("/{}/{open", []),
    ],
)
def test_undeclared_path_parameters_are_taken_from_the_path(tmp_path: Path, path: str, names: list[str]) -> None:
    tool, report = operation(tmp_path, {"operationId": "x"}, path)
    assert tool.parameters.get("required", []) == names
    assert [f"path parameter {name}: not declared, taken as text" in report.reasons for name in names] == [True] * len(
        names
    )


def test_a_placeholder_that_the_query_spells_otherwise_is_asked_for_once(tmp_path: Path) -> None:
    told = {"name": "domain_name", "in": "query", "required": True, "description": "The domain.", "schema": TEXT}
    made = {"name": "domainName", "in": "path", "required": True, "description": "Automatically added", "schema": TEXT}
    for declared in ([told], [told, made]):
        tool, report = operation(tmp_path, {"operationId": "x", "parameters": declared}, "/zones/{domainName}")
        assert tool.parameters["properties"] == {"domainName": {**TEXT, "description": "The domain."}}
        assert tool.http is not None
        assert tool.http.locations == {"domainName": "path"}
        assert "path parameter domainName: declared as domain_name in query" in report.reasons


def test_an_application_is_identified_by_whoever_sends_the_request(tmp_path: Path) -> None:
    sent = [{"name": name, "in": "header", "required": True, "schema": TEXT} for name in ("App-Id", "X-Client-ID")]
    tool, _ = operation(tmp_path, {"operationId": "x", "parameters": sent})
    assert tool.parameters["properties"] == {}


def test_credentials_declared_as_schemes_and_again_as_parameters_are_left_out(tmp_path: Path) -> None:
    schemes = {
        "header": {"type": "apiKey", "in": "header", "name": "X-Shop"},
        "query": {"type": "apiKey", "in": "query", "name": "appid"},
        "cookie": {"type": "apiKey", "in": "cookie", "name": "sid"},
        "bearer": {"type": "http", "scheme": "bearer"},
        "again": {"$ref": "#/components/securitySchemes/header"},
        "odd": {"type": "apiKey", "in": 7, "name": []},
        "none": None,
    }
    declared = [("x-shop", "header"), ("appid", "query"), ("sid", "cookie"), ("Accept", "header"), ("id", "query")]
    declared += [("Authorization", "header"), ("Content-Type", "header"), ("access_token", "query")]
    parameters = [{"name": name, "in": place, "required": True, "schema": TEXT} for name, place in declared]
    raw = {"operationId": "x", "parameters": parameters}
    tool, _ = operation(tmp_path, raw, components={"securitySchemes": schemes})
    assert tool.parameters["properties"] == {"id": TEXT}
    assert tool.parameters["required"] == ["id"]


@pytest.mark.parametrize("envelope", ["data", "items", "results"])
def test_response_envelopes_keep_their_rows_and_paging(tmp_path: Path, envelope: str) -> None:
    row = {"type": "object", "properties": {"id": TEXT}}
    paging = {"next_cursor": {"type": ["string", "null"]}, "has_more": {"type": "boolean"}}
    schema = {"type": "object", "properties": {envelope: {"type": "array", "items": row}, **paging}}
    assert returned(tmp_path, schema)[0] == schema


def test_operations_under_a_repeated_key_are_not_lost(tmp_path: Path) -> None:
    text = "openapi: 3.0.0\npaths:\n  /a: {get: {operationId: a}}\n  /a: {post: {operationId: b}}\n"
    assert {tool.name for tool in load(tmp_path, text).toolset.tools} == {"a", "b"}
    text = '{"openapi": "3.0.0", "paths": {"/a": {"get": {"operationId": "a"}}, "/a": {"post": {"operationId": "b"}}}}'
    assert {tool.name for tool in load(tmp_path, text).toolset.tools} == {"a", "b"}


def test_a_path_item_may_be_a_reference_with_operations_and_parameters_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "item.json").write_text(
        json.dumps({"parameters": [{"name": "far", "in": "query"}], "get": {"operationId": "far"}, "put": {}})
    )
    item = {
        "$ref": "item.json",
        "parameters": [{"name": "near", "in": "query"}],
        "post": {"operationId": "near"},
        "put": {"operationId": "mine"},
    }
    report = load(tmp_path, openapi({"/x": item}))
    assert {tool.name: list(tool.parameters["properties"]) for tool in report.toolset.tools} == {
        name: ["far", "near"] for name in ("far", "near", "mine")
    }


def test_every_method_of_every_path_has_a_report(tmp_path: Path) -> None:
    methods = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
    values = [{}, None, [], "x", 5, {"$ref": "#/nowhere"}, returning(TEXT), {"parameters": 7, "responses": []}]
    paths = {f"/{index}": dict.fromkeys(methods, value) for index, value in enumerate(values)}
    report = load(tmp_path, openapi(paths))
    assert len(report.reports) == len(methods) * len(values)
    assert all(item.reasons for item in report.reports if item.outcome != "imported")
    assert len(report.toolset.tools) == sum(item.outcome != "rejected" for item in report.reports)


def test_a_file_of_the_first_import_may_be_imported_again_and_is_the_same(tmp_path: Path) -> None:
    paths = {"/a b/{id}": {"get": {}, "post": taking({"type": "object", "properties": {"id": TEXT}})}}
    load(tmp_path, openapi(paths))
    assert import_openapi(tmp_path / "api.yaml") == import_openapi(tmp_path / "api.yaml")


def test_a_discriminator_beside_one_of_gives_each_kind_its_value(tmp_path: Path) -> None:
    def kind(field: str) -> dict[str, Any]:
        return {"type": "object", "required": [field], "properties": {"type": TEXT, field: TEXT}}

    method = {
        "oneOf": [{"$ref": "#/components/schemas/Card"}, {"$ref": "#/components/schemas/Bank"}],
        "discriminator": {"propertyName": "type", "mapping": {"card": "#/components/schemas/Card"}},
    }
    components = {"schemas": {"Method": method, "Card": kind("number"), "Bank": kind("iban")}}
    body = taking({"type": "object", "properties": {"payment": {"$ref": "#/components/schemas/Method"}}})
    tool, _ = only(load(tmp_path, openapi({"/a": {"post": body}}, components=components)))
    branches = tool.parameters["properties"]["payment"]["oneOf"]
    assert [branch["properties"]["type"]["const"] for branch in branches] == ["card", "Bank"]
    assert [branch["required"] for branch in branches] == [["number", "type"], ["iban", "type"]]


def test_a_tool_with_more_parameters_than_anybody_tells_of_is_left_out(tmp_path: Path) -> None:
    many = [{"name": f"p{number}", "in": "query", "schema": TEXT} for number in range(3_000)]
    report = load(tmp_path, openapi({"/x": {"get": {"operationId": "list", "parameters": many}}}))
    assert report.toolset.tools == ()
    assert "has 3000 parameters" in " ".join(report.reports[0].reasons)


def test_a_path_longer_than_anybody_writes_is_left_out(tmp_path: Path) -> None:
    paths = {f"/{'a' * 100_000}": {"get": {"operationId": "long"}}, "/b": {"get": {"operationId": "short"}}}
    report = load(tmp_path, openapi(paths))
    assert [tool.name for tool in report.toolset.tools] == ["short"]
    assert "its path has 100001 characters" in " ".join(report.reports[0].reasons)


def test_an_untyped_part_of_an_answer_is_what_the_example_shows(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"message": TEXT, "data": {"nullable": True}, "more": {}}}
    sample = {"message": "ok", "data": {"id": 7, "name": "Mazen"}, "more": None}
    content = {"application/json": {"schema": schema, "example": sample}}
    tool, _ = operation(tmp_path, {"operationId": "get", "responses": {"200": {"description": "", "content": content}}})
    assert tool.returns is not None
    parts = tool.returns["properties"]
    assert parts["data"]["properties"].keys() == {"id", "name"}
    assert parts["more"] == {"type": "null"}


def test_what_nearly_all_calls_are_answered_in_is_left_out(tmp_path: Path) -> None:
    form = {"name": "format", "in": "query", "schema": {**TEXT, "default": "json"}}
    own = {"name": "colour", "in": "query", "schema": {**TEXT, "default": "red"}}
    paths = {
        f"/x{place}": {"get": {"operationId": f"get{place}", "parameters": [form, *([own] if place == 1 else [])]}}
        for place in range(8)
    }
    tools = load(tmp_path, openapi(paths)).toolset.tools
    assert {name for tool in tools for name in tool.parameters.get("properties", {})} == {"colour"}
