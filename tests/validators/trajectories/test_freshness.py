"""What was read before a write that changed it is not told of, nor relied on, after that."""

import asyncio
from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, operation, row, sandbox
from tests.validators.builders import (
    ADD,
    FACTS,
    FINISH,
    GOALS,
    LIST,
    TOOLSET,
    Notes,
    answer,
    assistant,
    calls,
    codes,
    make_blueprint,
    make_trajectory,
    opens,
    user,
)

from interplay.schemas.records.blueprint import Action, Condition, Scenario
from interplay.schemas.records.dialogue import Message, ToolCall
from interplay.validators.blueprints.gates import blueprint_checks
from interplay.validators.findings.replay import Replays
from interplay.validators.trajectories.freshness import FreshnessCheck

STAY, GUIDE = row(guest=TEXT), row(title=TEXT)
STAYS = sandbox(
    operation("list_stays", "GET", "/stays", {"type": "array", "items": STAY}),
    operation("add_stay", "POST", "/stays", STAY, guest=TEXT),
    operation("delete_stay", "DELETE", "/stays/{stay_id}", None),
    operation("add_guide", "POST", "/guides", GUIDE, title=TEXT),
    operation("list_guides", "GET", "/guides", {"type": "array", "items": GUIDE}),
    operation("delete_guide", "DELETE", "/guides/{guide_id}", None),
)
ROWS = list(STAYS.state()["stay"].values())
NAMES = [item["guest"] for item in ROWS]
COUNT = len(ROWS)
GUIDES = list(STAYS.state()["guide"])
DIGEST = STAYS.digest()


def made(identifier: str, tool: str, **arguments: Any) -> tuple[Message, Message]:
    """Return a call, with what it answers after those that were made before."""
    result = asyncio.run(STAYS.call(ToolCall(id=identifier, name=tool, arguments=arguments)))
    return calls((identifier, tool, arguments)), answer(identifier, result.value)


LISTING, DELETING, ADDING = (
    ("list_stays", {}),
    ("delete_stay", {"stay_id": ROWS[0]["id"]}),
    ("add_guide", {"title": "x"}),
)


def told(*turns: tuple[str, dict[str, Any]] | Message) -> list[str]:
    """Return the issues of a dialogue of calls and messages."""
    start, messages = STAYS.snapshot(), list[Message]()
    for number, turn in enumerate(turns):
        messages += [turn] if isinstance(turn, Message) else made(f"call{number:05}", turn[0], **turn[1])
    STAYS.restore(start)
    check = FreshnessCheck(Replays(lambda _: STAYS), STAYS.toolset)
    verdict = asyncio.run(check.check(make_trajectory(tuple(messages)), make_blueprint()))
    assert STAYS.digest() == DIGEST
    return codes(verdict.issues)


OFFER = assistant(f"Which one do you mean: {NAMES[0]}, {NAMES[1]} or {NAMES[2]}?", "suggest")
REST = assistant(f"Which one do you mean: {NAMES[1]}, {NAMES[2]} or {NAMES[3]}?", "suggest")
TOTAL = assistant(f"I found {COUNT} stays. The first are {NAMES[1]} and {NAMES[2]}. Which one?", "suggest")


@pytest.mark.parametrize(
    "said",
    [
        OFFER,
        TOTAL,
        assistant(f"I see {COUNT} stays, among them {NAMES[1]} and {NAMES[2]}. Which one?", "suggest"),
        assistant(f"Es gibt {COUNT} Aufenthalte, zum Beispiel {NAMES[1]} und {NAMES[2]}. Welcher?", "suggest"),
    ],
)
def test_names_a_list_that_is_told_as_it_was(said: Message) -> None:
    assert told(LISTING, said) == []
    assert told(LISTING, DELETING, said) == ["stale_list"]
    assert told(LISTING, ADDING, said) == []


@pytest.mark.parametrize(
    "said",
    [
        REST,
        OFFER.model_copy(update={"act": None}),
        OFFER.model_copy(update={"model": "some model"}),
        assistant(f"I see {COUNT - 1} stays: {NAMES[1]} and {NAMES[2]} and others. Which one?", "suggest"),
        assistant(f"The stay of {NAMES[0]} is gone. {NAMES[1]} and {NAMES[2]} are still there.", "response"),
        assistant(f"I've deleted the stay of {NAMES[0]}, as one of {COUNT} stays.", "response"),
        assistant(f"Which one: {NAMES[1]} at {COUNT}:30 or {NAMES[2]} on 4 May?", "suggest"),
        assistant("As for the third stay: it is as it was.", "response"),
    ],
)
def test_accepts_what_is_told_as_it_is(said: Message) -> None:
    assert told(LISTING, DELETING, said) == []


def test_names_all_rows_offered_where_there_are_more_by_now() -> None:
    every = assistant(f"Which one do you mean: {', '.join(NAMES)}?", "suggest")
    assert told(LISTING, ("add_stay", {"guest": "Somebody Else"}), every) == ["stale_list"]
    assert told(LISTING, ("add_stay", {"guest": "Somebody Else"}), REST) == []


def test_accepts_what_was_read_again_or_said_since() -> None:
    assert told(LISTING, DELETING, LISTING, REST) == []
    assert told(LISTING, DELETING, user(f"And {NAMES[0]}?"), OFFER) == []
    assert told(LISTING, DELETING, LISTING, DELETING, OFFER) == ["stale_list"]


def test_takes_a_number_for_that_of_a_list_that_has_as_many() -> None:
    others = ("list_guides", {})
    assert told(others, LISTING, ("delete_guide", {"guide_id": GUIDES[0]}), TOTAL) == []
    assert told(others, LISTING, DELETING, assistant(f"There are {COUNT} in the list of guides.", "response")) == []


def test_counts_what_was_done_to_each() -> None:
    every = [("delete_stay", {"stay_id": item["id"]}) for item in ROWS]
    assert told(LISTING, *every, assistant(f"I went through all {COUNT} stays.", "response")) == []


OTHER = Action(**{**FINISH.model_dump(), "id": "a4", "goal": 2})


def task(*actions: Action, **changes: Any) -> list[str]:
    """Return what the gate says of a task in which the note is chosen after another wish."""
    blueprint = make_blueprint(
        actions=actions,
        scenario=Scenario(facts=FACTS, requests=((1,), (0,), (2,))),
        **changes,
    )
    checks = blueprint_checks(TOOLSET, opens(Notes()))
    verdict = next(asyncio.run(check.check(blueprint)) for check in checks if check.name == "referents")
    return [code for code in codes(verdict.issues) if code == "stale_evidence"]


def test_names_a_choice_from_a_list_that_an_earlier_request_has_changed() -> None:
    assert task(LIST, ADD, OTHER) == ["stale_evidence"]
    assert task(ADD, LIST, OTHER) == []
    assert task(LIST, FINISH, ADD) == []


def test_names_a_condition_that_an_earlier_request_has_changed() -> None:
    condition = Condition(action="a2", pointer="/0/done", noun="note", label="done", value=False)
    goals = (*GOALS[:2], GOALS[2].model_copy(update={"condition": condition}))
    known = OTHER.model_copy(update={"origins": {}})
    assert task(LIST, ADD, known, goals=goals) == []
    assert task(LIST, FINISH, known, goals=goals) == ["stale_evidence"]


def test_an_old_name_within_a_new_one_is_not_offered() -> None:
    from interplay.validators.trajectories.freshness import _Then, _told  # noqa: PLC0415

    then = _Then()
    rows = [[{"name": "Data migration Columbus"}, {"name": "Website relaunch"}]]
    rows.append([{"name": "Data migration Columbus Plus"}, {"name": "Website relaunch"}])
    for number, told in enumerate(rows):
        then.made.append(ToolCall(id=f"list00{number}", name="list", arguments={}))
        then.reads.append((number + 1, then.made[-1], answer(f"list00{number}", told)))
        if number == 0:
            then.made.append(ToolCall(id="rename000", name="rename", arguments={}))
            then.write()

    def gone(text: str) -> list[frozenset[str]]:
        message = Message(role="assistant", content=text)
        return [name for telling in _told(5, message, then) for name in telling.offered]

    assert gone("Data migration Columbus Plus and Website relaunch: which one?") == []
    assert gone("Data migration Columbus and Website relaunch: which one?") == [
        frozenset({" data migration columbus "})
    ]
