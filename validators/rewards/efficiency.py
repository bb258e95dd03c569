"""How many calls the agent took beside those that are needed; some to look around cost nothing."""

from interplay.schemas.records.verdict import Issue, RewardPart
from interplay.validators.rewards.case import Case

LOOKS = 2
"""Calls to look around that cost nothing, beside one for each that is needed."""


def efficiency(case: Case) -> RewardPart:
    """Return 1 up to twice the calls needed and two, from there on the share of these in the calls made."""
    own = [call for call in case.trajectory.calls() if call.requestor == "assistant"]
    needed = sum(action.requestor == "assistant" for action in case.blueprint.calls)
    allowed = 2 * needed + LOOKS + len(case.blueprint.faults) + len(case.blueprint.changes)
    if len(own) <= allowed:
        return RewardPart(score=1.0)
    text = f"{len(own)} calls, where {needed} do."
    return RewardPart(score=allowed / len(own), reasons=(Issue.of("many_calls", text),))
