"""The `recombined` pattern: join two drafts of one user, without telling or looking up anything twice."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft, Step
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.patterns.task_pattern import TaskPattern
from interplay.generators.graph.sampling.world import World
from interplay.schemas.json.canonical import digest
from interplay.schemas.records.blueprint import Fact, Goal
from interplay.schemas.records.recipe import Pattern, Recipe

PARTS: tuple[Pattern, ...] = ("sequential", "parallel", "question", "sequential")
"""Patterns of the two joined tasks."""


def halves(recipe: Recipe, rng: Random, tools: Sequence[str], world: World) -> tuple[Recipe, Recipe]:
    """Return the recipes of the two tasks to join: the first about the target tool, the second about a related one."""
    first = recipe.model_copy(
        update={"pattern": rng.choice(PARTS), "goals": 1, "tool_changes": False, "behaviours": ()}
    )
    others = [name for name in tools if name != recipe.target] or tools
    others = world.kindred(others, [recipe.target]) or others
    second = first.model_copy(update={"pattern": rng.choice(PARTS), "target": rng.choice(others)})
    return first, second


def joined(first: Draft, second: Draft) -> Draft:
    """Return one draft with the requests of both in order, without reads of the second that the first has made already.

    Raises:
        DeadEnd: both tasks have the same goal.
    """
    facts, told = list(first.facts), dict[str, str]()
    for fact in second.facts:
        known = next((other for other in first.facts if _same(fact, other)), None)
        told[fact.id] = known.id if known else f"f{len(facts) + 1}"
        if known is None:
            facts.append(fact.model_copy(update={"id": told[fact.id], "goal": fact.goal + len(first.goals)}))
    steps, ids = list(first.steps), dict[str, str]()
    for step in second.steps:
        moved = _moved(step, ids, told, len(first.goals), len(first.requests))
        reads = (other for other in first.steps if _reads_alike(other, moved))
        twin = next((other for other in reads if not first.written_since(other, moved.request)), None)
        if twin is not None:
            if second.goals[step.goal].tool == step.tool:
                raise DeadEnd("both tasks want the same")
            ids[step.id] = twin.id
            continue
        ids[step.id] = f"a{len(steps) + 1}"
        levels = [other.level + 1 for other in steps if other.id in moved.depends_on and other.request == moved.request]
        steps.append(replace(moved, id=ids[step.id], level=max(levels, default=0)))
    later = [
        fact.model_copy(
            update={"action": ids.get(str(fact.action), fact.action), "instead_of": told.get(fact.instead_of, "")}
        )
        for fact in facts[len(first.facts) :]
    ]
    goals = [*first.goals, *(_renamed(goal, ids) for goal in second.goals)]
    requests = [*first.requests, *(tuple(goal + len(first.goals) for goal in request) for request in second.requests)]
    unknown = list(dict.fromkeys([*first.unknown, *second.unknown]))
    guided = {*first.guided, *(goal + len(first.goals) for goal in second.guided)}
    return Draft(
        first.environment, steps, [*first.facts, *later], goals, requests, {}, unknown, guided=guided, past=first.past
    )


def _renamed(goal: Goal, ids: dict[str, str]) -> Goal:
    condition = goal.condition and goal.condition.model_copy(update={"action": ids[goal.condition.action]})
    return goal.model_copy(update={"each": ids.get(goal.each, ""), "condition": condition})


def _same(fact: Fact, other: Fact) -> bool:
    if fact.choice is not None or other.choice is not None or fact.instead_of or other.instead_of:
        return False
    return (fact.label, type(fact.value), fact.value) == (other.label, type(other.value), other.value)


def _reads_alike(step: Step, other: Step) -> bool:
    same_call = step.tool == other.tool and digest(step.arguments) == digest(other.arguments)
    return same_call and step.withheld is None and digest(step.value) == digest(other.value)


def _moved(step: Step, actions: dict[str, str], facts: dict[str, str], goals: int, requests: int) -> Step:
    origins = {
        pointer: origin.model_copy(
            update={
                "action": actions.get(str(origin.action), origin.action),
                "fact": facts.get(str(origin.fact), origin.fact),
            }
        )
        for pointer, origin in step.origins.items()
    }
    needed = tuple(dict.fromkeys(actions.get(name, name) for name in step.depends_on))
    return replace(step, origins=origins, depends_on=needed, goal=step.goal + goals, request=step.request + requests)


async def _grow(growth: Growth, name: str, recipe: Recipe) -> None:  # noqa: ARG001
    """Raise, since composition grows two drafts for this pattern and joins them.

    Raises:
        DeadEnd: always.
    """
    raise DeadEnd("two tasks are joined, not grown as one")


RECOMBINED = TaskPattern("recombined", lambda grown: grown.lineage.operator == "recombine", _grow)
