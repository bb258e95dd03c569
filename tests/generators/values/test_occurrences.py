"""What is done took place before the day of the world; what is not may be still to come."""

from typing import Any

import pytest

from interplay.generators.values.occurrences import is_still_ahead, let_be_over
from interplay.generators.values.texts.formatted_texts import TODAY

AT = "2026-03-17T17:30:00Z"


def over(made: dict[str, Any], fixed: str = "") -> dict[str, Any]:
    found = dict(made)
    let_be_over(found, lambda _, name: name != fixed)
    return found


def test_what_is_done_took_place_on_a_day_that_is_over_and_lasted_as_long() -> None:
    found = over({"status": "COMPLETED", "start_time": AT, "end_time": "2026-03-18T18:15:00Z"})
    assert found["start_time"][10:] == AT[10:]
    assert found["end_time"][:10] < TODAY.isoformat()
    assert int(found["end_time"][8:10]) - int(found["start_time"][8:10]) in (1, -27, -30)


def test_it_was_done_after_it_took_place_and_noted_then() -> None:
    made = {
        "status": "ended", "scheduled_at": AT, "completed_at": "2025-12-26T15:30:00Z",
        "created_at": "2025-10-07T11:00:00Z", "updated_at": "2026-02-01T12:45:00Z",
    }  # fmt: skip
    found = over(made)
    assert found["created_at"] < found["scheduled_at"] <= found["completed_at"]
    assert found["completed_at"][:10] <= found["updated_at"][:10] <= TODAY.isoformat()


def test_a_flag_tells_it_as_well() -> None:
    assert over({"is_finished": True, "date": "2026-05-01"})["date"] < TODAY.isoformat()


@pytest.mark.parametrize(
    "made",
    [
        {"status": "scheduled", "start_time": AT},
        {"status": "cancelled", "start_time": AT},
        {"is_finished": False, "date": "2026-05-01"},
        {"status": "completed", "next_date": "2026-05-01", "due_date": "2026-05-02", "valid_until": "2026-05-03"},
        {"status": "completed", "date": "2026-02-01", "completed_at": "2026-02-03T10:00:00Z"},
        {"status": "completed", "date": "next week"},
    ],
)
def test_what_is_not_done_or_is_over_stays(made: dict[str, Any]) -> None:
    assert over(made) == made


def test_what_may_not_change_stays_with_all_that_takes_place_then() -> None:
    made = {"status": "completed", "start_time": AT, "end_time": AT}
    assert over(made, fixed="start_time") == made


def test_what_is_to_come_takes_place_after_the_day_of_the_world() -> None:
    assert is_still_ahead({"start_time": AT, "created_at": "2025-01-03T10:00:00Z"})
    assert not is_still_ahead({"start_time": "2026-02-17T17:30:00Z", "end_time": AT})
    assert not is_still_ahead({"created_at": AT})
