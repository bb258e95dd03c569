"""Days and times that calls give apart, in rows that hold moments."""

import pytest
from tests.generators.environments.inline import call, operation, row, sandbox

DAY, TIME, MOMENT = ({"type": "string", "format": form} for form in ("date", "time", "date-time"))
SESSION = row(startTime=MOMENT, endTime=MOMENT)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("given", "day", "time"),
    [
        ({"startDate": "2026-04-22"}, "2026-04-22", None),
        ({"startDate": "2026-04-22", "startTime": "18:30:00Z"}, "2026-04-22", "18:30:00Z"),
        ({"startTime": "18:30:00Z"}, None, "18:30:00Z"),
    ],
)
async def test_a_moment_takes_the_day_or_the_time_that_is_given(
    given: dict[str, str], day: str | None, time: str | None
) -> None:
    cinema = sandbox(
        operation("getSession", "GET", "/sessions/{sessionId}", SESSION),
        operation("listSessions", "GET", "/sessions", {"type": "array", "items": SESSION}),
        operation("moveSession", "PUT", "/sessions/{sessionId}", SESSION, startDate=DAY, startTime=TIME),
    )
    before = (await call(cinema, "listSessions")).value[0]
    after = (await call(cinema, "moveSession", sessionId=before["id"], **given)).value
    was_day, _, was_time = before["startTime"].partition("T")
    assert after["startTime"] == f"{day or was_day}T{time or was_time}"
    assert after["endTime"] > after["startTime"]


@pytest.mark.anyio
async def test_moments_among_the_attributes_of_a_row_take_the_days_that_are_given() -> None:
    limit = row(attributes={"type": "object", "properties": {"start": MOMENT, "end": MOMENT}})
    bank = sandbox(
        operation("getLimit", "GET", "/limits/{limitId}", {"type": "object", "properties": {"data": limit}}),
        operation("addLimit", "POST", "/limits", {"type": "object", "properties": {"data": limit}}, start=DAY, end=DAY),
    )
    made = (await call(bank, "addLimit", start="2026-04-22", end="2026-04-25")).value["data"]
    assert [made["attributes"][name].partition("T")[0] for name in ("start", "end")] == ["2026-04-22", "2026-04-25"]
    assert (await call(bank, "getLimit", limitId=made["id"])).value["data"]["attributes"] == made["attributes"]
