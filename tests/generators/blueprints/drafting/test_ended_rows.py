"""What a task has ended is over: nothing of it is changed afterwards."""

import asyncio
from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, operation, row, sandbox

from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft, PlannedCall
from interplay.generators.blueprints.drafting.ended_rows import check_not_ended, check_not_ended_at_start, over_at_start
from interplay.generators.blueprints.finishing.rerun import run_again
from interplay.generators.graph.sampling.world import World
from interplay.schemas.records.blueprint import Goal
from interplay.schemas.records.dialogue import ToolCall

STAY = row(guest=TEXT)
STAYS = sandbox(
    operation("list_stays", "GET", "/stays", {"type": "array", "items": STAY}),
    operation("get_stay", "GET", "/stays/{stay_id}", STAY),
    operation("cancel_stay", "POST", "/stays/{stay_id}/cancel", STAY),
    operation("update_stay", "PATCH", "/stays/{stay_id}", STAY, guest=TEXT),
    operation("restore_stay", "POST", "/stays/{stay_id}/restore", STAY),
)
ROLES = {role.tool: role for role in STAYS.resources.roles}
FIRST, SECOND = list(STAYS.state()["stay"])[:2]


def done(*calls: tuple[str, dict[str, Any]]) -> Draft:
    draft, start = Draft(STAYS, goals=[Goal(intent="do it", tool="cancel_stay", topic="stay")]), STAYS.snapshot()
    for name, arguments in calls:
        asyncio.run(draft.run(PlannedCall(name, arguments, {}, 0, 0)))
    STAYS.restore(start)
    return draft


def test_a_stay_that_was_cancelled_is_not_changed() -> None:
    steps = done(("cancel_stay", {"stay_id": FIRST})).steps
    with pytest.raises(DeadEnd, match="over"):
        check_not_ended("update_stay", {"stay_id": FIRST, "guest": "Ann"}, steps, ROLES)
    check_not_ended("update_stay", {"stay_id": SECOND, "guest": "Ann"}, steps, ROLES)


def test_it_may_be_looked_at_and_restored() -> None:
    steps = done(("cancel_stay", {"stay_id": FIRST})).steps
    check_not_ended("get_stay", {"stay_id": FIRST}, steps, ROLES)
    check_not_ended("restore_stay", {"stay_id": FIRST}, steps, ROLES)
    steps = done(("cancel_stay", {"stay_id": FIRST}), ("restore_stay", {"stay_id": FIRST})).steps
    check_not_ended("update_stay", {"stay_id": FIRST, "guest": "Ann"}, steps, ROLES)


def test_the_order_in_which_all_is_run_in_the_end_decides() -> None:
    change = ("update_stay", {"stay_id": FIRST, "guest": "Ann"})
    asyncio.run(_rerun(done(change, ("cancel_stay", {"stay_id": FIRST}))))
    with pytest.raises(DeadEnd, match="over"):
        asyncio.run(_rerun(done(("cancel_stay", {"stay_id": FIRST}), change)))


async def _rerun(draft: Draft) -> None:
    start = STAYS.snapshot()
    try:
        await run_again(draft, STAYS, None)
    finally:
        STAYS.restore(start)


def test_nothing_is_cancelled_that_is_cancelled_to_begin_with() -> None:
    stay = row(guest=TEXT, status={"type": "string", "enum": ["booked", "cancelled"]})
    opened = sandbox(
        operation("list_stays", "GET", "/stays", {"type": "array", "items": stay}),
        operation("cancel_stay", "POST", "/stays/{stay_id}/cancel", stay),
        operation("update_stay", "PATCH", "/stays/{stay_id}", stay, guest=TEXT),
    )
    world, stays = World(opened), opened.state()["stay"]
    over, due = (
        next(key for key, held in stays.items() if held["status"] == status) for status in ("cancelled", "booked")
    )
    check_not_ended_at_start("cancel_stay", {"stay_id": due}, world)
    check_not_ended_at_start("update_stay", {"stay_id": over, "guest": "Ann"}, world)
    with pytest.raises(DeadEnd, match="already"):
        check_not_ended_at_start("cancel_stay", {"stay_id": over}, world)


def test_nothing_is_done_to_what_is_so_already() -> None:
    account = row(owner=TEXT, status={"type": "string", "enum": ["active", "suspended"]})
    opened = sandbox(
        operation("list_accounts", "GET", "/accounts", {"type": "array", "items": account}),
        operation("suspend_account", "POST", "/accounts/{account_id}/suspend", account),
        operation("unsuspend_account", "POST", "/accounts/{account_id}/unsuspend", account),
    )
    world, accounts = World(opened), opened.state()["account"]
    active, suspended = (
        next(key for key, held in accounts.items() if held["status"] == status) for status in ("active", "suspended")
    )
    assert world.roles["unsuspend_account"].leads_to == {"status": "active"}
    check_not_ended_at_start("suspend_account", {"account_id": active}, world)
    check_not_ended_at_start("unsuspend_account", {"account_id": suspended}, world)
    for tool, key in (("suspend_account", suspended), ("unsuspend_account", active)):
        with pytest.raises(DeadEnd, match="already"):
            check_not_ended_at_start(tool, {"account_id": key}, world)


def test_what_is_done_is_not_begun_again() -> None:
    state = {"type": "string", "enum": ["pending", "ready", "delivered", "cancelled"]}
    order = row(status=state)
    opened = sandbox(
        operation("list_orders", "GET", "/orders", {"type": "array", "items": order}),
        operation("set_status", "PATCH", "/orders/{order_id}", order, status=state),
        operation("cancel_order", "PUT", "/orders/{order_id}/cancel", order),
    )
    key = next(iter(opened.state()["order"]))
    asyncio.run(
        opened.call(ToolCall(id="call00001", name="set_status", arguments={"order_id": key, "status": "delivered"}))
    )
    world = World(opened)
    with pytest.raises(DeadEnd, match="back"):
        check_not_ended_at_start("set_status", {"order_id": key, "status": "ready"}, world)
    with pytest.raises(DeadEnd, match="over"):
        check_not_ended_at_start("cancel_order", {"order_id": key}, world)
    check_not_ended_at_start("set_status", {"order_id": key, "status": "cancelled"}, world)


def test_what_is_completed_is_not_cancelled_but_deleted() -> None:
    visit = row(status={"type": "string", "enum": ["BOOKED", "COMPLETED"]})
    clinic = sandbox(
        operation("list_visits", "GET", "/visits", {"type": "array", "items": visit}),
        operation("cancel_visit", "DELETE", "/visits/{visit_id}/cancel", None),
        operation("delete_visit", "DELETE", "/visits/{visit_id}", None),
    )
    world, rows = World(clinic), clinic.state()["visit"]
    over = {key for key, held in rows.items() if held["status"] == "COMPLETED"}
    assert 0 < len(over) < len(rows)
    assert over_at_start("cancel_visit", world) == over
    assert over_at_start("delete_visit", world) == set()
    with pytest.raises(DeadEnd, match="over already"):
        check_not_ended_at_start("cancel_visit", {"visit_id": min(over)}, world)
    check_not_ended_at_start("delete_visit", {"visit_id": min(over)}, world)


VISIT = row(
    guest=TEXT,
    status={"enum": ["booked", "completed", "cancelled"]},
    scheduled_date={"type": "string", "format": "date"},
)
VISITS = sandbox(
    operation("list_visits", "GET", "/visits", {"type": "array", "items": VISIT}),
    operation("get_visit", "GET", "/visits/{visit_id}", VISIT),
    operation("complete_visit", "POST", "/visits/{visit_id}/complete", VISIT),
    operation("reschedule_visit", "POST", "/visits/{visit_id}/reschedule", VISIT, new_date=TEXT),
    operation("update_visit", "PATCH", "/visits/{visit_id}", VISIT, status=VISIT["properties"]["status"]),
)


@pytest.mark.parametrize(
    ("tool", "held", "given"),
    [
        ("complete_visit", {"status": "booked", "scheduled_date": "2026-05-16"}, {}),
        ("update_visit", {"status": "booked", "scheduled_date": "2026-05-16"}, {"status": "completed"}),
        ("reschedule_visit", {"status": "cancelled", "scheduled_date": "2026-05-16"}, {"new_date": "2026-05-20"}),
    ],
)
def test_nothing_is_completed_before_its_day_and_nothing_cancelled_goes_on(
    tool: str, held: dict[str, Any], given: dict[str, Any]
) -> None:
    world = World(VISITS)
    key = next(iter(VISITS.state()["visit"]))
    visit = world.subject("visit", key)
    assert visit is not None
    visit.row.update(held)
    with pytest.raises(DeadEnd):
        check_not_ended_at_start(tool, {"visit_id": key, **given}, world)
    visit.row.update(status="booked", scheduled_date="2026-02-16")
    check_not_ended_at_start(tool, {"visit_id": key, **given}, world)
