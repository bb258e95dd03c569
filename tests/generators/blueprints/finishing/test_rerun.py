"""A draft that is run again from the start says of each thing what still holds of it."""

import asyncio
from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, operation, row, sandbox

from interplay.generators.blueprints.arguments.item_descriptions import descriptions
from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft, PlannedCall
from interplay.generators.blueprints.finishing.rerun import run_again
from interplay.schemas.records.blueprint import Goal, Origin

STAY = row(guest=TEXT, price={"type": "number"})
STAYS = sandbox(
    operation("list_stays", "GET", "/stays", {"type": "array", "items": STAY}),
    operation("get_stay", "GET", "/stays/{stay_id}", STAY),
    operation("update_stay", "PATCH", "/stays/{stay_id}", STAY, price={"type": "number"}),
)


async def described(before: bool) -> None:
    """Look at the stay with the highest price, and let another one have that: before it or after."""
    draft, start = Draft(STAYS, requests=[(0,)]), STAYS.snapshot()
    draft.goals.append(Goal(intent="look", tool="get_stay", topic="stay"))
    listed = await draft.run(PlannedCall("list_stays", {}, {}, 0, 0))
    items: list[dict[str, Any]] = listed.value
    place = max(range(len(items)), key=lambda number: items[number]["price"])
    highest = next(one for one in descriptions(items, place) if one.kind == "highest")
    choice = f"/{place}"
    more: dict[str, Any] = {"reveal": "opening", "action": listed.id, "choice": choice, "description": highest}
    fact = draft.tell(0, "stay", {}, {}, **more)
    origin = Origin(kind="output", action=listed.id, pointer=f"{choice}/id", fact=fact.id)
    await draft.run(PlannedCall("get_stay", {"stay_id": items[place]["id"]}, {"/stay_id": origin}, 0, 0))
    dear = {"stay_id": items[place - 1]["id"], "price": items[place]["price"] + 1}
    await draft.run(PlannedCall("update_stay", dear, {}, 0, 0 if before else 1))
    STAYS.restore(start)
    if before:
        draft.steps.insert(0, draft.steps.pop())
    try:
        await run_again(draft, STAYS, None)
    finally:
        STAYS.restore(start)


def test_what_an_earlier_step_makes_another_one_is_not_described_so() -> None:
    asyncio.run(described(before=False))
    with pytest.raises(DeadEnd, match="describes another one"):
        asyncio.run(described(before=True))
