"""Of several rows that were spoken of, the last is meant by itself; the user says so of another one."""

import asyncio

from tests.generators.environments.inline import TEXT, operation, row, sandbox

from interplay.generators.blueprints.draft import Draft, Wanted
from interplay.generators.blueprints.singling import is_another
from interplay.generators.graph.world import World
from interplay.schemas.blueprint import Goal, Origin

STAY = row(guest=TEXT)
STAYS = sandbox(
    operation("list_stays", "GET", "/stays", {"type": "array", "items": STAY}),
    operation("get_stay", "GET", "/stays/{stay_id}", STAY),
    operation("cancel_stay", "POST", "/stays/{stay_id}/cancel", STAY),
)
FIRST, SECOND, THIRD = list(STAYS.state()["stay"])[:3]


def told_anew(*looked_at: str, meant: str) -> bool:
    """Look at stays one after the other; tell whether one of them has to be told anew after that."""
    draft, origins = Draft(STAYS), dict[str, Origin]()
    for key in looked_at:
        draft.requests.append((len(draft.goals),))
        draft.goals.append(Goal(intent="look", tool="get_stay", resource="stay"))
        fact = draft.tell(len(draft.goals) - 1, "stay ID", key, {})
        origins[key] = Origin(kind="user", fact=fact.id)
        wanted = Wanted("get_stay", {"stay_id": key}, {"/stay_id": origins[key]}, fact.goal, fact.goal)
        asyncio.run(draft.run(wanted))
    draft.requests.append((len(draft.goals),))
    draft.goals.append(Goal(intent="cancel", tool="cancel_stay", resource="stay"))
    own = Origin(kind="user", fact=draft.tell(len(draft.goals) - 1, "stay ID", THIRD, {}).id)
    return is_another(draft, World(STAYS), len(draft.goals) - 1, "stay", meant, origins.get(meant, own))


def test_an_earlier_one_of_two_is_not_guessed() -> None:
    assert told_anew(FIRST, SECOND, meant=FIRST)


def test_the_last_one_is_meant() -> None:
    assert not told_anew(FIRST, SECOND, meant=SECOND)
    assert not told_anew(FIRST, meant=FIRST)


def test_what_is_told_with_the_wish_is_clear() -> None:
    assert not told_anew(FIRST, SECOND, meant=THIRD)
