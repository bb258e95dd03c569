"""The committee on dialogues: votes on items and turns, quorum, weights, and what becomes of a faulty dialogue."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from interplay.schemas.records.calibration import Votes
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.review import MEASURES, ReviewAnswer, ReviewCase
from interplay.schemas.records.verdict import Review, Verdict
from interplay.validators.review.checklist import ASKED_ALWAYS, TASK
from interplay.validators.review.dialogue_committee import (
    ALIKE,
    DialogueCommittee,
    ReviewSettings,
    as_warnings,
    can_be_masked,
    failure_of,
    faulty_turns,
    was_reviewed,
)

MESSAGES = (
    Message(role="user", content="Please pay my bill."),
    Message(role="assistant", content="I have paid it."),
    Message(role="user", content="Thanks."),
    Message(role="assistant", content="You're welcome."),
)
CASE = ReviewCase(messages=MESSAGES, items=ASKED_ALWAYS)
Vote = tuple[str, int]
"""An item, and the message that a no cites; -1 abstains."""


class Scripted:
    """A reviewer that agrees to all items but some."""

    def __init__(self, name: str, *against: Vote, score: int = 4, silent: bool = False) -> None:
        self.name = name
        self._against = dict(against)
        self._score = score
        self._silent = silent

    async def review(self, case: ReviewCase) -> Review:
        if self._silent:
            return Review(reviewer=self.name, abstained="no JSON, twice")
        answers = [self._answer(item.id) for item in case.items]
        scores: Mapping[str, Any] = {measure: {"score": self._score} for measure in MEASURES}
        return Review.model_validate({"reviewer": self.name, "answers": answers, "scores": scores})

    def _answer(self, item: str) -> ReviewAnswer:
        place = self._against.get(item)
        if place is None:
            return ReviewAnswer(item=item, answer="yes")
        if place < 0:
            return ReviewAnswer(item=item, answer="abstained", reason="no answer")
        return ReviewAnswer(item=item, answer="no", message=place, quote="paid", reason=f"{self.name} says so")


def decided(reviewers: Sequence[Scripted], votes: Votes = ALIKE, **settings: Any) -> Verdict:
    return asyncio.run(DialogueCommittee(reviewers, ReviewSettings(**settings), votes).check(CASE))


def codes(verdict: Verdict) -> list[tuple[str, str]]:
    return [(issue.code, issue.pointer) for issue in verdict.issues if issue.severity == "error"]


FALSE = ("false_claim", "/messages/1")


@pytest.mark.parametrize(
    ("against", "found"),
    [
        (((), (), ()), []),
        (((("deeds", 1),), (), ()), []),  # outvoted
        (((("deeds", 1),), (("deeds", 1),), ()), [FALSE]),
        (((("deeds", 1),), ()), [FALSE]),  # a tie rejects
        (((("deeds", 1),), (("deeds", -1),), ()), [FALSE]),  # an abstention breaks no tie
        (((("deeds", 3),), (("deeds", 1),), (("deeds", 1),)), [FALSE]),  # at the turn that most cite
        (((("deeds", -1),), (("deeds", -1),), ()), [("no_quorum", "")]),
        (((("deeds", 1),), (("invented", 1),), ()), [FALSE]),  # one turn, under two names
        (((("deeds", 1),), (("speech", 3),), ()), []),
        (((("user", 2),), (("user", 2),), ()), [("user_fault", "/messages/2")]),
        (((("task", 0),), (("task", 0),), ()), [("task_at_fault", "/messages/0")]),
    ],
)
def test_an_item_fails_when_half_of_the_votes_are_against_it(
    against: Sequence[Sequence[Vote]], found: list[tuple[str, str]]
) -> None:
    reviewers = [Scripted(f"r{place}", *votes) for place, votes in enumerate(against)]
    assert codes(decided(reviewers)) == found


def test_too_few_reviews_decide_nothing_and_accept_nothing() -> None:
    verdict = decided([Scripted("a"), Scripted("b", silent=True), Scripted("c", silent=True)])
    assert codes(verdict) == [("no_quorum", "")]
    assert not was_reviewed(verdict)
    failure = failure_of(verdict, len(MESSAGES))
    assert failure is not None
    assert (failure.fault, failure.stage) == ("unclear", "review")


def test_nobody_at_all_accepts_nothing() -> None:
    assert codes(decided([])) != []


def test_a_reviewer_without_weight_is_not_heard() -> None:
    always = [
        Scripted("no", *[(item.id, 1) for item in ASKED_ALWAYS if item.side != "user"]),
        Scripted("a"),
        Scripted("b"),
    ]
    assert codes(decided(always, Votes(weights={"no": 0.0}))) == []
    alone = decided([Scripted("no", ("deeds", 1)), Scripted("no (2)")], Votes(weights={"no": 0.0}))
    assert codes(alone) == [("no_quorum", "")]


def test_votes_count_by_weight_and_threshold() -> None:
    reviewers = [Scripted("good", ("deeds", 1)), Scripted("bad"), Scripted("worse")]
    assert codes(decided(reviewers, Votes(weights={"good": 0.9, "bad": 0.2, "worse": 0.2}))) == [FALSE]
    assert codes(decided(reviewers, Votes(thresholds={"false_claim": 0.3}))) == [FALSE]
    both = [Scripted("a", ("deeds", 1)), Scripted("b", ("deeds", 1)), Scripted("c", ("deeds", -1))]
    assert codes(decided(both, Votes(thresholds={"false_claim": 1.0}))) == [FALSE]


def test_low_scores_reject_and_name_no_turn() -> None:
    verdict = decided([Scripted("a", score=1), Scripted("b", score=2)])
    assert codes(verdict) == [(f"low_{measure}", "") for measure in MEASURES]
    failure = failure_of(verdict, len(MESSAGES))
    assert failure is not None
    assert failure.fault == "incoherent"
    assert not can_be_masked(verdict, MESSAGES)


def test_the_first_faulty_turn_is_the_failure_and_its_quote_is_told() -> None:
    verdict = decided([Scripted("a", ("speech", 3), ("deeds", 1)), Scripted("b", ("speech", 3), ("deeds", 1))])
    assert faulty_turns(verdict) == {1: "false_claim", 3: "unnatural"}
    failure = failure_of(verdict, len(MESSAGES))
    assert failure is not None
    assert (failure.fault, failure.message) == ("false_claim", 1)
    assert failure.why.startswith("[1] “paid”: a says so (deeds")
    assert can_be_masked(verdict, MESSAGES)
    assert as_warnings(verdict).passed


@pytest.mark.parametrize("item", ["user", TASK])
def test_what_the_assistant_did_not_do_cannot_be_masked(item: str) -> None:
    place = 2 if item == "user" else 1
    assert not can_be_masked(decided([Scripted("a", (item, place)), Scripted("b", (item, place))]), MESSAGES)
