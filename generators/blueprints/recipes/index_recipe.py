"""Settings, seed and index -> a recipe; every prefix of indices covers tools and choices evenly, without coordination."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import get_args
from zlib import crc32

from interplay.generators.blueprints.recipes.draws import (
    draw,
    draws_at,
    draws_of_chance,
    even,
    offset,
    order_at,
    pick,
    weighted,
)
from interplay.generators.blueprints.recipes.pattern_order import CYCLE, patterns_of_cycle
from interplay.generators.blueprints.recipes.personas import persona_of
from interplay.generators.blueprints.recipes.recipe_settings import FALLBACK_PATTERN, RecipeSettings
from interplay.generators.blueprints.recipes.rule_targets import RULE_PATTERNS, RuleTarget, rule_target
from interplay.schemas.records.behaviour import BEHAVIOURS, Behaviour
from interplay.schemas.records.fault import FAULTS, FaultKind
from interplay.schemas.records.recipe import Band, Direction, Pattern, Pressure, Recipe, Twin
from interplay.schemas.records.tool import PolicyRule

REGISTRY_FROM, REGISTRY = 48, 0.1
"""Toolsets of more tools than this are searched as a registry in this share of dialogues, by default."""

ODDS: Mapping[Band, float] = {"easy": 0.4, "medium": 1.0, "hard": 1.6}
"""Factors on the odds of a vague opening, a described row or a late fact, by difficulty.

Where hard tasks are as frequent as easy ones, small shares over all tasks stay close to the settings.
"""

RETRACTING: frozenset[Behaviour] = frozenset(("changes_mind", "contradicts", "mistaken"))
"""Behaviours of users who first say another value; they do not name rows, since the name would not fit that value."""

SECTIONS: Mapping[Band, tuple[float, float]] = {"easy": (0.0, 0.4), "medium": (0.2, 0.8), "hard": (0.6, 1.0)}
"""The part of their range from which the numbers of goals and distractors are drawn."""

SMALL: tuple[Pattern, ...] = ("single", "question", "no_call", "sequential", "ask")
LARGE: tuple[Pattern, ...] = ("multi_goal", "recombined", "fan_out", "iterative_search", "conditional")
TILT: Mapping[Band, float] = {"easy": -0.8, "medium": 0.0, "hard": 0.8}
"""By how much large patterns weigh more in each band of difficulty, and small ones less."""

DIRECTIONS: tuple[Direction, ...] = ("harder", "sideways", "easier", "harder")

TRIPLE: tuple[Twin, ...] = get_args(Twin)
GROUP = 2 * len(TRIPLE)
"""Consecutive indices that are safety scenarios together: two triples, so that twins of refusals stay together too."""

PRESSURES: tuple[Pressure, ...] = ("insists", "urgency", "authority", "pity")

_PRIMES = [number for number in range(2, 200) if all(number % smaller for smaller in range(2, number))]
_PACES = {kind: math.sqrt(prime) % 1 for kind, prime in zip(BEHAVIOURS, _PRIMES, strict=False)}
"""Steps of additive recurrences, one for each behaviour: mutually independent, and even in every prefix of indices."""


@dataclass(frozen=True)
class _Plan:
    """The part of a recipe that says what the task is, without how it is told."""

    pattern: Pattern
    target: str
    about: RuleTarget
    goals: int = 1
    offer: str = ""
    safety: Twin | None = None

    @property
    def governed(self) -> bool:
        """Whether the task is about what a rule forbids, or about harm."""
        return self.safety is not None or self.pattern in RULE_PATTERNS

    @property
    def alone(self) -> bool:
        """Whether nothing may be added that would change the task."""
        return self.governed or self.pattern == "no_call"


def make_recipe(
    tools: Sequence[str],
    settings: RecipeSettings,
    seed: int,
    index: int,
    rules: Sequence[PolicyRule] = (),
    two_sided: bool = False,
    hands_over: bool = False,
    since: int = 0,
) -> Recipe:
    """Return the recipe of one index; targets go round all tools, in another order each round.

    A tool that occurs twice in `tools` is aimed at twice in a round.

    Recipes for refusals and handovers go round `rules`; each refusal has an allowed twin in the same pair. `two_sided`
    tells that users have tools of their own, `hands_over` that a tool hands over to a person; where no rule says when, it
    does so after a wish that no tool serves. Tasks are retold from indices from `since` on.
    """
    if not two_sided:
        one_sided = {name: weight for name, weight in settings.patterns.items() if name != "guided"}
        patterns = one_sided if sum(one_sided.values()) > 0 else {FALLBACK_PATTERN: 1.0}
        settings = settings.model_copy(update={"patterns": patterns})
    own = _seed_of(tuple(tools), seed)
    drawn, band = draws_at(own, index), _band(settings, own, index)
    if settings.safety > 0 and even(f"{own}/safety", index // GROUP) < settings.safety:
        plan = _of_triple(tools, own, index)
        # three steps of an even draw add up to nearly 1: each kind of twin would always draw the same
        drawn = draws_of_chance(Random(f"{own}/safety/{index}"))
    else:
        plan = _planned(order_at(tools, own, index), settings, own, index, rules, hands_over)
    return _told(plan, settings, own, index, drawn, band, since).model_copy(update={"seed": seed})


@lru_cache(maxsize=64)
def _seed_of(tools: tuple[str, ...], seed: int) -> int:
    """Return a seed of these tools' own: datasets of several toolsets do not begin with the same persons and patterns."""
    return seed ^ crc32("\n".join(sorted(set(tools))).encode())


def _planned(
    order: Sequence[str],
    settings: RecipeSettings,
    seed: int,
    index: int,
    rules: Sequence[PolicyRule],
    hands_over: bool,
) -> _Plan:
    """Return the plan of a recipe that is no safety scenario."""
    band, pattern = _band(settings, seed, index), _pattern(settings, seed, index)
    target, about = order[index % len(order)], RuleTarget()
    if pattern in RULE_PATTERNS:
        about = rule_target(pattern, _share(settings, pattern), rules, list(dict.fromkeys(order)), seed, index)
        if about.rule:
            target = about.target
        elif pattern != "handover" or not hands_over or any(rule.kind == "handover_when" for rule in rules):
            pattern = FALLBACK_PATTERN
    drawn = draw(seed, "goals", index)
    goals = 2 + int(_section(band, drawn) ** 2 * (settings.max_goals - 1)) if pattern == "multi_goal" else 1
    offer = _offer(settings, len(set(order)), draw(seed, "tool_search", index))
    if pattern == "guided" and offer == "tool_changes":
        offer = ""
    if pattern == "missing_tool" and settings.tool_changes == 0:
        pattern = FALLBACK_PATTERN
    elif pattern == "missing_tool" and offer != "registry":
        offer = "tool_changes"
    return _Plan(pattern, target, about, goals, offer)


def _told(
    plan: _Plan, settings: RecipeSettings, seed: int, index: int, drawn: Mapping[str, float], band: Band, since: int
) -> Recipe:
    """Return the recipe of a plan, with persona, behaviours, faults and offer."""
    pattern, about, odds = plan.pattern, plan.about, ODDS[band]
    behaviours = tuple(_behaviours(plan, settings, seed, index))
    resisting = about.resisting if drawn["pressure"] < settings.pressure else None
    persona = persona_of(drawn, Random(f"{seed}/persona/{index}"))
    vague = (
        drawn["vague"] < _with_odds(settings.vague, odds)
        and not plan.alone
        and pattern not in ("missing_tool", "guided")
    )
    asks_unknown = drawn["asks_unknown"] < _with_odds(settings.asks_unknown, odds) and plan.safety is None
    named = even(f"{seed}/named", index) < _with_odds(settings.named, 1 / odds) and not asks_unknown
    out_of_scope = drawn["out_of_scope"] < _with_odds(settings.out_of_scope, odds) and plan.safety is None
    return Recipe(
        index=index,
        seed=seed,
        target=plan.target,
        pattern=pattern,
        goals=plan.goals,
        vague=vague,
        tool_search=plan.offer == "tool_search",
        registry=plan.offer == "registry",
        tool_changes=plan.offer == "tool_changes",
        asks_unknown=asks_unknown,
        out_of_scope=out_of_scope or "asks_impossible" in behaviours,
        distractors=int(_section(band, drawn["distractors"]) * 12),
        described=drawn["described"] < _with_odds(settings.described, odds),
        named=named and RETRACTING.isdisjoint(behaviours),
        late=drawn["late"] < _with_odds(settings.late, odds),
        written=drawn["written"] < settings.written and pattern not in ("no_call", "missing_tool", "guided"),
        inspiration=pick(settings.inspirations, drawn["inspiration"]) if settings.inspirations else "",
        rule=about.rule,
        twin=about.twin,
        pair=about.pair,
        safety=plan.safety,
        pressure=resisting or _pressure(plan, settings, drawn["pressure"]),
        difficulty=band,
        evolve=_direction(settings, drawn["evolved"]) if not plan.alone else None,
        retells=_retold(settings, seed, index, since) if plan.safety is None else None,
        behaviours=behaviours,
        faults=_faults(settings, seed, index) if not plan.alone else (),
        persona=persona.model_copy(update={"patience": "low"}) if "impatient" in behaviours else persona,
    )


def _with_odds(share: float, odds: float) -> float:
    """Return a share with its odds multiplied; 0 and 1 stay so."""
    return share * odds / (1 - share + share * odds)


def _pressure(plan: _Plan, settings: RecipeSettings, drawn: float) -> Pressure | None:
    """Return how the user presses against a refusal, or None."""
    return pick(PRESSURES, drawn / settings.pressure) if plan.governed and drawn < settings.pressure else None


def _of_triple(tools: Sequence[str], seed: int, index: int) -> _Plan:
    """Return the plan of a twin of a safety scenario; it is the same for all three except for the twin."""
    first = index - index % len(TRIPLE)
    target = order_at(tools, seed, first)[first % len(tools)]
    about = RuleTarget(pair=f"{seed}/safety/{index // len(TRIPLE)}")
    return _Plan("sequential", target, about, safety=TRIPLE[index % len(TRIPLE)])


def _faults(settings: RecipeSettings, seed: int, index: int) -> tuple[FaultKind, ...]:
    """Return the faults of an index: all kinds evenly, without affecting other draws."""
    drawn = even(f"{seed}/faults", index)
    return (pick(FAULTS, drawn / settings.faults),) if drawn < settings.faults else ()


def _section(band: Band, drawn: float) -> float:
    low, high = SECTIONS[band]
    return low + drawn * (high - low)


def _direction(settings: RecipeSettings, drawn: float) -> Direction | None:
    return pick(DIRECTIONS, drawn / settings.evolved) if drawn < settings.evolved else None


def _band(settings: RecipeSettings, seed: int, index: int) -> Band:
    return weighted(settings.difficulty, draw(seed, "difficulty", index))


def _retold(settings: RecipeSettings, seed: int, index: int, since: int) -> int | None:
    """Return the earlier index whose task this one retells, one with a task of its own; or None."""
    if index == since or draw(seed, "retold", index) >= settings.retold:
        return None
    earlier = Random(f"{seed}/retold/{index}").randrange(since, index)
    return next(
        (other for other in range(earlier, since - 1, -1) if draw(seed, "retold", other) >= settings.retold), None
    )


def _behaviours(plan: _Plan, settings: RecipeSettings, seed: int, index: int) -> Iterator[Behaviour]:
    """Yield the user behaviours of an index."""
    for kind in BEHAVIOURS if plan.safety is None and plan.pattern != "no_call" else ():
        place = math.fmod(offset(f"{seed}/behaviour/{kind}") + (index + 1) * _PACES[kind], 1.0)
        if place < settings.behaviours.get(kind, 0.0):
            yield kind


def _pattern(settings: RecipeSettings, seed: int, index: int) -> Pattern:
    """Return the pattern of an index; refusals occur at even indices only, each followed by its twin."""
    cycle, place = divmod(index, CYCLE)
    names, odds = tuple(settings.patterns.items()), tuple(settings.difficulty.items())
    return _patterns(names, odds, seed, cycle)[place]


@lru_cache(maxsize=64)
def _patterns(
    patterns: tuple[tuple[Pattern, float], ...], difficulty: tuple[tuple[Band, float], ...], seed: int, cycle: int
) -> tuple[Pattern, ...]:
    """Return the patterns of a cycle of indices, with weights by band of difficulty."""
    bands: list[Band] = list(TILT)
    weights = tuple(
        tuple((name, weight * (1 + TILT[band] * ((name in LARGE) - (name in SMALL)))) for name, weight in patterns)
        for band in bands
    )
    first = cycle * CYCLE
    drawn = (weighted(dict(difficulty), draw(seed, "difficulty", first + place)) for place in range(CYCLE))
    return patterns_of_cycle(weights, bytes(bands.index(band) for band in drawn), seed, cycle)


def _share(settings: RecipeSettings, pattern: Pattern) -> float:
    return settings.patterns.get(pattern, 0) / sum(settings.patterns.values())


def _offer(settings: RecipeSettings, tools: int, drawn: float) -> str:
    """Return how tools are offered: searched at the lower end of the draw, a registry or changes at the upper one."""
    registry = settings.registry if settings.registry is not None else REGISTRY * (tools > REGISTRY_FROM)
    if drawn >= 1 - registry:
        return "registry"
    if drawn >= 1 - registry - settings.tool_changes:
        return "tool_changes"
    return "tool_search" if drawn < settings.tool_search else ""
