"""The body of an answer, or of a question -> its tokens, whatever the provider calls them."""

from collections.abc import Mapping
from typing import Any

import orjson

from interplay.schemas.dialogue import Usage

BYTES_PER_TOKEN = 4
"""How long a token is in a prompt of English text and JSON, where nobody counted."""

ASSUMED_ANSWER = 1024
"""Tokens set aside for an answer whose length nothing bounds."""

MOST = 10**12
"""More tokens than any answer has: what a server says beyond this is not believed."""


def payload_tokens(size: int) -> int:
    """Estimate the tokens of a prompt from the bytes of its payload."""
    return -(-size // BYTES_PER_TOKEN)


def answer_bound(payload: Mapping[str, Any]) -> int:
    """Return how many tokens the answer to a payload may have, or what is assumed where it does not say."""
    for name in ("max_completion_tokens", "max_output_tokens", "max_tokens"):
        bound = payload.get(name)
        if isinstance(bound, int) and bound > 0:
            return bound
    return ASSUMED_ANSWER


def usage_of(body: bytes) -> Usage | None:
    """Return the tokens that an answer says it took; none where it does not say.

    Source: the `usage` objects of OpenAI's chat completions and responses (cached tokens are part of the prompt) and
    of Anthropic's messages (they come on top of it).
    """
    try:
        content = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    told = content.get("usage") if isinstance(content, dict) else None
    if not isinstance(told, dict):
        return None
    return _chat(told) if "prompt_tokens" in told else _input_output(told)


def expected_usage(size: int, payload: Mapping[str, Any]) -> Usage:
    """Return what an answer may take at most; the whole prompt may be put into a cache, at the price of that."""
    prompt = payload_tokens(size)
    return Usage(prompt=prompt, cache_written=prompt, completion=answer_bound(payload))


def assumed_usage(size: int, body: bytes) -> Usage:
    """Return an estimate for an answer that does not say what it took."""
    return Usage(prompt=payload_tokens(size), completion=payload_tokens(len(body)))


def _chat(told: dict[str, Any]) -> Usage:
    return Usage(
        prompt=_count(told, "prompt_tokens"),
        cached=_count(told.get("prompt_tokens_details"), "cached_tokens") or _count(told, "prompt_cache_hit_tokens"),
        cache_written=_count(told.get("prompt_tokens_details"), "cache_write_tokens"),
        completion=_count(told, "completion_tokens"),
        reasoning=_count(told.get("completion_tokens_details"), "reasoning_tokens"),
    )


def _input_output(told: dict[str, Any]) -> Usage | None:
    if "input_tokens" not in told:
        return Usage.model_validate(told) if told.keys() == Usage.model_fields.keys() else None
    read, written = _count(told, "cache_read_input_tokens"), _count(told, "cache_creation_input_tokens")
    return Usage(
        prompt=_count(told, "input_tokens") + read + written,
        cached=read or _count(told.get("input_tokens_details"), "cached_tokens"),
        cache_written=written or _count(told.get("input_tokens_details"), "cache_write_tokens"),
        completion=_count(told, "output_tokens"),
        reasoning=_count(told.get("output_tokens_details"), "reasoning_tokens"),
    )


def _count(told: Any, name: str) -> int:
    found = told.get(name) if isinstance(told, dict) else None
    return found if type(found) is int and 0 <= found <= MOST else 0
