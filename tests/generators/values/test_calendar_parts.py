"""The parts of a moment are those of a day that exists."""

from datetime import date
from typing import Any

from interplay.generators.values.reconciliation import reconciled


def agreed(made: dict[str, Any]) -> dict[str, Any]:
    fields = {name: {"type": "integer" if isinstance(value, int) else "string"} for name, value in made.items()}
    return reconciled(dict(made), fields, required=())


def test_parts_of_no_day_become_those_of_one_in_the_past() -> None:
    made = agreed({"year": 2028, "monthValue": 173, "month": "MARCH", "dayOfMonth": 9, "dayOfWeek": "SUNDAY", "dayOfYear": 2027})  # fmt: skip
    day = date(made["year"], made["monthValue"], made["dayOfMonth"])
    assert day < date(2026, 3, 2)
    assert (made["month"], made["dayOfWeek"]) == (f"{day:%B}".upper(), f"{day:%A}".upper())
    assert made["dayOfYear"] == day.timetuple().tm_yday


def test_a_day_that_exists_stays_and_its_other_parts_follow() -> None:
    assert agreed({"year": 1987, "month": 4, "day": 12}) == {"year": 1987, "month": 4, "day": 12}
    assert agreed({"year": 2025, "month": 12, "day": 24, "weekday": "Monday"})["weekday"] == "Wednesday"


def test_a_month_and_a_year_alone_are_no_day() -> None:
    assert agreed({"month": 173, "year": 2031}) == {"month": 173, "year": 2031}


def test_a_day_beside_a_moment_is_the_day_of_that_moment() -> None:
    assert agreed({"day": "2025-06-08", "time": "2025-12-15T11:30:00Z"})["day"] == "2025-12-15"
    paid = {"day": "2025-06-08", "paid_time": "2025-12-15T11:30:00Z"}
    assert agreed(paid) == paid


def test_a_date_and_a_time_of_one_beginning_tell_one_day() -> None:
    made = {"startDate": "2025-06-08", "startTime": "2025-12-15T11:30:00Z", "endDate": "2025-12-17"}
    assert agreed(made) == {**made, "startDate": "2025-12-15"}
