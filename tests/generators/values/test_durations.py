"""What lasts so long ends so long after it began."""

from datetime import UTC, datetime
from typing import Any

import pytest

from interplay.generators.values.durations import ends
from interplay.generators.values.reconciliation import reconciled

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("told", "end"),
    [
        ({"expiryDays": 30}, "2026-04-01T12:00:00Z"),
        ({"expires_in_minutes": 90}, "2026-03-02T13:30:00Z"),
        ({"validity_weeks": 2}, "2026-03-16T12:00:00Z"),
    ],
)
def test_what_expires_does_so_after_as_long_as_a_call_says(told: dict[str, Any], end: str) -> None:
    assert dict(ends({"expiresAt": "2026-07-04T09:00:00Z", "code": "IN1"}, told, NOW)) == {"expiresAt": end}


@pytest.mark.parametrize("told", [{"max_uses": 30}, {"expiryDays": -3}, {"expiryDays": True}, {"days": 30}])
def test_of_other_numbers_nothing_follows(told: dict[str, Any]) -> None:
    assert not dict(ends({"expiresAt": "2026-07-04T09:00:00Z"}, told, NOW))


def test_an_end_is_as_far_from_its_beginning_as_it_lasts() -> None:
    fields = {"starts_at": {"type": "string"}, "ends_at": {"type": "string"}, "duration_minutes": {"type": "integer"}}
    made = {"starts_at": "2026-03-09T10:00:00Z", "ends_at": "2026-05-10T10:00:00Z", "duration_minutes": 90}
    assert reconciled(made, fields, required=())["ends_at"] == "2026-03-09T11:30:00Z"


def test_what_is_paid_for_a_longer_time_is_more() -> None:
    made = {
        "two_weeks_rent_price": 28,
        "month_rent_price": 17,
        "three_month_rent_price": 21,
        "birth_day": 23,
        "birth_month": 5,
    }
    fields = {name: {"type": "integer"} for name in made}
    agreed = reconciled(dict(made), fields, required=())
    assert agreed["two_weeks_rent_price"] < agreed["month_rent_price"] < agreed["three_month_rent_price"]
    assert (agreed["birth_day"], agreed["birth_month"]) == (23, 5)
