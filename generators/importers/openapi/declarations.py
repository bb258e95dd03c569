"""The parameter lists of an operation, and its path template -> parameters that agree with the path.

/pets/{petId}, [{"name": "petid", "in": "path"}, {"$ref": "#/parameters/limit"}]
->  petId in path, limit in query; the different spelling is noted
"""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from interplay.generators.importers.documents.import_notes import Notes
from interplay.generators.importers.documents.json_references import BrokenReference, Document, References

_PLACES = ("path", "query", "header", "cookie", "form", "formdata")
_PLACEHOLDER = re.compile(r"\{([^{}/]+)\}")


@dataclass(frozen=True)
class Declared:
    """A parameter as the source declares it."""

    name: str
    location: str
    raw: dict[str, Any]
    document: Document


def read_declarations(
    raw: Any, document: Document, references: References, path: str, notes: Notes
) -> dict[tuple[str, str], Declared]:
    """Read one list of parameters; a later one of the same name and location replaces the earlier."""
    if raw is None:
        return {}
    if isinstance(raw, dict) and "$ref" not in raw:
        notes.repair("parameters: a map instead of a list")
        raw = [
            {"name": name, **value} if isinstance(value, dict) and "$ref" not in value else value
            for name, value in raw.items()
        ]
    try:
        raw, document = references.value(raw, document)
    except BrokenReference as error:
        notes.repair(f"parameters: {error}, left out")
        return {}
    if not isinstance(raw, list):
        notes.repair("parameters: no list, left out")
        return {}
    found: dict[tuple[str, str], Declared] = {}
    for index, value in enumerate(raw):
        try:
            value, place = references.value(value, document)
        except BrokenReference as error:
            notes.repair(f"parameters/{index}: {error}, left out")
            continue
        item = read_declaration(value, place, path, f"parameters/{index}", notes)
        if item is not None:
            if (item.name, item.location) in found:
                notes.repair(f"parameters/{index}: {item.name} in {item.location} declared twice, the later kept")
            found[item.name, item.location] = item
    return found


def read_declaration(raw: Any, document: Document, path: str, where: str, notes: Notes) -> Declared | None:
    """Read one parameter object; a missing location is path if the path template has its name, else query."""
    if not isinstance(raw, dict):
        notes.repair(f"{where}: no parameter object, left out")
        return None
    location = raw["in"].strip().lower() if isinstance(raw.get("in"), str) else ""
    name = raw.get("name")
    if isinstance(name, (bool, int, float)):  # YAML parses a name like `1` or `true` as a value
        name = json.dumps(name)
    if location == "body":
        return Declared(name if isinstance(name, str) else "body", "body", raw, document)
    if not isinstance(name, str) or not name:
        notes.repair(f"{where}: parameter without a name left out")
        return None
    if location not in _PLACES:
        location = "path" if f"{{{name}}}" in path else "query"
        notes.repair(f"{where}: {name} is in no known place, taken as {location}")
    return Declared(name, "form" if location == "formdata" else location, raw, document)


def path_names(path: str) -> list[str]:
    """Return the placeholder names of a path template, without the operators of URI templates."""
    return list(dict.fromkeys(name.strip("+*?#.;&/ ") or name for name in _PLACEHOLDER.findall(path)))


def match_path(path: str, declared: dict[tuple[str, str], Declared], notes: Notes) -> dict[tuple[str, str], Declared]:
    """Match the declared path parameters to the placeholders of the path; notes tell of each mismatch."""
    names = path_names(path)
    matched = {key: item for key, item in declared.items() if item.location != "path"}
    spare = {item.name: item for item in declared.values() if item.location == "path" and item.name not in names}
    placed: dict[tuple[str, str], Declared] = {}
    for name in names:
        twin = _misplaced(name, declared, matched)
        if twin is not None:
            notes.repair(f"path parameter {name}: declared as {twin.name} in query")
            del matched[twin.name, "query"]
            placed[name, "path"] = Declared(name, "path", twin.raw, twin.document)
            continue
        item = declared.get((name, "path"))
        if item is None:
            similar = next((other for other in spare if _loose(other) == _loose(name)), None)
            item = spare.pop(similar) if similar is not None else None
            raw = item.raw if item else {"type": "string"}
            told = f"declared as {similar}" if similar else "not declared, taken as text"
            notes.repair(f"path parameter {name}: {told}")
            document = item.document if item else Document("", None)
            item = Declared(name, "path", raw, document)
        placed[name, "path"] = item
    for name in spare:
        notes.repair(f"path parameter {name}: not in the path, left out")
    return placed | matched


def _misplaced(
    name: str, declared: Mapping[tuple[str, str], Declared], left: Collection[tuple[str, str]]
) -> Declared | None:
    """Return the required query parameter that a placeholder without proper declaration means: `pet_id` for `petId`."""
    own = declared.get((name, "path"))
    if own is not None and len(str(own.raw.get("description") or "").split()) > _GENERATED:
        return None
    twins = (
        item
        for item in declared.values()
        if item.location == "query" and item.raw.get("required") is True and item.name != name
    )
    return next((item for item in twins if _loose(item.name) == _loose(name) and (item.name, "query") in left), None)


_GENERATED = 2
"""Most words of a description that a converter generates: "Automatically added"."""


def _loose(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
