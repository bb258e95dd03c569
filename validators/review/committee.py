"""Reviews of a blueprint -> one verdict: a majority for each metric, among the reviewers who did not abstain.

correctness    4  5  2    threshold 3: two of three vote for it, so it passes
completeness   4  2  -    one for, one against, one abstains: a tie, which rejects
"""

import asyncio
from collections.abc import Awaitable, Iterable, Iterator, Sequence
from statistics import fmean

from pydantic import Field

from interplay.schemas.json.record import Record
from interplay.schemas.protocols import Reviewer
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.verdict import METRICS, Issue, Metric, Review, Verdict

REASONS = 600
"""Maximum length of an issue's message, in characters."""


async def collected(asked: Iterable[Awaitable[Review]]) -> list[Review]:
    """Wait for all reviewers, and return their reviews in order.

    Raises:
        ModelUnavailable, BudgetExceeded: a reviewer cannot be asked now; raised only after all others have answered.
    """
    answers = await asyncio.gather(*asked, return_exceptions=True)
    reviews: list[Review] = []
    for answer in answers:
        if isinstance(answer, BaseException):
            raise answer
        reviews.append(answer)
    return reviews


def abstentions(reviews: Sequence[Review]) -> list[Issue]:
    """Return a warning for each reviewer who abstained, with the reason."""
    return [
        Issue.of("abstained", f"{review.reviewer}: {review.abstained}"[:REASONS], severity="warning")
        for review in reviews
        if review.abstained
    ]


NO_QUORUM = "no_quorum"
"""The code of the only issue that says nothing about the blueprint."""


class CommitteeSettings(Record):
    """Who reviews blueprints, what it takes to pass, and how often one is revised.

    Reviewers are the models of the role `reviewer` in turn, asked once more each where there are fewer models than seats.
    """

    reviewers: int = Field(3, ge=1, le=15, description="Seats that are taken by models, where any play reviewers.")
    rubric: bool = Field(False, description="Rules have a seat too; they have the only one where no model reviews.")
    threshold: int = Field(3, ge=1, le=5, description="A score from here on is a vote for the blueprint.")
    quorum: int | None = Field(None, ge=1, description="Reviewers who must not abstain; more than half if not set.")
    metrics: tuple[Metric, ...] = Field(METRICS, min_length=1, description="What is scored; each must pass.")
    rounds: int = Field(3, ge=0, le=10, description="Revisions of one blueprint at most; 0 rejects without feedback.")


class Committee:
    """Asks all reviewers at once.

    A metric passes if more reviewers vote for it than against it: a tie rejects, since a rejected blueprint can be revised while
    an accepted one is played. With fewer reviews than the quorum nothing is decided, and the blueprint is rejected.
    """

    name = "committee"

    def __init__(self, reviewers: Sequence[Reviewer], settings: CommitteeSettings) -> None:
        """Set the reviewers and settings; the quorum is at most the number of reviewers."""
        self._reviewers = tuple(reviewers)
        self._settings = settings
        self._quorum = min(settings.quorum or len(self._reviewers) // 2 + 1, len(self._reviewers))

    async def check(self, blueprint: Blueprint) -> Verdict:
        """Return the majority's verdict with all reviews.

        Raises:
            ModelUnavailable, BudgetExceeded: a reviewer cannot be asked now; what the others answered is kept.
        """
        reviews = await collected(reviewer.review(blueprint) for reviewer in self._reviewers)
        return self.verdict(reviews)

    def verdict(self, reviews: Sequence[Review]) -> Verdict:
        """Return the verdict that follows from some reviews."""
        given = [review for review in reviews if not review.abstained]
        issues = abstentions(reviews)
        scores: dict[str, float] = {}
        if len(given) < self._quorum:
            text = f"{len(given)} of {len(reviews)} reviewers gave a review, {self._quorum} must."
            issues.append(Issue(code=NO_QUORUM, message=text))
        else:
            scores = {
                metric: round(fmean([review.scores[metric].score for review in given]), 2)
                for metric in self._settings.metrics
            }
            issues += self._outvoted(given)
        return Verdict(check=self.name, issues=tuple(issues), scores=scores, reviews=tuple(reviews))

    def _outvoted(self, given: Sequence[Review]) -> Iterator[Issue]:
        threshold = self._settings.threshold
        for metric in self._settings.metrics:
            against = [review for review in given if review.scores[metric].score < threshold]
            if 2 * len(against) >= len(given):
                reasons = "; ".join(dict.fromkeys(review.scores[metric].reason for review in against))
                text = f"{len(against)} of {len(given)} reviewers give less than {threshold}: {reasons}"
                yield Issue(code=f"low_{metric}", message=text[:REASONS])
