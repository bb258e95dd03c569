"""A component with a `discriminator` but no `oneOf` -> its schema, in which the discriminating property tells the kinds.

    Pet: {discriminator: {propertyName: kind}, properties: {kind: {type: string}}}
    Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {...}]}
    ->
    {"title": "Pet", "properties": {"kind": {"type": "string", "enum": ["Cat", "Pet"]}}}

What only one kind has is left out, and told. Source: OpenAPI Specification 3.1.1, Discriminator Object.
"""

from typing import Any

from interplay.generators.importers.notes import Notes
from interplay.generators.importers.references import Target, component_maps

MAX_KINDS = 200


def name_kinds(schema: dict[str, Any], target: Target, notes: Notes, where: str) -> dict[str, Any]:
    """Return `schema`, made from the component `target`, with the values that tell its kinds apart."""
    raw = target.value
    if not isinstance(raw, dict) or not raw.get("discriminator") or "oneOf" in raw or "anyOf" in raw:
        return schema
    told = raw["discriminator"]
    name = told.get("propertyName") if isinstance(told, dict) else told
    properties = schema.get("properties")
    if not isinstance(name, str) or not isinstance(properties, dict) or name not in properties:
        return schema
    kinds = _mapped(told) or _made_of(target)
    known = properties[name]
    if not kinds or known.get("type") != "string" or "enum" in known or "const" in known:
        return schema
    notes.repair(f"{where}: {name} tells {len(kinds)} kinds apart; what only some of them have is left out")
    return {**schema, "properties": {**properties, name: {**known, "enum": kinds[:MAX_KINDS]}}}


def _mapped(told: Any) -> list[str]:
    mapping = told.get("mapping") if isinstance(told, dict) else None
    return list(mapping) if isinstance(mapping, dict) else []


def _made_of(target: Target) -> list[str]:
    """Return the names of the components that extend `target` by `allOf`, then its own."""
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
