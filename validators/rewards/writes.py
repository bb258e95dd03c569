"""Whether the calls that write are those that are needed: one that nobody asked for costs all, whatever became of it later."""

from interplay.schemas.records.verdict import RewardPart
from interplay.validators.rewards.case import Case

UNWANTED = ("extra_write", "needless_call", "other_row", "dropped_value")
MISSED = ("missed_write",)


def writes(case: Case) -> RewardPart:
    """Return the share of the needed writes that were made, and nothing where others were."""
    unwanted, missed = case.errors("outcome", UNWANTED), case.errors("outcome", MISSED)
    tools = case.tools
    needed = sum(action.tool in tools and tools[action.tool].effect == "write" for action in case.blueprint.calls)
    share = 1 - len(missed) / needed if needed else 1.0
    return RewardPart(score=0.0 if unwanted else max(share, 0.0), reasons=(*unwanted, *missed))
