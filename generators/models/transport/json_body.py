"""A body -> its JSON, as it is sent, and with sorted keys, for the key of the question; tools are encoded once."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.records.chat import ChatTool

KEPT = 4096
"""Most tools whose JSON is cached."""


@dataclass(frozen=True, slots=True)
class EncodedPart:
    """A recurring part of bodies with its JSON, as sent and with sorted keys; None if orjson cannot encode it."""

    body: dict[str, Any]
    sent: orjson.Fragment | None
    ordered: orjson.Fragment | None


def encoded_part(body: dict[str, Any]) -> EncodedPart:
    """Encode a recurring part of bodies, which must not be changed afterwards."""
    try:
        sent, ordered = orjson.dumps(body), orjson.dumps(body, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return EncodedPart(body, None, None)
    return EncodedPart(body, orjson.Fragment(sent), orjson.Fragment(ordered))


class EncodedParts(list[dict[str, Any]]):
    """A list in a body whose items are encoded already; it must not be changed."""

    def __init__(self, parts: Sequence[EncodedPart]) -> None:
        super().__init__(part.body for part in parts)
        self.parts = parts


class Tools:
    """Encodes tools as they are sent, each once."""

    def __init__(self, put: Callable[[ChatTool], dict[str, Any]]) -> None:
        self._put = put
        self._known: dict[str, tuple[ChatTool, EncodedPart]] = {}

    def told(self, tools: Iterable[ChatTool]) -> list[dict[str, Any]]:
        """Return the tools as part of a body."""
        parts = [self._part(tool) for tool in tools]
        encoded = all(part.sent is not None for part in parts)
        return EncodedParts(parts) if encoded else [part.body for part in parts]

    def _part(self, tool: ChatTool) -> EncodedPart:
        known = self._known.get(tool.name)
        if known is not None and known[0] is tool:
            return known[1]
        if len(self._known) >= KEPT:
            self._known.clear()
        part = encoded_part(self._put(tool))
        self._known[tool.name] = tool, part
        return part


def as_sent(payload: Mapping[str, Any]) -> bytes:
    """Return the JSON of a body as it is sent."""
    try:
        return orjson.dumps(_spliced(payload, lambda part: part.sent))
    except TypeError:  # integers beyond 64 bits, lone surrogates
        return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def in_order(payload: Mapping[str, Any]) -> bytes:
    """Return the JSON of a body with sorted keys."""
    try:
        return orjson.dumps(_spliced(payload, lambda part: part.ordered), option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return canonical_json(payload).encode(errors="surrogatepass")


def _spliced(payload: Mapping[str, Any], way: Callable[[EncodedPart], orjson.Fragment | None]) -> dict[str, Any]:
    return {
        name: [way(part) for part in value.parts] if isinstance(value, EncodedParts) else value
        for name, value in payload.items()
    }
