"""The user says two values for one fact in one message, and is asked which of them holds."""

from interplay.generators.blueprints.behaviours.user_behaviour import Performance, UserBehaviour
from interplay.generators.blueprints.growth.alternative_values import others
from interplay.generators.blueprints.growth.dialogue_moments import OWN_NAME, first_use, free_facts
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.graph.sampling.essential_arguments import is_keyed
from interplay.schemas.records.behaviour import PlannedBehaviour
from interplay.schemas.records.dialogue import DialogueAct


def contradicts(growth: Growth) -> bool:
    """Plan that the user says two values for one fact in one message, so that the assistant has to ask which one holds."""
    facts = [fact for fact in free_facts(growth.draft, "opening") if fact.label not in OWN_NAME]
    facts = [fact for fact in facts if not is_keyed(fact.label)]  # people read codes off
    growth.rng.shuffle(facts)
    for fact in facts:
        other, used = next(others(growth, fact), None), first_use(growth.draft, fact.id)
        if other is not None and used is not None and not isinstance(fact.value, bool):
            done = PlannedBehaviour(kind="contradicts", request=used[0], fact=fact.id, value=other)
            growth.draft.behaviours.append(done)
            return True
    return False


def _settle(performance: Performance, done: PlannedBehaviour) -> tuple[DialogueAct, str]:  # noqa: ARG001
    return "settle", performance.draw("settle")


CONTRADICTION = UserBehaviour(
    name="contradicts",
    plan=contradicts,
    prompt="Say two things for the {label} in one message, {value} and {right}, as if both could be; when asked, settle for {right}.",
    retracts="settle",
    restates="contradiction",
    lead=_settle,
)
