"""A grown draft -> the user behaviours of its recipe, with the steps and facts that they add."""

from collections.abc import Mapping

from interplay.generators.blueprints.behaviours.change_of_mind import CHANGE_OF_MIND
from interplay.generators.blueprints.behaviours.combined_requests import COMBINED_REQUESTS
from interplay.generators.blueprints.behaviours.contradiction import CONTRADICTION
from interplay.generators.blueprints.behaviours.correction import CORRECTION
from interplay.generators.blueprints.behaviours.counter_question import COUNTER_QUESTION
from interplay.generators.blueprints.behaviours.digression import DIGRESSION, IMPOSSIBLE_WISH
from interplay.generators.blueprints.behaviours.ellipsis import ELLIPSIS
from interplay.generators.blueprints.behaviours.impatience import IMPATIENCE
from interplay.generators.blueprints.behaviours.interruption import INTERRUPTION
from interplay.generators.blueprints.behaviours.late_change_of_mind import LATE_CHANGE_OF_MIND
from interplay.generators.blueprints.behaviours.long_memory import LONG_MEMORY
from interplay.generators.blueprints.behaviours.mistake import MISTAKE
from interplay.generators.blueprints.behaviours.user_behaviour import UserBehaviour
from interplay.generators.blueprints.behaviours.withheld_identity import WITHHELD_IDENTITY
from interplay.generators.blueprints.drafting.draft import Draft
from interplay.generators.blueprints.growth.dialogue_moments import opening_facts
from interplay.generators.blueprints.growth.growth import Growth
from interplay.schemas.records.behaviour import BEHAVIOURS, Behaviour, PlannedBehaviour
from interplay.schemas.records.recipe import Recipe

BEHAVIOUR_TABLE: tuple[UserBehaviour, ...] = (
    INTERRUPTION,
    WITHHELD_IDENTITY,
    CHANGE_OF_MIND,
    CONTRADICTION,
    COUNTER_QUESTION,
    CORRECTION,
    DIGRESSION,
    IMPATIENCE,
    LONG_MEMORY,
    LATE_CHANGE_OF_MIND,
    ELLIPSIS,
    MISTAKE,
    COMBINED_REQUESTS,
    IMPOSSIBLE_WISH,
)
"""All behaviours, in the order in which they are tried: those that add steps first."""

BY_NAME: Mapping[Behaviour, UserBehaviour] = {
    name: next(behaviour for behaviour in BEHAVIOUR_TABLE if behaviour.name == name) for name in BEHAVIOURS
}

WHOLE = ("single", "sequential", "fan_in", "parallel", "parallel_then_sequential", "multi_goal")
"""Patterns of tasks that may end unsolved, since the user never says who it is."""


async def behave(growth: Growth, recipe: Recipe, live: bool = True) -> None:
    """Plan the behaviours of a recipe in a draft, as far as the task allows.

    `live` tells that the environment is in the state that the draft's steps have left.
    """
    draft = growth.draft
    if draft.pressed:
        tell_early_facts(draft)
        return
    plain = not any(step.withheld or draft.goals[step.goal].each for step in draft.steps)
    for behaviour in BEHAVIOUR_TABLE if plain else ():
        possible = (live and not recipe.registry) or not behaviour.needs_live_state
        if behaviour.extend is not None and behaviour.name in recipe.behaviours and possible:
            mark = draft.mark()
            if not await behaviour.extend(growth):
                draft.rewind(mark)
    tell(growth, recipe, whole=recipe.pattern in WHOLE)


def tell(growth: Growth, recipe: Recipe, whole: bool = False, fresh: bool = True) -> None:
    """Plan the behaviours that change only how a task is told.

    Only a `whole` draft may end unsolved. In a draft that is not `fresh`, requests keep their order.
    """
    draft = growth.draft
    tell_early_facts(draft)
    asked = {fact.id for fact in draft.facts if fact.reveal in ("asked", "choice")}
    draft.behaviours[:] = [done for done in draft.behaviours if not BY_NAME[done.kind].reorders or done.at in asked]
    plain = fresh and not any(step.withheld or draft.goals[step.goal].each for step in draft.steps)
    steady = plain and not (recipe.registry or recipe.tool_changes or recipe.tool_search)
    done = {held.kind for held in draft.behaviours}
    for behaviour in BEHAVIOUR_TABLE:
        wanted = behaviour.name in recipe.behaviours and behaviour.name not in done
        if behaviour.plan is not None and wanted and (steady or not behaviour.reorders):
            behaviour.plan(growth)
        if behaviour.leave_undone is not None and whole:
            behaviour.leave_undone(growth)
    for name, behaviour in BY_NAME.items():
        if behaviour.notice is not None:
            draft.behaviours += [PlannedBehaviour(kind=name, request=request) for request in behaviour.notice(growth)]


def tell_early_facts(draft: Draft) -> None:
    """Reveal facts in the opening where a question for them would be ambiguous."""
    early = opening_facts(draft)
    for fact in list(draft.facts):
        if fact.id in early and fact.choice is None:
            draft.revise_fact(fact.id, reveal="opening")
