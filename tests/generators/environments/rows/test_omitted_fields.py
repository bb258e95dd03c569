"""What a call does not say of a thing that it makes is not made up, but by what only a server decides."""

import asyncio
from typing import Any

from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

FLAG = {"type": "boolean"}
MOMENT = {"type": "string", "format": "date-time"}
STATUS = {"type": "string", "enum": ["shipped", "placed"]}
TRIP = row(origin=TEXT)
BOOKING = row(
    trip_id=TEXT, passenger_name=TEXT, has_dog=FLAG, seats={"type": "integer", "default": 1}, status=STATUS, total={"type": "number"},
    created_at=MOMENT, note={"type": ["string", "null"]}, paid_by={"type": "object", "properties": {"name": TEXT, "number": TEXT}},
)  # fmt: skip
FIELDS = {name: schema for name, schema in BOOKING["properties"].items() if name not in ("id", "created_at", "total")}


def made(returns: dict[str, Any], **arguments: Any) -> dict[str, Any]:
    opened = sandbox(
        operation("list_trips", "GET", "/trips", {"type": "array", "items": TRIP}),
        operation("get_trip", "GET", "/trips/{trip_id}", TRIP),
        operation("get_booking", "GET", "/bookings/{booking_id}", returns),
        operation("create_booking", "POST", "/bookings", returns, **FIELDS),
    )

    async def play() -> dict[str, Any]:
        result = await call(opened, "create_booking", **arguments)
        shown = await call(opened, "get_booking", booking_id=result.value["id"])
        assert shown.value == result.value
        return dict(result.value)

    return asyncio.run(play())


def test_nobody_travels_who_was_not_named() -> None:
    booking = made(BOOKING, has_dog=False)
    assert all(booking.pop(name) for name in ("id", "created_at", "total"))
    assert booking == {"has_dog": False, "seats": 1, "status": "placed", "note": None}


def test_a_field_that_is_always_shown_is_empty() -> None:
    booking = made({**BOOKING, "required": ["id", "has_dog"]}, passenger_name="Ann Lee")
    assert (booking["passenger_name"], booking["has_dog"]) == ("Ann Lee", False)
    assert "trip_id" not in booking


def test_nothing_is_added_to_what_is_said_within_an_object() -> None:
    assert made(BOOKING, paid_by={"name": "Ann Lee"})["paid_by"] == {"name": "Ann Lee"}
