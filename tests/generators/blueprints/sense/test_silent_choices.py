"""What is picked out of several without a word from the user is doubted, wherever the list stands."""

from typing import Any

import pytest
from tests.generators.worlds import generator, records

from interplay.generators.blueprints.sense.order_doubts import silent_choices
from interplay.generators.blueprints.sense.weighed_task import WeighedTask
from interplay.schemas.records.blueprint import Blueprint

CLINIC = "domain:clinic"


def weighed(task: Blueprint, values: dict[str, Any]) -> WeighedTask:
    """Return a task with what its actions returned."""
    context = generator(CLINIC).workshop(0).composer.context
    return WeighedTask(task, values, context.world, context.graph)


def taken(pointer: str, fact: str | None = None) -> Blueprint:
    """Return a task of the clinic in which the last action takes the identity of its row from a look-up's result."""
    for record in records(CLINIC, 60):
        task = record.blueprint
        for action in task.actions if task is not None and not any(goal.each for goal in task.goals) else ():
            own = weighed(task, {}).role(action).references
            for at, origin in action.origins.items():
                if at in own and origin.kind == "output":
                    origins = {**action.origins, at: origin.model_copy(update={"pointer": pointer, "fact": fact})}
                    changed = action.model_copy(update={"origins": origins})
                    return task.model_copy(
                        update={"actions": tuple(changed if one is action else one for one in task.actions)}
                    )
    raise AssertionError("no task looks anything up")


def doubted(pointer: str, value: Any) -> bool:
    """Tell whether an identity that is taken from a place in a result is doubted."""
    task = taken(pointer)
    return any(silent_choices(weighed(task, {action.id: value for action in task.actions})))


@pytest.mark.parametrize(
    ("pointer", "value", "silent"),
    [
        ("/0/id", [{"id": 1}, {"id": 2}], True),
        ("/campaigns/0/id", {"campaigns": [{"id": number} for number in range(5)]}, True),
        ("/0/history/1/id", [{"history": [{"id": 1}, {"id": 2}]}], True),
        ("/1/steps/0/id", [{"steps": []}, {"steps": [{"id": 2}]}], True),
        ("/0/id", [{"id": 1}], False),
        ("/id", {"id": 1}, False),
    ],
)
def test_an_identity_from_a_list_of_several_is_doubted(pointer: str, value: Any, silent: bool) -> None:
    assert doubted(pointer, value) is silent
