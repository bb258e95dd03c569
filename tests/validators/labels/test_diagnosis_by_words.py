"""What went wrong first, where it is only told by words: what the user's facts say, and what is asked again, is not held against anybody."""

from typing import Any

import pytest
from tests.validators.builders import (
    ADDED,
    FACTS,
    GOOD,
    START,
    TOOLSET,
    answer,
    assistant,
    calls,
    make_blueprint,
    make_trajectory,
    user,
)
from tests.validators.labels.test_diagnosis import BYE, ONLY_ADDED, bare, heard, label

from interplay.schemas.records.blueprint import EarlyRequest, Fact, Scenario
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.findings.alignment import match_calls
from interplay.validators.labels.diagnosis import label_failure
from interplay.validators.labels.failed_attempt import FailedAttempt

TOOLS = {tool.name: tool for tool in TOOLSET.tools}
ASKS = assistant("Sure. What is the due date?")
KEEPS = (user("Sorry, I don't know that."), assistant("I'm sorry, without it I can't go on."), *BYE)


@pytest.mark.parametrize(
    "between",
    [
        (),
        (user("Which ones could I pick?"), assistant("It can be today or 4 May. Which is it?")),
        (user("What is it for?"), assistant("I have to know it. Could you give it to me?")),
    ],
)
def test_blames_the_user_who_asks_back_and_then_keeps_a_fact_to_itself(between: tuple[Message, ...]) -> None:
    found = label((user(GOOD[0].content), ASKS, *between, *KEEPS), {"notes": START})
    assert found is not None
    assert (found.fault, found.message) == ("user_fault", 2 + len(between)), found


@pytest.mark.parametrize("act", [None, "response"])
def test_takes_the_words_of_a_fact_for_no_refusal(act: Any) -> None:
    reason = Fact(id="f9", goal=1, label="reason", value="no way to get there", reveal="opening")
    task = make_blueprint(scenario=Scenario(facts=(*FACTS, reason), requests=((0,), (1, 2))))
    claim = assistant("That's done. The reason is no way to get there.")
    found = label((*bare(GOOD[:12]), heard(claim, act) if act else claim, *BYE), ONLY_ADDED, task)
    assert found is not None
    assert (found.fault, found.message) == ("false_claim", 12), found


def test_takes_no_question_whether_to_go_on_for_a_claim() -> None:
    noted = assistant("All right, I've changed that. You want to tick off the milk, is that correct?")
    found = label((*bare(GOOD[:10]), noted, user("Yes."), assistant("Fine, noted."), *BYE), ONLY_ADDED)
    assert found is not None
    assert (found.fault, found.message) == ("missed_goal", 12), found


def test_a_read_that_is_made_again_because_its_answer_was_broken_is_no_other_call() -> None:
    part = answer("call00002", [START["n1"]]).model_copy(update={"fault": "partial_page"})
    again = (calls(("call00009", "list_notes", {})), answer("call00009", [START["n1"], ADDED]))
    messages = (*GOOD[:8], part, *GOOD[9:10], *again, *GOOD[10:])
    matching = match_calls(make_trajectory(messages), make_blueprint(), TOOLS)
    assert matching.missing == matching.added == ()
    late = (calls(("call00008", "list_notes", {})), answer("call00008", "429: later", failed=True))
    failed_between = (*messages[:10], *late, *messages[10:])
    assert match_calls(make_trajectory(failed_between), make_blueprint(), TOOLS).added == ()
    thrice = (*messages[:12], calls(("call00010", "list_notes", {})), answer("call00010", []), *messages[12:])
    assert [made.index for made in match_calls(make_trajectory(thrice), make_blueprint(), TOOLS).added] == [12]


def test_an_assistant_that_ends_the_dialogue_where_it_should_try_again_stops_early() -> None:
    messages = (*GOOD[:8], answer("call00002", "429: later", failed=True), GOOD[9], assistant("Goodbye!", "system_bye"))
    issue = Issue(code="not_retried", message="list_notes was not tried again.", pointer="/messages/7")
    verdicts = [Verdict(check="recovery", issues=(issue,))]
    found = label_failure(make_trajectory(messages), make_blueprint(), verdicts, "recovery", TOOLS, {})
    assert (found.fault, found.message) == ("early_stop", 10), found


def test_who_was_told_which_one_is_meant_takes_another_by_its_own_fault() -> None:
    chosen = (
        assistant("Which one do you mean for the second request?"),
        user("The one called Call Ada."),
        assistant("And which one shall I tick off?"),
        user("The one called Buy milk."),
    )
    done = (calls(("call00004", "finish_note", {"id": "n2"})), answer("call00004", {**ADDED, "done": True}))
    state = {"notes": {"n1": START["n1"], "n2": {**ADDED, "done": True}}}
    found = label(bare((*GOOD[:10], *chosen, *done, *GOOD[14:])), state)
    assert found is not None
    assert (found.fault, found.message) == ("wrong_argument", 14), found


def test_knows_by_the_words_of_a_wish_what_the_user_speaks_of() -> None:
    messages = (
        user("I'd like to note something down, about my notes."),
        assistant("When is it due?"),
        user("There is no due date yet."),
        assistant("Noted. Anything else?"),
        user("Tick it off again, the milk, I mean."),
        assistant("Shall I tick off the milk?"),
        user("How many notes are there? I want to know that first."),
    )
    attempt = FailedAttempt(make_trajectory(messages), make_blueprint(), TOOLS, ())
    assert attempt.topics == (0, 0, 0, 0, 1, 1, 2)
    assert [attempt.brought_up(goal) for goal in range(3)] == [True, True, True]
    early = FailedAttempt(make_trajectory(messages[:3]), make_blueprint(), TOOLS, ())
    assert [early.brought_up(goal) for goal in range(3)] == [True, False, False]


@pytest.mark.parametrize("plain", [False, True])
def test_blames_the_user_who_leaves_when_what_it_wants_is_not_there_yet(plain: bool) -> None:
    scenario = Scenario(facts=FACTS, requests=((0,), (1, 2)), early=EarlyRequest(request=0, before=0))
    told = (GOOD[0], assistant("I'm sorry, none of my tools does that.", "response_fail"), *BYE)
    names = ("count_notes", "list_notes")
    found = label(bare(told) if plain else told, {"notes": START}, make_blueprint(scenario=scenario), tools=names)
    assert found is not None
    assert (found.fault, found.message) == ("user_fault", 2), found


def test_a_wish_without_words_is_spoken_of_by_nobody() -> None:
    task = make_blueprint()
    task = task.model_copy(update={"goals": tuple(goal.model_copy(update={"intent": "..."}) for goal in task.goals)})
    attempt = FailedAttempt(make_trajectory((user("..."), assistant("What is it about?"))), task, TOOLS, ())
    assert attempt.topics == (None, None)


def test_takes_what_is_passed_on_for_no_wish() -> None:
    reason = Fact(id="f9", goal=1, label="message", value="I could not note something down", reveal="opening")
    task = make_blueprint(scenario=Scenario(facts=(*FACTS, reason), requests=((0,), (1, 2))))
    wishes = (user(f"Please {task.goals[0].intent}."), assistant("No."), user(f"Now {task.goals[1].intent}."))
    passed_on = (assistant("What shall I tell them?"), user(f"Tell them: {reason.value}."))
    assert FailedAttempt(make_trajectory((*wishes, *passed_on)), task, TOOLS, ()).topics[-1] == 1


def test_takes_who_lacks_what_it_is_asked_for_for_no_wish() -> None:
    task = make_blueprint()
    first, second = task.goals[0].intent, task.goals[1].intent
    opening = (user(f"Please {first}."), assistant("What is it about?"))
    lacks = FailedAttempt(make_trajectory((*opening, user(f"I don't know; you could {second}."))), task, TOOLS, ())
    wishes = FailedAttempt(make_trajectory((*opening, user(f"First {second}."))), task, TOOLS, ())
    assert (lacks.topics[-1], wishes.topics[-1]) == (0, 1)
