"""Calls that are to be confirmed: what is said of what they are about."""

from random import Random
from typing import Any

import pytest

from interplay.generators.participants.confirming import Confirming
from interplay.generators.participants.wording import Words, load_grammar
from interplay.schemas.blueprint import Action, Blueprint, Expected, Fact, Goal, Origin, Scenario
from interplay.schemas.recipe import Persona, Recipe

TASKS = [
    {"id": 1, "name": "Polish the bell", "owner": {"id": "u1", "name": "Ann"}},
    {"id": 2, "name": "Oil the hinges", "owner": {"id": "u2", "name": "Bob"}},
]


def details(pointer: str, told: dict[str, Any], **later: Any) -> str:
    """Return what is said of a call with a value from the task that the user chose by what it told."""
    chosen = Fact(id="f1", goal=0, label="task", value=told, reveal="choice", action="a0", choice="/0")
    origin = Origin(kind="output", action="a0", pointer=pointer, fact="f1")
    action = Action(id="a1", goal=0, tool="nudge", arguments={"of": 1 if pointer == "/0/id" else "u1"},
                    origins={"/of": origin})  # fmt: skip
    blueprint = Blueprint(
        id="b", recipe=Recipe(index=0, seed=0, target="nudge", pattern="single"), toolset="", pattern="single",
        goals=(Goal(intent="nudge", tool="nudge"),), actions=(action,), expected=Expected(digest=""), tools=("nudge",),
        scenario=Scenario(requests=((0,),), facts=(chosen,)),
    )  # fmt: skip
    words = Words(load_grammar()["assistant"], Random(1), Persona())
    return Confirming(blueprint, words, None, {}, {"a0": TASKS, **later}, {}, {}).details([action])


@pytest.mark.parametrize(
    ("pointer", "told", "said"),
    [
        ("/0/id", {"/name": "Polish the bell"}, "Polish the bell"),
        ("/0/owner/id", {"/name": "Polish the bell"}, "Polish the bell"),
        ("/0/owner/id", {"/owner/name": "Ann"}, "Ann"),
    ],
)
def test_names_what_the_user_chose_though_the_call_takes_a_part_of_it(
    pointer: str, told: dict[str, Any], said: str
) -> None:
    assert said in details(pointer, told)


@pytest.mark.parametrize(
    ("pointer", "told", "later"),
    [
        ("/0/id", {"/name": "Polish the bell"}, {"id": 1, "name": "Ring the bell"}),
        ("/0/owner/id", {"/owner/name": "Ann"}, {"id": "u1", "name": "Ring the bell"}),
    ],
)
def test_names_what_the_user_chose_as_it_is_by_now(pointer: str, told: dict[str, Any], later: dict[str, Any]) -> None:
    assert "Ring the bell" in details(pointer, told, a2=later)
