"""A draft that has grown -> what its user does beside wanting something, with the steps and facts that follow from it."""

from collections.abc import Awaitable, Callable, Mapping

from interplay.generators.blueprints.behaviours import digressions, late_change_of_mind, recollection, reconsideration
from interplay.generators.blueprints.drafting.draft import Draft
from interplay.generators.blueprints.growth.dialogue_moments import opening_facts
from interplay.generators.blueprints.growth.growth import Growth
from interplay.schemas.records.behaviour import Behave, Behaviour
from interplay.schemas.records.recipe import Recipe

EXTENDING: Mapping[Behaviour, Callable[[Growth], Awaitable[bool]]] = {
    "long_memory": recollection.long_memory,
    "changes_mind_late": late_change_of_mind.changes_mind_late,
    "elliptical": recollection.want_more,
    "mistaken": reconsideration.mistaken,
}
"""Behaviours that add steps, in the order in which they are tried."""

TELLING: Mapping[Behaviour, Callable[[Growth], bool]] = {
    "comes_back": digressions.comes_back,
    "refuses_identity": digressions.refuses_identity,
    "changes_mind": reconsideration.changes_mind,
    "contradicts": reconsideration.contradicts,
    "asks_back": digressions.asks_back,
    "corrects_itself": reconsideration.corrects_itself,
    "wanders_off": digressions.wanders_off,
    "impatient": digressions.impatient,
    "elliptical": recollection.elliptical,
}
"""Behaviours that change only how a task is told."""

WHOLE = ("single", "sequential", "fan_in", "parallel", "parallel_then_sequential", "multi_goal")
"""Patterns that may come to nothing, since the user does not say who it is."""

LIVE = ("long_memory", "changes_mind_late", "elliptical")
"""Behaviours that need the state that the draft's steps have left."""


async def behave(growth: Growth, recipe: Recipe, live: bool = True) -> None:
    """Let the user of a draft do what its recipe asks for, as far as the task lends itself to it.

    A draft is `live` when the environment is in the state that its steps have left.
    """
    draft = growth.draft
    if draft.pressed:
        settle(draft)
        return
    plain = not any(step.withheld or draft.goals[step.goal].each for step in draft.steps)
    for kind, extend in EXTENDING.items():
        if kind in recipe.behaviours and plain and ((live and not recipe.registry) or kind not in LIVE):
            mark = draft.mark()
            if not await extend(growth):
                draft.rewind(mark)
    if "several_at_once" in recipe.behaviours and plain:
        recollection.merge(growth)
    tell(growth, recipe, whole=recipe.pattern in WHOLE)


def tell(growth: Growth, recipe: Recipe, whole: bool = False, fresh: bool = True) -> None:
    """Let the user of a draft do what changes only how its task is told.

    Only a `whole` one may come to nothing; in one that is not `fresh`, the order of the requests stays as it is.
    """
    draft = growth.draft
    settle(draft)
    asked = {fact.id for fact in draft.facts if fact.reveal in ("asked", "choice")}
    draft.behaviours[:] = [done for done in draft.behaviours if done.kind != "comes_back" or done.at in asked]
    plain = fresh and not any(step.withheld or draft.goals[step.goal].each for step in draft.steps)
    steady = plain and not (recipe.registry or recipe.tool_changes or recipe.tool_search)
    done = {held.kind for held in draft.behaviours}
    for kind, plan in TELLING.items():
        if kind in recipe.behaviours and kind not in done and (steady or kind != "comes_back"):
            plan(growth)
        if kind == "refuses_identity" and whole:
            digressions.gives_nothing_away(growth)
    _label(growth)


def settle(draft: Draft) -> None:
    """Let facts come with the request which could not be asked for without naming a goal."""
    early = opening_facts(draft)
    for fact in list(draft.facts):
        if fact.id in early and fact.choice is None:
            draft.revise_fact(fact.id, reveal="opening")


def _label(growth: Growth) -> None:
    """Tell of what the user does without having been made to."""
    draft = growth.draft
    draft.behaviours += [
        Behave(kind="several_at_once", request=number)
        for number, goals in enumerate(draft.requests)
        if len([goal for goal in goals if draft.goals[goal].tool]) > 1
    ]
    remembered = recollection.remembered(growth)
    draft.behaviours += [Behave(kind="long_memory", request=request) for request in remembered]
