"""Which calls of a dialogue did what its task needs: credits for single steps, read from the dialogue alone."""

from interplay.schemas.records.verdict import StepCredit
from interplay.validators.findings.alignment import match_calls
from interplay.validators.rewards.case import Case


def step_credits(case: Case) -> tuple[StepCredit, ...]:
    """Return a credit for each call that does an action of the task, in order; together at most 1.

    The message counts within the dialogue about the task.
    """
    needed = [action for action in case.blueprint.calls if action.requestor == "assistant"]
    places = match_calls(case.trajectory, case.blueprint, case.tools).places
    found = []
    for action in needed:
        made = places.get(action.id)
        if made is None or (made.failed and not action.failed):
            continue
        place = case.trajectory.messages[made.index].tool_calls.index(made.call)
        found.append(
            StepCredit(message=made.index, call=place, tool=action.tool, action=action.id, credit=1 / len(needed))
        )
    return tuple(sorted(found, key=lambda credit: (credit.message, credit.call)))
