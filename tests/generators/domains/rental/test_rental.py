"""The rental: a coherent database, tools that keep to their schemas, and sums and calendars that always agree."""

import asyncio
from collections import Counter
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.generators.worlds import records

from interplay.generators.domains.rental import DOMAIN
from interplay.generators.domains.rental.data_model import TODAY
from interplay.generators.domains.rental.seed import make_tables
from interplay.generators.domains.rental.tariff import cents, cost, customers_share, late_fee, repair_cost
from interplay.schemas.json.validation import errors
from interplay.schemas.protocols import Environment
from interplay.schemas.records.dialogue import ToolCall, ToolResult

TABLES: dict[str, Any] = dict(make_tables())
LATER = (TODAY + timedelta(days=2)).isoformat()
IDENTITIES = {
    "branches": "branch_id",
    "customers": "customer_id",
    "vehicles": "vehicle_id",
    "quotes": "quote_id",
    "bookings": "booking_id",
    "damage_reports": "damage_report_id",
    "charges": "charge_id",
    "handovers": "handover_id",
}


def call(environment: Environment, name: str, /, **arguments: Any) -> ToolResult:
    return asyncio.run(environment.call(ToolCall(id="a00000001", name=name, arguments=arguments)))


def first(table: str, **fields: Any) -> dict[str, Any]:
    """Return the first row of the database with these fields."""
    return dict(next(row for row in TABLES[table].values() if fields.items() <= row.items()))


CUSTOMER, VEHICLE = first("customers"), first("vehicles", status="in service")
BOOKING, ACTIVE = first("bookings", status="booked"), first("bookings", status="active")
QUOTE, CHARGE = first("quotes", status="open"), first("charges", status="open")
REPORT = first("damage_reports", status="reported")
CALLS: dict[str, dict[str, Any]] = {
    "find_customer": {"name": CUSTOMER["name"], "birth_date": CUSTOMER["birth_date"]},
    "find_branches": {"town": "tarnsby"},
    "find_vehicles": {"branch_id": VEHICLE["branch_id"], "category": VEHICLE["category"]},
    "check_availability": {
        "vehicle_id": BOOKING["vehicle_id"],
        "start_date": BOOKING["start_date"],
        "number_of_days": 2,
    },
    "create_quote": {
        "customer_id": CUSTOMER["customer_id"],
        "vehicle_id": VEHICLE["vehicle_id"],
        "start_date": "2026-09-01",
        "number_of_days": 3,
    },
    "list_quotes": {"customer_id": QUOTE["customer_id"], "status": "open"},
    "create_booking": {"quote_id": QUOTE["quote_id"], "deposit_method": "credit card"},
    "list_bookings": {"customer_id": BOOKING["customer_id"], "status": "booked"},
    "get_booking": {"booking_id": BOOKING["booking_id"]},
    "extend_booking": {"booking_id": BOOKING["booking_id"], "number_of_extra_days": 1},
    "cancel_booking": {"booking_id": BOOKING["booking_id"], "reason": "a change of plans"},
    "attach_extra": {"booking_id": BOOKING["booking_id"], "extra": "roof box"},
    "estimate_late_fee": {"booking_id": ACTIVE["booking_id"], "number_of_hours": 5},
    "submit_damage_report": {
        "booking_id": ACTIVE["booking_id"],
        "part": "door",
        "severity": "light",
        "circumstances": "someone hit us in a car park",
        "injuries": False,
    },
    "list_damage_reports": {"customer_id": REPORT["customer_id"]},
    "estimate_damage_cost": {"damage_report_id": REPORT["damage_report_id"]},
    "create_damage_charge": {"damage_report_id": REPORT["damage_report_id"]},
    "list_charges": {"customer_id": CHARGE["customer_id"]},
    "pay_charge": {"charge_id": CHARGE["charge_id"], "payment_method": "debit card"},
    "hand_over_to_service": {"customer_id": "CU-0001", "topic": "accident", "message": "please call me back"},
}


def test_the_database_is_the_same_every_time() -> None:
    assert make_tables() == TABLES
    assert DOMAIN.open().digest() == DOMAIN.open().digest() == "19dab4086261bc185a9756ca68fd477b"


def test_the_database_is_large_and_holds_every_status() -> None:
    assert all(len(TABLES[name]) >= 40 for name in IDENTITIES if name not in ("branches", "handovers"))
    assert len(TABLES["bookings"]) >= 150
    for table in ("vehicles", "quotes", "bookings", "damage_reports", "charges"):
        tool = "find_vehicles" if table == "vehicles" else f"list_{table}"
        returns = DOMAIN.toolset.tool(tool).returns or {}
        found = Counter(row["status"] for row in TABLES[table].values())
        assert set(found) >= set(returns["items"]["properties"]["status"]["enum"]) - {"booked"}, table
    assert {row["status"] for row in TABLES["bookings"].values()} == {"booked", "active", "completed", "cancelled"}


def test_a_name_and_a_birth_date_find_one_customer() -> None:
    assert len({(row["name"], row["birth_date"]) for row in TABLES["customers"].values()}) == len(TABLES["customers"])


def test_most_rows_allow_the_actions() -> None:
    ahead = {row["customer_id"] for row in TABLES["bookings"].values() if row["status"] == "booked"}
    quoted = {row["customer_id"] for row in TABLES["quotes"].values() if row["status"] == "open"}
    owing = {row["customer_id"] for row in TABLES["charges"].values() if row["status"] == "open"}
    assert len(ahead) >= 0.6 * len(TABLES["customers"])
    assert len(quoted) >= 0.3 * len(TABLES["customers"])
    assert len(owing) >= 0.4 * len(TABLES["customers"])


def check_coherent(state: Any) -> None:
    """Check what must hold in every state that tools can bring about."""
    for table, identity in IDENTITIES.items():
        for key, row in state[table].items():
            assert row[identity] == key
            for target, reference in IDENTITIES.items():
                assert row.get(reference) is None or row[reference] in state[target]
    away: dict[str, list[tuple[str, str]]] = {}
    for booking in state["bookings"].values():
        start, end = date.fromisoformat(booking["start_date"]), date.fromisoformat(booking["end_date"])
        assert (end - start).days == booking["days"]
        assert len(set(booking["extras"])) == len(booking["extras"])
        if booking["status"] in ("booked", "active"):
            away.setdefault(booking["vehicle_id"], []).append((booking["start_date"], booking["end_date"]))
    for periods in away.values():
        assert all(end <= start for (_, end), (start, _) in pairwise(sorted(periods)))
    check_sums(state)


def check_sums(state: Any) -> None:
    charged: Counter[str] = Counter()
    for charge in state["charges"].values():
        assert charge["amount"] == round(charge["amount"], 2) > 0
        assert state["bookings"][charge["booking_id"]]["customer_id"] == charge["customer_id"]
        assert (charge["payment_method"] is not None) == (charge["status"] in ("paid", "refunded"))
        if charge["kind"] in ("rental", "extension", "extra"):
            charged[charge["booking_id"]] += cents(charge["amount"])
            cancelled = state["bookings"][charge["booking_id"]]["status"] == "cancelled"
            assert cancelled == (charge["status"] in ("void", "refunded"))
    for booking in (*state["bookings"].values(), *state["quotes"].values()):
        assert booking["total"] == cost(booking["per_day"], booking["days"])
    for key, booking in state["bookings"].items():
        assert charged[key] == cents(booking["total"])


def test_the_database_is_coherent() -> None:
    check_coherent({**TABLES, "handovers": {}})


def arguments_of(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Draw arguments for a tool: mostly of rows that exist, any value that the schema names, short spans of time."""
    references = {identity: table for table, identity in IDENTITIES.items()}
    made: dict[str, st.SearchStrategy[Any]] = {}
    for key, schema in DOMAIN.toolset.tool(name).parameters["properties"].items():
        if key in references:
            rows = TABLES[references[key]]
            running = [row for row in TABLES["bookings"].values() if row["status"] in ("booked", "active")][:12]
            few = sorted({row[key] for row in running if key in row}) or sorted(rows)[:12]
            made[key] = st.sampled_from([*few, f"{few[0][:2]}-{len(rows) + 1:04d}", "XX-0000"])
        elif "enum" in schema:
            made[key] = st.sampled_from(schema["enum"])
        elif schema["type"] == "integer":
            made[key] = st.integers(schema["minimum"], schema["maximum"])
        elif schema["type"] == "boolean":
            made[key] = st.booleans()
        elif schema.get("format") == "date":
            made[key] = st.integers(-5, 60).map(lambda days: (TODAY + timedelta(days=days)).isoformat())
        else:
            made[key] = st.sampled_from(["Oakhurst", "someone hit us in a car park"])
    return st.fixed_dictionaries(made)


STEPS = st.sampled_from(sorted(CALLS)).flatmap(lambda name: st.tuples(st.just(name), arguments_of(name)))


ENVIRONMENT = DOMAIN.open()
OPENING = ENVIRONMENT.snapshot()


async def call_all(steps: list[tuple[str, dict[str, Any]]]) -> list[ToolResult]:
    """Make calls one after the other, from the opening state."""
    ENVIRONMENT.restore(OPENING)
    return [
        await ENVIRONMENT.call(ToolCall(id=f"a{number:08d}", name=name, arguments=arguments))
        for number, (name, arguments) in enumerate(steps)
    ]


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.lists(STEPS, min_size=15, max_size=40))
def test_no_sequence_of_calls_breaks_the_calendar_or_the_sums(steps: list[tuple[str, dict[str, Any]]]) -> None:
    for (name, _), result in zip(steps, asyncio.run(call_all(steps)), strict=True):
        assert result.error is not None or errors(result.value, DOMAIN.toolset.tool(name).returns or {}) == []
        assert result.error is None or result.error.startswith("Error: ")
    check_coherent(ENVIRONMENT.state())


@pytest.mark.parametrize(
    ("name", "change", "text"),
    [
        ("find_customer", {"name": "Nobody"}, "no customer called Nobody was born on"),
        ("get_booking", {"booking_id": "BK-9999"}, "there is no booking BK-9999"),
        ("extend_booking", {"booking_id": first("bookings", status="cancelled")["booking_id"]}, "is cancelled"),
        ("cancel_booking", {"booking_id": first("bookings", status="completed")["booking_id"]}, "is completed"),
        ("attach_extra", {"extra": "piano"}, "'piano' is not one of"),
        ("pay_charge", {"charge_id": first("charges", status="void")["charge_id"]}, "is void"),
        ("create_quote", {"vehicle_id": first("vehicles", status="in the workshop")["vehicle_id"]}, "in the workshop"),
        ("create_quote", {"start_date": "2099-01-01"}, "too far ahead"),
        (
            "create_quote",
            {"vehicle_id": BOOKING["vehicle_id"], "start_date": BOOKING["start_date"]},
            f"is booked from {BOOKING['start_date']} to {BOOKING['end_date']}",
        ),
    ],
)
def test_what_is_impossible_is_an_error(name: str, change: dict[str, Any], text: str) -> None:
    environment = DOMAIN.open()
    error = call(environment, name, **CALLS[name] | change).error
    assert error is not None
    assert error.startswith("Error")
    assert text in error
    assert environment.changes() == ()


def test_a_booking_cannot_be_extended_into_the_next_one_of_its_vehicle() -> None:
    environment = DOMAIN.open()
    change = {"vehicle_id": BOOKING["vehicle_id"], "start_date": BOOKING["end_date"], "number_of_days": 1}
    quote = call(environment, "create_quote", **CALLS["create_quote"] | change)
    assert quote.error is None
    call(environment, "create_booking", quote_id=quote.value["quote_id"], deposit_method="credit card")
    error = call(environment, "extend_booking", **CALLS["extend_booking"]).error
    assert (
        error == f"Error: the vehicle of booking {BOOKING['booking_id']} is booked again from {BOOKING['end_date']} on."
    )


def test_a_quote_becomes_a_booking_that_is_extended_paid_and_cancelled() -> None:
    environment = DOMAIN.open()
    quote = call(environment, "create_quote", **CALLS["create_quote"] | {"cover": "full"}).value
    daily = cents(VEHICLE["daily_rate"]) + 1890
    assert cents(quote["total"]) == 3 * daily
    booking = call(environment, "create_booking", quote_id=quote["quote_id"], deposit_method="credit card").value
    extra = call(environment, "attach_extra", booking_id=booking["booking_id"], extra="child seat").value
    assert cents(extra["total"]) == 3 * (daily + 550)
    longer = call(environment, "extend_booking", booking_id=booking["booking_id"], number_of_extra_days=2).value
    assert cents(longer["total"]) == 5 * (daily + 550)
    charges = call(environment, "list_charges", customer_id=CUSTOMER["customer_id"], status="open").value
    owed = [row for row in charges if row["booking_id"] == booking["booking_id"]]
    assert {row["kind"]: cents(row["amount"]) for row in owed} == {
        "rental": 3 * daily,
        "extra": 3 * 550,
        "extension": 2 * (daily + 550),
    }
    call(environment, "pay_charge", charge_id=owed[0]["charge_id"], payment_method="credit card")
    call(environment, "cancel_booking", booking_id=booking["booking_id"], with_cancellation_fee=True)
    rows = [row for row in environment.state()["charges"].values() if row["booking_id"] == booking["booking_id"]]
    assert Counter(row["status"] for row in rows) == {"refunded": 1, "void": 2, "open": 1}
    assert cents(next(row["amount"] for row in rows if row["kind"] == "cancellation")) == daily + 550


def test_long_rentals_have_a_lower_daily_price() -> None:
    short = call(DOMAIN.open(), "create_quote", **CALLS["create_quote"] | {"number_of_days": 6}).value
    long = call(DOMAIN.open(), "create_quote", **CALLS["create_quote"] | {"number_of_days": 7}).value
    assert cents(long["per_day"]["rental"]) == cents(short["per_day"]["rental"]) * 9 // 10


def test_late_fees_grow_by_six_hours_and_stop_at_a_day() -> None:
    parts: Any = {"rental": 50.0, "cover": 6.5, "extras": 0.0}
    fees = [late_fee(parts, hours) for hours in (1, 6, 7, 13, 19, 24, 25, 48)]
    assert fees == [20.0, 20.0, 40.0, 60.0, 60.0, 60.0, 80.0, 120.0]


def test_the_cover_pays_what_is_above_the_excess() -> None:
    assert repair_cost("roof", "severe") == 1764.0
    assert customers_share(1764.0, "basic") == 900.0
    assert customers_share(1764.0, "full") == 150.0
    assert customers_share(98.0, "full") == 98.0


def test_nearly_all_records_are_accepted() -> None:
    made = records("domain:rental", 150)
    assert sum(record.status == "accepted" for record in made) >= 147
    assert {action.tool for record in made if record.blueprint for action in record.blueprint.actions} == set(CALLS)
