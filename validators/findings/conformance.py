"""JSON Schema as the checks need it: violations as issues, and what a schema prescribes for an argument."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from interplay.schemas.json.canonical import at_pointer, canonical_json, join_pointer, split_pointer
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.json.validation import UnusableSchema, errors, is_valid
from interplay.schemas.records.verdict import Issue

ISSUES_PER_VALUE = 5
_DEPTH = 24
"""Maximum number of nested references and branches that are followed; circular schemas stop here."""

_UNUSABLE = (UnusableSchema, RecursionError, TypeError, AttributeError)


@dataclass(frozen=True)
class Prescribed:
    """What a schema says about one place in a value: its subschemas, its defaults, and the only values allowed."""

    schemas: tuple[Mapping[str, Any], ...] = ()
    defaults: tuple[Any, ...] = ()
    constants: tuple[Any, ...] = ()

    @property
    def schema(self) -> Mapping[str, Any]:
        """The first subschema; empty if there is none."""
        return self.schemas[0] if self.schemas else {}


def same(left: Any, right: Any) -> bool:
    """Tell whether two values are canonically equal: 25 equals 25.0, true does not equal 1."""
    if isinstance(left, str) and isinstance(right, str):
        return left == right
    return canonical_json(left) == canonical_json(right)


def violations(value: Any, schema: Mapping[str, Any], code: str, pointer: str) -> list[Issue]:
    """Return an issue with `code` for each violation of `schema`; an unusable schema gives a warning."""
    try:
        if is_valid(value, schema):
            return []
        found = errors(value, schema, ISSUES_PER_VALUE)
    except _UNUSABLE as failure:
        return [Issue.of("unusable_schema", str(failure)[:200], pointer, severity="warning")]
    return [Issue(code=code, message=message, pointer=pointer + join_pointer(*path)) for path, message in found]


def _prescribed(schema: Mapping[str, Any], pointer: str) -> Prescribed:
    defaults: list[Any] = []
    places = list(_variants(schema, schema))
    keys = split_pointer(pointer)
    for depth, key in enumerate(keys):
        defaults.extend(_inherited(places, keys[depth:]))
        places = [deeper for place in places for child in _children(place, key) for deeper in _variants(child, schema)]
    defaults.extend(place["default"] for place in places if "default" in place)
    constants = [place["const"] for place in places if "const" in place]
    constants.extend(place["enum"][0] for place in places if _sole(place.get("enum")))
    return Prescribed(tuple(places), tuple(defaults), tuple(constants))


prescribed = ObjectCache(_prescribed, limit=50_000)
"""(schema, pointer) -> what the schema says about that place in a value."""


def _sole(enum: Any) -> bool:
    return isinstance(enum, list) and len([item for item in enum if item is not None]) == 1 and enum[0] is not None


def _inherited(places: list[Mapping[str, Any]], keys: tuple[str, ...]) -> Iterator[Any]:
    for place in places:
        if isinstance(place.get("default"), (dict, list)):
            try:
                yield at_pointer(place["default"], join_pointer(*keys))
            except LookupError:
                continue


def _variants(schema: Any, root: Mapping[str, Any], depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """Yield `schema` and all schemas that it refers to or is composed of."""
    if not isinstance(schema, Mapping) or depth > _DEPTH:
        return
    yield schema
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#"):
        try:
            yield from _variants(at_pointer(root, reference[1:]), root, depth + 1)
        except LookupError:
            return
    for keyword in ("allOf", "anyOf", "oneOf"):
        branches = schema.get(keyword)
        for branch in branches if isinstance(branches, list) else ():
            yield from _variants(branch, root, depth + 1)


def _children(schema: Mapping[str, Any], key: str) -> Iterator[Any]:
    properties = schema.get("properties")
    if isinstance(properties, Mapping) and key in properties:
        yield properties[key]
    elif isinstance(schema.get("additionalProperties"), Mapping):
        yield schema["additionalProperties"]
    if key.isdigit():
        prefix = schema.get("prefixItems")
        if isinstance(prefix, list) and int(key) < len(prefix):
            yield prefix[int(key)]
        elif "items" in schema:
            yield schema["items"]
