"""The name of a Claude model -> its capabilities: how thinking is set, and whether it enforces an output schema.

    claude-haiku-4-5-20251001   4.5   thinks if given tokens for it, and enforces a schema
    claude-sonnet-5-5           5.5   thinks unless that is turned off, so that no call can be forced
    claude-opus-5-5             5.5   always thinks

Other names belong to models of compatible servers. Source: platform.claude.com/docs/en/build-with-claude, "Extended
thinking", "Adaptive thinking" and "Structured outputs"; the migration guides of the models.
"""

import re
from functools import lru_cache

_NUMBERS = re.compile(r"claude-(?:([a-z]+)-)?(\d{1,2})(?:[-.](\d{1,2})(?!\d))?(?!\d)")
ENFORCES, ADAPTS, SAMPLES, THINKS = (4, 5), (4, 6), (4, 7), (5, 0)
"""The first generations that enforce an output schema, think adaptively, refuse sampling settings, and think by default."""

NEWEST = (99, 0)

KEPT_FROM_IT = {
    ("opus", (5, 0)): "disabled",
    ("sonnet", (5, 0)): "disabled",
    ("sonnet", (5, 5)): "between_tools",
    ("haiku", (5, 5)): "disabled",
}
"""The only setting that turns off thinking, for models that think by default; models that are not listed accept none."""

LEAST_THOUGHT = 1024
"""The smallest thinking budget that a model accepts, in tokens."""

SHARES = {"minimal": 0.25, "low": 0.25, "medium": 0.5, "high": 0.75}
"""The share of an answer's tokens for thinking, by effort."""


@lru_cache(maxsize=256)
def generation(model: str) -> tuple[int, int] | None:
    """Return the generation of a Claude model, `NEWEST` if its name has none; None for other models."""
    name = model.lower()
    found = _NUMBERS.search(name)
    if found is not None:
        return int(found[2]), int(found[3] or 0)
    return NEWEST if "claude" in name else None


def enforces(model: str, thinks: bool) -> bool:
    """Tell whether to use native enforcement of an output schema; for other models only if they think."""
    number = generation(model)
    return thinks if number is None else number >= ENFORCES


def thinks_by_itself(model: str) -> bool:
    """Tell whether a model thinks by default."""
    number = generation(model)
    return number is not None and number >= THINKS


def refuses_temperature(model: str) -> bool:
    """Tell whether a model refuses a temperature; one of an unknown generation is assumed to accept it."""
    number = generation(model)
    return number is not None and SAMPLES <= number < NEWEST


def without_thinking(model: str) -> str:
    """Return the setting that turns thinking off; empty if it can only be reduced."""
    number, found = generation(model), _NUMBERS.search(model.lower())
    return KEPT_FROM_IT.get((found[1] or "", number), "") if found and number else ""


def thought_tokens(model: str, effort: str, most: int) -> int | None:
    """Return a model's thinking budget at an effort, in tokens, of an answer of `most`; None if the model decides itself."""
    number = generation(model)
    if number is None or number >= ADAPTS:
        return None
    return max(LEAST_THOUGHT, int(most * SHARES[effort]))
