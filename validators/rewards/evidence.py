"""Whether all that the agent passed on, said and decided came from somewhere."""

from interplay.schemas.records.verdict import RewardPart
from interplay.validators.rewards.case import Case, kept


def evidence(case: Case) -> RewardPart:
    """Return 1 where arguments, statements and decisions have a source and nothing is claimed that did not happen, else 0."""
    found = [issue for check in ("grounding", "evidence", "freshness") for issue in case.errors(check)]
    return kept([*found, *case.errors("outcome", ("false_claim",))])
