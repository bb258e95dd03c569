"""The state of the expansion of a schema, and the reading of its simplest parts."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from interplay.generators.importers.documents.import_notes import Note, Notes
from interplay.generators.importers.documents.json_references import Document
from interplay.generators.importers.normalisation.samples import TYPES

Key = tuple[int, str]

_OF_ARRAYS = {"prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems", "anyOf"}


class TooLarge(Exception):
    """The schema has more nodes than `MAX_NODES` at the tried depth."""


@dataclass
class Frame:
    """The state gathered while one component, or the outermost schema, is expanded."""

    document: Document
    ancestors: frozenset[Key]
    notes: Notes = field(default_factory=Notes)
    seen: set[Key] = field(default_factory=set)
    nodes: int = 0
    nesting: int = 0


@dataclass(frozen=True)
class Expansion:
    """An expanded component; valid under any ancestors of which it refers to exactly those in `cut`."""

    schema: dict[str, Any]
    notes: tuple[Note, ...]
    nodes: int
    seen: frozenset[Key]
    cut: frozenset[Key]


def has_children(raw: dict[str, Any]) -> bool:
    """Tell whether a schema has subschemas for the parts of an object or array."""
    return any(
        raw.get(key) for key in ("properties", "items", "additionalProperties", "patternProperties", "prefixItems")
    )


def stub(raw: Any, name: str | None) -> dict[str, Any]:
    """Return the open schema that replaces a component that is not inlined: its title, description and type."""
    raw = raw if isinstance(raw, dict) else {}
    stub: dict[str, Any] = {"title": raw["title"] if isinstance(raw.get("title"), str) else name} if name else {}
    if isinstance(raw.get("description"), str):
        stub["description"] = raw["description"].strip()[:500]
    if isinstance(raw.get("type"), str) and raw["type"] in TYPES:
        stub["type"] = raw["type"]
    elif "properties" in raw or "allOf" in raw:
        stub["type"] = "object"
    return stub


def without_choice_lists(raw: dict[str, Any], notes: Notes, where: str) -> dict[str, Any]:
    """Read `items` lists of schemas that are no arrays as `anyOf`, since converters to Swagger 2 write it so."""
    items = raw.get("items")
    if not isinstance(items, list) or not items or raw.get("type", "object") != "object" or set(raw) & _OF_ARRAYS:
        return raw
    kinds = [item.get("type") for item in items if isinstance(item, dict)]
    whole = [item for item in items if isinstance(item, dict) and ("properties" in item or "$ref" in item)]
    if len(kinds) < len(items) or ("null" not in kinds and len(whole) < len(items)):
        return raw
    notes.repair(f"{where}: a list of items of no array, read as anyOf")
    return {**{key: value for key, value in raw.items() if key != "items"}, "anyOf": items}


def add_items(schema: dict[str, Any], raw: dict[str, Any], inner: Callable[[Any, str], dict[str, Any]]) -> None:
    """Add `items` and `prefixItems`; a list under `items` is the older form of `prefixItems`."""
    items, prefix, rest = raw.get("items"), raw.get("prefixItems"), raw.get("items")
    if isinstance(items, list):
        prefix, rest = items, raw.get("additionalItems")
    if isinstance(prefix, list) and prefix:
        schema["prefixItems"] = [inner(value, f"prefixItems/{index}") for index, value in enumerate(prefix)]
    if rest is False:
        schema["items"] = False
    elif rest is not None and not isinstance(rest, list):
        schema["items"] = inner(rest, "items")
