"""The `Returns:` section of a docstring -> the JSON Schema of the result, as far as it names fields.

Returns:                                    {"type": "object", "properties": {
    dict: The account, with:                    "account_id": {"type": "string", "description": "Number of it."},
        - account_id (str): Number of it.       "balance": {"type": "number"}}}
        - balance (float)

":returns: dict with keys 'id' and 'total'"     {"type": "object", "properties": {"id": {}, "total": {}}}

What a docstring names is no promise: no field is required, and what calls show counts for more (see result_schemas).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from interplay.generators.importers.normalisation.type_expressions import read_type, without_null
from interplay.schemas.json.fields import schema_type

LONGEST, FIELDS = 4_000, 60
"""Characters of a section that are read, and fields that are taken of it."""

_NAME = r"[`'\"]{0,2}(?P<name>[A-Za-z_]\w{0,59})[`'\"]{0,2}"
_ITEM = re.compile(
    rf"(?P<indent>[ \t]*)(?P<mark>[-*\u2022] ?)?\s*{_NAME}\s*(?:\((?P<kind>[^()\n]{{1,80}})\))?(?P<colon>\s*:)?(?P<rest>.*)"
)
_KEYS = re.compile(r"(?i)\b(?:keys?|fields?|with|containing|contains|including|includes|has|of)\b")
_QUOTED = re.compile(r"(``?|['\"])([A-Za-z_]\w{0,59})\1")
_LIST = re.compile(r"(?i)\s*(?:an? )?(?:list|array|sequence)\b")
_OBJECT = re.compile(r"(?i)\b(?:dict|dictionary|dictionaries|object|mapping|json)s?\b")


def result_schema(kind: str | None, text: str, named: Sequence[tuple[str, str, str]] = ()) -> dict[str, Any] | None:
    """Return the schema of a result from its type and its text; none where no field is named.

    `named` are results that the section lists by name (NumPy): name, type and description of each.
    """
    told, text = str(kind or ""), text[:LONGEST]
    read = read_type(told) if told else None
    outer = schema_type(read.schema) if read is not None else None
    if outer not in (None, "object", "array"):
        return None
    fields = {name: _field(given, said) for name, given, said in named if name} or _listed(text)
    spoken = f"{told} {text.partition(chr(10))[0]}"
    if not fields and (outer == "object" or _OBJECT.search(spoken)) and _KEYS.search(text):
        fields = {name: {} for _, name in _QUOTED.findall(text)}
    typed = any(field.get("type") for field in fields.values())
    if not fields or (outer is None and not _OBJECT.search(spoken) and len(fields) < 2 and not typed):
        return None
    schema = {"type": "object", "properties": dict(list(fields.items())[:FIELDS])}
    listed = outer == "array" or (outer is None and _LIST.match(told or text))
    return {"type": "array", "items": schema} if listed else schema


def with_documented(schema: Mapping[str, Any] | None, documented: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return the schema of an annotation, with the fields that the docstring names where it names none."""
    if documented is None:
        return None if schema is None else dict(schema)
    if not schema:
        return dict(documented)
    if schema_type(schema) == "array" and schema_type(documented) == "array":
        items = with_documented(schema.get("items"), documented["items"])
        return {**schema, "items": items}
    fits = schema_type(schema) == schema_type(documented) == "object"
    return {**schema, **documented} if fits and not schema.get("properties") else dict(schema)


def _listed(text: str) -> dict[str, Any]:
    """Return the fields that lines of their own are about: those of the least indent, with what is said of each."""
    items = [found for line in text.splitlines() if (found := _ITEM.fullmatch(line)) and _is_item(found)]
    least = min((len(found["indent"]) for found in items), default=0)
    return {
        found["name"]: _field(found["kind"] or "", found["rest"] if found["colon"] else "")
        for found in items
        if len(found["indent"]) == least
    }


def _is_item(found: re.Match[str]) -> bool:
    """Tell whether a line is about one field, rather than a sentence: it has a mark, a type, or a name with underscores."""
    if not found["colon"]:
        return bool(found["mark"]) and not found["rest"].strip()
    return bool(found["mark"] or found["kind"]) or found["name"].islower()


def _field(kind: str, said: str) -> dict[str, Any]:
    read = read_type(kind) if kind else None
    schema = without_null(dict(read.schema)) if read is not None else {}
    said = " ".join(said.split()).lstrip("-: ")
    return {**schema, "description": said} if said else schema
