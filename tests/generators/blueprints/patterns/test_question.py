"""Questions about lists: which one has the most of something, which are so, and what one of them is like."""

from tests.generators.worlds import records

from interplay.schemas.json.canonical import value_at
from interplay.schemas.json.json_text import json_value

RECIPES = {"patterns": {"question": 1.0}, "evolved": 0, "faults": 0, "behaviours": {}, "vague": 0, "tool_changes": 0}


def test_those_that_are_so_are_all_named() -> None:
    found = 0
    for record in records("train_travel.yaml", 50, recipes=RECIPES) + records(
        "xero_projects.yaml", 50, recipes=RECIPES
    ):
        blueprint, trajectory = record.blueprint, record.trajectory
        if blueprint is None or trajectory is None or record.status != "accepted" or len(blueprint.goals) > 1:
            continue
        rows = {out.pointer.rpartition("/")[0] for out in blueprint.expected.outputs}
        if blueprint.goals[0].asks and len(rows) > 1:
            found += 1
            answers = " ".join(m.content for m in trajectory.messages if m.role == "assistant")
            assert all(str(out.value).casefold() in answers.casefold() for out in blueprint.expected.outputs)
    assert found


def test_who_asks_of_one_names_it() -> None:
    named = 0
    for record in records("xero_projects.yaml", 50, recipes=RECIPES):
        if record.blueprint is None or record.trajectory is None or record.status != "accepted":
            continue
        for fact in record.blueprint.scenario.facts:
            goal = record.blueprint.goals[fact.goal]
            if not goal.asks or fact.choice is None or not isinstance(fact.value, dict):
                continue
            users = " ".join(m.content for m in record.trajectory.messages if m.role == "user")
            named += any(str(value) in users for value in fact.value.values())
    assert named


def test_who_has_asked_of_one_of_a_list_may_want_to_do_something_with_that_one() -> None:
    asked = done = 0
    for record in records("xero_projects.yaml", 60, recipes={"behaviours": {}, "faults": 0, "evolved": 0}):
        blueprint, trajectory = record.blueprint, record.trajectory
        if blueprint is None or trajectory is None or record.status != "accepted":
            continue
        for goal in (goal for goal in blueprint.goals if goal.asks):
            asked += 1
            sources = {question.action: question.pointers for question in goal.asks_for}
            for action in blueprint.actions:
                for origin in action.origins.values():
                    item = str(origin.pointer).rpartition("/")[0]
                    if origin.fact is None and any(at.startswith(f"{item}/") for at in sources.get(origin.action, ())):
                        done += 1
                        assert blueprint.goals[action.goal].again
    assert asked > 5
    assert done


def test_nobody_asks_for_what_all_things_have_alike() -> None:
    asked = 0
    for record in records("xero_projects.yaml", 50, recipes=RECIPES):
        blueprint, trajectory = record.blueprint, record.trajectory
        if blueprint is None or trajectory is None or record.status != "accepted":
            continue
        shown = {call.name: json_value(answer.content) for _, call, answer in trajectory.calls_with_results() if answer}
        for question in (question for goal in blueprint.goals if goal.asks for question in goal.asks_for):
            above, _, below = question.pointers[0].rpartition("/")
            listed, _, place = above.rpartition("/")
            items = value_at(shown.get(blueprint.action(question.action).tool), listed) if place.isdigit() else None
            if len(question.pointers) == 1 and isinstance(items, list) and len(items) > 1:
                asked += 1
                assert len({str(item.get(below)) for item in items}) > 1
    assert asked
