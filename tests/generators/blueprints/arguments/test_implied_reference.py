"""Of several rows that were spoken of, the last is meant by itself; the user says so of another one."""

import asyncio

from tests.generators.environments.inline import TEXT, operation, row, sandbox

from interplay.generators.blueprints.arguments.implied_reference import is_implied, is_other_row
from interplay.generators.blueprints.drafting.draft import Draft, PlannedCall
from interplay.generators.graph.sampling.world import World
from interplay.schemas.records.blueprint import Goal, Origin

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
        wanted = PlannedCall("get_stay", {"stay_id": key}, {"/stay_id": origins[key]}, fact.goal, fact.goal)
        asyncio.run(draft.run(wanted))
    draft.requests.append((len(draft.goals),))
    draft.goals.append(Goal(intent="cancel", tool="cancel_stay", resource="stay"))
    own = Origin(kind="user", fact=draft.tell(len(draft.goals) - 1, "stay ID", THIRD, {}).id)
    return is_other_row(draft, World(STAYS), len(draft.goals) - 1, "stay", meant, origins.get(meant, own))


def test_an_earlier_one_of_two_is_not_guessed() -> None:
    assert told_anew(FIRST, SECOND, meant=FIRST)


def test_the_last_one_is_meant() -> None:
    assert not told_anew(FIRST, SECOND, meant=SECOND)
    assert not told_anew(FIRST, meant=FIRST)


def test_what_is_told_with_the_wish_is_clear() -> None:
    assert not told_anew(FIRST, SECOND, meant=THIRD)


ROOM = row(name=TEXT)
HOUSES = sandbox(
    operation("list_houses", "GET", "/houses", {"type": "array", "items": row(name=TEXT)}),
    operation("list_rooms", "GET", "/houses/{house_id}/rooms", {"type": "array", "items": ROOM}),
    operation("get_room", "GET", "/houses/{house_id}/rooms/{room_id}", ROOM),
)


def test_who_means_the_same_room_means_its_house() -> None:
    world, draft = World(HOUSES), Draft(HOUSES)
    rooms = [(row["_parents"]["house"], key) for key, row in HOUSES.state()["room"].items()]
    (house, room), (other, elsewhere) = rooms[0], next(found for found in rooms if found[0] != rooms[0][0])

    def wish(resource: str, **named: str) -> int:
        draft.requests.append((len(draft.goals),))
        draft.goals.append(Goal(intent="look", tool="get_room", resource=resource))
        origins = {}
        for name, key in named.items():
            fact = draft.tell(len(draft.goals) - 1, name, key, {})
            origins[f"/{name}"] = draft.identities[name.removesuffix("_id"), key] = Origin(kind="user", fact=fact.id)
        tool = "get_room" if "room_id" in named else "list_rooms"
        if named:
            asyncio.run(draft.run(PlannedCall(tool, named, origins, len(draft.goals) - 1, len(draft.goals) - 1)))
        return len(draft.goals) - 1

    wish("room", house_id=house, room_id=room)
    wish("room", house_id=other)
    goal, beside = wish("room"), [("house", house), ("room", room)]
    assert is_other_row(draft, world, goal, "house", house, draft.identities["house", house])
    assert is_implied(draft, world, goal, "house", house, beside)
    assert not is_implied(draft, world, goal, "house", other, beside)
    assert not is_implied(draft, world, goal, "house", house, [("house", house)])
    wish("room", house_id=other, room_id=elsewhere)
    assert not is_implied(draft, world, wish("room"), "house", house, beside)
