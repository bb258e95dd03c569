"""Conditions: what a result says decides whether a goal is done, or which of two."""

import pytest
from tests.generators.worlds import records

from interplay.generators.blueprints.patterns.conditional import HELD
from interplay.generators.participants.wording.languages import fill
from interplay.schemas.records.blueprint import Condition
from interplay.schemas.records.verdict import DatasetRecord

DOMAINS = ("domain:clinic", "domain:rental", "domain:workspace")


RECIPES = {"patterns": {"conditional": 1.0}, "evolved": 0, "faults": 0, "behaviours": {}, "vague": 0}


def conditional(spec: str) -> tuple[DatasetRecord, ...]:
    """Return the dialogues of conditional tasks."""
    return records(spec, 60, recipes=RECIPES)


@pytest.mark.parametrize("spec", [*DOMAINS, "xero_projects.yaml"])
def test_of_two_branches_the_one_that_the_result_calls_for_is_taken(spec: str) -> None:
    made = conditional(spec)
    assert all(record.status == "accepted" for record in made)
    either = 0
    for record in made:
        assert record.blueprint is not None
        assert record.trajectory is not None
        blueprint = record.blueprint
        for request in blueprint.scenario.requests:
            depending = [goal for goal in request if blueprint.goals[goal].condition is not None]
            if len(depending) == 2:
                either += 1
                first, second = (blueprint.goals[goal] for goal in depending)
                left = [action for action in blueprint.actions if action.goal in depending and action.withheld]
                done = [action for action in blueprint.calls if action.goal in depending and action.depends_on]
                assert len(left) == 1
                assert {left[0].tool, done[-1].tool} == {first.tool, second.tool}
                said = " ".join(
                    message.content for message in record.trajectory.messages if message.role == "user"
                ).lower()
                for goal in (first, second):  # "cancel it", or "show me" what they want to see
                    own, asked = goal.intent, fill("{intent:you}", {"intent": goal.intent})
                    assert own.split()[0].lower() in said or asked.partition(own.partition(" ")[2])[0].lower() in said
    assert either >= 2


def test_amounts_are_held_against_a_round_bound() -> None:
    conditions = [
        goal.condition
        for spec in DOMAINS
        for record in conditional(spec)
        if record.blueprint is not None
        for goal in record.blueprint.goals
        if goal.condition is not None
    ]
    bounds = [condition for condition in conditions if condition.test != "is"]
    assert bounds
    assert all((condition.test == "at_least") <= bool(HELD & set(condition.label.split())) for condition in bounds)
    assert all(isinstance(condition.value, int) for condition in bounds)
    assert not any(type(condition.value) is float for condition in conditions)


def test_decides_by_value_or_bound_and_the_other_way_round_for_the_alternative() -> None:
    status = Condition(action="a1", pointer="/status", noun="order", label="status", value="open")
    total = status.model_copy(update={"value": 100, "test": "at_most"})
    assert [status.decides(found) for found in ("open", "closed", None)] == [True, False, False]
    assert [total.decides(found) for found in (99.5, 100, 101, "100", True)] == [True, True, False, False, False]
    assert total.model_copy(update={"test": "at_least"}).decides(101)
    assert [status.model_copy(update={"otherwise": True}).decides(found) for found in ("open", "closed")] == [
        False,
        True,
    ]


@pytest.mark.parametrize("spec", [*DOMAINS, "xero_projects.yaml"])
def test_nothing_depends_on_an_item_of_a_list_in_the_row(spec: str) -> None:
    for record in conditional(spec):
        for goal in record.blueprint.goals if record.blueprint is not None else ():
            below = goal.condition.pointer.split("/")[1:] if goal.condition is not None else []
            assert sum(part.isdigit() for part in below) <= 1
