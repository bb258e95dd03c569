"""The committee: majority, ties, abstentions and quorum; what becomes feedback; and the rules that have a seat."""

import asyncio
from collections.abc import Sequence

import pytest
from tests.validators.builders import TOOLSET, make_blueprint

from interplay.schemas.errors import BudgetExceeded
from interplay.schemas.protocols import Reviewer
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.verdict import METRICS, Issue, Review, Score, Verdict
from interplay.validators.blueprints.duplicates import Duplicates
from interplay.validators.review.committee import Committee, CommitteeSettings
from interplay.validators.review.feedback import feedback_of
from interplay.validators.review.rubric import Rubric

ABSTAINS = 0


class Scripted:
    """A reviewer that gives the same scores to all metrics; 0 abstains."""

    def __init__(self, score: int, goals: tuple[int, ...] = ()) -> None:
        self.name = f"gives {score}"
        self._score = score
        self._goals = goals

    async def review(self, blueprint: Blueprint) -> Review:  # noqa: ARG002
        if self._score == ABSTAINS:
            return Review(reviewer=self.name, abstained="no JSON, twice")
        given = Score.model_validate({"score": self._score, "reason": f"because of {self._score}"})
        return Review(reviewer=self.name, scores=dict.fromkeys(METRICS, given), goals=self._goals)


class Broke:
    """A reviewer that cannot be paid."""

    name = "broke"

    async def review(self, blueprint: Blueprint) -> Review:  # noqa: ARG002
        raise BudgetExceeded("The budget is spent.")


def decided(reviewers: Sequence[Reviewer], **settings: object) -> Verdict:
    chosen = CommitteeSettings.model_validate(settings)
    return asyncio.run(Committee(reviewers, chosen).check(make_blueprint()))


@pytest.mark.parametrize(
    ("scores", "settings", "codes"),
    [
        ((5, 4, 1), {}, []),
        ((5, 1, 1), {}, [f"low_{metric}" for metric in METRICS]),
        ((5, 1), {}, [f"low_{metric}" for metric in METRICS]),  # a tie rejects
        ((5, ABSTAINS, 3), {}, []),
        ((5, 1, ABSTAINS), {}, [f"low_{metric}" for metric in METRICS]),  # an abstention breaks no tie
        ((5, ABSTAINS, ABSTAINS), {}, ["no_quorum"]),
        ((5, ABSTAINS, ABSTAINS), {"quorum": 1}, []),
        ((5, 5, ABSTAINS), {"quorum": 3}, ["no_quorum"]),
        ((ABSTAINS,), {}, ["no_quorum"]),
        ((3, 3, 3), {"threshold": 4, "metrics": ["creativity"]}, ["low_creativity"]),
    ],
)
def test_decides_by_majority(scores: tuple[int, ...], settings: dict[str, object], codes: list[str]) -> None:
    verdict = decided([Scripted(score) for score in scores], **settings)
    assert [issue.code for issue in verdict.issues if issue.severity == "error"] == codes
    assert len(verdict.reviews) == len(scores)
    abstained = [issue for issue in verdict.issues if issue.code == "abstained"]
    assert len(abstained) == scores.count(ABSTAINS)


def test_gives_the_mean_of_those_who_reviewed_and_the_reasons_of_those_against() -> None:
    verdict = decided([Scripted(5), Scripted(2), Scripted(2), Scripted(ABSTAINS)])
    assert verdict.scores == dict.fromkeys(METRICS, 3.0)
    assert verdict.issues[1].message == "2 of 3 reviewers give less than 3: because of 2"


def test_a_spent_budget_is_no_abstention() -> None:
    with pytest.raises(BudgetExceeded):
        decided([Scripted(5), Broke(), Scripted(5)])


def test_feedback_names_each_point_once_and_the_goals_at_fault() -> None:
    blueprint = make_blueprint()
    at = Verdict(check="solvable", issues=(Issue(code="unsolvable_fact", message="No.", pointer="/actions/0/origins"),))
    assert feedback_of(blueprint, [at, at]).points == ("unsolvable_fact: No.",)
    assert feedback_of(blueprint, [at]).goals == (blueprint.actions[0].goal,)
    outvoted = decided([Scripted(1, (0,)), Scripted(1, (0, 9)), Scripted(5)], metrics=["correctness"])
    assert feedback_of(blueprint, [outvoted]).goals == (0,)
    warned = Verdict(check="committee", issues=(Issue(code="abstained", message="?", severity="warning"),))
    assert feedback_of(blueprint, [warned]).points == ()


def test_a_story_is_told_as_often_as_there_may_be_copies() -> None:
    told = Duplicates(copies=2)
    for index in (3, 5):
        assert told.judge("s").passed
        told.keep("s", index)
    assert [issue.code for issue in told.judge("s").issues] == ["duplicate_scenario"]
    assert "3, 5" in told.judge("s").issues[0].message
    assert told.judge("other").passed


def test_rules_find_fault_with_what_nobody_needs() -> None:
    sound = make_blueprint()
    assert min(score.score for score in asyncio.run(Rubric(TOOLSET).review(sound)).scores.values()) >= 3
    fact = sound.scenario.facts[0].model_copy(update={"id": "f99", "label": "shoe size"})
    facts = (*sound.scenario.facts, fact, fact.model_copy(update={"id": "f98"}))
    scenario = sound.scenario.model_copy(update={"facts": facts})
    review = asyncio.run(Rubric(TOOLSET).review(sound.model_copy(update={"scenario": scenario})))
    assert review.scores["completeness"].score < 5
    assert "shoe size" in review.scores["completeness"].reason
