"""A tool definition -> the schema or list that describes its arguments, for `shorthand` to expand.

    {"parameters": {...}}, {"input_schema": {...}}, {"type": "object", "properties": {...}}    ->  the schema, as it is
    {"required_parameters": [...], "optional_parameters": [...]}                               ->  one list of both
    {"parameter_definitions": {"day": {"type": "str"}}}    ->  {"day": {"type": "str", "required": False}}
    {"args_schema": {"properties": {...}}}                 ->  the schema, with a note on where it stood

A description of arguments under an unrelated key is `misplaced`: the tool is rejected, since its arguments would be lost.
Source: Cohere API v1, Chat, `tools`.
"""

from typing import Any

from interplay.generators.importers.definitions.discovery import FLAGGED_INPUTS, INPUTS, SPLIT_INPUTS
from interplay.generators.importers.definitions.shorthand import from_two_lists
from interplay.generators.importers.documents.import_notes import Notes
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set

_INPUT_WORDS = frozenset("param params parameter arg args argument kwargs input inputs".split())
_OTHER_WORDS = word_set(beside(__file__), "others")
_DESCRIBING = ("type", "enum", "$ref")


def given_inputs(raw: dict[str, Any], notes: Notes) -> Any:
    """Return the raw description of a tool's arguments; None if there is none."""
    given = next((raw[key] for key in INPUTS if raw.get(key) is not None), None)
    if given is None and any(key in raw for key in SPLIT_INPUTS):
        given = from_two_lists(*(raw.get(key) for key in SPLIT_INPUTS))
    if given is None and isinstance(raw.get(FLAGGED_INPUTS), dict):
        given = {name: _flagged(told) for name, told in raw[FLAGGED_INPUTS].items()}
    if given is None and raw.get("type") == "object":
        given = {key: raw[key] for key in ("type", "properties", "required", "$defs") if key in raw}
    if given is None:
        key = next((key for key in _describing(raw) if _speaks_of_inputs(key)), None)
        if key is not None:
            notes.repair(f"{key[:60]}: taken as the parameters")
            given = raw[key]
    if isinstance(given, dict) and set(given) == {"json"}:
        given = given["json"]
    return given


def misplaced(raw: dict[str, Any]) -> str:
    """Return the unrelated key that seems to describe the arguments, if no known key does; else an empty text."""
    if raw.get("type") == "object" or any(raw.get(key) is not None for key in (*INPUTS, *SPLIT_INPUTS, FLAGGED_INPUTS)):
        return ""
    found = _describing(raw)
    return "" if any(map(_speaks_of_inputs, found)) else next(iter(found), "")


def _flagged(told: Any) -> Any:
    if isinstance(told, str):
        told = {"type": told}
    return {"required": False, **told} if isinstance(told, dict) else told


def _describing(raw: dict[str, Any]) -> list[str]:
    """Return the keys whose values describe fields, except those of results, errors and examples."""
    return [key for key, value in raw.items() if _describes_fields(value) and not _words(key) & _OTHER_WORDS]


def _describes_fields(value: Any) -> bool:
    """Tell whether a value is a schema with properties, or a map or a list of described fields."""
    if isinstance(value, dict):
        if isinstance(value.get("properties"), dict):
            return bool(value["properties"])
        return bool(value) and all(_is_described(each) for each in value.values())
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(each, dict) and "name" in each and _is_described(each) for each in value)
    )


def _is_described(value: Any) -> bool:
    return isinstance(value, dict) and any(isinstance(value.get(key), (str, list)) for key in _DESCRIBING)


def _speaks_of_inputs(key: str) -> bool:
    return bool(_words(key) & _INPUT_WORDS) or key in ("schema", "json_schema", "jsonSchema")


def _words(key: str) -> set[str]:
    return set(name_tokens(key))
