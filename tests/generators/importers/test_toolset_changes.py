import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from interplay.generators.importers.openapi.importer import import_openapi
from interplay.generators.importers.toolset_changes import compare, load_import, save_import
from interplay.schemas.errors import ConfigError
from interplay.schemas.records.tool import Toolset

PET = {"type": "object", "properties": {"_id": {"type": "integer"}, "name": {"type": "string"}}}


def pets(folder: Path, **changes: Any) -> Toolset:
    """Import a small description; `changes` replace operations, as path_method."""
    paths: dict[str, Any] = {
        "/pets": {"get": operation("listPets"), "post": operation("addPet")},
        "/pets/{id}": {"get": operation("getPet"), "delete": operation("deletePet")},
    }
    for place, made in changes.items():
        path, method = ("/pets/{id}", place.removeprefix("one_")) if place.startswith("one_") else ("/pets", place)
        paths[path].pop(method, None)
        paths[path] |= {method: made} if made else {}
    document = {"openapi": "3.0.0", "info": {"title": "Pets", "version": "1"}, "paths": paths}
    file = folder / "pets.yaml"
    file.write_text(yaml.safe_dump(document))
    return import_openapi(file).toolset


def operation(name: str, **more: Any) -> dict[str, Any]:
    response = {"200": {"description": "", "content": {"application/json": {"schema": PET}}}}
    return {"operationId": name, "responses": response, **more}


def test_two_imports_of_one_file_are_the_same_from_any_folder(tmp_path: Path) -> None:
    first = pets(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    shutil.copy(tmp_path / "pets.yaml", tmp_path / "elsewhere" / "pets.yaml")
    second = import_openapi(tmp_path / "elsewhere" / "pets.yaml").toolset
    assert [tool.digest() for tool in first.tools] == [tool.digest() for tool in second.tools]
    assert compare(first, second).is_empty
    assert save_import(first) == save_import(second)


def test_tells_what_was_added_changed_and_removed(tmp_path: Path) -> None:
    before = pets(tmp_path)
    after = pets(
        tmp_path, delete=operation("dropPets"), one_delete=None, one_get=operation("getPet", summary="Show a pet")
    )
    found = compare(before, after)
    assert (found.added, found.removed, found.unchanged) == (("dropPets",), ("deletePet",), 2)
    assert [(change.name, [place.part for place in change.changes]) for change in found.changed] == [
        ("getPet", ["description", "summary"])
    ]
    assert found.summary() == "added dropPets; changed getPet; removed deletePet"


def test_tells_where_a_schema_changed(tmp_path: Path) -> None:
    before = pets(tmp_path)
    parameter = {"name": "limit", "in": "query", "schema": {"type": "integer"}}
    (change,) = compare(before, pets(tmp_path, get=operation("listPets", parameters=[parameter]))).changed
    places = {(place.part, place.pointer) for place in change.changes}
    assert ("parameters", "/properties/limit") in places


def test_a_private_looking_field_counts(tmp_path: Path) -> None:
    before = pets(tmp_path)
    name, properties = "properties", PET["properties"]
    changed = {**PET, name: {**properties, "_id": {"type": "string"}}}  # type: ignore[dict-item]
    response = {"200": {"description": "", "content": {"application/json": {"schema": changed}}}}
    after = pets(tmp_path, get={"operationId": "listPets", "responses": response})
    assert [change.name for change in compare(before, after).changed] == ["listPets"]


def test_the_same_method_and_path_under_another_name_is_a_rename(tmp_path: Path) -> None:
    found = compare(pets(tmp_path), pets(tmp_path, get=operation("findPets", summary="Find pets")))
    assert [(change.before, change.name) for change in found.renamed] == [("listPets", "findPets")]
    assert (found.added, found.removed) == ((), ())


def test_a_saved_import_is_read_again(tmp_path: Path) -> None:
    toolset = pets(tmp_path)
    (tmp_path / "saved.json").write_text(save_import(toolset))
    assert load_import(tmp_path / "saved.json") == toolset
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(ConfigError, match="expected a file of interplay import --save"):
        load_import(tmp_path / "other.json")
