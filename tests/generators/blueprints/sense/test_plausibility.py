"""Tasks that nobody would have are told from those that somebody might."""

import pytest
from tests.generators.worlds import generator, records, shared_spec

from interplay.generators.blueprints.arguments.known_values import is_unlikely, nobody_says
from interplay.generators.blueprints.sense.plausibility import reaches, sense_of, with_doubts
from interplay.generators.blueprints.sense.weighed_task import WeighedTask
from interplay.schemas.records.blueprint import Blueprint, Doubt, Sense, with_identity

CLINIC = "domain:clinic"


@pytest.mark.parametrize(
    ("pointer", "value", "unlikely"),
    [
        ("/parent", "48213", True),
        ("/name", "Quiet Quartz", False),
        ("/parent", "Budget review", False),
        ("/data/members", ["12345"], True),
        ("/zip", "12345", False),
        ("/note", "Please call before noon.", False),
        ("/access_token", "9f8e4743010915b2", False),
    ],
)
def test_nobody_says_what_is_made_of_nothing(pointer: str, value: object, unlikely: bool) -> None:
    assert is_unlikely(pointer, value) is unlikely


def test_a_choice_may_be_said_and_a_thing_of_which_nothing_is_known_may_not() -> None:
    assert nobody_says("kind", {"type": "string", "enum": ["red", "blue"]}) == []
    assert nobody_says("gizmo", {"type": "string"}) == ["/gizmo"]


def test_each_doubt_takes_its_share_of_the_rest() -> None:
    doubts = [Doubt(code="one", cost=0.5), Doubt(code="two", cost=0.2)]
    assert with_doubts(Sense(score=1.0), doubts) == Sense(score=0.4, doubts=tuple(doubts))


def weighed(task: Blueprint) -> WeighedTask:
    """Return a task to be judged whose results are left out."""
    context = generator(CLINIC).workshop(0).composer.context
    return WeighedTask(task, {}, context.world, context.graph)


def judged(task: Blueprint) -> Sense:
    """Return the sense of a task whose results are left out."""
    return sense_of(weighed(task))


def test_a_bar_is_reached_exactly_where_the_whole_sense_reaches_it() -> None:
    tasks = [weighed(record.blueprint) for record in records(CLINIC, 40) if record.blueprint is not None]
    scores = [sense_of(task).score for task in tasks]
    assert len(set(scores)) > 1
    for bar in {*scores, 0.0, 0.66, 1.0}:
        assert [reaches(task, bar) for task in tasks] == [score >= bar for score in scores]


def test_sound_tasks_pass_and_planted_faults_are_found() -> None:
    tasks = [record.blueprint for record in records(CLINIC, 40) if record.blueprint is not None]
    assert all(task.sense is not None and task.sense.score >= 0.5 for task in tasks if not task.recipe.rule)
    found = 0
    for task in tasks:
        used = {
            origin.fact
            for action in task.actions
            for pointer, origin in action.origins.items()
            if origin.kind == "user" and pointer in ("/note", "/reason")
        }
        told = next((fact for fact in task.scenario.facts if fact.id in used and fact.value), None)
        if told is None:
            continue
        facts = tuple(
            fact.model_copy(update={"value": "48213"}) if fact == told else fact for fact in task.scenario.facts
        )
        spoilt = task.model_copy(update={"scenario": task.scenario.model_copy(update={"facts": facts})})
        assert "unlikely_value" in {doubt.code for doubt in judged(spoilt).doubts}
        assert "unlikely_value" not in {doubt.code for doubt in judged(task).doubts}
        found += 1
    assert found


def test_what_a_task_is_does_not_depend_on_its_sense() -> None:
    task = next(record.blueprint for record in records(CLINIC, 1) if record.blueprint is not None)
    assert with_identity(task.model_copy(update={"sense": None})).id == task.id


def test_what_is_below_the_bar_is_drawn_again() -> None:
    def scores(bar: float) -> list[float]:
        made = records(shared_spec("notion.json"), 30, recipes={"sense": bar})
        tasks = [record.blueprint for record in made if record.blueprint is not None]
        return [task.sense.score for task in tasks if task.sense is not None and not task.recipe.rule]

    assert min(scores(0.0)) < 0.5 <= min(scores(0.5))
