"""Descriptions as nasty as real ones are: each is imported whole, its schemas are valid, its sandbox opens and answers."""

import asyncio
import copy
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tests.generators.importers.sources import load, openapi, real, returning, taking

from interplay.flows.worlds.assembly import open_world
from interplay.generators.graph.sampling.argument_samples import sample_arguments
from interplay.generators.graph.sampling.world import World
from interplay.generators.importers.documents.document_reader import read_document
from interplay.generators.importers.openapi.importer import import_openapi
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.schemas.errors import ImportFailure
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.tool import ImportReport

TEXT = {"type": "string"}
PET = "#/components/schemas/Pet"

ODD_SCHEMAS: dict[str, Any] = {
    "bounds beside booleans": {"type": "integer", "minimum": 0, "exclusiveMinimum": True, "exclusiveMaximum": False},
    "bounds that cross": {"type": "string", "minLength": 10, "maxLength": 2},
    "bounds of no size": {"type": "number", "multipleOf": 1e-320, "maximum": 10**40, "minimum": -1e300},
    "bounds of no use": {"type": "array", "items": TEXT, "minItems": -1, "maxItems": "7", "uniqueItems": "true"},
    "null in a nullable enum": {"type": "string", "nullable": True, "enum": ["a"]},
    "types": {"type": ["string", "integer", "null"], "format": "int32"},
    "types as text": {"type": "['string','null']"},
    "no types": {"type": []},
    "type null": {"type": None},
    "type file": {"type": "file"},
    "type any": {"type": "any"},
    "nothing": {},
    "true": True,
    "false": False,
    "text": "string",
    "list": ["string"],
    "null": None,
    "no items": {"type": "array"},
    "items null": {"type": "array", "items": None},
    "items list": {"type": "array", "items": [TEXT, {"type": "integer"}]},
    "required inside": {"type": "object", "properties": {"a": {"type": "string", "required": True}}},
    "required elsewhere": {"type": "object", "required": ["z", "a", "a", None, 1], "properties": {"a": TEXT}},
    "required only": {"type": "object", "required": ["q"]},
    "look ahead": {"type": "string", "pattern": "^(?!foo).*$"},
    "broken pattern": {"type": "string", "pattern": "[a-z"},
    "exploding pattern": {"type": "string", "pattern": "(a+)+$"},
    "unicode pattern": {"type": "string", "pattern": "^\\p{L}{1,50}$"},
    "named back reference": {"type": "string", "pattern": "^(?<y>\\d)\\k<y>$"},
    "pattern as a literal": {"type": "string", "pattern": "/^[A-Z]+$/g"},
    "unknown format": {"type": "string", "format": "frobnicate"},
    "format that is none": {"type": "integer", "format": {"a": 1}},
    "wrong default": {"type": "integer", "default": "abc"},
    "wrong default object": {"type": "object", "default": []},
    "huge enum": {"type": "string", "enum": [f"value{n}" for n in range(3_000)]},
    "mixed enum": {"type": "string", "enum": [1, True, "a", "a", None]},
    "enum map": {"type": "string", "enum": {"a": 1}},
    "read only": {"type": "object", "properties": {"id": {"type": "string", "readOnly": True}}, "required": ["id"]},
    "write only": {"type": "object", "properties": {"pin": {"type": "string", "writeOnly": True}}, "required": ["pin"]},
    "never": {"not": {}},
    "properties list": {"type": "object", "properties": [{"name": "a"}]},
    "odd properties": {"type": "object", "properties": {"": TEXT, "$ref": TEXT, "a b": None, "c": "string", "d": [1]}},
    "closed parts": {
        "allOf": [{"properties": {"a": TEXT}, "additionalProperties": False}, {"properties": {"b": TEXT}}]
    },
    "empty parts": {"allOf": [], "oneOf": [], "anyOf": None},
    "odd parts": {"oneOf": [None, 1, {"$ref": "#/nowhere"}], "anyOf": {"a": TEXT}},
    "open map": {"type": "object", "additionalProperties": {"$ref": "#/nowhere"}},
    "odd patterns": {"type": "object", "patternProperties": {"^(?!x)": TEXT, "^a": {"type": "integer"}}},
    "conditions": {"if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}, "properties": {"a": {}}},
    "dependencies": {"dependencies": {"a": ["b"]}, "dependentRequired": {"a": "b"}, "properties": {"a": {}, "b": {}}},
    "odd words": {"type": "string", "title": 7, "description": ["a"], "deprecated": "yes", "xml": {"name": "x"}},
    "reference to a number": {"$ref": 7},
    "reference to the root": {"$ref": "#"},
    "reference to nothing": {"$ref": ""},
    "reference to a path": {"$ref": "#/paths/~1odd/get/responses/200"},
    "percent-encoded": {"$ref": "#/paths/%7E1odd/get/parameters/0/schema"},
    "circle": {"$ref": PET},
    "circle beside siblings": {"$ref": PET, "description": "Mine.", "nullable": True, "example": {"$ref": "#/x"}},
    "many": {"type": "array", "items": TEXT, "minItems": 10**7},
    "long": {"type": "string", "minLength": 10**8},
}
SCHEMAS = {"Pet": {"type": "object", "properties": {"next": {"$ref": PET}, "name": TEXT}}}


def hold(schema: Any) -> dict[str, Any]:
    """Put a schema into each place that a schema may stand in."""
    query = [{"name": "q", "in": "query", "required": True, "schema": schema}]
    inner = {"type": "object", "properties": {"p": schema}, "required": ["p"]}
    return {
        "/odd": {
            "get": returning({"type": "array", "items": schema}, operationId="list", parameters=query),
            "post": returning(inner, operationId="make", **{"requestBody": taking(inner)["requestBody"]}),
            "put": returning(schema, operationId="put", **{"requestBody": taking(schema)["requestBody"]}),
            "patch": taking(schema, media="multipart/form-data", operationId="patch"),
        }
    }


def check(path: Path, operations: int) -> None:
    """Import, check every schema, open the sandbox, and call each tool for which there are arguments."""
    report = import_openapi(path)
    assert len(report.reports) == operations
    check_report(report)
    world = open_world([f"openapi:{path}"])
    sampled = World(world.environment)
    for index, tool in enumerate(report.toolset.tools):
        try:
            arguments = sample_arguments(sampled, tool, Random(index))
        except Unsatisfiable:
            continue
        call = ToolCall(id=f"{index:09d}", name=tool.name, arguments=arguments)
        assert asyncio.run(world.environment.call(call)).text


def check_report(report: ImportReport) -> None:
    assert "could not be understood" not in report.model_dump_json()
    assert all(item.reasons for item in report.reports if item.outcome != "imported")
    for tool in report.toolset.tools:
        Draft202012Validator.check_schema(tool.parameters)
        Draft202012Validator.check_schema(tool.returns or {})


@pytest.mark.parametrize("schema", ODD_SCHEMAS.values(), ids=ODD_SCHEMAS.keys())
def test_an_odd_schema_costs_no_operation(tmp_path: Path, schema: Any) -> None:
    load(tmp_path, openapi(hold(schema), components={"schemas": SCHEMAS}))
    check(tmp_path / "api.yaml", 4)


@pytest.mark.parametrize("schema", ODD_SCHEMAS.values(), ids=ODD_SCHEMAS.keys())
def test_an_odd_schema_costs_no_operation_of_swagger(tmp_path: Path, schema: Any) -> None:
    own = schema if isinstance(schema, dict) else {"type": schema}
    body = {"in": "body", "name": "body", "schema": schema}
    paths = {
        "/odd": {
            "get": {"parameters": [{"name": "q", "in": "query", **own}], "responses": {"200": {"schema": schema}}},
            "post": {"parameters": [body], "responses": {"default": {"schema": schema}}},
            "put": {"parameters": [{"name": "f", "in": "formData", **own}, None, 5], "responses": None},
        }
    }
    load(tmp_path, openapi(paths, "2.0", definitions={}))
    check(tmp_path / "api.yaml", 3)


BODIES: dict[str, Any] = {
    "charset": {
        "content": {"text/html": {}, "application/json; charset=utf-8": {"schema": {"properties": {"a": TEXT}}}}
    },
    "vendor": {"content": {"application/vnd.api+json": {"schema": {"properties": {"data": {}}}}}},
    "any": {"content": {"*/*": {"schema": {"properties": {"a": TEXT}}}}},
    "bytes": {"content": {"application/octet-stream": {}}},
    "image": {"content": {"image/*": {"schema": None}}},
    "array": {"required": True, "content": {"application/json": {"schema": {"type": "array", "items": TEXT}}}},
    "choice": {"content": {"application/json": {"schema": {"oneOf": [{"properties": {"a": TEXT}}, {"$ref": PET}]}}}},
    "no media": {"content": {"application/json": None}},
    "no content": {"content": []},
    "old": {"schema": {"properties": {"a": TEXT}}},
    "null": None,
    "list": [],
    "lost": {"$ref": "#/components/requestBodies/None"},
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_an_odd_body_costs_no_operation(tmp_path: Path, body: Any) -> None:
    item = {method: {"operationId": method, "requestBody": body} for method in ("get", "post", "delete")}
    load(tmp_path, openapi({"/x": item}, components={"schemas": SCHEMAS}))
    check(tmp_path / "api.yaml", 3)


PARAMETERS: dict[str, Any] = {
    "content": [{"name": "f", "in": "query", "content": {"application/json": {"schema": {"properties": {"a": TEXT}}}}}],
    "no content": [{"name": "f", "in": "query", "content": value} for value in ({}, None, {"application/json": None})],
    "deep": [{"name": "f", "in": "query", "style": "deepObject", "explode": True, "schema": {"properties": {"a": TEXT}}}],
    "lost": [{"$ref": "#/components/parameters/none"}, None, 5, {}, {"name": "a"}, {"in": "query"}, {"name": "", "in": "path"}],
    "map": {"a": {"in": "query"}, "b": None},
    "text": "none",
    "hundreds": [{"name": f"p{n}", "in": "query", "required": n % 2 == 0, "schema": TEXT} for n in range(300)],
    "twice": [{"name": "a", "in": "query", "schema": schema} for schema in (TEXT, {"type": "integer"})],
}  # fmt: skip


@pytest.mark.parametrize("parameters", PARAMETERS.values(), ids=PARAMETERS.keys())
def test_odd_parameters_cost_no_operation(tmp_path: Path, parameters: Any) -> None:
    item = {
        "parameters": parameters,
        "get": {"operationId": "a"},
        "put": {"operationId": "b", "parameters": parameters},
    }
    load(tmp_path, openapi({"/x/{id}": item}))
    check(tmp_path / "api.yaml", 2)


PLAIN = "openapi: 3.0.0\npaths: {/a: {get: {operationId: a, responses: {}}}}\n"
FILES: dict[str, bytes] = {
    "byte order mark": b"\xef\xbb\xbf" + PLAIN.replace("\n", "\r\n").encode(),
    "utf-16": PLAIN.encode("utf-16"),
    "utf-16 without a mark": PLAIN.encode("utf-16-le"),
    "many documents": f"---\n{PLAIN}---\nopenapi: 3.0.0\npaths: {{}}\n...\n".encode(),
    "an empty document first": f"---\n---\n{PLAIN}".encode(),
    "directives": f"%YAML 1.1\n%TAG ! tag:x,2000:\n---\n{PLAIN}".encode(),
    "merge keys": b"openapi: 3.0.0\nx: &x {responses: {200: {}}}\ny: &y {summary: s}\n"
    b"paths: {/a: {get: {<<: [*x, *y], operationId: a}}}",
    "aliases as keys": b"openapi: &v 3.0.0\nx: &k /a\npaths: {*k : {get: {operationId: *k}}}",
    "tabs and a last comma in JSON": b'{\n\t"openapi": "3.0.0",\n\t"paths": {"/a": {"get": {"operationId": "a\tb"}}},\n}',
    "odd codes": b"openapi: 3.0.0\npaths: {/a: {get: {responses: {? [1] : {}, 200.0: {}, 2: x, '': [], 2xx: null}}}}",
    "nulls at the top": b'{"swagger": "2.0", "info": null, "security": null, "definitions": null, "parameters": [],'
    b' "securityDefinitions": [], "paths": {"/a": {"get": {"security": null, "tags": null, "responses": null}}}}',
    "a word of 200,000 letters": PLAIN.replace("operationId: a", f"description: {'<b>x</b>' * 25_000}").encode(),
}


@pytest.mark.parametrize("data", FILES.values(), ids=FILES.keys())
def test_an_odd_file_is_read(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "api.yaml").write_bytes(data)
    check(tmp_path / "api.yaml", 1)


@pytest.mark.parametrize(
    "data",
    [b"", b"null", b"hello", b"<!DOCTYPE html><html></html>", bytes(range(256)) * 99, b"a:\n\t- b", b'{"a": 1} {"b": 2}',
     b'{"openapi": "3.1.0", "components": {}}', b'{"openapi": "3.0.0", "paths": null}', b'{"item": [], "info": {}}',
     b'{"asyncapi": "2.0.0", "channels": {}}', b'{"swagger": "2.0", "paths": {"$ref": "http://x"}}'],
)  # fmt: skip
def test_what_is_no_description_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "api.yaml").write_bytes(data)
    with pytest.raises(ImportFailure, match=r"^api\.yaml: "):
        import_openapi(tmp_path / "api.yaml")


def test_finds_schemas_by_their_identity_anchor_and_dynamic_anchor(tmp_path: Path) -> None:
    schemas = {
        "Address": {"$id": "https://example.com/address", "type": "object", "properties": {"street": TEXT}},
        "Deep": {"type": "object", "properties": {"q": {"$anchor": "deep", "type": "number"}}},
        "Tree": {
            "$dynamicAnchor": "node",
            "type": "object",
            "properties": {"children": {"type": "array", "items": {"$dynamicRef": "#node"}}},
        },
        "Sample": {"example": {"$anchor": "sample", "type": "boolean"}},
    }
    wanted = ("https://example.com/address", "https://example.com/address#/properties/street", "#deep", "#sample")
    properties: dict[str, Any] = {f"p{index}": {"$ref": text} for index, text in enumerate(wanted)}
    properties["tree"] = {"$ref": "#/components/schemas/Tree"}
    paths = {"/a": {"get": returning({"type": "object", "properties": properties})}}
    report = load(tmp_path, openapi(paths, "3.1.0", components={"schemas": schemas}))
    assert report.toolset.tools[0].returns == {
        "type": "object",
        "properties": {
            "p0": {"title": "Address", "type": "object", "properties": {"street": TEXT}},
            "p1": TEXT,
            "p2": {"type": "number"},
            "p3": {},
            "tree": {
                "title": "Tree",
                "type": "object",
                "properties": {"children": {"type": "array", "items": {"title": "Tree", "type": "object"}}},
            },
        },
    }


KEYS = (
    "$ref type items properties allOf oneOf anyOf required enum const default parameters in name schema content responses "
    "discriminator additionalProperties not if nullable format minimum pattern examples example $id $anchor $dynamicRef "
    "links operationId operationRef requestBody readOnly prefixItems mapping propertyName security get x-a 200"
).split()
_leaves = st.sampled_from([None, True, 0, -1, 1.5, 10**40, "", "x", "é" * 70, "\0", "#", "$response.body#/id", "200"])
_references = st.sampled_from(["#", "", "#/", "#/paths", "#/components/schemas", "#x", "x.json", "../x", "http://x"])
_values = st.recursive(
    _leaves | st.builds(lambda text: {"$ref": text}, _references),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=6,
)
_steps = st.lists(st.integers(0, 30), min_size=1, max_size=12)
_changes = st.tuples(_steps, st.sampled_from(("delete", "replace", "add", "nest")), st.sampled_from(KEYS), _values)
SMALL = ("petstore_v3.yaml", "petstore_expanded_v2.json", "oai_link_example.json", "uspto.yaml", "museum.yaml")


def change(document: Any, steps: list[int], how: str, key: str, value: Any) -> None:
    """Change one place in a document: `steps` lead there, whatever the document is."""
    holder: Any = document
    at: Any = next(iter(document))
    for step in steps:
        at = list(holder)[step % len(holder)] if isinstance(holder, dict) else step % len(holder)
        if not isinstance(holder[at], dict | list) or not holder[at]:
            break
        holder = holder[at] if step != steps[-1] else holder
    if how == "delete":
        del holder[at]
    elif how == "add" and isinstance(holder, dict):
        holder[key] = value
    else:
        holder[at] = copy.deepcopy(holder) if how == "nest" else copy.deepcopy(value)


@pytest.mark.parametrize("file", SMALL)
@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(changes=st.lists(_changes, min_size=1, max_size=6))
def test_no_change_of_a_real_description_raises_anything_but_a_failure(
    file: str, changes: list[tuple[list[int], str, str, Any]], tmp_path: Path
) -> None:
    document = copy.deepcopy(read_document(real("openapi", file)))
    for steps, how, key, value in changes:
        if document:
            change(document, steps, how, key, value)
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(document))
    try:
        report = import_openapi(path)
    except ImportFailure:
        return
    few = report.toolset.model_copy(update={"tools": report.toolset.tools[:3]})
    check_report(report.model_copy(update={"toolset": few}))
