"""The user replaces a value before it is used: at the confirmation, or with a later answer."""

from interplay.generators.blueprints.behaviours.user_behaviour import UserBehaviour
from interplay.generators.blueprints.growth.alternative_values import others
from interplay.generators.blueprints.growth.dialogue_moments import (
    OWN_NAME,
    confirmation,
    first_use,
    free_facts,
    later_question,
    users,
)
from interplay.generators.blueprints.growth.growth import Growth
from interplay.schemas.records.behaviour import PlannedBehaviour
from interplay.schemas.records.blueprint import Fact

PERSONAL = {"birth date", "date of birth", "email", "phone number", "address", "city"}
"""Labels of facts about which people do not change their mind, unless the task is to update them."""
CONFIRMED = 0.7
"""Chance that a change of mind comes at the confirmation, if there is one."""


def changes_mind(growth: Growth) -> bool:
    """Plan that the user replaces a value before it is used: at the confirmation, or when asked for something else."""
    draft = growth.draft
    facts = [fact for fact in free_facts(draft, "opening", "asked") if _optional(growth, fact)]
    growth.rng.shuffle(facts)
    for fact in facts:
        used = first_use(draft, fact.id)
        assert used is not None
        first = next(others(growth, fact), None)
        if first is None:
            continue
        request, level = used
        asked = later_question(growth, fact, request, level)
        confirmed = confirmation(growth, request)
        known = confirmed is not None and (level == confirmed or (fact.reveal == "opening" and level >= confirmed))
        if known and (asked is None or growth.rng.random() < CONFIRMED):
            draft.behaviours.append(
                PlannedBehaviour(kind="changes_mind", request=request, fact=fact.id, value=first, when="confirmation")
            )
            return True
        if asked is not None:
            draft.behaviours.append(
                PlannedBehaviour(
                    kind="changes_mind", request=request, fact=fact.id, value=first, when="question", at=asked
                )
            )
            return True
    return False


def _optional(growth: Growth, fact: Fact) -> bool:
    """Tell whether the user could have decided on another value for a fact."""
    changed = growth.role(users(growth.draft, fact.id)[0].tool).operation == "update"
    return fact.label not in OWN_NAME and (fact.label not in PERSONAL or changed)


CHANGE_OF_MIND = UserBehaviour(
    name="changes_mind",
    plan=changes_mind,
    prompt="First say {value} for the {label}. {when}, change your mind: it is to be {right}.",
    act="change_mind",
    retracts="change_mind",
)
