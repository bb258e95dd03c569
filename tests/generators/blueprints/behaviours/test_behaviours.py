"""What users do beside wanting something, and what goes wrong with tools: all of it, labelled, in the clinic."""

from tests.generators.worlds import OFTEN, records

from interplay.schemas.records.behaviour import BEHAVIOURS
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.fault import FAULTS

COUNT = 210
CLINIC = "domain:clinic"


def accepted() -> list[tuple[Blueprint, Trajectory]]:
    return [
        (record.blueprint, record.trajectory)
        for record in records(CLINIC, COUNT, recipes=OFTEN)
        if record.status == "accepted" and record.blueprint is not None and record.trajectory is not None
    ]


def test_each_behaviour_is_shown_and_labelled_on_the_message_that_shows_it() -> None:
    shown = {kind for _, played in accepted() for message in played.messages for kind in message.behaviours}
    assert shown == set(BEHAVIOURS)


def test_each_fault_hits_and_is_labelled_on_the_result_that_it_hits() -> None:
    spoiled = records(CLINIC, COUNT // 2, recipes={**OFTEN, "faults": 0.5})
    accepted = [
        record.trajectory for record in spoiled if record.status == "accepted" and record.trajectory is not None
    ]
    hit = {message.fault for played in accepted for message in played.messages if message.role == "tool"}
    assert hit - {None} == set(FAULTS)


def test_what_is_taken_back_is_what_was_done_last() -> None:
    late = 0
    for task, _ in accepted():
        for done in task.scenario.behaviours:
            if done.kind == "changes_mind_late":
                late += 1
                left = [other.request for other in task.scenario.behaviours if other.kind == "comes_back"]
                assert not {done.request - 1, done.request - 2} & set(left)
    assert late >= 6


def test_nobody_asks_for_what_it_has_just_said_itself() -> None:
    asked = 0
    for task, _ in accepted():
        told = {str(fact.value).casefold() for fact in task.scenario.facts}
        for output in task.expected.outputs:
            goal = task.goals[task.action(output.action).goal]
            if goal.asks and "my patient file" in goal.intent:
                asked += 1
                assert str(output.value).casefold() not in told
    assert asked >= 1


def test_those_who_are_in_a_hurry_do_not_chat() -> None:
    for _, played in accepted():
        opening = played.messages[0]
        if "impatient" in opening.behaviours:
            assert "going on a bit" not in opening.content
            assert "no rush" not in opening.content
