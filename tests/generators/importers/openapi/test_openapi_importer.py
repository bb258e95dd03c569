"""Operations of OpenAPI descriptions as tools."""

from pathlib import Path
from typing import Any

import pytest
from tests.generators.importers.sources import load, only, openapi, returned, returning, taken, taking

from interplay.generators.importers.openapi.importer import import_openapi
from interplay.schemas.errors import ImportFailure

IN_PATH = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}


def query(name: str, **rest: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": {"type": "string"}, **rest}


def test_turns_an_operation_into_a_tool(tmp_path: Path) -> None:
    operation = {
        "operationId": "updatePet",
        "summary": "Update a pet.",
        "description": "Updates **one** pet.",
        "parameters": [IN_PATH, query("dry", description="Only try.", example="yes")],
        **{
            key: value
            for key, value in taking(
                {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
            ).items()
            if key != "operationId"
        },
        "responses": {
            "200": {"content": {"application/json": {"schema": {"type": "object", "properties": {"id": {}}}}}}
        },
    }
    info = {"title": "Pet Shop", "version": "1", "license": {"name": "MIT"}}
    report = load(tmp_path, openapi({"/pets/{id}": {"put": operation}}, info=info))
    tool, outcome = only(report)
    assert outcome.outcome == "imported"
    assert (tool.name, tool.effect, tool.summary, tool.description) == (
        "updatePet",
        "write",
        "Update a pet",
        "Updates **one** pet.",
    )
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "dry": {"type": "string", "description": "Only try.", "examples": ["yes"]},
            "name": {"type": "string"},
        },
        "required": ["id", "name"],
    }
    assert tool.returns == {"type": "object", "properties": {"id": {}}}
    assert tool.http is not None
    assert tool.http.model_dump() == {
        "method": "PUT",
        "path": "/pets/{id}",
        "locations": {"id": "path", "dry": "query", "name": "body"},
        "original_names": {},
    }
    assert tool.source.model_dump() == {"file": "api.yaml", "pointer": "/paths/~1pets~1{id}/put"}
    assert (report.toolset.name, report.toolset.licence) == ("pet_shop", "MIT")
    assert report.toolset.provenance == ("openapi:api.yaml",)


def test_reads_swagger_2(tmp_path: Path) -> None:
    parameters = [
        {"name": "ids", "in": "query", "type": "array", "items": {"type": "integer"}, "collectionFormat": "csv"},
        {"name": "photo", "in": "formData", "type": "file", "required": True},
        {"name": "X-Note", "in": "header", "type": "string", "x-nullable": True},
    ]
    operation = {"operationId": "a", "consumes": ["multipart/form-data"], "parameters": parameters}
    operation["responses"] = {"201": {"schema": {"type": "string"}}}
    tool, report = only(load(tmp_path, openapi({"/a": {"post": operation}}, "2.0")))
    assert report.outcome == "imported"
    assert tool.parameters["properties"] == {
        "ids": {"type": "array", "items": {"type": "integer"}},
        "X-Note": {"type": ["string", "null"]},
        "photo": {"type": "string", "format": "binary"},
    }
    assert tool.parameters["required"] == ["photo"]
    assert tool.http is not None
    assert tool.http.locations == {"ids": "query", "X-Note": "header", "photo": "form"}
    assert tool.returns == {"type": "string"}


def test_reads_the_body_parameter_of_swagger_2(tmp_path: Path) -> None:
    pets = {"name": "pets", "in": "body", "required": True, "schema": {"type": "array", "items": {"type": "string"}}}
    tool, _ = only(load(tmp_path, openapi({"/a": {"post": {"operationId": "a", "parameters": [pets]}}}, "2.0")))
    assert tool.parameters["required"] == ["pets"]
    assert tool.http is not None
    assert tool.http.original_names == {"pets": ""}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array"},
        {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        {"type": "string"},
        {"type": "object"},
        {},
    ],
)
def test_takes_a_body_that_is_no_object_as_one_parameter(tmp_path: Path, schema: dict[str, Any]) -> None:
    tool, _ = taken(tmp_path, schema)
    assert tool.parameters["properties"] == {"body": schema}
    assert tool.parameters["required"] == ["body"]


def test_requires_what_a_body_needs_even_where_the_body_is_optional(tmp_path: Path) -> None:
    """Few descriptions say that a body is required; one that is given must be whole."""
    tool, _ = taken(tmp_path, {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"]}, required=False)
    assert tool.parameters["required"] == ["a"]


def test_prefers_json_among_media_types(tmp_path: Path) -> None:
    content = {
        media: {"schema": {"type": "object", "properties": {name: {}}}}
        for media, name in (
            ("text/plain", "t"),
            ("multipart/form-data", "m"),
            ("application/hal+json", "h"),
            ("application/json; charset=utf-8", "j"),
        )
    }
    tool, _ = only(load(tmp_path, openapi({"/a": {"post": {"operationId": "a", "requestBody": {"content": content}}}})))
    assert list(tool.parameters["properties"]) == ["j"]


def test_reads_form_bodies_as_properties_and_binary_ones_as_text(tmp_path: Path) -> None:
    form = taking(
        {"type": "object", "properties": {"a": {"type": "string"}}}, media="application/x-www-form-urlencoded"
    )
    binary = {"operationId": "b", "requestBody": {"content": {"application/octet-stream": {}}}}
    tools = load(tmp_path, openapi({"/a": {"post": form}, "/b": {"post": binary}})).toolset.tools
    assert tools[0].http is not None
    assert tools[0].http.locations == {"a": "form"}
    assert tools[1].parameters["properties"] == {"body": {"type": "string", "format": "binary"}}


def test_tells_names_in_two_places_apart(tmp_path: Path) -> None:
    body = taking({"type": "object", "properties": {"id": {"type": "integer"}, "a[b]": {}}, "required": ["id"]})
    tool, report = only(load(tmp_path, openapi({"/a/{id}": {"put": {**body, "parameters": [IN_PATH]}}})))
    assert list(tool.parameters["properties"]) == ["id", "id_body", "a_b"]
    assert tool.parameters["required"] == ["id", "id_body"]
    assert tool.http is not None
    assert tool.http.original_names == {"id_body": "id", "a_b": "a[b]"}
    assert report.outcome == "repaired"


def test_keeps_a_body_on_get_and_says_so(tmp_path: Path) -> None:
    tool, report = only(load(tmp_path, openapi({"/a": {"get": taking({"type": "object", "properties": {"q": {}}})}})))
    assert "q" in tool.parameters["properties"]
    assert report.reasons == ("GET with a body, kept",)


def test_brings_path_and_path_parameters_into_agreement(tmp_path: Path) -> None:
    parameters = [{**IN_PATH, "name": "gone"}, {**IN_PATH, "name": "petid", "description": "Which."}]
    item = {"get": {"operationId": "a", "parameters": parameters}}
    tool, report = only(load(tmp_path, openapi({"/shops/{shop}/pets/{petId}": item})))
    assert tool.parameters["properties"] == {
        "shop": {"type": "string"},
        "petId": {"type": "string", "description": "Which."},
    }
    assert tool.parameters["required"] == ["shop", "petId"]
    assert len(report.reasons) == 3


def test_lets_operations_override_the_parameters_of_their_path(tmp_path: Path) -> None:
    item = {
        "parameters": [IN_PATH, query("a", description="Old.")],
        "get": {"operationId": "x", "parameters": [query("a", description="New.")]},
    }
    tool, report = only(load(tmp_path, openapi({"/x/{id}": item})))
    assert tool.parameters["properties"]["a"]["description"] == "New."
    assert list(tool.parameters["properties"]) == ["id", "a"]
    assert report.outcome == "imported"


def test_leaves_credentials_and_transport_out(tmp_path: Path) -> None:
    headers = (
        "Authorization X-API-Key Accepts Accept-Language Content-Type User-Agent If-None-Match Idempotency-Key Notion-Version "
        "xero-tenant-id x-shop-consumer-id X-CM-ID X-Request-ID traceparent X-Shop-Secret Cookie x-refresh-token"
    ).split()
    parameters = [{"name": name, "in": "header", "schema": {"type": "string"}} for name in (*headers, "X-Color")]
    parameters += [{"name": "sid", "in": "cookie", "schema": {}}, query("key"), query("api_key"), query("token_id")]
    schemes = {
        "a": {"type": "apiKey", "in": "header", "name": "x-shop-secret"},
        "b": {"type": "apiKey", "in": "query", "name": "key"},
    }
    document = openapi(
        {"/x": {"get": {"operationId": "x", "parameters": parameters}}}, components={"securitySchemes": schemes}
    )
    tool, report = only(load(tmp_path, document))
    assert list(tool.parameters["properties"]) == ["token_id", "X-Color"]
    assert report.outcome == "imported"


def test_makes_names_legal_unique_and_independent_of_order(tmp_path: Path) -> None:
    paths = {
        "/a": {"get": {"operationId": "get.pet"}, "post": {"operationId": "same"}},
        "/b": {"get": {"operationId": "get_pet"}, "post": {"operationId": "same"}},
        "/pets/{id}": {"get": {"summary": "No name."}},
        "/long": {"get": {"operationId": "x" * 100}},
    }
    there = load(tmp_path, openapi(paths))
    back = load(tmp_path, openapi(dict(reversed(paths.items()))))
    names = {tool.source.pointer: tool.name for tool in there.toolset.tools}
    assert names == {tool.source.pointer: tool.name for tool in back.toolset.tools}
    assert names["/paths/~1b/get"] == "get_pet"
    assert names["/paths/~1a/get"] == "get_pet_get"
    assert names["/paths/~1pets~1{id}/get"] == "get_pets_by_id"
    assert sorted((names["/paths/~1a/post"], names["/paths/~1b/post"])) == ["same", "same_post"]
    assert len(names["/paths/~1long/get"]) == 64
    assert len(set(names.values())) == 6
    assert [item.outcome for item in there.reports].count("repaired") == 4
    assert there.toolset.tool("get_pet_get").original_name == "get.pet"


@pytest.mark.parametrize(
    ("method", "path", "rest", "effect"),
    [
        ("get", "/pets", {}, "read"),
        ("delete", "/pets", {}, "write"),
        ("post", "/pets", {"operationId": "createPet"}, "write"),
        ("post", "/pets/search", {"operationId": "a"}, "read"),
        ("post", "/pets", {"operationId": "pets_query"}, "read"),
        ("post", "/databases/{id}/query", {"operationId": "post-database-query"}, "read"),
        ("post", "/pets", {"operationId": "a", "summary": "Search for pets by colour"}, "read"),
        ("post", "/pets", {"operationId": "a", "summary": "Search for a pet and update it"}, "write"),
        ("post", "/searches", {"operationId": "createSearch"}, "write"),
    ],
)
def test_tells_reads_from_writes(tmp_path: Path, method: str, path: str, rest: dict[str, Any], effect: str) -> None:
    tool, _ = only(load(tmp_path, openapi({path: {method: {"operationId": "x", **rest}}})))
    assert tool.effect == effect


def test_takes_the_summary_from_the_first_sentence(tmp_path: Path) -> None:
    text = "Returns **all** [pets](http://x). <br>Sorted, e.g. by name.\n\nMore."
    tool, _ = only(load(tmp_path, openapi({"/x": {"get": {"operationId": "x", "description": text}}})))
    assert tool.summary == "Returns all pets"
    assert tool.description == text
    tool, _ = only(load(tmp_path, openapi({"/x": {"get": {"operationId": "x", "description": "word " * 1_000}}})))
    assert len(tool.description) <= 1_000
    assert len(tool.summary) <= 160


def test_returns_the_best_success(tmp_path: Path) -> None:
    def response(kind: str) -> dict[str, Any]:
        return {"content": {"application/json": {"schema": {"type": kind}}}}

    def returns(responses: dict[Any, Any]) -> Any:
        return only(load(tmp_path, openapi({"/x": {"get": {"operationId": "x", "responses": responses}}})))[0].returns

    assert returns({"default": response("null"), "201": response("integer"), "200": response("string")}) == {
        "type": "string"
    }
    assert returns({"2XX": response("string"), "404": response("null")}) == {"type": "string"}
    assert returns({"default": response("string")}) == {"type": "string"}
    assert returns({"204": {}, "default": response("string")}) is None
    assert returns({"200": {"description": ""}}) is None
    assert returns({"404": response("string")}) is None
    assert returns({"200": {"description": ""}, "202": response("string")}) == {"type": "string"}


@pytest.mark.parametrize("schema", [None, {}, {"type": "object"}, {"type": "object", "properties": {}}])
@pytest.mark.parametrize("shape", ["example", "examples", "component", "text"])
def test_infers_what_is_returned_from_an_example(tmp_path: Path, schema: Any, shape: str) -> None:
    sample = {
        "id": "0a1b2c3d-0000-4000-8000-0123456789ab",
        "at": "2024-01-31",
        "tags": [{"n": 1}, {"n": 2.5, "m": None}],
    }
    media: dict[str, Any] = {"schema": schema} if schema is not None else {}
    media |= {
        "example": {"example": sample},
        "examples": {"examples": {"one": {"value": sample}}},
        "component": {"examples": {"one": {"$ref": "#/components/examples/One"}}},
        "text": {
            "example": '{"id": "0a1b2c3d-0000-4000-8000-0123456789ab", "at": "2024-01-31", "tags": [{"n": 1}, {"n": 2.5, "m": null}]}'
        },
    }[shape]
    operation = {"operationId": "x", "responses": {"200": {"content": {"application/json": media}}}}
    tool, report = only(
        load(tmp_path, openapi({"/x": {"get": operation}}, components={"examples": {"One": {"value": sample}}}))
    )
    assert tool.returns == {
        "type": "object",
        "properties": {
            "id": {"type": "string", "format": "uuid", "examples": [sample["id"]]},
            "at": {"type": "string", "format": "date", "examples": ["2024-01-31"]},
            "tags": {
                "type": "array",
                "items": {"type": "object", "properties": {"n": {"type": "number", "examples": [1, 2.5]}, "m": {}}},
            },
        },
    }
    assert report.outcome == "repaired"


def test_imports_deprecated_operations_with_a_remark_and_rejects_nameless_head(tmp_path: Path) -> None:
    item = {"get": {"operationId": "a", "deprecated": True}, "head": {}, "options": {"operationId": "b"}, "x-a": 1}
    report = load(tmp_path, openapi({"/x": item, "x-b": {}}))
    assert [(item.name, item.outcome, item.reasons) for item in report.reports] == [
        ("a", "imported", ("deprecated",)),
        ("head_x", "rejected", ("HEAD without an operationId: it tells of a resource, which is no task",)),
        ("b", "imported", ()),
    ]
    assert [(tool.name, tool.deprecated) for tool in report.toolset.tools] == [("a", True), ("b", False)]


def test_rejects_the_webhooks_of_a_description_that_has_only_webhooks(tmp_path: Path) -> None:
    webhooks = {"new.pet": {"post": returning({"type": "string"})}, "gone": {"$ref": "#/nothing"}, "none": None}
    for rest in ({}, {"paths": {}}, {"paths": None}):
        report = load(tmp_path, {"openapi": "3.1.0", "webhooks": webhooks, **rest})
        assert report.toolset.tools == ()
        assert [item.outcome for item in report.reports] == ["rejected"] * 3
        assert report.reports[0].reasons == ("a webhook: the API calls it, nobody can call it as a tool",)
        assert report.reports[0].source.pointer == "/webhooks/new.pet/post"


def test_lists_webhooks_beside_operations_as_left_out(tmp_path: Path) -> None:
    webhooks = {"pet": {"post": returning({"type": "string"}, operationId="hook")}}
    report = load(tmp_path, openapi({"/a": {"get": returning({})}}, "3.1.0", webhooks=webhooks))
    assert [tool.name for tool in report.toolset.tools] == ["get"]
    assert [(item.name, item.outcome) for item in report.reports] == [("get", "imported"), ("webhook pet", "rejected")]
    assert report.reports[1].reasons == ("a webhook: the API calls it, nobody can call it as a tool",)
    assert report.reports[1].source.pointer == "/webhooks/pet/post"


SCOPED = "Authentication token. Requires scope: `chat:write`"


@pytest.mark.parametrize(
    ("media", "name", "description", "is_left_out"),
    [
        ("application/x-www-form-urlencoded", "token", SCOPED, True),
        ("application/json", "token", SCOPED, True),
        ("application/json", "api_key", "Your API key.", True),
        ("application/json", "access_token", "Used to authenticate the request.", True),
        ("application/json", "api_key", "The API key of the mail provider to connect.", False),
        ("application/json", "token", "The token of the card.", False),
        ("application/x-www-form-urlencoded", "token", "The access token to revoke.", False),
        ("application/x-www-form-urlencoded", "token", "The refresh token.", False),
        ("application/x-www-form-urlencoded", "token", "", False),
        ("application/json", "authentication_note", SCOPED, False),
    ],
)
def test_a_field_that_only_authenticates_is_left_out_and_told(
    tmp_path: Path, media: str, name: str, description: str, is_left_out: bool
) -> None:
    fields = {name: {"type": "string", "description": description}, "text": {"type": "string"}}
    body = taking({"type": "object", "properties": fields, "required": [name]}, media=media)
    report = load(tmp_path, openapi({"/a": {"post": body}}))
    tool = report.toolset.tools[0]
    assert (name not in tool.parameters["properties"]) == is_left_out
    assert (name not in tool.parameters.get("required", ())) == is_left_out
    where = "body" if media.endswith("json") else "form"
    told = f"{where} {name}: left out, for it only authenticates the request"
    assert (told in report.reports[0].reasons) == is_left_out


@pytest.mark.parametrize(
    ("name", "description", "is_left_out"),
    [
        ("token", SCOPED, True),
        ("key", "API key. Your API key identifies your project.", True),
        ("key", "The key of the setting.", False),
        ("token", "The access token to be revoked.", False),
        ("token", "The token of the invitation.", False),
    ],
)
def test_a_query_parameter_that_only_authenticates_is_left_out_and_told(
    tmp_path: Path, name: str, description: str, is_left_out: bool
) -> None:
    parameter = {"name": name, "in": "query", "description": description, "schema": {"type": "string"}}
    report = load(tmp_path, openapi({"/a": {"get": returning({}, parameters=[parameter])}}))
    assert (name not in report.toolset.tools[0].parameters["properties"]) == is_left_out
    assert any(name in reason for reason in report.reports[0].reasons) == is_left_out


def test_rejects_only_what_is_broken(tmp_path: Path) -> None:
    report = load(tmp_path, openapi({"/a": None, "/b": {"get": 5}, "/c": {"get": returning({"type": "string"})}}))
    assert [item.outcome for item in report.reports] == ["rejected", "rejected", "imported"]
    assert all(item.reasons for item in report.reports[:2])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("openapi: 3.1.0\nwebhooks: {a: {}}", "/paths is missing"),
        ("openapi: 3.0.0\ninfo: {}", "/paths is missing"),
        ("name: x", "neither"),
        ("[1, 2]", "holds a list, not an OpenAPI description .* Is it one of tools. Name it so: json:api.yaml"),
        ("<html></html>", "holds text, not an OpenAPI"),
        ("openapi: 3.0.0\npaths: [1]", "/paths is a list"),
        ("swaggerVersion: '1.2'\npaths: {}", "convert"),
        ("openapi: 3.0.0\npaths: {a: [}", "line 2"),
    ],
)
def test_says_why_a_file_cannot_be_read(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(ImportFailure, match=reason) as failure:
        load(tmp_path, text)
    assert str(failure.value).startswith("api.yaml: ")


def test_refuses_a_description_without_operations(tmp_path: Path) -> None:
    with pytest.raises(ImportFailure, match="/paths is empty"):
        load(tmp_path, "openapi: 3.0.0\npaths: {}")


def test_accepts_a_version_that_yaml_reads_as_a_number(tmp_path: Path) -> None:
    report = load(
        tmp_path,
        "swagger: 2.0\npaths:\n  /x:\n    get:\n      operationId: x\n      responses: {200: {schema: {type: string}}}",
    )
    assert only(report)[0].returns == {"type": "string"}


def test_uses_the_given_name(tmp_path: Path) -> None:
    path = tmp_path / "api.json"
    path.write_text('{"openapi": "3.0.0", "paths": {"/a": {"get": {"operationId": "a"}}}}')
    assert import_openapi(path, "mine").toolset.name == "mine"
    assert import_openapi(path).toolset.name == "api"


def test_a_body_that_only_its_schema_shows_has_the_fields_of_the_example(tmp_path: Path) -> None:
    tool, _ = taken(tmp_path, {"type": "object", "example": {"email": "a@b.org"}})
    assert set(tool.parameters["properties"]) == {"email"}


def test_a_body_that_is_one_value_is_called_after_its_schema(tmp_path: Path) -> None:
    status = {"ApprovalStatus": {"type": "integer", "enum": [0, 1]}}
    operation = taking({"$ref": "#/components/schemas/ApprovalStatus"})
    tool, _ = only(load(tmp_path, openapi({"/ticket": {"put": operation}}, components={"schemas": status})))
    assert set(tool.parameters["properties"]) == {"approval_status"}
    assert tool.http is not None
    assert tool.http.original_names == {"approval_status": ""}


def test_a_plain_text_is_described_by_its_response_and_nothing_is_known_of_an_empty_schema(tmp_path: Path) -> None:
    text = {"content": {"application/json": {"schema": {"type": "string"}}}}
    parked = {"operationId": "park", "responses": {"200": {"description": "Parked successfully", **text}}}
    tool, _ = only(load(tmp_path, openapi({"/park": {"post": parked}})))
    assert (tool.returns or {})["description"] == "Parked successfully"
    assert returned(tmp_path, {})[0] is None


def test_the_fields_of_an_object_in_the_query_are_parameters_of_their_own(tmp_path: Path) -> None:
    page = {
        "type": "object",
        "properties": {"page": {"type": "integer"}, "sort": {"type": "string"}},
        "required": ["page"],
    }
    listed = {"operationId": "list", "parameters": [query("pageable", schema=page, required=True)]}
    tool, report = only(load(tmp_path, openapi({"/a": {"get": listed}})))
    assert tool.parameters["properties"] == page["properties"]
    assert tool.parameters["required"] == ["page"]
    assert tool.http is not None
    assert tool.http.locations == {"page": "query", "sort": "query"}
    assert any("parameters of their own" in reason for reason in report.reasons)
    for rest in ({"style": "deepObject"}, {"explode": False}):
        kept = {"operationId": "list", "parameters": [query("pageable", schema=page, **rest)]}
        tool, _ = only(load(tmp_path, openapi({"/a": {"get": kept}})))
        assert list(tool.parameters["properties"]) == ["pageable"]
    beside = {"operationId": "list", "parameters": [query("pageable", schema=page), query("page")]}
    tool, _ = only(load(tmp_path, openapi({"/a": {"get": beside}})))
    assert list(tool.parameters["properties"]) == ["pageable", "page"]


@pytest.mark.parametrize(
    ("path", "form", "expected"),
    [
        ("/tags{format}", {"type": "string", "default": ".json"}, ("/tags.json", [])),
        ("/tags.{format}", {"type": "string", "enum": ["xml", "json"]}, ("/tags.json", [])),
        ("/tags.{format}", {"type": "string"}, ("/tags.{format}", ["format"])),
        ("/tags/{format}", {"type": "string", "default": "json"}, ("/tags/{format}", ["format"])),
    ],
)
def test_the_form_of_answers_is_no_argument(
    tmp_path: Path, path: str, form: dict[str, str], expected: tuple[str, list[str]]
) -> None:
    given = [{"name": "format", "in": "path", "required": True, "schema": form}]
    tool, _ = only(load(tmp_path, openapi({path: {"get": returning({"type": "string"}, parameters=given)}})))
    assert (tool.path, [*tool.properties]) == expected


def test_headers_about_the_client_are_no_arguments(tmp_path: Path) -> None:
    given = [
        {"name": name, "in": "header", "required": True, "schema": {"type": "string"}}
        for name in ("Api-Username", "Colour")
    ]
    tool, _ = only(load(tmp_path, openapi({"/tags": {"get": returning({"type": "string"}, parameters=given)}})))
    assert [*tool.properties] == ["Colour"]
