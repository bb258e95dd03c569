"""Of several rows that were spoken of, the last is meant by itself; the user says so of another one."""

import asyncio

from tests.generators.environments.inline import TEXT, operation, row, sandbox

from interplay.generators.blueprints.draft import Draft, Wanted
from interplay.generators.blueprints.singling import is_one_of_several
from interplay.generators.graph.world import World
from interplay.schemas.blueprint import Goal

STAY = row(guest=TEXT)
STAYS = sandbox(
    operation("list_stays", "GET", "/stays", {"type": "array", "items": STAY}),
    operation("get_stay", "GET", "/stays/{stay_id}", STAY),
    operation("cancel_stay", "POST", "/stays/{stay_id}/cancel", STAY),
)
FIRST, SECOND, THIRD = list(STAYS.state()["stay"])[:3]


def several(*looked_at: str, meant: str, consumer: str = "cancel_stay") -> bool:
    draft = Draft(STAYS, goals=[Goal(intent="look", tool="get_stay", topic="stay")])
    for number, key in enumerate(looked_at):
        asyncio.run(draft.run(Wanted("get_stay", {"stay_id": key}, {}, 0, number)))
    return is_one_of_several(World(STAYS), draft.steps, consumer, "stay", meant)


def test_an_earlier_one_of_two_is_not_guessed() -> None:
    assert several(FIRST, SECOND, meant=FIRST)


def test_the_last_one_is_meant() -> None:
    assert not several(FIRST, SECOND, meant=SECOND)
    assert not several(FIRST, meant=FIRST)


def test_one_that_was_not_spoken_of_is_looked_up_anyway() -> None:
    assert not several(FIRST, SECOND, meant=THIRD)


def test_the_same_one_is_no_earlier_one_when_it_is_looked_at_either() -> None:
    assert several(FIRST, SECOND, meant=FIRST, consumer="get_stay")
    assert not several(FIRST, SECOND, meant=SECOND, consumer="get_stay")


def test_what_a_goal_looks_up_for_itself_was_not_spoken_of_before() -> None:
    draft = Draft(STAYS, goals=[Goal(intent="look", tool="get_stay", topic="stay")] * 2)
    for number, key in enumerate((FIRST, SECOND)):
        asyncio.run(draft.run(Wanted("get_stay", {"stay_id": key}, {}, number, number)))
    assert not is_one_of_several(World(STAYS), draft.steps, "get_stay", "stay", FIRST, goal=1)
    assert is_one_of_several(World(STAYS), draft.steps, "get_stay", "stay", FIRST, goal=2)
