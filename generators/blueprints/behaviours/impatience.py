"""The user is in a hurry: it tells everything at once, or complains about too many questions."""

from interplay.generators.blueprints.behaviours.user_behaviour import Performance, UserBehaviour, Utterance
from interplay.generators.blueprints.growth.growth import Growth
from interplay.schemas.records.behaviour import PlannedBehaviour
from interplay.schemas.records.dialogue import DialogueAct

PATIENCE = 3
"""The number of the question at which an impatient user complains."""


def impatient(growth: Growth) -> bool:
    """Plan an impatient user, and by chance reveal all asked facts in the opening."""
    draft = growth.draft
    at_once = growth.rng.random() < 0.5
    busy = {name for done in draft.behaviours for name in (done.fact, done.at)}
    for fact in list(draft.facts):
        if at_once and fact.reveal == "asked" and fact.choice is None and not fact.instead_of and fact.id not in busy:
            draft.revise_fact(fact.id, reveal="opening")
    draft.behaviours.append(PlannedBehaviour(kind="impatient", request=0))
    return True


def _complain(performance: Performance, done: PlannedBehaviour) -> tuple[DialogueAct, str] | None:  # noqa: ARG001
    if performance.asked != PATIENCE:
        return None
    performance.shown.append("impatient")
    return "complain", performance.draw("complaint")


def _shows(said: Utterance) -> bool:
    return said.sounds("hurrying") or said.sounds("complaining")


IMPATIENCE = UserBehaviour(
    name="impatient",
    plan=impatient,
    prompt="You are in a hurry: say so, and complain when you are asked a third question.",
    opening="press",
    lead=_complain,
    shows=_shows,
)
