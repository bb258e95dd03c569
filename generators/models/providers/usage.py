"""The body of an answer or a request -> its tokens, as any provider reports them, or estimated."""

from collections.abc import Mapping
from typing import Any

from interplay.generators.models.transport.failures import read_json
from interplay.schemas.records.dialogue import Usage

BYTES_PER_TOKEN = 4
"""Bytes per token of English text and JSON, for estimates."""

ASSUMED_ANSWER = 1024
"""Tokens reserved for an answer without a length limit."""

MOST = 10**12
"""Largest credible count of tokens."""


def payload_tokens(size: int) -> int:
    """Estimate the tokens of a prompt from the bytes of its payload."""
    return -(-size // BYTES_PER_TOKEN)


def answer_bound(payload: Mapping[str, Any]) -> int:
    """Return the most tokens that the answer to a payload may have; `ASSUMED_ANSWER` if it sets no limit."""
    for name in ("max_completion_tokens", "max_output_tokens", "max_tokens"):
        bound = payload.get(name)
        if isinstance(bound, int) and bound > 0:
            return bound
    return ASSUMED_ANSWER


def usage_of(body: bytes) -> Usage | None:
    """Return the usage that an answer reports; None if it reports none, or an impossible one."""
    try:
        content = read_json(body)
    except (ValueError, RecursionError):
        return None
    return read_usage(content.get("usage")) if isinstance(content, dict) else None


def read_usage(told: Any) -> Usage | None:
    """Parse the `usage` of an answer; see `usage_of`.

    Source: OpenAI's chat completions and responses (cached tokens are part of the prompt) and Anthropic's messages (they
    are added to it). If OpenAI's total exceeds prompt and completion, as with Gemini's models, the rest is reasoning, which is
    billed as completion and added to it.
    """
    if not isinstance(told, dict):
        return None
    try:
        return _chat(told) if "prompt_tokens" in told else _input_output(told)
    except ValueError:
        return None


def expected_usage(size: int, payload: Mapping[str, Any]) -> Usage:
    """Return the most tokens that a request may take, with the whole prompt written to the cache."""
    prompt = payload_tokens(size)
    return Usage(prompt=prompt, cache_written=prompt, completion=answer_bound(payload))


def assumed_usage(size: int, body: bytes) -> Usage:
    """Return an estimate for an answer that reports no usage."""
    return Usage(prompt=payload_tokens(size), completion=payload_tokens(len(body)))


def _chat(told: Mapping[str, Any]) -> Usage:
    prompt, completion = _count(told, "prompt_tokens"), _count(told, "completion_tokens")
    hidden = max(_count(told, "total_tokens") - prompt - completion, 0)
    return Usage(
        prompt=prompt,
        cached=_count(told, "prompt_tokens_details", "cached_tokens") or _count(told, "prompt_cache_hit_tokens"),
        cache_written=_count(told, "prompt_tokens_details", "cache_write_tokens"),
        completion=completion + hidden,
        reasoning=_count(told, "completion_tokens_details", "reasoning_tokens") or hidden,
    )


def _input_output(told: Mapping[str, Any]) -> Usage | None:
    if "input_tokens" not in told:
        return Usage.model_validate(told) if told.keys() == Usage.model_fields.keys() else None
    read, written = _count(told, "cache_read_input_tokens"), _count(told, "cache_creation_input_tokens")
    details = "output_tokens_details"
    return Usage(
        prompt=_count(told, "input_tokens") + read + written,
        cached=read or _count(told, "input_tokens_details", "cached_tokens"),
        cache_written=written or _count(told, "input_tokens_details", "cache_write_tokens"),
        completion=_count(told, "output_tokens"),
        reasoning=_count(told, details, "reasoning_tokens") or _count(told, details, "thinking_tokens"),
    )


def _count(told: Any, *path: str) -> int:
    """Return the count of tokens at a path; 0 if it is missing.

    Raises:
        ValueError: it is no count.
    """
    for key in path:
        told = told.get(key) if isinstance(told, dict) else None
    if told is None:
        return 0
    if isinstance(told, bool) or not isinstance(told, (int, float)) or not 0 <= told <= MOST:
        raise ValueError(f"{told!r} is no number of tokens")
    return int(told)
