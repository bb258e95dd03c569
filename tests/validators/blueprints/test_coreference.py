"""Whoever speaks of "the same" thing means the last one, and a ground truth about another one is found."""

import asyncio

from tests.generators.environments.inline import TEXT, operation, row, sandbox

from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.schemas.records.blueprint import Action, Blueprint, Expected, Fact, Goal, Origin, Scenario
from interplay.schemas.records.recipe import Recipe
from interplay.validators.blueprints.referents import ReferentCheck
from interplay.validators.findings.replay import Replays

STAY = row(guest=TEXT)
STAYS = sandbox(
    operation("list_stays", "GET", "/stays", {"type": "array", "items": STAY}),
    operation("get_stay", "GET", "/stays/{stay_id}", STAY),
    operation("cancel_stay", "POST", "/stays/{stay_id}/cancel", STAY),
)
SHORT = sandbox(
    operation("list_stays", "GET", "/sty", {"type": "array", "items": STAY}),
    operation("get_stay", "GET", "/sty/{stay_id}", STAY),
    operation("cancel_stay", "POST", "/sty/{stay_id}/cancel", STAY),
)
FIRST, SECOND = list(STAYS.state()["stay"])[:2]


def found(meant: str, again: str = "stay", stays: Sandbox = STAYS, at_first: str = "") -> list[tuple[str, str]]:
    """Look at one stay and at another one, then cancel what the user calls the same; return what is wrong with that."""
    first, second = list(next(iter(stays.state().values())))[:2]
    meant = {FIRST: first, SECOND: second}[meant]
    facts = [Fact(id=f"f{place}", goal=place, label="stay ID", value=key) for place, key in enumerate((first, second))]
    origins = {fact.value: {"/stay_id": Origin(kind="user", fact=fact.id)} for fact in facts}
    tools = ("get_stay", "get_stay", "cancel_stay")
    actions = [
        Action(id=f"a{place}", goal=place, tool=tool, arguments={"stay_id": key}, origins=origins[key])
        for place, (tool, key) in enumerate(zip(tools, (first, second, meant), strict=True))
    ]
    goals = [Goal(intent="see to it", tool=tool, resource="stay") for tool in tools]
    goals[-1] = goals[-1].model_copy(update={"again": again})
    goals[0] = goals[0].model_copy(update={"again": at_first})
    task = Blueprint(
        id="",
        recipe=Recipe(index=0, seed=0, target="cancel_stay", pattern="multi_goal"),
        toolset="",
        pattern="multi_goal",
        goals=tuple(goals),
        actions=tuple(actions),
        expected=Expected(digest=""),
        scenario=Scenario(requests=((0,), (1,), (2,)), facts=tuple(facts)),
        tools=tools,
    )
    check = ReferentCheck(Replays(lambda _: stays), stays.toolset, stays.resources)
    return [(issue.code, issue.pointer) for issue in asyncio.run(check.check(task)).issues]


def test_the_last_one_is_the_same() -> None:
    assert found(SECOND) == []


def test_nothing_is_the_same_before_anything_was_spoken_of() -> None:
    assert found(SECOND, at_first="stay") == [("wrong_same", "/goals/0/again")]


def test_an_earlier_one_is_not() -> None:
    assert found(FIRST) == [("wrong_same", "/goals/2/again")]


def test_the_user_has_to_say_so_and_of_the_right_thing() -> None:
    assert found(SECOND, again="") == [("unsaid_same", "/goals/2/again")]
    assert found(SECOND, again="invoice") == [("unsaid_same", "/goals/2/again")]


def test_a_thing_may_be_called_by_the_word_that_its_name_shortens() -> None:
    assert found(SECOND, again="stay", stays=SHORT) == []
    assert found(SECOND, again="invoice", stays=SHORT) == [("unsaid_same", "/goals/2/again")]
