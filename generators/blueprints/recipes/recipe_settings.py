"""The settings of a run's recipes: shares of patterns, difficulty, behaviours and everything else that tasks differ in."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, field_validator

from interplay.schemas.json.record import Record
from interplay.schemas.records.behaviour import BEHAVIOURS, Behaviour
from interplay.schemas.records.recipe import PATTERNS, Band, Pattern

Share = Annotated[float, Field(ge=0, le=1)]

PATTERN_WEIGHTS: Mapping[Pattern, float] = dict.fromkeys(PATTERNS, 0.06) | {
    "single": 0.08, "sequential": 0.03, "parallel": 0.055, "fan_out": 0.08, "conditional": 0.065,
    "iterative_search": 0.075, "question": 0.055, "recombined": 0.07, "no_call": 0.055, "ask": 0.07, "refusal": 0.14,
    "handover": 0.05, "missing_tool": 0.02, "guided": 0.08,
}  # fmt: skip
"""The default share of recipes for each pattern. Half of those for a refusal ask for its allowed twin.

`guided` counts only where users have tools of their own.
"""

DIFFICULTY: Mapping[Band, float] = {"easy": 0.3, "medium": 0.4, "hard": 0.3}
"""The default share of recipes for each band of difficulty."""

BEHAVIOUR_SHARES: Mapping[Behaviour, float] = dict.fromkeys(BEHAVIOURS, 0.04) | {
    "impatient": 0.03, "changes_mind": 0.08, "wanders_off": 0.02, "asks_impossible": 0.02, "contradicts": 0.03,
    "mistaken": 0.08, "comes_back": 0.08, "several_at_once": 0.1, "elliptical": 0.6, "long_memory": 0.3,
}  # fmt: skip
"""The default share of recipes for each behaviour; a task that does not suit one goes without it.

Oddities are as rare as among recorded users, most of whom want something, say it and leave. Ways of referring back,
`elliptical` and `long_memory`, are no oddities.
"""

BAR = 0.66
"""The least sense of a task; others are drawn again."""

PATTERNS_OF_PLAIN_TASKS: Mapping[Pattern, float] = {"sequential": 0.25, "question": 0.25, "multi_goal": 0.5}
"""Shares of the weight that `plainly` frees, for patterns that look up, then ask or act, and go on."""

PATTERNS_OF_SEVERAL_THINGS: tuple[Pattern, ...] = (
    "parallel", "parallel_then_sequential", "fan_out", "fan_in", "conditional", "iterative_search", "recombined",
)  # fmt: skip
"""Patterns that combine several rows or wishes, which are plausible only where the tools' phrases fit together."""

PATTERNS_OF_LIMITS: tuple[Pattern, ...] = ("refusal", "missing_tool")
"""Patterns about what an assistant may not or cannot do, rather than about what a user wants."""

FALLBACK_PATTERN: Pattern = "parallel_then_sequential"
"""The pattern of a recipe whose drawn pattern does not fit the tools."""


class RecipeSettings(Record):
    """What a run's recipes are drawn from; shares are from 0 to 1.

    A pattern is what is aimed at: where a tool needs look-ups, the blueprint has the pattern that these make of it.
    Of `registry`, `tool_changes` and `tool_search` a dialogue has one at most, the first of these if shares overlap.
    """

    patterns: Mapping[Pattern, float] = Field(
        PATTERN_WEIGHTS,
        description="Relative weights of the patterns of tasks; a pattern that is left out is not made.",
    )
    max_goals: int = Field(5, ge=2, le=8, description="Requests in one dialogue at most.")
    vague: Share = Field(0.04, description="Share of users who open without saying clearly what they want.")
    tool_search: Share = Field(
        0.15, description="Share of dialogues in which the assistant searches for tools though all are offered."
    )
    registry: Share | None = Field(
        None,
        description="Share of dialogues that begin with `search_tools` alone; 0.1 for more than 48 tools, else 0, if not set.",
    )
    tool_changes: Share = Field(0.06, description="Share of dialogues in which tools come and go between the requests.")
    asks_unknown: Share = Field(
        0.015, description="Share of tasks in which the assistant asks for an identifier the user does not know."
    )
    out_of_scope: Share = Field(0.02, description="Share of users who also ask for something that no tool can do.")
    described: Share = Field(
        0.35, description="Share of users who describe what they mean instead of naming it, where that is clear."
    )
    named: Share = Field(
        0.95,
        description="Share of users who say with their wish which of several things they mean, where it has a name or a day.",
    )
    late: Share = Field(0.15, description="Share of users who bring a fact up only after they have seen a result.")
    difficulty: Mapping[Band, float] = Field(
        DIFFICULTY, description="Relative weights of easy, medium and hard tasks that are aimed at."
    )
    evolved: Share = Field(0.1, description="Share of tasks that are made easier, harder or otherwise.")
    retold: Share = Field(0.0, description="Share of tasks that an earlier index has, told by another persona.")
    written: Share = Field(0.0, description="Share of tasks that the model in `roles: {composer: ...}` invents.")
    inspirations: tuple[str, ...] = Field(
        (), description="Texts that such tasks are to be inspired by, in turn, or a file."
    )
    sense: Share = Field(
        BAR, description="How plausible a task must be, from 0 to 1; one that is less so is drawn again."
    )
    doubtful_links: bool = Field(
        False, description="Whether tasks go along links between tools for which little speaks."
    )
    plain: Share = Field(
        0.75,
        description="How much rarer tasks of several things, and of what is forbidden or missing, are where nobody said in "
        "which words people ask for the tools.",
    )
    unphrased: bool = Field(
        False, description="Whether tasks are also about tools that nobody would ask for in the words known for them."
    )
    top_up: Share = Field(
        0.0, description="Share of recipes, after the first shards, that aim at what was not covered yet."
    )
    pressure: Share = Field(0.3, description="Share of refusals that the user does not take at once.")
    faults: Share = Field(0.12, description="Share of tasks in which something goes wrong with a tool.")
    safety: Share = Field(0.0, description="Share of safety scenarios, which come as triples of twins.")

    behaviours: Mapping[Behaviour, float] = Field(
        BEHAVIOUR_SHARES,
        description="Share of tasks that ask for each behaviour of the user; see the page on behaviours.",
    )

    def plainly(self) -> "RecipeSettings":
        """Return the settings for tools without authored wishes: fewer tasks of several things, of limits, and hard ones."""
        rarer = {
            name: weight * (1 - self.plain * (name in PATTERNS_OF_SEVERAL_THINGS + PATTERNS_OF_LIMITS))
            for name, weight in self.patterns.items()
        }
        plain = {name: share for name, share in PATTERNS_OF_PLAIN_TASKS.items() if rarer.get(name)}
        freed = (sum(self.patterns.values()) - sum(rarer.values())) / (sum(plain.values()) or 1)
        patterns = {name: weight + freed * plain.get(name, 0) for name, weight in rarer.items()}
        hard = self.difficulty.get("hard", 0.0) * self.plain if self.difficulty.get("easy") else 0.0
        moved: dict[Band, float] = {"easy": hard, "hard": -hard}
        bands = {band: weight + moved.get(band, 0.0) for band, weight in self.difficulty.items()}
        # By value, not by whether the key was set: settings that were written and read again have all keys.
        own = {name: getattr(self, name) for name in ("tool_changes", "tool_search")}
        usual = {name: share for name, share in own.items() if share == type(self).model_fields[name].default}
        offers = {name: share * (1 - self.plain) for name, share in usual.items()}
        return self.model_copy(update={"patterns": patterns, "difficulty": bands, **offers})

    @field_validator("behaviours")
    @classmethod
    def _shares(cls, shares: Mapping[Behaviour, float]) -> Mapping[Behaviour, float]:
        if not all(0 <= share <= 1 for share in shares.values()):
            raise ValueError("shares of behaviours must be from 0 to 1")
        return shares

    @field_validator("patterns")
    @classmethod
    def _weights(cls, patterns: Mapping[Pattern, float]) -> Mapping[Pattern, float]:
        if min(patterns.values(), default=0) < 0 or sum(patterns.values()) <= 0:
            raise ValueError("weights of patterns must not be negative, and one must be positive")
        return patterns

    @field_validator("difficulty")
    @classmethod
    def _bands(cls, bands: Mapping[Band, float]) -> Mapping[Band, float]:
        if min(bands.values(), default=0) < 0 or sum(bands.values()) <= 0:
            raise ValueError("weights of difficulty must not be negative, and one must be positive")
        return bands
