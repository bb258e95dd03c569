"""(settings, seed, index) -> Recipe: every prefix of indices covers tools and choices evenly, without coordination."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Literal, TypeVar, get_args

from pydantic import Field, field_validator

from interplay.generators.values import words
from interplay.schemas.behaviour import BEHAVIOURS, Behaviour
from interplay.schemas.blueprint import AgeBand, Band, Direction, Habit, Pattern, Persona, Pressure, Recipe, Twin
from interplay.schemas.fault import FAULTS, FaultKind
from interplay.schemas.record import Record
from interplay.schemas.tools import PolicyRule

_T = TypeVar("_T")

DIMENSIONS = (
    "pattern",
    "goals",
    "vague",
    "tool_search",
    "asks_unknown",
    "out_of_scope",
    "described",
    "late",
    "pressure",
    "tone",
    "patience",
    "verbosity",
    "expertise",
    "age",
    "distractors",
    "difficulty",
    "evolved",
    "retold",
    "written",
    "inspiration",
    "top_up",
)


@lru_cache
def _ratio(dimensions: int) -> float:
    """Return the generalised golden ratio of the R-sequence. Source: M. Roberts, 2018."""
    root = 2.0
    for _ in range(40):
        root = (1 + root) ** (1 / (dimensions + 1))
    return root


_STEPS = {name: _ratio(len(DIMENSIONS)) ** -(position + 1) for position, name in enumerate(DIMENSIONS)}


REGISTRY_FROM, REGISTRY = 48, 0.1
"""Toolsets of more tools than this are searched like a registry in this share of the dialogues, unless settings say else."""


PATTERN_WEIGHTS: Mapping[Pattern, float] = {
    "single": 0.08, "sequential": 0.03, "parallel": 0.055, "parallel_then_sequential": 0.06, "fan_out": 0.08,
    "fan_in": 0.06, "conditional": 0.065, "iterative_search": 0.075, "question": 0.055, "multi_goal": 0.06,
    "recombined": 0.07, "no_call": 0.055, "ask": 0.07, "refusal": 0.14, "handover": 0.05, "missing_tool": 0.07,
    "guided": 0.08,
}  # fmt: skip
"""What share of the recipes asks for each pattern. Half of those for a refusal ask for its twin that is allowed.

`guided` counts where users have tools of their own, and nowhere else."""

DIFFICULTY: Mapping[Band, float] = {"easy": 0.3, "medium": 0.4, "hard": 0.3}
"""What share of the recipes aims at each band of difficulty."""

POWERS: Mapping[Band, float] = {"easy": 2.6, "medium": 1.0, "hard": 0.5}
"""Shares that make tasks harder are raised to these: as many where hard tasks are as frequent as easy ones, 0 and 1 kept."""

SECTIONS: Mapping[Band, tuple[float, float]] = {"easy": (0.0, 0.4), "medium": (0.2, 0.8), "hard": (0.6, 1.0)}
"""The part of their range that the numbers of goals and distractors are drawn from."""

SMALL: tuple[Pattern, ...] = ("single", "question", "no_call", "sequential", "ask")
LARGE: tuple[Pattern, ...] = ("multi_goal", "recombined", "fan_out", "iterative_search", "conditional")
TILT: Mapping[Band, float] = {"easy": -0.8, "medium": 0.0, "hard": 0.8}
"""Large patterns weigh so much more, small ones so much less."""

DIRECTIONS: tuple[Direction, ...] = ("harder", "sideways", "easier", "harder")

BY_RULES = ("refusal", "handover")
"""Patterns that need policy rules; without them, their recipes ask for the pattern `INSTEAD`."""

TRIPLE: tuple[Twin, ...] = get_args(Twin)
GROUP = 2 * len(TRIPLE)
"""Indices that are safety scenarios together: two triples, so that the twins of refusals stay together too."""

INSTEAD: Pattern = "parallel_then_sequential"
PRESSURES: tuple[Pressure, ...] = ("insists", "urgency", "authority", "pity")
HABIT = 0.16
"""Chance of each habit of writing."""

HABITS: tuple[Habit, ...] = ("lowercase", "abbreviates", "exclaims", "emoji", "ellipses")


BEHAVIOUR_SHARES: Mapping[Behaviour, float] = {
    "impatient": 0.1, "changes_mind": 0.25, "changes_mind_late": 0.15, "corrects_itself": 0.15, "wanders_off": 0.1,
    "asks_impossible": 0.08, "several_at_once": 0.15, "contradicts": 0.12, "asks_back": 0.15, "refuses_identity": 0.15,
    "mistaken": 0.2, "comes_back": 0.3, "elliptical": 0.5, "long_memory": 0.3,
}  # fmt: skip
"""What share of the recipes asks for each behaviour. A task that does not lend itself to one goes without it."""

_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43)
_PACES = {kind: math.sqrt(prime) % 1 for kind, prime in zip(BEHAVIOURS, _PRIMES, strict=True)}
"""Steps of additive recurrences, one for each behaviour: independent of each other, even in every prefix of indices."""


class Aim(Record):
    """Something that the accepted tasks of earlier shards do not hold: a tool, an edge, a pattern, or a tempted rule."""

    kind: Literal["tool", "edge", "pattern", "temptation"]
    name: str


class RecipeSettings(Record):
    """What a run's recipes are drawn from; shares are from 0 to 1.

    A pattern is what is aimed at: where a tool needs look-ups, the blueprint has the pattern that these make of it.
    Of `registry`, `tool_changes` and `tool_search` a dialogue has one at most, the first of these if shares overlap.
    """

    patterns: Mapping[Pattern, float] = PATTERN_WEIGHTS
    max_goals: int = Field(5, ge=2, le=8)
    vague: float = Field(0.25, ge=0, le=1)
    tool_search: float = Field(0.15, ge=0, le=1)
    registry: float | None = Field(None, ge=0, le=1)
    tool_changes: float = Field(0.1, ge=0, le=1)
    asks_unknown: float = Field(0.3, ge=0, le=1)
    out_of_scope: float = Field(0.12, ge=0, le=1)
    described: float = Field(0.35, ge=0, le=1)
    late: float = Field(0.15, ge=0, le=1)
    difficulty: Mapping[Band, float] = DIFFICULTY
    evolved: float = Field(0.1, ge=0, le=1, description="Share of tasks that are made easier, harder or otherwise.")
    retold: float = Field(
        0.0, ge=0, le=1, description="Share of tasks that an earlier index has, told by another persona."
    )
    written: float = Field(
        0.0, ge=0, le=1, description="Share of tasks that the model in `roles: {composer: ...}` invents."
    )
    inspirations: tuple[str, ...] = Field(
        (), description="Texts that such tasks are to be inspired by, in turn, or a file."
    )
    top_up: float = Field(
        0.0, ge=0, le=1, description="Share of recipes, after the first shards, that aim at what was not covered yet."
    )
    pressure: float = Field(0.5, ge=0, le=1, description="Share of refusals that the user does not take at once.")
    faults: float = Field(0.12, ge=0, le=1, description="Share of tasks in which something goes wrong with a tool.")
    safety: float = Field(0.0, ge=0, le=1, description="Share of safety scenarios, which come as triples of twins.")

    behaviours: Mapping[Behaviour, float] = BEHAVIOUR_SHARES

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


def make_recipe(
    tools: Sequence[str],
    settings: RecipeSettings,
    seed: int,
    index: int,
    rules: Sequence[PolicyRule] = (),
    two_sided: bool = False,
    hands_over: bool = False,
) -> Recipe:
    """Return the recipe of one index; targets go round all tools, in another order each time.

    Recipes for refusals and handovers go round `rules`; each refusal has a twin of the same pair, which is allowed. Where
    users have tools of their own, the environment is `two_sided`; where a tool `hands_over` to a person and no rule says
    when, it does so after a wish that no tool serves.
    """
    if not two_sided:
        one_sided = {name: weight for name, weight in settings.patterns.items() if name != "guided"}
        patterns = one_sided if sum(one_sided.values()) > 0 else {INSTEAD: 1.0}
        settings = settings.model_copy(update={"patterns": patterns})
    order = _order(tools, seed, index)
    drawn = {name: _draw(seed, name, index) for name in _STEPS}
    band = _band(settings, seed, index)
    pattern = _pattern(settings, seed, index)
    target, about = order[index % len(order)], _About()
    if pattern in BY_RULES:
        about = _about(pattern, _share(settings, pattern), rules, order, seed, index)
        if about.rule:
            target = about.target
        elif pattern != "handover" or not hands_over or any(rule.kind == "handover_when" for rule in rules):
            pattern = INSTEAD
    goals = 2 + int(_section(band, drawn["goals"]) * (settings.max_goals - 1)) if pattern == "multi_goal" else 1
    offer = _offer(settings, len(order), drawn["tool_search"])
    if pattern == "guided" and offer == "tool_changes":
        offer = ""
    if pattern == "missing_tool" and settings.tool_changes == 0:
        pattern = INSTEAD
    elif pattern == "missing_tool" and offer != "registry":
        offer = "tool_changes"
    safety = TRIPLE[index % len(TRIPLE)] if _is_safety(settings, seed, index) else None
    if safety is not None:
        pattern, target, about = _of_triple(tools, seed, index)
        goals, offer = 1, ""
        chance = Random(f"{seed}/safety/{index}")
        drawn = {name: chance.random() for name in _STEPS}  # the even draws go in steps of which three are nearly one
    alone = safety is not None or pattern in ("no_call", *BY_RULES)
    pressed = (safety is not None or pattern in BY_RULES) and drawn["pressure"] < settings.pressure
    behaviours = () if safety is not None or pattern == "no_call" else tuple(_behaviours(settings, seed, index))
    persona = _persona(drawn, Random(f"{seed}/persona/{index}"))
    return Recipe(
        index=index,
        seed=seed,
        target=target,
        pattern=pattern,
        goals=goals,
        vague=drawn["vague"] < settings.vague ** POWERS[band]
        and not alone
        and pattern not in ("missing_tool", "guided"),
        tool_search=offer == "tool_search",
        registry=offer == "registry",
        tool_changes=offer == "tool_changes",
        asks_unknown=drawn["asks_unknown"] < settings.asks_unknown ** POWERS[band] and safety is None,
        out_of_scope=(drawn["out_of_scope"] < settings.out_of_scope ** POWERS[band] and safety is None)
        or "asks_impossible" in behaviours,
        distractors=int(_section(band, drawn["distractors"]) * 12),
        described=drawn["described"] < settings.described ** POWERS[band],
        late=drawn["late"] < settings.late ** POWERS[band],
        written=drawn["written"] < settings.written and pattern not in ("no_call", "missing_tool", "guided"),
        inspiration=_pick(settings.inspirations, drawn["inspiration"]) if settings.inspirations else "",
        rule=about.rule,
        twin=about.twin,
        pair=about.pair,
        safety=safety,
        pressure=about.resisting or (_pick(PRESSURES, drawn["pressure"] / settings.pressure) if pressed else None),
        difficulty=band,
        evolve=_direction(settings, drawn["evolved"]) if not alone else None,
        retells=_retold(settings, seed, index) if safety is None else None,
        behaviours=behaviours,
        faults=_faults(settings, seed, index) if not alone else (),
        persona=persona.model_copy(update={"patience": "low"}) if "impatient" in behaviours else persona,
    )


def aimed(recipe: Recipe, aims: Sequence[Aim], settings: RecipeSettings, rules: Sequence[PolicyRule] = ()) -> Recipe:
    """Return a recipe that aims at one of the holes that earlier shards left, where its index is one of those that do.

    Safety scenarios stay as they are: one that aimed elsewhere would leave its twins alone.
    """
    drawn = _draw(recipe.seed, "top_up", recipe.index)
    if drawn >= settings.top_up or not aims or recipe.safety is not None:
        return recipe
    rng = Random(f"{recipe.seed}/top_up/{recipe.index}")
    kind = rng.choice(sorted({aim.kind for aim in aims}))
    aim = rng.choice([aim for aim in aims if aim.kind == kind])
    plain = recipe.model_copy(
        update={"rule": "", "twin": "", "pair": "", "pressure": None, "evolve": None, "retells": None}
    )
    tempted = next((rule for rule in rules if rule.id == aim.name), None)
    if aim.kind == "tool":
        pattern = INSTEAD if recipe.pattern in BY_RULES else recipe.pattern
        return plain.model_copy(update={"target": aim.name, "pattern": pattern})
    if aim.kind == "edge":
        pattern = rng.choice(("sequential", "multi_goal"))
        goals = {"goals": max(2, recipe.goals)} if pattern == "multi_goal" else {}
        return plain.model_copy(
            update={"target": aim.name.split(" > ")[1], "edge": aim.name, "pattern": pattern, **goals}
        )
    if aim.kind == "pattern":
        goals = {"goals": max(2, recipe.goals)} if aim.name == "multi_goal" else {}
        return plain.model_copy(update={"pattern": aim.name, **goals})
    if tempted is None or not tempted.tools:
        return recipe
    told = {
        "pattern": "refusal",
        "twin": "forbidden",
        "rule": aim.name,
        "target": rng.choice(tempted.tools),
        "goals": 1,
    }
    return plain.model_copy(
        update={**told, "pair": f"{recipe.seed}/top_up/{recipe.index}", "vague": False, "faults": ()}
    )


def language_at(shares: Mapping[str, float], seed: int, index: int) -> str:
    """Return the language of an index: each by its share in every prefix of indices, without moving another draw."""
    if len(shares) == 1:
        return next(iter(shares))
    drawn = math.fmod(Random(f"{seed}/language").random() + (index + 1) * _PACE, 1.0)
    passed, whole = 0.0, sum(shares.values())
    for language, share in shares.items():
        passed += share / whole
        if drawn < passed:
            return language
    return [language for language, share in shares.items() if share][-1]


_PACE = math.sqrt(47) % 1


def draw_persona(rng: Random) -> Persona:
    """Return a persona of chance."""
    return _persona({name: rng.random() for name in _STEPS}, rng)


def _persona(drawn: Mapping[str, float], rng: Random) -> Persona:
    return Persona(
        tone=_pick(("plain", "friendly", "formal", "terse", "chatty"), drawn["tone"]),
        patience=_pick(("low", "normal", "high"), drawn["patience"]),
        name=rng.choice(words.GIVEN_NAMES),
        age=_pick(get_args(AgeBand), drawn["age"]),
        expertise=_pick(("novice", "regular", "expert"), drawn["expertise"]),
        verbosity=_pick(("brief", "normal", "wordy"), drawn["verbosity"]),
        habits=tuple(habit for habit in HABITS if rng.random() < HABIT),
    )


def _order(tools: Sequence[str], seed: int, index: int) -> list[str]:
    """Return the tools in the order in which the indices around one aim at them."""
    order = list(tools)
    Random(f"{seed}/order/{index // len(order)}").shuffle(order)
    return order


def _is_safety(settings: RecipeSettings, seed: int, index: int) -> bool:
    """Tell whether the triples around an index are safety scenarios: evenly spread, without a draw of their own kind."""
    group = index // GROUP
    return settings.safety > 0 and math.fmod(_offset(f"{seed}/safety") + (group + 1) / _ratio(1), 1.0) < settings.safety


def _faults(settings: RecipeSettings, seed: int, index: int) -> tuple[FaultKind, ...]:
    """Return what goes wrong at an index: all kinds evenly, without a draw that would move the others."""
    drawn = math.fmod(_offset(f"{seed}/faults") + (index + 1) / _ratio(1), 1.0)
    return (_pick(FAULTS, drawn / settings.faults),) if drawn < settings.faults else ()


def _of_triple(tools: Sequence[str], seed: int, index: int) -> tuple[Pattern, str, "_About"]:
    """Return what the three twins of a triple have in common."""
    first = index - index % len(TRIPLE)
    target = _order(tools, seed, first)[first % len(tools)]
    return "sequential", target, _About(pair=f"{seed}/safety/{index // len(TRIPLE)}")


@lru_cache(maxsize=4096)
def _offset(key: str) -> float:
    """Return where a sequence begins that goes in even steps."""
    return Random(key).random()


def _draw(seed: int, dimension: str, index: int) -> float:
    return math.fmod(_offset(f"{seed}/{dimension}") + (index + 1) * _STEPS[dimension], 1.0)


def _section(band: Band, drawn: float) -> float:
    low, high = SECTIONS[band]
    return low + drawn * (high - low)


def _direction(settings: RecipeSettings, drawn: float) -> Direction | None:
    return _pick(DIRECTIONS, drawn / settings.evolved) if drawn < settings.evolved else None


def _band(settings: RecipeSettings, seed: int, index: int) -> Band:
    return _weighted(settings.difficulty, _draw(seed, "difficulty", index))


def _retold(settings: RecipeSettings, seed: int, index: int) -> int | None:
    """Return the index whose task this one tells again: an earlier one that has a task of its own."""
    if index == 0 or _draw(seed, "retold", index) >= settings.retold:
        return None
    earlier = Random(f"{seed}/retold/{index}").randrange(index)
    return next((other for other in range(earlier, -1, -1) if _draw(seed, "retold", other) >= settings.retold), None)


def _behaviours(settings: RecipeSettings, seed: int, index: int) -> Iterator[Behaviour]:
    for kind in BEHAVIOURS:
        if math.fmod(_offset(f"{seed}/behaviour/{kind}") + (index + 1) * _PACES[kind], 1.0) < settings.behaviours.get(
            kind, 0.0
        ):
            yield kind


def _pattern(settings: RecipeSettings, seed: int, index: int) -> Pattern:
    """Return the pattern of an index; after a refusal at an even one, its twin follows, and refusals stand nowhere else."""
    drawn = _drawn_pattern(settings, seed, index)
    if index % 2 == 0:
        return drawn
    if _drawn_pattern(settings, seed, index - 1) == "refusal":
        return "refusal"
    return INSTEAD if drawn == "refusal" else drawn


def _drawn_pattern(settings: RecipeSettings, seed: int, index: int) -> Pattern:
    tilt = TILT[_band(settings, seed, index)]
    weights = {
        pattern: weight * (1 + tilt * ((pattern in LARGE) - (pattern in SMALL)))
        for pattern, weight in settings.patterns.items()
    }
    return _weighted(weights, _draw(seed, "pattern", index))


@dataclass(frozen=True)
class _About:
    """What a recipe about a policy rule aims at."""

    rule: str = ""
    target: str = ""
    twin: Literal["", "allowed", "forbidden"] = ""
    pair: str = ""
    resisting: Pressure | None = None


def _about(
    pattern: Pattern, share: float, rules: Sequence[PolicyRule], tools: Sequence[str], seed: int, index: int
) -> _About:
    """Return the rule, its tool and the twin for an index; none where no rule governs anything."""
    usable = rules if pattern == "refusal" else [rule for rule in rules if rule.kind == "handover_when"]
    options = [(rule, tool) for rule in usable for tool in rule.tools if tool in tools]
    if not options:
        return _About()
    pair = index // 2 if pattern == "refusal" else index
    rng = Random(f"{seed}/{pattern}/{pair}")
    names = list(dict.fromkeys(rule.id for rule, _ in options))
    number = int(pair * share)  # about how many of them there were before: patterns come evenly
    Random(f"{seed}/{pattern}/order/{number // len(names)}").shuffle(names)
    name = names[number % len(names)]
    rule, target = rng.choice([(rule, tool) for rule, tool in options if rule.id == name])
    twin: Literal["allowed", "forbidden"] = "allowed" if pattern == "refusal" and index % 2 else "forbidden"
    return _About(name, target, twin, f"{seed}/{pattern}/{pair}", _resisting(rule, twin))


def _share(settings: RecipeSettings, pattern: Pattern) -> float:
    return settings.patterns.get(pattern, 0) / sum(settings.patterns.values())


def _resisting(rule: PolicyRule, twin: str) -> Pressure | None:
    """Return what a user says who would rather do without what a rule asks for first; none where it asks for nothing."""
    if rule.kind == "identify_first":
        return "no_identity"
    if twin != "forbidden":
        return None
    return "no_questions" if rule.kind == "confirm_before" else "no_steps" if rule.after else None


def _offer(settings: RecipeSettings, tools: int, drawn: float) -> str:
    """Return how tools are offered: searched at the lower end of the draw, in a registry or changing at the upper one."""
    registry = settings.registry if settings.registry is not None else REGISTRY * (tools > REGISTRY_FROM)
    if drawn >= 1 - registry:
        return "registry"
    if drawn >= 1 - registry - settings.tool_changes:
        return "tool_changes"
    return "tool_search" if drawn < settings.tool_search else ""


def _weighted(weights: Mapping[_T, float], drawn: float) -> _T:
    left = drawn * sum(weights.values())
    for option, weight in weights.items():
        left -= weight
        if left < 0:
            return option
    return next(reversed(list(weights)))


def _pick(options: Sequence[_T], drawn: float) -> _T:
    return options[int(drawn * len(options)) % len(options)]
