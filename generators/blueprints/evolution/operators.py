"""Operators that make a draft easier, harder or otherwise varied; each may find that it does not fit.

Source: the two-way evolution of AgentGen (Hu et al., 2024), with the direction checked by the measured score.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from random import Random
from typing import Any

from interplay.generators.blueprints.arguments.item_descriptions import superlative
from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft, PlannedCall, Step
from interplay.generators.blueprints.evolution.reopened_draft import without
from interplay.generators.blueprints.growth import temptation
from interplay.generators.blueprints.growth.dialogue_moments import is_needed
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.patterns import conditional
from interplay.generators.blueprints.recipes.personas import draw_persona
from interplay.generators.phrases.intents import intents_of
from interplay.schemas.json.canonical import at_pointer, split_pointer
from interplay.schemas.records.blueprint import Action, Fact, Goal
from interplay.schemas.records.recipe import Direction, Recipe
from interplay.schemas.records.tool import READING

Operator = Callable[[Growth, Recipe], Awaitable[tuple[Draft, Recipe]]]

TRIED = 8
"""Tools, rules or goals that an operator tries, at most."""

MORE, FEWER = 8, 12
"""Distractors that are added, or removed."""


async def drop_goal(growth: Growth, recipe: Recipe) -> tuple[Draft, Recipe]:
    """Remove a request, or one of several goals of a request: the last one that nothing else needs."""
    draft = growth.draft
    whole = [set(goals) for goals in reversed(draft.requests)] if len(draft.requests) > 1 else []
    several = [goal for goals in reversed(draft.requests) for goal in reversed(goals) if len(goals) > 1]
    single = [{goal} for goal in several if draft.goals[goal].condition is None]
    for dropped in [*whole, *single]:
        if all(draft.goals[goal].tool != recipe.target for goal in dropped):
            try:
                return without(draft, dropped), recipe
            except DeadEnd:
                continue
    raise DeadEnd("no goal can be left out")


async def reveal_facts(growth: Growth, recipe: Recipe) -> tuple[Draft, Recipe]:
    """Reveal in the opening what the user would be asked for."""
    for fact in growth.draft.facts:
        if fact.reveal in ("asked", "late") and not fact.instead_of:
            growth.draft.revise_fact(fact.id, reveal="opening")
    return growth.draft, recipe.model_copy(update={"late": False})


async def plain_words(growth: Growth, recipe: Recipe) -> tuple[Draft, Recipe]:
    """Let the user open clearly, without unknown identifiers or wishes that no tool serves."""
    return growth.draft, recipe.model_copy(update={"vague": False, "asks_unknown": False, "out_of_scope": False})


async def fewer_distractors(growth: Growth, recipe: Recipe) -> tuple[Draft, Recipe]:
    """Offer fewer tools that are not needed."""
    return growth.draft, recipe.model_copy(update={"distractors": max(0, recipe.distractors - FEWER)})


async def more_distractors(growth: Growth, recipe: Recipe) -> tuple[Draft, Recipe]:
    """Offer more tools that are not needed."""
    return growth.draft, recipe.model_copy(update={"distractors": recipe.distractors + MORE})


async def vague_words(growth: Growth, recipe: Recipe) -> tuple[Draft, Recipe]:
    """Let the user open without saying clearly what it wants."""
    if recipe.pattern in ("no_call", "refusal", "handover", "missing_tool") or recipe.vague:
        raise DeadEnd("it should be said clearly")
    return growth.draft, recipe.model_copy(update={"vague": True})


async def add_goal(growth: Growth, recipe: Recipe) -> tuple[Draft, Recipe]:
    """Add a request about a row that came up before."""
    draft = growth.draft
    spoken, used = {resource for resource, _ in draft.identities}, {step.tool for step in draft.steps}
    names = [
        tool.name
        for tool in growth.callable()
        if tool.name not in used and spoken & set(growth.role(tool.name).references.values())
    ]
    for name in growth.rng.sample(names, min(len(names), TRIED)):
        before = {step.id for step in draft.steps}
        with draft.trial():
            await growth.request(name)
            new = [origin.action for step in draft.steps if step.id not in before for origin in step.origins.values()]
            if before & set(new):
                return draft, recipe
            raise DeadEnd(f"{name} takes nothing that came out before")
    raise DeadEnd("nothing goes on from what came out")


async def hide_facts(growth: Growth, recipe: Recipe) -> tuple[Draft, Recipe]:
    """Reveal facts only when asked that were told in the opening."""
    hidden = [fact for fact in growth.draft.facts if fact.reveal == "opening" and _can_be_asked(growth, fact)]
    if not hidden:
        raise DeadEnd("nothing is told that could be asked for")
    for fact in hidden:
        growth.draft.revise_fact(fact.id, reveal="asked")
    return growth.draft, recipe


async def tell_late(growth: Growth, recipe: Recipe) -> tuple[Draft, Recipe]:
    """Reveal a fact only after the user has heard something else."""
    draft = growth.draft
    later = [goal for goals in draft.requests for goal in goals]
    heard = {goal for fact in draft.facts if fact.reveal in ("choice", "asked") for goal in later if goal == fact.goal}
    told = [
        fact for fact in draft.facts if fact.reveal == "opening" and fact.goal in heard and _can_be_asked(growth, fact)
    ]
    if not told:
        raise DeadEnd("nothing could come late")
    draft.revise_fact(growth.rng.choice(told).id, reveal="late")
    return draft, recipe.model_copy(update={"late": True})


async def describe(growth: Growth, recipe: Recipe) -> tuple[Draft, Recipe]:
    """Let the user describe an item in the opening by what makes it stand out, instead of choosing it when asked."""
    draft, found = growth.draft, False
    for fact in [fact for fact in draft.facts if fact.reveal == "choice" and fact.action is not None]:
        *holder, place = split_pointer(str(fact.choice))
        value = draft.step(str(fact.action)).value
        items = at_pointer(value, "".join(f"/{key}" for key in holder))
        description = superlative(items, int(place)) if isinstance(items, list) and place.isdigit() else None
        if description is not None:
            draft.revise_fact(fact.id, value={}, reveal="opening", description=description)
            found = True
    if not found:
        raise DeadEnd("nothing stands out")
    return draft, recipe.model_copy(update={"described": True})


async def add_condition(growth: Growth, recipe: Recipe) -> tuple[Draft, Recipe]:
    """Make a goal depend on a value that its look-up shows; it holds, so that the goal is still done."""
    draft = growth.draft
    for step in reversed(draft.steps):
        goal = draft.goals[step.goal]
        last = [other for other in draft.steps if other.goal == step.goal][-1]
        plain = goal.condition is None and not goal.each and not goal.asks and step.withheld is None
        if step is last and plain and step.tool == goal.tool and growth.role(step.tool).operation not in READING:
            wanted = PlannedCall(step.tool, step.arguments, step.origins, step.goal, step.request)
            condition = conditional.holding(growth, wanted)
            if condition is not None:
                conditional.depend_on(draft, step.goal, condition)
                return draft, recipe
    raise DeadEnd("no goal depends on what is seen before it")


async def add_trap(growth: Growth, recipe: Recipe) -> tuple[Draft, Recipe]:
    """Add a wish that a rule forbids, about a resource of the task."""
    draft = growth.draft
    if any(step.withheld for step in draft.steps):
        raise DeadEnd("something is withheld already")
    near = {growth.role(step.tool).resource for step in draft.steps}
    options = [
        (rule.id, name)
        for rule in growth.world.environment.toolset.rules
        if rule.kind not in (*temptation.FIRST, "handover_when")
        for name in rule.tools
        if name in growth.world.roles and growth.role(name).resource in near
    ]
    for rule, name in growth.rng.sample(options, min(len(options), TRIED)):
        with draft.trial():
            await temptation.forbidden(growth, name, rule, mine=True)
            return draft, recipe
    raise DeadEnd("no rule forbids anything near")


async def retell(growth: Growth, recipe: Recipe) -> tuple[Draft, Recipe]:
    """Let another persona tell the same task."""
    return growth.draft, recipe.model_copy(update={"persona": draw_persona(growth.rng)})


async def reword(growth: Growth, recipe: Recipe) -> tuple[Draft, Recipe]:
    """Replace intents by other phrases for the same tools."""
    draft, found = growth.draft, False
    for number, goal in enumerate(draft.goals):
        if goal.tool and not goal.asks and not goal.each:
            others = [intent for intent in intents_of(growth.world.tools[goal.tool]) if intent != goal.intent]
            if others:
                draft.revise_goal(number, intent=growth.rng.choice(others))
                found = True
    if not found:
        raise DeadEnd("there are no other words for it")
    return draft, recipe


def _can_be_asked(growth: Growth, fact: Fact) -> bool:
    """Tell whether an assistant would have to ask for a fact: a plain value that a call requires."""
    if fact.choice is not None or fact.description is not None or fact.instead_of or isinstance(fact.value, bool):
        return False
    if any(other.instead_of == fact.id for other in growth.draft.facts):
        return False
    return is_needed(growth, fact)


OPERATORS: Mapping[Direction, Mapping[str, Operator]] = {
    "easier": {
        "drop_goal": drop_goal,
        "reveal_facts": reveal_facts,
        "plain_words": plain_words,
        "fewer_distractors": fewer_distractors,
    },
    "harder": {
        "add_goal": add_goal,
        "hide_facts": hide_facts,
        "tell_late": tell_late,
        "describe": describe,
        "add_condition": add_condition,
        "add_trap": add_trap,
        "vague_words": vague_words,
        "more_distractors": more_distractors,
    },
    "sideways": {"retell": retell, "reword": reword},
}
"""The operators of each direction; sideways also has `elsewhere`, the same structure about other rows."""


def structure(
    requests: Iterable[tuple[int, ...]], goals: Iterable[Goal], done: Iterable[Action | Step]
) -> tuple[Any, ...]:
    """Return what two tasks share that differ only in their rows, and in the look-ups for these."""
    withheld = sorted(one.withheld.reason for one in done if one.withheld)
    shapes = [(goal.tool, goal.condition is not None, bool(goal.each), goal.asks) for goal in goals]
    return tuple(requests), shapes, withheld


LEADING = ("drop_goal", "add_goal", "add_trap", "add_condition", "elsewhere")
"""Operators that change the task itself; they are often tried before those that change how it is told."""


def in_turn(direction: Direction, rng: Random) -> list[str]:
    """Return the names of the operators of a direction in the order in which they are tried."""
    names = [*OPERATORS[direction], *(("elsewhere",) if direction == "sideways" else ())]
    rng.shuffle(names)
    return sorted(names, key=lambda name: name not in LEADING) if rng.random() < 0.5 else names
