"""Verdicts compared with labels -> precision, recall and kappa, and the weight of each reviewer's vote.

Source: Cohen (1960), A coefficient of agreement for nominal scales; its interval is that of the observed agreement (Wilson 1927),
with the chance agreement taken as given.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt

from interplay.schemas.records.calibration import Agreement, KindFigures, ReviewerFigures
from interplay.schemas.records.failure import NEIGHBOURS, FailureKind

NORMAL = 1.96
"""Half-width of a 95 % interval in standard errors."""

ENOUGH = 5
"""Minimum number of labelled dialogues with a kind of fault for a threshold to be proposed for it."""
HALF = 0.5


@dataclass(frozen=True)
class Finding:
    """One dialogue as judged by somebody, with its label (`sound`, `kind`, `message`).

    `decided` is false if nothing was decided. `turn` and `fault` are the first fault found, `found` the kinds of all.
    """

    sound: bool
    kind: FailureKind | None
    message: int | None
    decided: bool = True
    fault: FailureKind | None = None
    turn: int | None = None
    rejected: bool = False
    found: frozenset[FailureKind] = field(default_factory=frozenset)


def agreement(pairs: Iterable[tuple[bool, bool]]) -> Agreement:
    """Return Cohen's kappa of pairs of booleans with its 95 % interval; kappa is 0 if one side always says the same."""
    told = list(pairs)
    count = len(told)
    if not count:
        return Agreement()
    same = sum(one == other for one, other in told) / count
    first, second = sum(one for one, _ in told) / count, sum(other for _, other in told) / count
    chance = first * second + (1 - first) * (1 - second)
    if first in (0, 1) or second in (0, 1):
        return Agreement(judged=count)
    kappa = (same - chance) / (1 - chance)
    low, high = ((bound - chance) / (1 - chance) for bound in _wilson(same, count))
    return Agreement(judged=count, kappa=round(kappa, 3), low=round(low, 3), high=round(high, 3))


def _wilson(share: float, count: int) -> tuple[float, float]:
    """Return the Wilson interval of a share at 95 %, which keeps some width even if all agree."""
    square = NORMAL**2
    middle = share + square / (2 * count)
    reach = NORMAL * sqrt(share * (1 - share) / count + square / (4 * count**2))
    whole = 1 + square / count
    return max((middle - reach) / whole, 0.0), min((middle + reach) / whole, 1.0)


def figures(reviewer: str, findings: Sequence[Finding], tokens: int = 0) -> ReviewerFigures:
    """Return how well one judge did; undecided dialogues are counted separately, as neither right nor wrong."""
    decided = [finding for finding in findings if finding.decided]
    sound = [finding for finding in decided if finding.sound]
    faulty = [finding for finding in decided if not finding.sound]
    caught = [finding for finding in faulty if finding.rejected]
    said = {finding.rejected for finding in decided}
    return ReviewerFigures(
        reviewer=reviewer,
        dialogues=len(findings),
        undecided=len(findings) - len(decided),
        sound_rejected=sum(finding.rejected for finding in sound),
        sound_judged=len(sound),
        faulty_found=len(caught),
        faulty_judged=len(faulty),
        turn_right=sum(finding.message is not None and finding.turn == finding.message for finding in caught),
        kind_right=sum(_alike(finding.kind, finding.fault) for finding in caught),
        always=("no" if said == {True} else "yes") if len(said) == 1 else "",
        agreement=agreement((finding.rejected, not finding.sound) for finding in decided),
        kinds=tuple(_of_kind(kind, decided) for kind in NEIGHBOURS if any(kind in (f.kind, *f.found) for f in decided)),
        tokens=tokens,
    )


def _alike(one: FailureKind | None, other: FailureKind | None) -> bool:
    return one is not None and other is not None and other in NEIGHBOURS[one]


def _of_kind(kind: FailureKind, findings: Sequence[Finding]) -> KindFigures:
    labelled = [finding for finding in findings if finding.kind == kind]
    named = [finding for finding in findings if kind in finding.found]
    right = [finding for finding in named if _alike(kind, finding.kind)]
    hit = [finding for finding in labelled if NEIGHBOURS[kind] & finding.found]
    pairs = [(bool(NEIGHBOURS[kind] & finding.found), _alike(kind, finding.kind)) for finding in findings]
    return KindFigures(
        kind=kind,
        labelled=len(labelled),
        named=len(named),
        precision=round(len(right) / len(named), 3) if named else None,
        recall=round(len(hit) / len(labelled), 3) if labelled else None,
        agreement=agreement(pairs),
    )


def weight(found: ReviewerFigures) -> float:
    """Return the weight of a reviewer's vote: its kappa, or 0 if it agrees no better than chance.

    If all labels are sound, or all faulty, they tell nothing about a reviewer, and its vote counts fully.
    """
    return max(found.agreement.kappa, 0.0) if found.sound_judged and found.faulty_judged else 1.0


def threshold(kind: FailureKind, told: Sequence[tuple[float, FailureKind | None]]) -> float:
    """Return the share of votes for a kind of fault from which on rejecting agrees best with the labels.

    `told` holds for each dialogue the share of votes against it for that kind, and its label. It is one half if no other share
    is better, or if too few dialogues have this kind of fault.
    """
    labelled = [_alike(kind, label) for _, label in told]
    if sum(labelled) < ENOUGH:
        return HALF
    best, most = HALF, _kappa_at(HALF, told, labelled)
    for share in sorted({share for share, _ in told if share > 0}):
        kappa = _kappa_at(share, told, labelled)
        if kappa > most:
            best, most = share, kappa
    return round(best, 3)


def _kappa_at(share: float, told: Sequence[tuple[float, FailureKind | None]], labelled: Sequence[bool]) -> float:
    return agreement((given >= share, is_so) for (given, _), is_so in zip(told, labelled, strict=True)).kappa
