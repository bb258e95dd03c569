"""A reading tool whose source says nothing of its results -> the schema of what one like it would answer.

search_users       ->  [{"id": ..., "full_name": ..., "email": ...}, ...]
get_weather        ->  {"conditions": ..., "temperature": ..., "wind_speed": ...}
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from interplay.generators.environments.inference.plans import ToolPlan
from interplay.generators.environments.inference.tool_words import ALONE, VERBS, is_plural
from interplay.schemas.json.fields import name_tokens
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.nouns import singular

_TEXT: Mapping[str, Any] = {"type": "string"}
_MOMENT: Mapping[str, Any] = {"type": "string", "format": "date-time"}


def _amount(digits: str, unit: str) -> dict[str, Any]:
    return {"type": "string", "pattern": f"^{digits} {unit}$"}


def _one_of(*options: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(options)}


_LIKE: tuple[tuple[str, Mapping[str, Mapping[str, Any]]], ...] = (
    ("weather forecast temperature climate", {"conditions": _one_of("sunny", "cloudy", "light rain", "windy"), "temperature": _amount("[12]?[1-9]", "°C"), "wind_speed": _amount("[1-4][0-9]", "km/h")}),
    ("direction route distance matrix commute navigation transit bicycling walking driving", {"distance": _amount("[1-8][0-9]", "km"), "duration": _amount("[1-5][0-9]", "minutes")}),
    ("revenue turnover sales spend spending earning income profit budget", {"amount": {"type": "number"}, "currency": _TEXT}),
    ("energy electricity", {"consumption": _amount("[1-9][0-9]{1,2}", "kWh")}),
    ("device light lamp thermostat appliance", {"name": _TEXT, "status": _one_of("on", "off")}),
    ("deal opportunity", {"title": _TEXT, "value": {"type": "number"}, "stage": _one_of("proposal", "negotiation", "won", "lost")}),
    ("elevation altitude", {"elevation": _amount("[1-9][0-9]{1,2}", "m")}),
    ("geo regeocode geocode coordinate latitude", {"address": _TEXT, "latitude": {"type": "number"}, "longitude": {"type": "number"}}),
    ("place venue restaurant hotel shop store location landmark", {"name": _TEXT, "address": _TEXT, "rating": {"type": "integer"}}),
    ("stock quote price rate exchange ticker", {"price": {"type": "number"}, "currency": _TEXT}),
    ("balance", {"balance": {"type": "number"}, "currency": _TEXT}),
    ("timezone clock", {"datetime": _MOMENT, "timezone": _TEXT}),
    ("transaction payment transfer withdrawal deposit charge payout refund", {"date": {"type": "string", "format": "date"}, "description": _TEXT, "amount": {"type": "number"}}),
    ("invoice bill receipt", {"number": _TEXT, "amount": {"type": "number"}, "due_date": {"type": "string", "format": "date"}}),
    ("product item article", {"name": _TEXT, "price": {"type": "number"}}),
    ("order purchase shipment", {"status": _one_of("pending", "shipped", "delivered"), "total": {"type": "number"}, "created_at": _MOMENT}),
    ("user member person people contact employee profile account collaborator", {"full_name": _TEXT, "email": _TEXT}),
    ("commit", {"message": _TEXT, "author": _TEXT, "date": _MOMENT}),
    ("message comment note post thread reply mail email conversation discussion", {"text": _TEXT, "author": _TEXT, "created_at": _MOMENT}),
    ("calendar", {"name": _TEXT, "timezone": _TEXT}),
    ("event meeting appointment", {"title": _TEXT, "start": _MOMENT, "location": _TEXT}),
    ("status health progress", {"status": _one_of("pending", "running", "completed"), "updated_at": _MOMENT}),
    ("web news result page doc documentation website", {"title": _TEXT, "summary": _TEXT}),
    ("file document content readme", {"title": _TEXT, "content": _TEXT}),
)  # fmt: skip
"""Words of what a tool is about -> fields that a result about it has."""

_USUAL: Mapping[str, Mapping[str, Any]] = {"name": _TEXT, "description": _TEXT, "created_at": _MOMENT}
_LISTING = {"list", "search", "find", "query", "browse", "all"}
_LISTS = re.compile(
    r"(?:returns?|gets?|retrieves?|fetch(?:es)?|shows?|provides?)?\s?(?:an? |the )?(?:full |complete )?list of\b",
    re.IGNORECASE,
)
"""How the summary of a tool that answers with several begins."""
_ACTS = {"login", "logout", "logoff", "signin", "signup", "signout", "ping", "heartbeat", "refresh", "logon"}
"""What is done rather than asked for: no row answers it."""
_SMALL = set("a an the of for to in on by with and or from all my your its this that".split())


def guessed_result(tool: Tool) -> dict[str, Any] | None:
    """Return the schema of a reading tool's result, by its name and its summary; none where the name says no thing."""
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
    row = _object({"id": _TEXT, **fields})
    return {"type": "array", "items": row, "minItems": 2}


def guessed_fields(tool: Tool) -> Mapping[str, Mapping[str, Any]]:
    """Return the fields, beside an identity, of what a tool shows, by its name and its summary."""
    _, nouns = _words(tool)
    return _fields([*reversed(nouns), *name_tokens(tool.summary)]) or _USUAL


def _words(tool: Tool) -> tuple[list[str], list[str]]:
    """Return the words of a tool's name, and those of them that say no verb."""
    tokens = [token for token in name_tokens(tool.original_name.rsplit(".", 1)[-1]) if token not in _SMALL]
    return tokens, [token for token in tokens if token not in VERBS] or tokens


def _fields(words: Sequence[str]) -> Mapping[str, Mapping[str, Any]] | None:
    spoken = [singular(word.lower()) for word in words]
    return next((fields for word in spoken for said, fields in _LIKE if word in said.split()), None)


def _object(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(fields), "required": list(fields)}


_CHECKS = {"is", "has", "check", "validate", "verify"}


_SUMS = {"calculate", "compute", "count", "convert", "estimate", "measure", "sum"}


_FIGURES = {
    "price",
    "rate",
    "distance",
    "count",
    "total",
    "balance",
    "amount",
    "cost",
    "temperature",
    "percentage",
    "duration",
}
"""Words of what is a number although nothing describes the result."""


def asked_for(plan: ToolPlan) -> tuple[str, str] | None:
    """Return name and type of what a tool works out, where its name says that: a number that it calculates, or a yes or no."""
    verb, *nouns = name_tokens(plan.tool.original_name.rsplit(".", 1)[-1]) or [""]
    if plan.tool.effect != "read" or not nouns or plan.operation != "compute":
        return None
    if verb in _CHECKS:
        return (nouns[-1] if verb in ("is", "has") else "valid" if verb != "check" else "result"), "boolean"
    return ("_".join(nouns), "number") if verb in _SUMS or nouns[-1] in _FIGURES else None
