"""The plain keywords of a schema of any dialect -> JSON Schema 2020-12, with notes on repairs.

{"type": "Integer", "minimum": "1", "exclusiveMinimum": true, "example": 7}  ->
{"type": "integer", "exclusiveMinimum": 1, "examples": [7]}
"""

import json
import re
from functools import lru_cache
from typing import Any

import re2

from interplay.generators.importers.documents.import_notes import Notes
from interplay.generators.importers.normalisation.samples import (
    MAX_EXAMPLE_CHARACTERS,
    TYPES,
    coerce,
    distinct,
    fits,
    keep_examples,
    named_examples,
    small,
    type_of,
    types_of,
)
from interplay.schemas.json.regex import searcher
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, rows, word_set

LARGEST = 1e300
"""Largest magnitude of a bound; arithmetic on larger ones overflows."""

MAX_PATTERN = 1_000
MAX_DESCRIPTION = 1_000
MAX_LABEL = 300
LARGE_ENUM = 500
_VALUES = {"enum": 100_000, "const": MAX_EXAMPLE_CHARACTERS, "default": MAX_EXAMPLE_CHARACTERS}
"""Most characters of a value: it is copied into every tool that refers to its schema."""
LEAST_MULTIPLE = 1e-12
"""Least `multipleOf`; floats cannot be checked for smaller ones."""

ALIASES: dict[str, dict[str, Any]] = {
    name: schema for said, schema in rows(beside(__file__), "aliases") for name in said.split()
}
_SILENT_ALIASES = ("file",)

_COUNTED = ("Length", "Items", "Properties", "Contains")
_COUNTS = tuple(f"{bound}{what}" for what in _COUNTED for bound in ("min", "max"))
_TEXTS = ("title", "format", "contentEncoding", "contentMediaType")
_NO_FORMATS = {("format", name) for name in TYPES}
"""Formats that only repeat the type."""
_FLAGS = ("readOnly", "writeOnly", "deprecated", "uniqueItems")
_RANGES = (("minimum", "maximum"), *((f"min{what}", f"max{what}") for what in _COUNTED[:3]))


def plain_keywords(raw: dict[str, Any], notes: Notes, where: str) -> dict[str, Any]:
    """Return the keywords of `raw` that hold no schemas; call `settle_values` once the type is final."""
    schema: dict[str, Any] = _typed(raw.get("type"), notes, where) if "type" in raw else {}
    for key in _TEXTS:
        if isinstance(raw.get(key), str) and raw[key] and (key, raw[key]) not in _NO_FORMATS:
            schema[key] = raw[key][:MAX_LABEL]
    if isinstance(raw.get("description"), str) and raw["description"].strip():
        schema["description"] = raw["description"].strip()[:MAX_DESCRIPTION]
    for key in _FLAGS:
        if raw.get(key) is True:
            schema[key] = True
    _add_bounds(schema, raw, notes, where)
    if "pattern" in raw:
        pattern = usable_pattern(raw["pattern"], notes, where)
        schema |= {} if pattern is None else {"pattern": pattern}
    for key, limit in _VALUES.items():
        if key in raw and small(raw[key], limit):
            schema[key] = raw[key]
        elif key in raw:
            notes.repair(f"{where}: {key} of more than {limit} characters dropped")
    if schema.get("enum", ()) in ([], None):
        notes.repair(f"{where}: empty enum dropped")
        del schema["enum"]
    samples = [raw["example"]] if "example" in raw else [raw["x-example"]] if "x-example" in raw else []
    samples += named_examples(raw.get("examples"))
    return schema | ({"examples": samples} if samples else {})


def _typed(raw: Any, notes: Notes, where: str) -> dict[str, Any]:
    """Return the `type`, and the format that an alias of it implies."""
    names = raw if isinstance(raw, list) else [raw]
    types: list[str] = []
    schema: dict[str, Any] = {}
    for name in names:
        if isinstance(name, str) and name in TYPES:
            types.append(name)
            continue
        text = name.strip().lower() if isinstance(name, str) else "null" if name is None and len(names) > 1 else ""
        known = {"type": text} if text in TYPES else ALIASES.get(text)
        if known is None:
            notes.repair(f"{where}: unknown type {str(name)[:60]!r} dropped")
            continue
        if text not in _SILENT_ALIASES:
            notes.repair(f"{where}: type {str(name)[:60]!r} read as {known.get('type', 'any')}")
        if not known:
            return {}
        types.append(known["type"])
        schema |= {"format": known["format"]} if "format" in known else {}
    types = list(dict.fromkeys(types))
    return {"type": types[0] if len(types) == 1 else types} | schema if types else schema


def _add_bounds(schema: dict[str, Any], raw: dict[str, Any], notes: Notes, where: str) -> None:
    for key in ("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum", *_COUNTS):
        if key not in raw or raw[key] is None or isinstance(raw[key], bool):
            continue
        number, usable = coerce(raw[key], ("number",))
        if usable and key in _COUNTS:
            usable = fits(number, ("integer",)) and number >= 0
            number = int(number) if usable else number
        if not usable or (key == "multipleOf" and number < LEAST_MULTIPLE) or abs(number) > LARGEST:
            notes.repair(f"{where}: {key} {str(raw[key])[:60]!r} dropped")
            continue
        if isinstance(raw[key], str):
            notes.repair(f"{where}: {key} was text")
            number = int(number) if number % 1 == 0 else number
        schema[key] = number
    for plain, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if raw.get(exclusive) is True and plain in schema:
            schema[exclusive] = schema.pop(plain)
    for low, high in _RANGES:
        if low in schema and high in schema and schema[low] > schema[high]:
            notes.repair(f"{where}: {low} above {high}, both dropped")
            del schema[low], schema[high]


_TWICE_ESCAPED = re.compile(r"\\\\[dwsDWS](?![A-Za-z])")
"""A character class that was escaped twice: `\\\\d{11}`."""


def usable_pattern(raw: Any, notes: Notes, where: str) -> str | None:
    """Return a pattern that both RE2 (linear time) and Python accept, mended if need be; None if there is none."""
    if not isinstance(raw, str):
        notes.repair(f"{where}: pattern that is no text dropped")
        return None
    if len(raw) > MAX_PATTERN:
        notes.repair(f"{where}: pattern of {len(raw)} characters dropped")
        return None
    pattern = raw
    script = re.fullmatch(r"/(\^.*\$)/([a-z]*)", pattern, re.DOTALL)
    if script:
        pattern = f"(?i){script[1]}" if "i" in script[2] else script[1]
        notes.repair(f"{where}: slashes around the pattern removed")
    if _TWICE_ESCAPED.search(pattern) and not re.search(r"\\", pattern.replace(r"\\", "")):
        pattern = pattern.replace(r"\\", "\\")
        notes.repair(f"{where}: backslashes of the pattern were written twice")
    pattern = re.sub(r"\(\?<([A-Za-z_])", r"(?P<\1", pattern)
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern, options)
        re.compile(pattern)
    except (re2.error, re.error, RecursionError, OverflowError):
        notes.repair(f"{where}: pattern {raw[:80]!r} is not supported, dropped")
        return None
    return pattern


def settle_values(schema: dict[str, Any], notes: Notes, where: str) -> None:
    """Coerce enum, const, default and examples to the type, or drop them, in place."""
    _settle_type(schema, notes, where)
    if "enum" in schema:
        _settle_enum(schema, notes, where)
    types = types_of(schema)
    if "const" in schema:
        schema["const"], usable = coerce(schema["const"], types)
        if not usable:
            notes.repair(f"{where}: const contradicts the type, dropped")
            del schema["const"]
    if "default" in schema:
        value, usable = coerce(schema["default"], types)
        usable = usable and ("enum" not in schema or value in schema["enum"])
        if not usable and schema["default"] is not None:
            notes.repair(f"{where}: default {str(schema['default'])[:60]!r} does not fit, dropped")
        elif usable and type(value) is not type(schema["default"]):
            notes.repair(f"{where}: default {str(schema['default'])[:60]!r} turned into {'/'.join(types)}")
        if usable:
            schema["default"] = value
        else:
            del schema["default"]
    if "examples" in schema:
        schema["examples"] = keep_examples(schema["examples"], types, schema.get("enum"))
    written = _WRITTEN.get(schema.get("format", ""), 0)
    if written > schema.get("maxLength", written) or 0 < written < schema.get("minLength", 0):
        notes.repair(f"{where}: format {schema['format']} has {written} characters, which the bounds exclude, dropped")
        del schema["format"]
    drop_explanations(schema, notes, where)


_WRITTEN = {"uuid": len("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"), "date": len("2026-03-02")}
"""Characters of formats that always have the same number of them."""


def _settle_type(schema: dict[str, Any], notes: Notes, where: str) -> None:
    """Give an object without any fields the type of its default and examples, in place, if those are scalars.

    Generators describe optional texts and numbers as objects when they find no class for them.
    """
    types = types_of(schema)
    if "object" not in types or not set(types) <= {"object", "null"} or _OF_OBJECTS & schema.keys():
        return
    samples = [item for item in (schema.get("default"), *schema.get("examples", [])) if item is not None]
    kinds = {type_of(sample) for sample in samples}
    if len(kinds) == 1 and kinds <= _PLAIN and not any(coerce(sample, types)[1] for sample in samples):
        kind = kinds.pop()
        schema["type"] = [kind, "null"] if "null" in types else kind
        notes.repair(f"{where}: type 'object' read as {kind}, as its example is")


_OF_OBJECTS = {"properties", "additionalProperties", "patternProperties", "allOf", "anyOf", "oneOf", "enum", "const"}
_PLAIN = {"string", "integer", "number", "boolean"}


def drop_explanations(schema: dict[str, Any], notes: Notes, where: str) -> None:
    """Drop a default and examples that explain the value rather than being one, in place; `where` ends with its name."""
    told = schema.get("description", "")
    written = bool(_PROSE.intersection(name_tokens(where.rpartition("/")[2])))
    if isinstance(schema.get("default"), str) and _explains(schema["default"], told, written):
        notes.repair(f"{where}: default {schema['default'][:60]!r} explains the value, dropped")
        del schema["default"]
    if "examples" in schema:
        schema["examples"] = [
            value for value in schema["examples"] if not (isinstance(value, str) and _explains(value, told, written))
        ]
        if not schema["examples"]:
            del schema["examples"]


_PROSE = word_set(beside(__file__), "prose")
"""Words in the names of fields that hold sentences."""

_OPENING = re.compile(r"(?:the|a|an|this|your|optional|required|specif\w+|indicates?|set|use) ", re.IGNORECASE)
"""Typical beginnings of an explanation."""

_FEW_WORDS, _SENTENCE = 4, 8
"""Least words of a text that begins the description to be an explanation, and of any sentence to be one."""


def _explains(value: str, description: str, written: bool) -> bool:
    """Tell whether a value repeats its description or a part of it, or reads like an explanation.

    With `written` (the field holds sentences) only the whole description counts.
    """
    text, told = (" ".join(said.split()).lower().rstrip(".") for said in (value, description))
    words = len(text.split())
    if words >= _FEW_WORDS and text == told:
        return True
    begins = words >= _FEW_WORDS and told.startswith(text)
    long = words >= _SENTENCE and (text in told or _OPENING.match(text) is not None)
    return not written and (begins or long)


def _settle_enum(schema: dict[str, Any], notes: Notes, where: str) -> None:
    raw = schema["enum"] if isinstance(schema["enum"], list) else [schema["enum"]]
    types = types_of(schema)
    if None in raw and types and "null" not in types:
        notes.repair(f"{where}: enum holds null, so null is allowed")
        schema["type"] = [*types, "null"]
        types = types_of(schema)
    kept, dropped, turned = [], 0, 0
    for value in raw:
        meant, usable = coerce(value, types)
        turned += usable and type(meant) is not type(value)
        dropped += not usable
        kept += [meant] if usable else []
    if turned or dropped or not isinstance(schema["enum"], list):
        notes.repair(f"{where}: enum mended ({turned} values turned into {'/'.join(types)}, {dropped} dropped)")
    if len(kept) > LARGE_ENUM:
        notes.remark(f"{where}: enum of {len(kept)} values kept")
    schema["enum"] = distinct(kept)
    if not schema["enum"]:
        notes.repair(f"{where}: empty enum dropped")
        del schema["enum"]


def texts_in(values: list[Any]) -> list[str]:
    """Return the distinct strings among `values`, in order."""
    return list(dict.fromkeys(value for value in values if isinstance(value, str)))


def add_required(schema: dict[str, Any], raw: dict[str, Any], notes: Notes, where: str) -> None:
    """Add the names of the `required` list; any other form, such as a boolean, is dropped with a note."""
    required = raw.get("required")
    if required is None:
        return
    if not isinstance(required, list):
        notes.repair(f"{where}: required that is no list of names dropped")
        return
    names = texts_in([json.dumps(name) if isinstance(name, (bool, int, float)) else name for name in required])
    if any(name is None or isinstance(name, (dict, list)) for name in required):
        notes.repair(f"{where}: required holds what is no name, dropped")
    names = list(dict.fromkeys((*schema.get("required", ()), *names)))
    if names:
        schema["required"] = names
    if schema.get("maxProperties", len(names)) < len(names):
        notes.repair(f"{where}: maxProperties below the number of required fields, dropped")
        del schema["maxProperties"]


def infer_type(schema: dict[str, Any]) -> None:
    """Set the type that the keywords imply, in place, so that values can be generated from the schema."""
    if "type" in schema or any(key in schema for key in ("oneOf", "anyOf", "enum", "const", "not")):
        return
    if "properties" in schema or isinstance(schema.get("additionalProperties"), dict):
        schema["type"] = "object"
    elif "items" in schema or "prefixItems" in schema:
        schema["type"] = "array"


def name_format(schema: dict[str, Any]) -> None:
    """Set the format of a text whose pattern admits dates and nothing else, in place, whatever the source calls it."""
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and "string" in types_of(schema) and schema.get("format") not in _DATED:
        schema |= {"format": form} if (form := _dated_format(pattern)) else {}


_DATED = {"date": "2026-03-02", "date-time": "2026-03-02T09:30:00Z"}
"""Formats of dates, each with a text in it."""
_UNDATED = ("a", "0", "20260302", "2026-03", "1234-567-89", "2026-03-02 or later")
"""Texts that a pattern of more than dates admits."""


@lru_cache(maxsize=4_096)
def _dated_format(pattern: str) -> str:
    """Return the format of the dates that alone match a pattern; empty if there is none."""
    matches = searcher(pattern)
    found = [form for form, text in _DATED.items() if matches(text)]
    return found[0] if len(found) == 1 and not any(map(matches, _UNDATED)) else ""


def allow_null(schema: dict[str, Any]) -> None:
    """Make the schema accept null, in place, as `nullable` demands."""
    types = types_of(schema)
    if types and "null" not in types:
        schema["type"] = [*types, "null"]
    if isinstance(schema.get("enum"), list) and None not in schema["enum"]:
        schema["enum"] = [*schema["enum"], None]
    if "const" in schema and schema["const"] is not None:
        schema["enum"] = [schema.pop("const"), None]
    for key in ("anyOf", "oneOf"):
        if key in schema and not any(branch == {} or "null" in types_of(branch) for branch in schema[key]):
            schema[key] = [*schema[key], {"type": "null"}]
