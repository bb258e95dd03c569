"""A schema with a `discriminator` -> the same with the values of the discriminating property.

    Pet: {discriminator: {propertyName: kind}, properties: {kind: {type: string}}}
    Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {...}]}
    ->
    {"title": "Pet", "properties": {"kind": {"type": "string", "enum": ["Cat", "Pet"]}}}

Properties that only one kind has are left out, with a note. If `oneOf` or `anyOf` lists the kinds, each gets its own value:

    Method: {discriminator: {propertyName: type, mapping: {card: '#/.../Card'}}, oneOf: [{$ref: '#/.../Card'}, ...]}
    ->
    {"title": "Method", "oneOf": [{"title": "Card", "required": ["type"], "properties": {"type": {"const": "card"}}}, ...]}

Source: OpenAPI Specification 3.1.1, Discriminator Object.
"""

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

from interplay.generators.importers.documents.import_notes import Notes
from interplay.generators.importers.documents.json_references import Target, component_maps

MAX_KINDS = 200


def with_discriminator_values(schema: dict[str, Any], target: Target, notes: Notes, where: str) -> dict[str, Any]:
    """Return `schema`, made from the component `target`, with the values of its discriminator as an enum."""
    raw = target.value
    if not isinstance(raw, dict) or not raw.get("discriminator") or "oneOf" in raw or "anyOf" in raw:
        return schema
    told = raw["discriminator"]
    name = told.get("propertyName") if isinstance(told, dict) else told
    properties = schema.get("properties")
    if not isinstance(name, str) or not isinstance(properties, dict) or name not in properties:
        return schema
    mapping = told.get("mapping") if isinstance(told, dict) else None
    kinds = (list(mapping) if isinstance(mapping, dict) else []) or _made_of(target)
    known = properties[name]
    if not kinds or known.get("type") != "string" or "enum" in known or "const" in known:
        return schema
    notes.repair(f"{where}: {name} tells {len(kinds)} kinds apart; what only some of them have is left out")
    return {**schema, "properties": {**properties, name: {**known, "enum": kinds[:MAX_KINDS]}}}


def with_branch_values(branches: list[dict[str, Any]], listed: Any, discriminator: Any) -> list[dict[str, Any]]:
    """Return the branches, each with its value of the discriminator; `listed` holds the same branches unnormalised."""
    name = discriminator.get("propertyName") if isinstance(discriminator, dict) else discriminator
    if not isinstance(name, str) or not isinstance(listed, list):
        return branches
    values = [_values_of(raw, discriminator) for raw in listed[: len(branches)]]
    return [_told(branch, name, found) if found else branch for branch, found in zip(branches, values, strict=False)]


def _values_of(raw: Any, discriminator: Any) -> list[str]:
    """Return the discriminator values that select a branch: those mapped to it, else the name of its component."""
    reference = raw.get("$ref") if isinstance(raw, dict) else None
    if not isinstance(reference, str):
        return []
    mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
    name = reference.rpartition("/")[2]
    mapped = mapping.items() if isinstance(mapping, dict) else ()
    return [value for value, target in mapped if target in (reference, name)][:MAX_KINDS] or [name]


def _told(branch: dict[str, Any], name: str, values: list[str]) -> dict[str, Any]:
    """Return a branch whose property `name` is narrowed to `values`; unchanged if its own schema contradicts them."""
    properties = branch.get("properties")
    known = properties.get(name) if isinstance(properties, dict) else None
    if not isinstance(properties, dict) or (known is not None and known.get("type", "string") != "string"):
        return branch
    known = known or {"type": "string"}
    own = [known["const"]] if "const" in known else known.get("enum", values)
    fitting = [value for value in values if value in own]
    if not fitting:
        return branch
    rest = {key: value for key, value in known.items() if key not in ("enum", "const", "examples", "default")}
    narrowed = {**rest, **({"const": fitting[0]} if len(fitting) == 1 else {"enum": fitting})}
    required = branch.get("required", [])
    needed = required if name in required else [*required, name]
    return {**branch, "properties": {**properties, name: narrowed}, "required": needed}


def _made_of(target: Target) -> list[str]:
    """Return the names of the components that extend `target` by `allOf`, then its own; empty if none does."""
    if target.name is None:
        return []
    found = [
        name
        for place, schemas in component_maps(target.document.root)
        for name, schema in schemas.items()
        if _extends(schema, f"#{place}/{target.name}")
    ]
    return [*found, target.name] if found else []


def _extends(schema: Any, reference: str) -> bool:
    parts = schema.get("allOf") if isinstance(schema, dict) else None
    return isinstance(parts, list) and any(isinstance(part, dict) and part.get("$ref") == reference for part in parts)


_SAYING = ("title", "description", "examples", "default", "deprecated")

_COMPARED = 40
"""Most branches of a choice that are compared."""


def admit_alike(branches: Sequence[Mapping[str, Any]], hidden: str = "") -> bool:
    """Tell whether two branches of a choice admit the same values, or most branches are contained in another one.

    `oneOf` would then reject such values, since they match more than one branch. Properties with the flag `hidden` do not count.
    """
    bare = [{key: value for key, value in branch.items() if key not in _SAYING} for branch in branches[:_COMPARED]]
    bare = [
        {**branch, "properties": {name: field for name, field in branch["properties"].items() if not field.get(hidden)}}
        if "properties" in branch
        else branch
        for branch in bare
    ]
    pairs = permutations(range(len(bare)), 2)
    within = {(place, other) for place, other in pairs if _admits(bare[other], bare[place])}
    lost = {place for place, _ in within}
    return any((other, place) in within for place, other in within) or len(lost) * 2 > len(branches)


def _admits(right: Mapping[str, Any], left: Mapping[str, Any]) -> bool:
    """Tell whether `right` admits every value that `left` admits, judged by their fields; annotations must be removed."""
    if left == right or (right.items() <= left.items() and "additionalProperties" not in right):
        return True
    if not all(branch.keys() <= _PLAIN and branch.get("type", "object") == "object" for branch in (left, right)):
        return False
    if not set(right.get("required", ())) <= set(left.get("required", ())):
        return False
    mine, other = left.get("properties", {}), right.get("properties", {})
    return all(mine[name] == other[name] for name in mine.keys() & other.keys())


_PLAIN = {"type", "properties", "required"}
"""Keywords of an object schema that consists of fields alone."""
