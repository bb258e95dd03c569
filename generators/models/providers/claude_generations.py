"""The name of a Claude model -> what its API takes: how thinking is set, and how an output schema is enforced.

    claude-haiku-4-5-20251001   4.5   thinks where it is given tokens for it, and enforces a schema
    claude-sonnet-5-5           5.5   thinks unless it is kept from it, so that no call can be forced
    claude-opus-5-5             5.5   always thinks

Other names are those of models that imitate the API. Source: platform.claude.com/docs/en/build-with-claude, "Extended
thinking", "Adaptive thinking" and "Structured outputs"; the migration guides of the models.
"""

import re
from functools import lru_cache

_NUMBERS = re.compile(r"claude-(?:([a-z]+)-)?(\d{1,2})(?:[-.](\d{1,2})(?!\d))?(?!\d)")
ENFORCES, ADAPTS, SAMPLES, THINKS = (4, 5), (4, 6), (4, 7), (5, 0)
"""The generations from which on an output schema is enforced, thinking is adaptive, answers are sampled as the provider
likes, and thinking is the rule."""

NEWEST = (99, 0)

KEPT_FROM_IT = {
    ("opus", (5, 0)): "disabled",
    ("sonnet", (5, 0)): "disabled",
    ("sonnet", (5, 5)): "between_tools",
    ("haiku", (5, 5)): "disabled",
}
"""How a model that thinks by itself is kept from it: each other way is refused, and with all other models any."""

LEAST_THOUGHT = 1024
"""The smallest budget of tokens for thinking that a model takes."""

SHARES = {"minimal": 0.25, "low": 0.25, "medium": 0.5, "high": 0.75}
"""What part of an answer's tokens may be thoughts, by the effort."""


@lru_cache(maxsize=256)
def generation(model: str) -> tuple[int, int] | None:
    """Return the generation of a Claude model, the newest one where its name tells none; none of another model."""
    name = model.lower()
    found = _NUMBERS.search(name)
    if found is not None:
        return int(found[2]), int(found[3] or 0)
    return NEWEST if "claude" in name else None


def enforces(model: str, thinks: bool) -> bool:
    """Tell whether a model is to be held to an output schema; one that is no Claude where nothing else is possible."""
    number = generation(model)
    return thinks if number is None else number >= ENFORCES


def thinks_by_itself(model: str) -> bool:
    """Tell whether a model thinks by default."""
    number = generation(model)
    return number is not None and number >= THINKS


def refuses_temperature(model: str) -> bool:
    """Tell whether a model refuses a temperature; a model of an unknown generation is taken to accept one."""
    number = generation(model)
    return number is not None and SAMPLES <= number < NEWEST


def without_thinking(model: str) -> str:
    """Return the setting that turns thinking off; empty where it can only be reduced."""
    number, found = generation(model), _NUMBERS.search(model.lower())
    return KEPT_FROM_IT.get((found[1] or "", number), "") if found and number else ""


def thought_tokens(model: str, effort: str, most: int) -> int | None:
    """Return for how many of an answer's tokens a model is to think at an effort; none where it decides itself."""
    number = generation(model)
    if number is None or number >= ADAPTS:
        return None
    return max(LEAST_THOUGHT, int(most * SHARES[effort]))
