"""What was read before a write is read again before anybody relies on it."""

import asyncio
from random import Random
from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, operation, row, sandbox
from tests.generators.worlds import records, shared_spec

from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft, PlannedCall, Step
from interplay.generators.blueprints.drafting.reported_values import ReportedValues
from interplay.generators.blueprints.finishing.expected_outputs import with_questions
from interplay.generators.blueprints.finishing.goal_questions import GoalQuestions
from interplay.generators.blueprints.finishing.rerun import run_again
from interplay.generators.blueprints.patterns.recombined import joined
from interplay.schemas.records.behaviour import PlannedBehaviour
from interplay.schemas.records.blueprint import Action, Blueprint, Goal, Origin

STAY = row(guest=TEXT)
GUIDE = row(title=TEXT)
STAYS = sandbox(
    operation("list_stays", "GET", "/stays", {"type": "array", "items": STAY}),
    operation("get_stay", "GET", "/stays/{stay_id}", STAY),
    operation("update_stay", "PATCH", "/stays/{stay_id}", STAY, guest=TEXT),
    operation("delete_stay", "DELETE", "/stays/{stay_id}", None),
    operation("add_guide", "POST", "/guides", GUIDE, title=TEXT),
)
KEYS = list(STAYS.state()["stay"])


@pytest.fixture(autouse=True)
def fresh() -> Any:
    """Put the rows back after each test."""
    start = STAYS.snapshot()
    yield
    STAYS.restore(start)


def run(draft: Draft, tool: str, request: int, origin: Origin | None = None, /, **arguments: Any) -> Step:
    """Run one call as the only goal of a request, the first one there or the one after the others."""
    while len(draft.requests) <= request:
        draft.requests.append((len(draft.goals),))
        draft.goals.append(Goal(intent=tool, tool=tool, resource="stay", topic="stay"))
    origins = {f"/{name}": origin for name in arguments if origin is not None}
    return asyncio.run(draft.run(PlannedCall(tool, arguments, origins, draft.requests[request][0], request)))


def chosen(draft: Draft, listed: Step, place: int, goal: int) -> Origin:
    """Let the user choose an item of a list."""
    told = {"/guest": listed.value[place]["guest"]}
    fact = draft.tell(goal, "stay", told, {}, reveal="choice", action=listed.id, choice=f"/{place}")
    return Origin(kind="output", action=listed.id, pointer=f"/{place}/id", fact=fact.id)


def rerun(draft: Draft, start: Any) -> Any:
    STAYS.restore(start)
    return asyncio.run(run_again(draft, STAYS, None))


def test_a_list_is_out_of_date_after_a_write_of_what_it_shows() -> None:
    draft = Draft(STAYS)
    listed = run(draft, "list_stays", 0)
    assert not asyncio.run(draft.is_outdated(listed, 1))
    run(draft, "add_guide", 1, title="Walks")
    assert not asyncio.run(draft.is_outdated(listed, 2))
    run(draft, "delete_stay", 2, stay_id=KEYS[0])
    assert asyncio.run(draft.is_outdated(listed, 3))


def test_a_read_is_made_again_only_after_a_write_that_has_to_do_with_it() -> None:
    draft = Draft(STAYS)
    listed = run(draft, "list_stays", 0)
    for _ in range(2):
        with pytest.raises(DeadEnd, match="called twice"):
            run(draft, "list_stays", 1)
        run(draft, "add_guide", 1, title=f"Walks {len(draft.steps)}")
    run(draft, "delete_stay", 2, stay_id=KEYS[0])
    assert len(run(draft, "list_stays", 3).value) == len(listed.value) - 1
    with pytest.raises(DeadEnd, match="called twice"):
        run(draft, "list_stays", 4)


def test_nobody_chooses_from_a_list_that_is_out_of_date() -> None:
    draft, start = Draft(STAYS), STAYS.snapshot()
    listed = run(draft, "list_stays", 0)
    run(draft, "delete_stay", 1, stay_id=KEYS[0])
    run(draft, "get_stay", 2, chosen(draft, listed, 1, 2), stay_id=KEYS[1])
    with pytest.raises(DeadEnd, match="get_stay takes from list_stays is out of date"):
        rerun(draft, start)


def test_what_was_chosen_before_a_write_stays_the_one_that_is_meant() -> None:
    draft, start = Draft(STAYS), STAYS.snapshot()
    listed = run(draft, "list_stays", 0)
    meant = chosen(draft, listed, 1, 1)
    run(draft, "get_stay", 1, meant, stay_id=KEYS[1])
    run(draft, "delete_stay", 2, stay_id=KEYS[0])
    run(draft, "delete_stay", 3, meant, stay_id=KEYS[1])
    assert [action.tool for action in rerun(draft, start).actions][-1] == "delete_stay"


def test_who_comes_back_after_a_write_does_not_choose_from_the_list_before_it() -> None:
    draft, start = Draft(STAYS), STAYS.snapshot()
    listed = run(draft, "list_stays", 0)
    meant = chosen(draft, listed, 1, 0)
    wanted = PlannedCall("get_stay", {"stay_id": KEYS[1]}, {"/stay_id": meant}, 0, 0)
    asyncio.run(draft.run(wanted))
    run(draft, "delete_stay", 1, stay_id=KEYS[0])
    rerun(draft, start)
    draft.behaviours.append(PlannedBehaviour(kind="comes_back", request=0, when="question", at=str(meant.fact)))
    with pytest.raises(DeadEnd, match="out of date"):
        rerun(draft, start)


def test_a_call_is_not_made_again_where_nothing_is_written_by_then() -> None:
    draft, start = Draft(STAYS), STAYS.snapshot()
    run(draft, "list_stays", 0)
    run(draft, "delete_stay", 1, stay_id=KEYS[0])
    run(draft, "list_stays", 2)
    draft.steps[1:] = reversed(draft.steps[1:])
    draft.steps[1:] = [draft.revise(step, request=place + 1) for place, step in enumerate(draft.steps[1:])]
    with pytest.raises(DeadEnd, match="called twice with nothing changed in between"):
        rerun(draft, start)


def test_an_update_that_changes_nothing_is_no_task() -> None:
    draft, start = Draft(STAYS), STAYS.snapshot()
    listed = run(draft, "list_stays", 0)
    run(draft, "update_stay", 1, stay_id=KEYS[0], guest=listed.value[0]["guest"])
    with pytest.raises(DeadEnd, match="update_stay would change nothing"):
        rerun(draft, start)


@pytest.mark.parametrize("together", [True, False])
def test_a_list_is_told_before_something_of_it_is_deleted(together: bool) -> None:
    draft, start = Draft(STAYS, requests=[(0, 1)] if together else [(0,), (1,)]), STAYS.snapshot()
    draft.goals += [Goal(intent=name, tool=name, topic="stay") for name in ("list_stays", "delete_stay")]
    asyncio.run(draft.run(PlannedCall("list_stays", {}, {}, 0, 0)))
    asyncio.run(draft.run(PlannedCall("delete_stay", {"stay_id": KEYS[-1]}, {}, 1, 0 if together else 1)))
    made, asking = rerun(draft, start), GoalQuestions(ReportedValues(STAYS), STAYS.toolset)
    if together:
        with pytest.raises(DeadEnd, match="a later step changes what would be said"):
            with_questions(draft, made, draft.goals, (), asking, Random(1))
    else:
        goals, outputs = with_questions(draft, made, draft.goals, (), asking, Random(1))
        assert [bool(goal.asks_for) for goal in goals] == [True, False]
        assert {output.action for output in outputs} == {question.action for question in goals[0].asks_for}


def test_a_task_after_another_reads_again_what_that_has_changed() -> None:
    first, start = Draft(STAYS), STAYS.snapshot()
    listed = run(first, "list_stays", 0)
    run(first, "get_stay", 1, chosen(first, listed, 1, 1), stay_id=KEYS[1])
    STAYS.restore(start)
    second = Draft(STAYS)
    again = run(second, "list_stays", 0)
    second.revise_goal(0, tool="get_stay")
    asyncio.run(
        second.run(PlannedCall("get_stay", {"stay_id": KEYS[2]}, {"/stay_id": chosen(second, again, 2, 0)}, 0, 0))
    )
    assert [step.tool for step in joined(first, second).steps] == ["list_stays", "get_stay", "get_stay"]
    run(first, "delete_stay", 2, stay_id=KEYS[0])
    tools = [step.tool for step in joined(first, second).steps]
    assert tools == ["list_stays", "get_stay", "delete_stay", "list_stays", "get_stay"]


def repeated(blueprint: Blueprint) -> list[Action]:
    """Return the reads that are made once more."""
    calls = blueprint.calls
    return [
        action
        for place, action in enumerate(calls)
        if any(other.tool == action.tool and other.arguments == action.arguments for other in calls[:place])
    ]


def test_lists_are_read_again_in_tasks_of_real_apis() -> None:
    made = [
        record
        for record in records(shared_spec("train_travel.yaml"), 200, recipes={"plain": 0.0, "sense": 0.0})
        if record.blueprint
    ]
    assert all(record.status == "accepted" for record in made)
    assert {action.tool for record in made if record.blueprint for action in repeated(record.blueprint)} >= {
        "get-bookings"
    }
