"""The user says a wrong value, and corrects it in the same breath or with a later answer."""

from interplay.generators.blueprints.behaviours.user_behaviour import UserBehaviour
from interplay.generators.blueprints.growth.alternative_values import others
from interplay.generators.blueprints.growth.dialogue_moments import OWN_NAME, first_use, free_facts, later_question
from interplay.generators.blueprints.growth.growth import Growth
from interplay.schemas.records.behaviour import PlannedBehaviour


def corrects_itself(growth: Growth) -> bool:
    """Plan that the user says a wrong value, and corrects it in the same breath or when asked for something else."""
    free = free_facts(growth.draft, "opening", "asked")
    facts = [
        fact for fact in free if fact.label not in OWN_NAME and not isinstance(fact.value, bool)
    ]  # "no, with dogs"
    growth.rng.shuffle(facts)
    for fact in facts:
        slip = next(others(growth, fact), None)
        used = first_use(growth.draft, fact.id)
        if slip is None or used is None:
            continue
        asked = later_question(growth, fact, *used) if growth.rng.random() < 0.5 else None
        growth.draft.behaviours.append(
            PlannedBehaviour(
                kind="corrects_itself",
                request=used[0],
                fact=fact.id,
                value=slip,
                when="question" if asked else "breath",
                at=asked or "",
            )
        )
        return True
    return False


CORRECTION = UserBehaviour(
    name="corrects_itself",
    plan=corrects_itself,
    prompt="Say {value} for the {label} by mistake, and correct yourself {soon}: it is {right}.",
    act="correct",
    retracts="correct",
    in_one_breath="slip",
)
