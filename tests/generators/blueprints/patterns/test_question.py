"""Questions about lists: which one has the most of something, which are so, and what one of them is like."""

from tests.generators.worlds import records

RECIPES = {"patterns": {"question": 1.0}, "evolved": 0, "faults": 0, "behaviours": {}, "vague": 0, "tool_changes": 0}


def test_those_that_are_so_are_all_named() -> None:
    found = 0
    for record in records("train_travel.yaml", 80, recipes=RECIPES) + records(
        "xero_projects.yaml", 80, recipes=RECIPES
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
    for record in records("xero_projects.yaml", 80, recipes=RECIPES):
        if record.blueprint is None or record.trajectory is None or record.status != "accepted":
            continue
        for fact in record.blueprint.scenario.facts:
            goal = record.blueprint.goals[fact.goal]
            if not goal.asks or fact.choice is None or not isinstance(fact.value, dict):
                continue
            users = " ".join(m.content for m in record.trajectory.messages if m.role == "user")
            named += any(str(value) in users for value in fact.value.values())
    assert named
