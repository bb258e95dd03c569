"""Reviews of a dialogue -> one verdict: a vote on each item and each turn, among the reviewers who did not abstain.

deeds    no  no  yes    two of three against it: the item fails, at the turn that most of them cite
values   no  yes -      one against, one for, one abstains: a tie, which rejects
speech   -   -   yes    one answer where two are needed: undecided, and the dialogue is not accepted
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Literal

from pydantic import Field

from interplay.schemas.json.record import Record
from interplay.schemas.protocols import DialogueReviewer
from interplay.schemas.records.calibration import Votes
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.failure import NEIGHBOURS, Failure, FailureKind
from interplay.schemas.records.review import MEASURES, ReviewAnswer, ReviewCase, ReviewItem
from interplay.schemas.records.verdict import Issue, Review, Verdict
from interplay.validators.review.checklist import TASK
from interplay.validators.review.committee import NO_QUORUM, REASONS, abstentions, collected

CHECK = "review"
TASK_AT_FAULT = "task_at_fault"
"""The code of the issue that blames the task rather than a player."""
LOW: Mapping[str, FailureKind] = {
    "low_coherence": "incoherent", "low_naturalness": "unnatural", "low_helpfulness": "missed_goal"
}  # fmt: skip
"""Codes of issues for low scores -> the fault that they mean."""
HALF = 0.5


class ReviewSettings(Record):
    """Who reviews dialogues that passed all other checks, what it takes to pass, and what becomes of those that do not.

    Reviewers are the models of the role `reviewer` in turn, asked once more each where there are fewer models than seats.
    """

    reviewers: int = Field(
        3, ge=0, le=15, description="Seats that are taken by models of the role `reviewer`; 0 for none."
    )
    dialogues: Literal["models", "all"] = Field(
        "models",
        description="Which dialogues are reviewed: those in which a model speaks, or those of the rules as well.",
    )
    quorum: int | None = Field(None, ge=1, description="Answers that each item needs; more than half if not set.")
    threshold: float = Field(2.0, ge=1, le=5, description="A mean score below this one rejects.")
    keep: Literal["sound", "masked"] = Field(
        "sound", description="Whether dialogues with faulty turns are kept, with these marked as not to be learnt."
    )
    window: int = Field(8_000, ge=3_000, le=1_000_000, description="Tokens of one request at most.")


ALIKE = Votes()
"""Votes without calibration: all count the same, and half of them reject."""


class DialogueCommittee:
    """Asks all reviewers at once.

    An item fails if at least half of the votes on it are a no. A turn fails if at least half of the reviewers cite it, under any
    item, since careful readers name the same fault differently. An item with fewer answers than the quorum stays undecided, and
    an undecided dialogue is not accepted.
    """

    name = CHECK

    def __init__(self, reviewers: Sequence[DialogueReviewer], settings: ReviewSettings, votes: Votes = ALIKE) -> None:
        """Set the reviewers, the settings and the `votes`: the weights and thresholds found by calibration."""
        self._reviewers = tuple(reviewers)
        self._settings = settings
        self._votes = votes
        self._quorum = max(min(settings.quorum or len(self._reviewers) // 2 + 1, len(self._reviewers)), 1)

    async def check(self, case: ReviewCase) -> Verdict:
        """Return the verdict of the votes with all reviews.

        Raises:
            ModelUnavailable, BudgetExceeded: a reviewer cannot be asked now; what the others answered is kept.
        """
        reviews = await collected(reviewer.review(case) for reviewer in self._reviewers)
        return self.verdict(case, reviews)

    def verdict(self, case: ReviewCase, reviews: Sequence[Review]) -> Verdict:
        """Return the verdict that follows from some reviews."""
        counted = [review for review in reviews if not review.abstained and self._weight(review) > 0]
        issues = abstentions(reviews)
        found = [issue for item in case.items for issue in self._on_item(item, counted)]
        scores: dict[str, float] = {}
        if len(counted) < self._quorum:
            text = f"{len(counted)} of {len(reviews)} reviewers gave a review that counts, {self._quorum} must."
            issues.append(Issue(code=NO_QUORUM, message=text))
        else:
            issues += found
            issues += self._on_turns(case, counted, {issue.pointer for issue in found})
            issues += self._undecided(case, counted)
            scores = {name: round(fmean(review.scores[name].score for review in counted), 2) for name in MEASURES}
            issues += [
                Issue.of(f"low_{name}", f"{score} on average, at least {self._settings.threshold} is asked for.")
                for name, score in scores.items()
                if score < self._settings.threshold
            ]
        return Verdict(check=self.name, issues=tuple(issues), scores=scores, reviews=tuple(reviews))

    def _weight(self, review: Review) -> float:
        return self._votes.weights.get(review.reviewer.split(" (")[0], 1.0)

    def _share(self, against: Sequence[Review], given: Sequence[Review]) -> float:
        whole = sum(self._weight(review) for review in given)
        return sum(self._weight(review) for review in against) / whole if whole else 0.0

    def _on_item(self, item: ReviewItem, reviews: Sequence[Review]) -> Iterator[Issue]:
        """Yield an issue if an item is voted down, at the turn that most of the votes against it cite."""
        voted = [(review, answer) for review in reviews if (answer := _answer(review, item.id)).answer != "abstained"]
        against = [(review, answer) for review, answer in voted if answer.answer == "no"]
        share = self._share([review for review, _ in against], [review for review, _ in voted])
        if len(voted) < self._quorum or not against or share < self._votes.thresholds.get(item.kind, HALF):
            return
        yield self._issue(item, against, f"{len(against)} of {len(voted)} reviewers")

    def _on_turns(self, case: ReviewCase, reviews: Sequence[Review], told: set[str]) -> Iterator[Issue]:
        """Yield an issue for each turn that enough reviewers cite, though under different items."""
        cited: dict[int, list[tuple[Review, ReviewAnswer]]] = defaultdict(list)
        for review in reviews:
            for answer in review.answers:
                if answer.answer == "no" and answer.message is not None:
                    cited[answer.message].append((review, answer))
        for place, against in sorted(cited.items()):
            naming = {review.reviewer: review for review, _ in against}
            if _pointer(place) in told or self._share(list(naming.values()), reviews) < HALF:
                continue
            if len(naming) < 2 and len(reviews) > 1:
                continue  # a single reviewer's objections were counted item by item
            item = case.item(against[0][1].item)
            yield self._issue(item, against, f"{len(naming)} of {len(reviews)} reviewers, under different items")

    def _issue(self, item: ReviewItem, against: Sequence[tuple[Review, ReviewAnswer]], who: str) -> Issue:
        weights: dict[int, float] = defaultdict(float)
        for review, answer in against:
            weights[answer.message or 0] += self._weight(review)
        place = min(weights, key=lambda message: (-weights[message], message))
        cited = next(answer for _, answer in against if (answer.message or 0) == place)
        code = TASK_AT_FAULT if item.id == TASK else item.kind
        text = f"[{place}] “{cited.quote}”: {cited.reason} ({item.id}: {who})"
        return Issue(code=code, message=text[:REASONS], pointer=_pointer(place))

    def _undecided(self, case: ReviewCase, reviews: Sequence[Review]) -> Iterator[Issue]:
        """Yield one issue for all items that too few reviewers answered, with the reasons for the first."""
        short = [
            item
            for item in case.items
            if sum(_answer(review, item.id).answer != "abstained" for review in reviews) < self._quorum
        ]
        if short:
            reasons = [answer.reason for review in reviews if (answer := _answer(review, short[0].id)).reason]
            named = ", ".join(item.id for item in short)
            text = f"Fewer than {self._quorum} reviewers answered {named}. {'; '.join(reasons)}"
            yield Issue(code=NO_QUORUM, message=text[:REASONS])


def _answer(review: Review, item: str) -> ReviewAnswer:
    silent = ReviewAnswer(item=item, answer="abstained")
    return next((answer for answer in review.answers if answer.item == item), silent)


def _pointer(place: int) -> str:
    return f"/messages/{place}"


def was_reviewed(verdict: Verdict) -> bool:
    """Tell whether enough reviewers judged the dialogue, whatever they said."""
    return verdict.check == CHECK and not any(issue.code == NO_QUORUM for issue in verdict.issues)


def faulty_turns(verdict: Verdict) -> dict[int, FailureKind]:
    """Return index of the message -> fault, for the messages voted down, in order."""
    kinds = {str(kind): kind for kind in NEIGHBOURS}
    found: dict[int, FailureKind] = {}
    for issue in verdict.issues:
        place = issue.pointer.removeprefix("/messages/")
        if issue.code in kinds and place.isdigit():
            found.setdefault(int(place), kinds[issue.code])
    return dict(sorted(found.items()))


def can_be_masked(verdict: Verdict, messages: Sequence[Message]) -> bool:
    """Tell whether every rejecting issue is at a turn of the assistant, so that masking those turns makes the dialogue sound."""
    errors = [issue for issue in verdict.issues if issue.severity == "error"]
    turns = faulty_turns(verdict)
    return (
        bool(turns)
        and all(messages[place].role == "assistant" for place in turns)
        and all(issue.pointer and issue.code != TASK_AT_FAULT for issue in errors)
    )


def as_warnings(verdict: Verdict) -> Verdict:
    """Return a verdict with all issues turned into warnings, since the turns at fault are masked."""
    issues = tuple(issue.model_copy(update={"severity": "warning"}) for issue in verdict.issues)
    return verdict.model_copy(update={"issues": issues})


def failure_of(verdict: Verdict, messages: int) -> Failure | None:
    """Return the first fault in a dialogue of `messages` messages; None if it passed."""
    if verdict.passed:
        return None
    errors = [issue for issue in verdict.issues if issue.severity == "error"]
    turns = faulty_turns(verdict)
    first = next(iter(turns), None)
    if first is not None:
        why = next(issue.message for issue in errors if issue.pointer == _pointer(first))
        return Failure(fault=turns[first], stage=CHECK, message=first, why=why[:200])
    kind = next((LOW[issue.code] for issue in errors if issue.code in LOW), "unclear")
    return Failure(fault=kind, stage=CHECK, message=max(messages - 1, 0), why=errors[0].message[:200])
