"""How much of the wanted difference of the state holds at the end; what was changed beside it counts against that."""

from interplay.schemas.json.canonical import Change, canonical_json
from interplay.schemas.records.verdict import Issue, RewardPart
from interplay.validators.rewards.case import Case

SHOWN = 6
"""Paths that are named as reasons."""


def state(case: Case) -> RewardPart:
    """Return the share of wanted changes that hold, less those that nobody wanted; all or nothing where none is wanted."""
    if case.trajectory.final_digest == case.blueprint.expected.digest:
        return RewardPart(score=1.0)
    wanted, reached = _by_path(case.blueprint.expected.difference), _by_path(case.changes)
    right = sum(reached.get(path) == change for path, change in wanted.items())
    wrong = sum(wanted.get(path) != change for path, change in reached.items())
    score = max(0.0, right - wrong) / len(wanted) if wanted else 0.0
    apart = sorted(path for path in wanted.keys() | reached.keys() if wanted.get(path) != reached.get(path))
    reasons = [Issue.of("wrong_final_state", f"The state differs at {path}.", path) for path in apart[:SHOWN]]
    return RewardPart(score=min(score, 1.0), reasons=tuple(reasons))


def _by_path(changes: tuple[Change, ...]) -> dict[str, str]:
    return {change.path: canonical_json([change.before, change.after]) for change in changes}
