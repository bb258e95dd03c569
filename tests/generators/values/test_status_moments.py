"""Moments that a status names come one after the other, and only as far as the status says."""

from typing import Any

import pytest

from interplay.generators.values.reconciliation import reconciled

MOMENT = {"type": "string", "format": "date-time"}
STATUS = {"type": "string", "enum": ["pending", "confirmed", "ready", "delivered", "cancelled"]}
FIELDS: dict[str, Any] = {
    "status": STATUS, "created_at": MOMENT, "placed_at": MOMENT, "confirmed_at": MOMENT, "ready_at": MOMENT,
    "delivered_at": MOMENT, "updated_at": MOMENT,
}  # fmt: skip


def order(status: str, **more: str) -> dict[str, Any]:
    """Return an order whose moments are in no order."""
    return {
        "status": status, "created_at": "2025-05-09T12:00:00Z", "placed_at": "2025-06-01T16:15:00Z",
        "confirmed_at": "2025-10-07T14:45:00Z", "ready_at": "2026-05-22T16:00:00Z", "delivered_at": "2025-04-14T12:00:00Z",
        "updated_at": "2025-04-30T12:00:00Z", **more,
    }  # fmt: skip


def test_moments_follow_each_other_up_to_the_status() -> None:
    made = reconciled(order("ready"), FIELDS, required=("status", "created_at"))
    moments = [made[name] for name in ("created_at", "placed_at", "confirmed_at", "ready_at", "updated_at")]
    assert moments == sorted(moments)
    assert moments[-1] < "2026-03-02"
    assert "delivered_at" not in made


@pytest.mark.parametrize("status", ["pending", "cancelled"])
def test_what_was_not_reached_is_not_told(status: str) -> None:
    made = reconciled(order(status), FIELDS, required=("status", "created_at"))
    assert not {"confirmed_at", "ready_at", "delivered_at"} & made.keys()


def test_a_moment_that_may_be_null_is_null() -> None:
    fields = {**FIELDS, "delivered_at": {"type": ["string", "null"], "format": "date-time"}}
    assert reconciled(order("ready"), fields, required=tuple(fields))["delivered_at"] is None


def test_a_moment_that_must_be_there_stays() -> None:
    made = reconciled(order("pending"), FIELDS, required=tuple(FIELDS))
    assert made["delivered_at"]


def test_without_choices_nothing_is_known_of_stages() -> None:
    fields = {**FIELDS, "status": {"type": "string"}}
    made = reconciled(order("ready"), fields, required=("status",))
    assert made["delivered_at"]


def test_what_is_under_way_began_lately_and_is_expected_soon() -> None:
    fields = {**FIELDS, "estimated_delivery_time": MOMENT}
    made = reconciled(order("ready", estimated_delivery_time="2026-07-01T10:00:00Z"), fields, required=("status",))
    assert "2026-02-25" < made["placed_at"] < made["ready_at"] < made["estimated_delivery_time"] < "2026-03-03"
    done = reconciled(order("delivered", estimated_delivery_time="2026-07-01T10:00:00Z"), fields, required=("status",))
    assert done["placed_at"] < "2025-06-01"
    assert done["delivered_at"] < done["estimated_delivery_time"] < "2025-06-01"


def test_the_moment_of_an_end_follows_what_came_before() -> None:
    fields = {**FIELDS, "cancelled_at": MOMENT}
    made = reconciled(order("cancelled", cancelled_at="2026-01-15T12:00:00Z"), fields, required=("status",))
    assert made["placed_at"] < made["cancelled_at"] < "2025-06-01"
    assert made["updated_at"] >= made["cancelled_at"]
