"""What must not be served is declined, by act or in words."""

import pytest
from tests.validators.builders import make_blueprint

from interplay.schemas.records.blueprint import Action, Blueprint, Goal, Withheld
from interplay.schemas.records.dialogue import DialogueAct, Message, Trajectory
from interplay.validators.trajectories.outcome import missing_refusal_issues


def hopeless(**changes: object) -> Blueprint:
    goals = (Goal(intent="play some music", tool=""),)
    return make_blueprint(**{"goals": goals, "actions": (), **changes})


def said(text: str, act: DialogueAct | None = None) -> Trajectory:
    messages = (Message(role="user", content="Play some music."), Message(role="assistant", content=text, act=act))
    return Trajectory(
        blueprint_id="b",
        toolset="t",
        tools=(),
        system_prompt="",
        messages=messages,
        final_digest="",
        termination="user_ended",
        seed=0,
        version="",
    )


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't do that here.",
        "That is outside of what I can do.",
        "I don't have a tool for music.",
        "Unfortunately, no.",
        "I’m not able to play music.",
        "I have to decline.",
    ],
)
def test_takes_words_that_decline(text: str) -> None:
    assert not list(missing_refusal_issues(said(text), hopeless()))


@pytest.mark.parametrize("text", ["Done!", "Sure, here is some music.", "{}", "Play some music."])
def test_names_a_dialogue_in_which_nothing_is_declined(text: str) -> None:
    assert [issue.code for issue in missing_refusal_issues(said(text), hopeless())] == ["not_declined"]


def test_an_act_counts_more_than_words() -> None:
    assert not list(missing_refusal_issues(said("Non.", "refuse"), hopeless()))
    assert list(missing_refusal_issues(said("Sorry, done.", "response"), hopeless()))


def test_what_is_only_left_since_a_condition_does_not_hold_needs_no_refusal() -> None:
    action = Action(id="a1", goal=0, tool="finish_note", arguments={}, withheld=Withheld(reason="condition"))
    goals = (Goal(intent="finish a note", tool="finish_note"),)
    assert not list(missing_refusal_issues(said("It is done already."), hopeless(goals=goals, actions=(action,))))
    forbidden = action.model_copy(update={"withheld": Withheld(reason="forbidden", rule="r")})
    assert list(missing_refusal_issues(said("It is done already."), hopeless(goals=goals, actions=(forbidden,))))
