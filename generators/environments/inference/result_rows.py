"""A result schema -> where the rows are in it; values at a path in a row."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from interplay.generators.environments.inference.plans import ResourcePlan, Rows, schema_at
from interplay.generators.environments.inference.tool_words import ENVELOPES, OWN_IDENTITIES, resource_name
from interplay.generators.results.result_kinds import (
    HOLDING,
    found_in,
    holds_page,
    is_beside_a_list,
    is_talk,
    says_beside,
    says_only_that_it_went_well,
)
from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import singular
from interplay.schemas.words.word_classes import is_participle

FREE_LIST = "results"
"""The field that holds the rows if a result schema is an object without described fields."""

PARENT = "_parent"
"""The key in an author's row that names its parent row, if no field does."""


def rows_in(returns: Mapping[str, Any] | None, wants_list: bool, names: tuple[str, ...] = ()) -> Rows | None:
    """Find the row or the array of rows in a result schema, possibly inside an envelope; none if there are no objects."""
    if not returns:
        return None
    if schema_type(returns) == "array":
        return Rows("", returns["items"], True) if _holds_objects(returns) else None
    if not is_object(returns):
        return None
    properties = object_properties(returns)
    if not properties:
        return _in_free(returns, wants_list)
    told = {name: schema_type(item) == "boolean" for name, item in properties.items()}
    if any(told.values()) and says_only_that_it_went_well(told):
        return None
    if not wants_list and _holds_anything(properties):
        return None
    embedded = _embedded(properties)
    if embedded is not None:
        return embedded
    payload = _payload(properties)
    if payload is not None:
        return _in_field(payload, properties, wants_list, names)
    listed = _list_among(properties, wants_list, names)
    if listed is not None:
        return Rows(join_pointer(listed), properties[listed].get("items", {}), True)
    wrapped = _wrapped_among(properties, names)
    inner = _in_field(wrapped, properties, wants_list, names) if wrapped is not None else None
    return inner or Rows("", returns, False)


def _in_free(returns: Mapping[str, Any], wants_list: bool) -> Rows:
    """Return the rows of a result without described fields: those in a map of lists, else in any form."""
    mapped = returns.get("additionalProperties")
    if wants_list and isinstance(mapped, Mapping) and _holds_objects(mapped):
        return Rows(join_pointer(FREE_LIST), mapped["items"], True)
    return Rows(join_pointer(FREE_LIST), {}, True) if wants_list and is_free(returns) else Rows("", returns, False)


def _in_field(key: str, properties: Mapping[str, Any], wants_list: bool, names: tuple[str, ...]) -> Rows | None:
    """Return the rows in one field of a result."""
    inner = rows_in(properties[key], wants_list, names)
    return None if inner is None else replace(inner, pointer=join_pointer(key) + inner.pointer)


def _list_among(properties: Mapping[str, Any], wants_list: bool, names: tuple[str, ...]) -> str | None:
    """Return the field with the list of rows: one named or titled like the resource, else one whose items have identities."""
    arrays = [key for key, item in properties.items() if _holds_objects(item) or (key in ENVELOPES and _is_list(item))]
    items: dict[str, Mapping[str, Any]] = {key: properties[key].get("items") or {} for key in arrays}
    preferred = [key for key in arrays if _is_named(key, names)]
    titled = [key for key in arrays if "id" not in properties and _is_titled(items[key], names)]
    alone = sum(not is_talk(key) for key in properties) <= 2 and any(key.lower() in HOLDING for key in preferred)
    few = (len(properties) <= 3 or alone) and "id" not in properties
    paged = len(arrays) == 1 and holds_page(properties)
    if not arrays or not (wants_list or titled or paged or (preferred and few)):
        return None
    own = [key for key in arrays if not says_beside(key, object_properties(items[key]))]
    known = [key for key in own if set(OWN_IDENTITIES) & object_properties(items[key]).keys()]
    return (preferred or titled or known or own or arrays)[0]


def _wrapped_among(properties: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    """Return the field with the single row, by its name, if few or only simple fields are beside it."""
    objects = (key for key, item in properties.items() if is_object(item) and _is_named(key, names))
    told = (
        key for key in objects if object_properties(properties[key]) or (key in ENVELOPES and is_free(properties[key]))
    )
    held = next(told, None)
    if held is None or "id" in properties or not (len(properties) <= _FEW or _alone(properties, held)):
        return None
    return held


def _holds_anything(properties: Mapping[str, Any]) -> bool:
    """Tell whether a result has an undescribed payload, beside fields about the outcome: `{"status": 200, "data": ...}`."""
    name = found_in(properties)
    return name is not None and name in ENVELOPES and not properties[name].keys() - {"description", "title"}


_FEW = 4
"""Fields at most of an envelope around a row that has no other marks of one."""


def _alone(properties: Mapping[str, Any], held: str) -> bool:
    """Tell whether a field named like an envelope holds the only object, with an identity, and all others are scalars."""
    others = [item for name, item in properties.items() if name != held and not name.startswith(("_", "meta", "links"))]
    plain = all(schema_type(item) not in ("object", "array") for item in others)
    return held in ENVELOPES and plain and bool(object_properties(properties[held]).keys() & set(OWN_IDENTITIES))


def _embedded(properties: Mapping[str, Any]) -> Rows | None:
    """Return the rows embedded in a HAL document beside links and counts; none if the document is a row itself.

    Source: draft-kelly-json-hal-11, section 4.1.2.
    """
    held = object_properties(properties.get("_embedded") or {})
    lists = [name for name in held if _holds_objects(held[name])]
    own = {name for name in properties if not name.startswith("_")}
    if len(lists) != 1 or len(own) > _COUNTS or own & {"id", "name", "title", "status", "type"}:
        return None
    return Rows(join_pointer("_embedded", lists[0]), held[lists[0]].get("items", {}), True)


_COUNTS = 5
"""Fields at most of a HAL page beside what it embeds."""


def _payload(properties: Mapping[str, Any]) -> str | None:
    """Return the one field with the payload of `{"status": 200, "meta": {...}}`, where the others report the outcome."""
    name = found_in(properties)
    if name is None or not (is_object(properties[name]) or _holds_objects(properties[name])):
        return None
    if is_beside_a_list(name, (key for key, item in properties.items() if _holds_objects(item))):
        return None
    return name if all(schema_type(item) != "object" for key, item in properties.items() if key != name) else None


def is_object(schema: Mapping[str, Any]) -> bool:
    """Tell whether a schema admits objects only, possibly through all its branches."""
    if schema_type(schema) == "object":
        return True
    branches = [*schema.get("oneOf", ()), *schema.get("anyOf", ())] or schema.get("allOf", ())
    named = [branch for branch in branches if branch.get("type") != "null"]
    return "type" not in schema and bool(named) and all(is_object(branch) for branch in named)


def is_free(schema: Mapping[str, Any]) -> bool:
    """Tell whether a schema admits objects without describing their fields."""
    told = {key for key, value in schema.items() if (key, value) not in _OPEN}
    return schema_type(schema) == "object" and told <= {"type", "description", "title", "examples", "default"}


_OPEN: tuple[tuple[str, Any], ...] = (("properties", {}), ("additionalProperties", True), ("additionalProperties", {}))
"""Keys of a schema that allow any field."""


def is_silent(returns: Mapping[str, Any] | None) -> bool:
    """Tell whether a result schema is missing or describes no fields, neither of the result nor of its list items."""
    if returns is not None and schema_type(returns) == "array":
        return is_free(returns.get("items") or {})
    return returns is None or is_free(returns)


def _is_list(schema: Mapping[str, Any]) -> bool:
    return schema_type(schema) == "array" and not schema.get("items")


def _holds_objects(schema: Mapping[str, Any]) -> bool:
    return schema_type(schema) == "array" and isinstance(schema.get("items"), Mapping) and is_object(schema["items"])


def _is_titled(items: Mapping[str, Any], names: tuple[str, ...]) -> bool:
    """Tell whether the items of a list have the resource's name as title: `PaymentMethod` for payment_method."""
    title = items.get("title")
    called = resource_name("_".join(name_tokens(title))) if isinstance(title, str) else ""
    return bool(called) and any(name == called or name.endswith(f"_{called}") for name in names[:1])


def _is_named(key: str, names: tuple[str, ...]) -> bool:
    tokens = name_tokens(key)
    made = tokens[1:] if len(tokens) > 1 and (tokens[0] == "new" or is_participle(tokens[0])) else tokens
    spoken = {key.lower(), "_".join(tokens), "_".join(made)}  # `new_account`, `updatedAccount`
    return key.lower() in ENVELOPES or not spoken.isdisjoint(names) or not {*map(singular, spoken)}.isdisjoint(names)


def shows(rows: Rows, resource: ResourcePlan) -> bool:
    """Tell whether a result schema shows the row itself, rather than a message about it."""
    shown = object_properties(rows.schema)
    held = resource.schema.get("properties", {})
    common = len(shown.keys() & held.keys())
    identified = resource.identity is not None and schema_at(shown, resource.identity_path) is not None
    if len(resource.identity_path) > 1 and not identified:
        return not shown
    return not shown or (identified and common * 2 >= len(shown)) or common >= 2


def flattened(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a row with its attributes at the top level, and the data of its relationships under their names.

    Source: JSON:API 1.1, section 5.2, resource objects.
    """
    attributes, related = row.get("attributes"), row.get("relationships")
    if not isinstance(attributes, Mapping):
        return row
    links = (
        {name: item.get("data") for name, item in related.items() if isinstance(item, Mapping)}
        if isinstance(related, Mapping)
        else {}
    )
    kept = {name: value for name, value in row.items() if name not in ("attributes", "relationships")}
    return {**links, **attributes, **kept}


def at_path(value: Any, path: tuple[str, ...]) -> Iterator[Any]:
    """Yield each value at a path with `*` for list indices; a list at the end is yielded item by item."""
    if not path:
        yield from value if isinstance(value, list) else [value]
    elif path[0] == "*" and isinstance(value, list):
        for item in value:
            yield from at_path(item, path[1:])
    elif isinstance(value, (dict, Mapping)) and path[0] in value:
        yield from at_path(value[path[0]], path[1:])
