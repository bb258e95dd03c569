"""Difficulty: measured from the task, and never less for more of anything."""

from typing import get_args

import pytest
from tests.generators.worlds import generator, records

from interplay.generators.blueprints.finishing.difficulty import WEIGHTS, measured, score
from interplay.schemas.records.blueprint import Blueprint, Difficulty
from interplay.schemas.records.recipe import Band

CLINIC = "domain:clinic"


def blueprints() -> list[Blueprint]:
    return [record.blueprint for record in records(CLINIC, 200) if record.blueprint is not None]


@pytest.mark.parametrize("part", WEIGHTS)
def test_more_of_any_part_never_makes_a_task_easier(part: str) -> None:
    plain = dict.fromkeys(WEIGHTS, 2)
    scores = [score({**plain, part: size}) for size in (0, 1, 2, 5, 20, 100, 100_000)]
    assert scores == sorted(scores)
    assert scores[0] < scores[3]


def test_lies_between_nothing_and_one() -> None:
    assert score(dict.fromkeys(WEIGHTS, 0)) == 0
    assert 0.99 < score(dict.fromkeys(WEIGHTS, 10**9)) <= 1
    assert sum(weight for weight, _ in WEIGHTS.values()) == pytest.approx(1)


def test_every_part_of_the_record_has_a_weight() -> None:
    assert set(WEIGHTS) == set(Difficulty.model_fields) - {"score"}


def test_each_blueprint_carries_what_was_measured_of_it() -> None:
    made = generator(CLINIC)
    rules = {rule.id: rule for rule in made.world.toolset.rules}
    for blueprint in blueprints():
        found = blueprint.difficulty
        assert found is not None
        assert found == measured(blueprint, rules, found.rows)
        assert found.calls == len(blueprint.calls)
        assert found.hops <= max(found.calls, 1)
        assert found.rows > 100


def test_a_dialogue_takes_at_least_the_turns_that_were_counted() -> None:
    for record in records(CLINIC, 200):
        if record.status == "accepted" and record.trajectory and record.blueprint and record.blueprint.difficulty:
            turns = sum(message.role == "user" for message in record.trajectory.messages)
            turns += record.trajectory.messages[-1].act == "response"  # who leaves without a word saves a turn
            assert turns >= record.blueprint.difficulty.turns - 1


def test_recipes_that_aim_at_hard_tasks_get_harder_ones() -> None:
    means = []
    for band in get_args(Band):
        scores = [made.difficulty.score for made in blueprints() if made.difficulty and made.recipe.difficulty == band]
        means.append(sum(scores) / len(scores))
    assert means[0] + 0.03 < means[1] < means[2] - 0.01


def test_easy_and_hard_tasks_are_there() -> None:
    scores = [made.difficulty.score for made in blueprints() if made.difficulty]
    assert min(scores) < 0.25
    assert max(scores) > 0.5
