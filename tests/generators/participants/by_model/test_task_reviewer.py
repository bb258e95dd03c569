"""A model that reviews: what it is shown, and what becomes of answers that are of no use."""

import asyncio
import json
from typing import Any

import pytest
from tests.generators.scripted_model import ScriptedModel
from tests.validators.builders import TOOLSET, make_blueprint

from interplay.generators.blueprints.by_model.revision import reworded
from interplay.generators.models.client.structured_output import Structured
from interplay.generators.participants.by_model.task_reviewer import ModelReviewer
from interplay.schemas.errors import ModelUnavailable
from interplay.schemas.records.chat import ChatReply
from interplay.schemas.records.verdict import METRICS, Review

GOOD = {**{metric: {"reason": "Fine.", "score": 4} for metric in METRICS}, "goals_at_fault": [0, 0, 7]}


def reviewed(*answers: Any) -> tuple[Review, ScriptedModel]:
    model = ScriptedModel([answer if isinstance(answer, ChatReply) else str(answer) for answer in answers])
    reviewer = ModelReviewer("reviewer 1", Structured(model), TOOLSET)
    return asyncio.run(reviewer.review(make_blueprint())), model


def test_scores_each_metric_and_names_goals_that_there_are() -> None:
    review, model = reviewed(json.dumps(GOOD))
    assert {metric: score.score for metric, score in review.scores.items()} == dict.fromkeys(METRICS, 4)
    assert (review.goals, review.abstained) == ((0,), "")
    shown = model.requests[0].messages
    assert TOOLSET.policy in shown[0].content
    assert set(json.loads(shown[1].content)) == {"user", "solution", "changes", "must_be_said", "tools"}


def test_is_asked_once_more_for_what_is_no_review_and_then_abstains() -> None:
    review, model = reviewed("I like it.", json.dumps({**GOOD, "creativity": {"reason": "?", "score": 9}}))
    assert len(model.requests) == 2
    assert review.scores == {}
    assert "creativity" in review.abstained
    mended, _ = reviewed("I like it.", json.dumps(GOOD))
    assert mended.abstained == ""


def test_abstains_where_it_refuses() -> None:
    assert "refused" in reviewed(ChatReply(refusal="I cannot."))[0].abstained


def test_one_that_cannot_be_reached_is_not_taken_for_an_abstention() -> None:
    model = ScriptedModel([ModelUnavailable("gone")])
    with pytest.raises(ModelUnavailable):
        asyncio.run(ModelReviewer("reviewer 1", model, TOOLSET).review(make_blueprint()))


@pytest.mark.parametrize(
    ("answer", "taken"),
    [
        ({"goals": [{"number": 0, "intent": "jot something down."}]}, True),
        ({"goals": [{"number": 0, "intent": "I'd like to jot something down"}]}, True),
        ({"goals": [{"number": 0, "intent": "Jot something down!"}]}, True),
        ({"goals": [{"number": 0, "intent": "jot something down. Can you do that?"}]}, False),
        ({"goals": [{"number": 0, "intent": "jot down to call Ada"}]}, False),
        ({"goals": [{"number": 0, "intent": "jot something down in list 77"}]}, False),
        ({"goals": [{"number": 0, "intent": "call add_note"}]}, False),
        ({"goals": [{"number": 5, "intent": "jot something down"}]}, False),
        ({"goals": [{"number": 0, "intent": "x" * 500}]}, False),
        ({"tell_at_once": ["nobody knows"]}, False),
        ({}, False),
    ],
)
def test_takes_other_words_that_say_no_more_than_the_user_knows(answer: dict[str, Any], taken: bool) -> None:
    blueprint = make_blueprint()
    told = reworded(blueprint, {"goals": [], "tell_at_once": [], **answer})
    assert (told is not None) is taken
    if told is not None:
        assert told.goals[0].intent == "jot something down"
        assert (told.lineage.parent, told.lineage.operator, told.lineage.revision) == (blueprint.id, "rewrite", 1)
        assert told.signature() == blueprint.signature()
