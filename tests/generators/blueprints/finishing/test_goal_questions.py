"""What users want to know: asked in words or by the wish itself, answered, and nothing that they know already."""

import pytest
from tests.generators.worlds import generator, records

from interplay.schemas.json.canonical import leaves
from interplay.schemas.records.verdict import DatasetRecord
from interplay.schemas.words.dates import first_day
from interplay.schemas.words.mentions import said
from interplay.schemas.words.text import normalised

COUNT = 100
DOMAINS = ["domain:clinic", "domain:rental", "domain:workspace"]


def accepted(spec: str) -> list[DatasetRecord]:
    return [record for record in records(spec, COUNT) if record.status == "accepted"]


@pytest.mark.parametrize("spec", DOMAINS)
def test_each_value_to_be_told_is_asked_for_and_is_no_news_of_a_write(spec: str) -> None:
    world, asked, news = generator(spec).world, 0, 0
    for record in accepted(spec):
        blueprint = record.blueprint
        assert blueprint is not None
        questions = [(goal, question) for goal in blueprint.goals for question in goal.asks_for]
        wanted = {(question.action, pointer) for _, question in questions for pointer in question.pointers}
        assert {(output.action, output.pointer) for output in blueprint.expected.outputs} <= wanted
        for goal, question in questions:
            asked += bool(question.words)
            writes = world.toolset.tool(blueprint.action(question.action).tool).effect == "write"
            usual = goal.intent in world.toolset.asks_for or goal.each or goal.amiss or goal.condition
            news += writes and not usual
    assert news <= 2
    assert asked


def test_a_user_asks_for_nothing_that_it_has_said_itself() -> None:
    for record in accepted("domain:clinic"):
        blueprint = record.blueprint
        assert blueprint is not None
        told = {
            str(value) for fact in blueprint.scenario.facts for _, value in leaves(fact.value) if fact.choice is None
        }
        asked = {question.action for goal in blueprint.goals for question in goal.asks_for if question.words}
        assert not told & {str(output.value) for output in blueprint.expected.outputs if output.action in asked}


def test_who_asks_what_it_owes_hears_amounts() -> None:
    heard = 0
    for record in records("domain:clinic", 200):
        blueprint, trajectory = record.blueprint, record.trajectory
        for goal in blueprint.goals if blueprint is not None and trajectory is not None else ():
            if goal.intent == "check what I owe" and record.status == "accepted":
                assert blueprint is not None
                assert trajectory is not None
                own = {question.action for question in goal.asks_for}
                amounts = [out for out in blueprint.expected.outputs if out.action in own and out.label == "amount"]
                texts = [normalised(message.content) for message in trajectory.messages if message.role == "assistant"]
                assert all(said(texts, output.value, output.hint, output.label) for output in amounts)
                heard += bool(amounts)
    assert heard >= 1


@pytest.mark.parametrize("spec", DOMAINS)
def test_users_choose_what_has_been_offered(spec: str) -> None:
    for record in accepted(spec):
        blueprint, trajectory = record.blueprint, record.trajectory
        assert blueprint is not None
        assert trajectory is not None
        today = first_day(trajectory.system_prompt)
        for index, message in enumerate(trajectory.messages):
            told = message.state.told if message.act == "choose" and message.state is not None else ()
            for fact in map(blueprint.scenario.fact, told):
                offered = [one.content for one in trajectory.messages[:index] if one.role == "assistant"]
                before = [normalised(text, today) for text in offered]
                if fact.choice is not None and fact.description is None:
                    assert all(said(before, value, {}, pointer) for pointer, value in leaves(fact.value) if pointer)
