"""Following references inside the document's folder, and nowhere else."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.generators.importers.sources import load, only, openapi, returned, returning

from interplay.generators.importers.openapi.importer import import_openapi


def write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


def test_inlines_a_component_and_keeps_its_name_as_title(tmp_path: Path) -> None:
    schemas = {
        "Pet": {"type": "object", "properties": {"tag": {"$ref": "#/components/schemas/Tag"}}},
        "Tag": {"title": "T"},
    }
    schema, report = returned(tmp_path, {"$ref": "#/components/schemas/Pet"}, components={"schemas": schemas})
    assert schema == {"title": "Pet", "type": "object", "properties": {"tag": {"title": "T"}}}
    assert report.outcome == "imported"


def test_follows_files_relative_to_the_file_that_names_them(tmp_path: Path) -> None:
    write(tmp_path / "paths" / "pets.yml", {"get": returning({"$ref": "../models/pet.yml"})})
    write(tmp_path / "models" / "pet.yml", {"type": "object", "properties": {"id": {"$ref": "ids.yml#/pet_id"}}})
    write(tmp_path / "models" / "ids.yml", {"pet_id": {"type": "integer"}})
    tool, report = only(load(tmp_path, openapi({"/pets": {"$ref": "paths/pets.yml"}})))
    assert tool.returns == {
        "title": "pet",
        "type": "object",
        "properties": {"id": {"title": "pet_id", "type": "integer"}},
    }
    assert report.source.pointer == "/paths/~1pets/get"


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ("https://example.com/pet.json", "network"),
        ("file:///etc/hostname", "network"),
        ("../secret.json", "outside"),
        ("/etc/hostname", "outside"),
        ("link.json", "outside"),
        ("missing.json", "no such file"),
        ("broken.json", "broken.json: line"),
        ("#/components/schemas/Missing", "nothing"),
        ("#/components/schemas/Loop", "circle"),
    ],
)
def test_leaves_open_what_a_bad_reference_names(tmp_path: Path, reference: str, reason: str) -> None:
    folder = tmp_path / "api"
    folder.mkdir()
    write(tmp_path / "secret.json", {"type": "string"})
    (folder / "link.json").symlink_to(tmp_path / "secret.json")
    (folder / "broken.json").write_text("{")
    loop = {"Loop": {"$ref": "#/components/schemas/Loop"}}
    schema = {"type": "object", "properties": {"a": {"$ref": reference, "description": "A."}}}
    made, report = returned(folder, schema, components={"schemas": loop})
    assert made["properties"]["a"] == {"description": "A."}
    assert report.outcome == "repaired"
    assert reason in report.reasons[0]
    assert str(tmp_path) not in report.reasons[0]


def test_rejects_an_operation_that_is_a_broken_reference(tmp_path: Path) -> None:
    report = load(
        tmp_path, openapi({"/a": {"get": {"$ref": "none.yml"}}, "/b": {"$ref": "#/nothing"}, "/c": {"get": {}}})
    )
    assert [item.outcome for item in report.reports] == ["rejected", "rejected", "repaired"]
    assert [item.source.pointer for item in report.reports] == ["/paths/~1a/get", "/paths/~1b", "/paths/~1c/get"]


def test_takes_no_reference_from_examples_defaults_and_enums(tmp_path: Path) -> None:
    sample = {"$ref": "#/nothing"}
    schema = {
        "type": "object",
        "example": sample,
        "default": sample,
        "x-a": sample,
        "properties": {"a": {"const": sample}},
    }
    made, report = returned(tmp_path, schema)
    assert report.outcome == "imported"
    assert made["examples"] == [sample]
    assert made["default"] == sample
    assert made["properties"]["a"] == {"const": sample}


def test_takes_properties_called_like_keywords_as_properties(tmp_path: Path) -> None:
    names = ("$ref", "example", "readOnly", "required", "x-a", "xml", "nullable", "discriminator")
    properties = {name: {"type": "string"} for name in names}
    made, report = returned(tmp_path, {"type": "object", "properties": properties})
    assert made["properties"] == properties
    assert report.outcome == "imported"


def test_cuts_a_circle_and_tells(tmp_path: Path) -> None:
    node = {
        "type": "object",
        "description": "A node.",
        "properties": {"next": {"$ref": "#/components/schemas/Node"}, "id": {"type": "string"}},
    }
    made, report = returned(tmp_path, {"$ref": "#/components/schemas/Node"}, components={"schemas": {"Node": node}})
    assert made["properties"]["next"] == {"title": "Node", "description": "A node.", "type": "object"}
    assert "circular" in report.reasons[0]
    assert report.outcome == "repaired"


def test_gives_the_same_schema_whatever_was_asked_before(tmp_path: Path) -> None:
    schemas = {
        "A": {"type": "object", "properties": {"b": {"$ref": "#/components/schemas/B"}}},
        "B": {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/A"}}},
    }
    a, b = (returning({"$ref": f"#/components/schemas/{name}"}, operationId=name) for name in "AB")
    components = {"schemas": schemas}
    one = load(tmp_path, openapi({"/a": {"get": a}, "/b": {"get": b}}, components=components)).toolset
    other = load(tmp_path, openapi({"/b": {"get": b}, "/a": {"get": a}}, components=components)).toolset
    assert one.tool("A").returns == other.tool("A").returns
    assert one.tool("B").returns == other.tool("B").returns


def test_reads_a_name_alone_as_a_definition(tmp_path: Path) -> None:
    definitions = {"Pet": {"type": "object", "properties": {}}}
    operation = {"operationId": "get", "responses": {"200": {"schema": {"$ref": "Pet"}}}}
    tool, _ = only(load(tmp_path, openapi({"/x": {"get": operation}}, "2.0", definitions=definitions)))
    assert tool.returns is not None
    assert tool.returns["title"] == "Pet"


def test_works_through_a_symlinked_folder(tmp_path: Path) -> None:
    home = tmp_path / "home"
    write(home / "pet.json", {"type": "string"})
    write(home / "api.json", openapi({"/x": {"get": returning({"$ref": "pet.json"})}}))
    (tmp_path / "link").symlink_to(home)
    tool, _ = only(import_openapi(tmp_path / "link" / "api.json"))
    assert tool.returns == {"title": "pet", "type": "string"}


def test_reads_files_of_its_own_repository_and_of_no_other(tmp_path: Path) -> None:
    repository = tmp_path / "service"
    write(tmp_path / "secret.json", {"type": "string"})
    write(repository / "swagger" / "pet.json", {"type": "string"})
    operations = {f"/{name}": {"get": returning({"$ref": place})} for name, place in PLACES.items()}
    write(repository / "docs" / "api.json", openapi(operations))
    before = import_openapi(repository / "docs" / "api.json")
    assert [tool.returns for tool in before.toolset.tools] == [None, None]
    (repository / ".git").mkdir()
    tools = import_openapi(repository / "docs" / "api.json").toolset.tools
    assert [tool.returns for tool in tools] == [{"title": "pet", "type": "string"}, None]


PLACES = {"pets": "../swagger/pet.json", "secrets": "../../secret.json"}


def test_follows_a_pointer_that_lacks_its_first_slash(tmp_path: Path) -> None:
    schemas = {"Pet": {"type": "object", "properties": {"tag": {"type": "string"}}}}
    schema, _ = returned(tmp_path, {"$ref": "#components/schemas/Pet"}, components={"schemas": schemas})
    assert schema == {"title": "Pet", **schemas["Pet"]}


def test_a_schema_is_found_where_the_other_version_of_the_format_keeps_it(tmp_path: Path) -> None:
    schemas = {"Pet": {"type": "object", "properties": {"tag": {"type": "string"}}}}
    schema, _ = returned(tmp_path, {"$ref": "#/definitions/Pet"}, components={"schemas": schemas})
    assert schema == {"title": "Pet", **schemas["Pet"]}
    unknown, report = returned(tmp_path, {"$ref": "#/definitions/Cat"}, components={"schemas": schemas})
    assert "Pet" not in str(unknown)
    assert report.outcome != "imported"
