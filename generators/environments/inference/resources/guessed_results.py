"""A reading tool without a described result -> a result schema guessed from its name and summary.

search_users       ->  [{"id": ..., "full_name": ..., "email": ...}, ...]
get_weather        ->  {"conditions": ..., "temperature": ..., "wind_speed": ...}
"""

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from interplay.generators.environments.inference.plans import ToolPlan
from interplay.generators.environments.inference.tool_words import ALONE, LISTS, VERBS, is_plural
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, rows, table, word_set
from interplay.schemas.words.nouns import singular

_DATA = beside(__file__)
_KINDS: Mapping[str, Mapping[str, Any]] = table(_DATA, "kinds")


def _schema(told: str | list[str]) -> Mapping[str, Any]:
    """Return the schema of a field from the data file: a name of a kind, a list of options, or a pattern between slashes."""
    if isinstance(told, list):
        return {"type": "string", "enum": told}
    return {"type": "string", "pattern": told[1:-1]} if told.startswith("/") else _KINDS[told]


def _schemas(told: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    return {name: _schema(item) for name, item in told.items()}


_LIKE = [(row["words"].split(), _schemas(row["fields"])) for row in rows(_DATA, "like")]
"""Words for what a tool is about -> fields of a result about it."""

_USUAL = _schemas(table(_DATA, "usual"))
_LISTING, _ACTS, _SMALL = (word_set(_DATA, idea) for idea in ("listing", "acts", "small"))
_CHECKS, _SUMS, _FIGURES = (word_set(_DATA, idea) for idea in ("checks", "sums", "figures"))
_OTHERS = word_set(LISTS, "clauses") - {"of"}
_LISTS = re.compile(
    r"(?:returns?|gets?|retrieves?|fetch(?:es)?|shows?|provides?)?\s?(?:an? |the )?(?:full |complete )?list of\b",
    re.IGNORECASE,
)
"""The beginning of a summary of a tool that answers with a list."""


def guessed_result(tool: Tool) -> dict[str, Any] | None:
    """Return a schema for a reading tool's result, by its name and its summary; none if its name has no noun."""
    tokens, nouns = _words(tool)
    if tool.effect != "read" or not nouns or _ACTS & set(tokens):
        return None
    fields = guessed_fields(tool)
    listing = (
        bool(_LISTING & set(tokens))
        or bool(_LISTS.match(tool.summary))
        or (is_plural(nouns[-1]) and nouns[-1] not in ALONE)
    )
    if not listing:
        return _object(fields)
    row = _object({"id": _KINDS["text"], **fields})
    return {"type": "array", "items": row, "minItems": 2}


def guessed_fields(tool: Tool) -> Mapping[str, Mapping[str, Any]]:
    """Return the fields of what a tool shows, without the identity, by its name and its summary."""
    _, nouns = _words(tool)
    about = takewhile(lambda word: word not in _OTHERS, name_tokens(tool.summary))  # whose they are, they are not
    return _fields([*reversed(nouns), *about]) or _USUAL


def _words(tool: Tool) -> tuple[list[str], list[str]]:
    """Return the words of a tool's name, and those among them that are no verbs."""
    tokens = [token for token in name_tokens(tool.original_name.rsplit(".", 1)[-1]) if token not in _SMALL]
    return tokens, [token for token in tokens if token not in VERBS] or tokens


def _fields(words: Sequence[str]) -> Mapping[str, Mapping[str, Any]] | None:
    spoken = [singular(word.lower()) for word in words]
    return next((fields for word in spoken for said, fields in _LIKE if word in said), None)


def _object(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(fields), "required": list(fields)}


def asked_for(plan: ToolPlan) -> tuple[str, str] | None:
    """Return name and type of the value that a tool computes, by its name: a number or a boolean; none for other tools."""
    verb, *nouns = name_tokens(plan.tool.original_name.rsplit(".", 1)[-1]) or [""]
    if plan.tool.effect != "read" or not nouns or plan.operation != "compute":
        return None
    if verb in _CHECKS:
        return (nouns[-1] if verb in ("is", "has") else "valid" if verb != "check" else "result"), "boolean"
    return ("_".join(nouns), "number") if verb in _SUMS or nouns[-1] in _FIGURES else None
