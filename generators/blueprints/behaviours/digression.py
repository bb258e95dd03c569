"""The user digresses once when asked something; or asks for something that no tool can do."""

from interplay.generators.blueprints.behaviours.user_behaviour import Performance, Turn, UserBehaviour, Utterance
from interplay.generators.blueprints.growth.dialogue_moments import confirmation, questions
from interplay.generators.blueprints.growth.growth import Growth
from interplay.schemas.records.behaviour import PlannedBehaviour


def wanders_off(growth: Growth) -> bool:
    """Plan that the user digresses when asked something."""
    draft = growth.draft
    requests = list(range(len(draft.requests)))
    growth.rng.shuffle(requests)
    for request in requests:
        found = [fact for fact, _ in questions(draft, request)]
        if found:
            at = growth.rng.choice(found).id
            draft.behaviours.append(PlannedBehaviour(kind="wanders_off", request=request, when="question", at=at))
            return True
        if confirmation(growth, request) is not None:
            draft.behaviours.append(PlannedBehaviour(kind="wanders_off", request=request, when="confirmation"))
            return True
    return False


def _wander(performance: Performance, done: PlannedBehaviour, again: bool) -> Turn | None:  # noqa: ARG001
    return None if again else Turn("wander", performance.draw("wander"))


def _recognise(said: Utterance, done: PlannedBehaviour) -> float:
    """Return how surely a message digresses from 0 to 1: it names nothing that was asked for."""
    if any(map(said.names, said.asked)):
        return 0.0
    return 0.6 if done.when == "question" or "wander" not in said.acts else 0.0


DIGRESSION = UserBehaviour(
    name="wanders_off",
    plan=wanders_off,
    prompt="Once, when you are asked something, say something that has nothing to do with it instead.",
    act="wander",
    instead=_wander,
    recognise=_recognise,
)
IMPOSSIBLE_WISH = UserBehaviour(name="asks_impossible", act="off_topic")
