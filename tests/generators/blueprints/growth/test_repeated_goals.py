"""Whoever wants the same once more says what is different about it."""

from tests.generators.worlds import records, shared_spec

from interplay.schemas.records.blueprint import Action, Blueprint


def said(action: Action) -> dict[str, object]:
    unsaid = {pointer for pointer, origin in action.origins.items() if origin.kind in ("default", "constant")}
    return {name: value for name, value in action.arguments.items() if f"/{name}" not in unsaid}


def siblings(blueprint: Blueprint) -> list[tuple[Action, Action]]:
    return [
        (first, second)
        for goals in blueprint.scenario.requests
        for place, first in enumerate(blueprint.actions)
        for second in blueprint.actions[place + 1 :]
        if first.tool == second.tool and {first.goal, second.goal} <= set(goals) and first.goal != second.goal
    ]


def test_two_wishes_of_one_request_differ_in_what_is_said() -> None:
    made = [
        record.blueprint
        for record in records(
            shared_spec("petstore_v3.yaml"), 40, recipes={"patterns": {"parallel_then_sequential": 1}}
        )
    ]
    pairs = [pair for task in made if task and task.pattern != "recombined" for pair in siblings(task)]
    assert pairs
    assert all(said(first) != said(second) for first, second in pairs)
