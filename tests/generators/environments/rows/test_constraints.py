"""Made-up answers agree with their calls."""

import asyncio
from typing import Any

from interplay.generators.environments.rows.constraints import constrained
from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.tool import Source, Tool, Toolset

TEXT = {"type": "string"}


def thing(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


def test_speaks_of_the_place_that_was_asked_for() -> None:
    schema = thing(city_name=TEXT, country_code=TEXT, lat=TEXT, data={"type": "array", "items": thing(city=TEXT)})
    made = {"city_name": "Oslo", "country_code": "NO", "lat": "1.5", "data": [{"city": "Oslo"}]}
    told = constrained(made, {"city": "Bologna", "country": "Italy", "latitude": 44.5}, schema)
    assert told == {"city_name": "Bologna", "country_code": "IT", "lat": "44.5", "data": [{"city": "Bologna"}]}


def test_keeps_within_the_bounds_that_were_given() -> None:
    rows = [
        {"date": "2025-01-01", "price": 900.0},
        {"date": "2026-05-09", "price": 120.0},
        {"date": "2027-01-01", "price": 5},
    ]
    told = constrained(
        rows, {"start_date": "2026-05-01", "end_date": "2026-05-31", "min_price": 50, "max_price": 200}, None
    )
    assert all("2026-05-01" <= row["date"] <= "2026-05-31" and 50 <= row["price"] <= 200 for row in told)
    assert told[1] == rows[1]
    assert len(constrained(rows, {"limit": 2}, None)) == 2


def test_tells_the_period_that_was_asked_for() -> None:
    asked = {"start_date": "2026-01-05", "end_date": "2026-02-04"}
    made = {"period_end": "2027-05-28", "period_start": "2027-05-01T08:00:00Z", "total": 7}
    told = {"period_end": "2026-02-04", "period_start": "2026-01-05T08:00:00Z", "total": 7}
    assert constrained(made, asked, thing(period_end=TEXT, period_start=TEXT)) == told
    assert constrained(made, {"start_date": "2026-01-05"}, None) == made  # where it ends is not known


def test_says_nothing_that_the_schema_does_not_admit() -> None:
    schema = thing(city={"type": "string", "enum": ["Oslo"]})
    assert constrained({"city": "Oslo"}, {"city": "Bologna"}, schema) == {"city": "Oslo"}


def test_the_same_call_has_the_same_answer() -> None:
    weather = Tool(
        name="get_forecast", original_name="get_forecast", summary="Get the weather", description="", effect="read",
        parameters=thing(city=TEXT, start_date=TEXT), source=Source(file="weather"),
        returns=thing(city=TEXT, days={"type": "array", "minItems": 2, "items": thing(date={**TEXT, "format": "date"})}),
    )  # fmt: skip
    opened = Sandbox(Toolset(name="weather", tools=(weather,)), seed=3)
    call = ToolCall(id="call00001", name="get_forecast", arguments={"city": "Perth", "start_date": "2026-12-01"})
    first, second = (asyncio.run(opened.call(call)).value for _ in range(2))
    assert first == second
    assert first["city"] == "Perth"
    assert all(day["date"] >= "2026-12-01" for day in first["days"])
