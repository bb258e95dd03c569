"""The rules of the rental: each with a call that keeps it and one that breaks it, and all in agreement with the prose."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, get_args

import pytest

from interplay.generators.domains.rental import DOMAIN
from interplay.generators.domains.rental.data_model import TODAY
from interplay.generators.domains.rental.rules import POLICY, RULES
from interplay.generators.domains.rental.seed import make_tables
from interplay.schemas.protocols import Policy, PolicyEvent
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import RuleKind

Row = tuple[str, str, dict[str, Any]]
CUSTOMER = "CU-0900"
TABLES = make_tables()


@dataclass(frozen=True)
class Case:
    """A call in the database with some more rows, by a customer who is identified and agrees unless told otherwise."""

    tool: str
    arguments: dict[str, Any]
    rows: tuple[Row, ...] = ()
    confirmed: bool = True
    identified: bool = True

    def but(self, *rows: Row, **arguments: Any) -> "Case":
        """Return the case with other arguments, and with rows changed."""
        return replace(self, arguments=self.arguments | arguments, rows=self.rows + rows)


PERSON: Row = (
    "customers",
    CUSTOMER,
    {"customer_id": CUSTOMER, "name": "Rieke Test", "birth_date": "1980-05-01", "licence_expiry": "2026-05-31"},
)
VEHICLE = {"vehicle_id": "VH-0900", "vehicle": "Norda Pico", "category": "small car", "customer_id": CUSTOMER}
SPAN = {"start_date": "2026-04-01", "end_date": "2026-04-05"}
QUOTED: Row = (
    "quotes",
    "QT-0900",
    VEHICLE | SPAN | {"quote_id": "QT-0900", "status": "open", "valid_until": "2026-03-02"},
)
BOOKED: Row = (
    "bookings",
    "BK-0900",
    VEHICLE | SPAN | {"booking_id": "BK-0900", "status": "booked", "extension_count": 1},
)
DAMAGED: Row = (
    "damage_reports",
    "DR-0900",
    {
        "damage_report_id": "DR-0900",
        "customer_id": CUSTOMER,
        "status": "reported",
        "part": "roof",
        "severity": "moderate",
    },
)
OWED: Row = (
    "charges",
    "CH-0900",
    {"charge_id": "CH-0900", "customer_id": CUSTOMER, "status": "open", "due_on": "2026-03-02"},
)
QUOTE = Case(
    "create_quote",
    {"customer_id": CUSTOMER, "vehicle_id": "VH-0001", "start_date": "2026-03-02", "number_of_days": 3},
    (PERSON,),
)
BOOK = Case("create_booking", {"quote_id": "QT-0900", "deposit_method": "debit card"}, (PERSON, QUOTED))
EXTEND = Case("extend_booking", {"booking_id": "BK-0900", "number_of_extra_days": 3}, (PERSON, BOOKED))
CANCEL = Case("cancel_booking", {"booking_id": "BK-0900"}, (PERSON, BOOKED))
ATTACH = Case("attach_extra", {"booking_id": "BK-0900", "extra": "roof box"}, (PERSON, BOOKED))
REPORT = Case(
    "submit_damage_report",
    {"booking_id": "BK-0900", "part": "door", "severity": "light", "circumstances": "x", "injuries": False},
    (PERSON, BOOKED, ("bookings", "BK-0900", {"status": "active"})),
)
SETTLE = Case("create_damage_charge", {"damage_report_id": "DR-0900"}, (PERSON, DAMAGED))
PAY = Case("pay_charge", {"charge_id": "CH-0900", "payment_method": "credit card"}, (PERSON, OWED))


def quote(**fields: Any) -> Row:
    return ("quotes", "QT-0900", fields)


def booking(**fields: Any) -> Row:
    return ("bookings", "BK-0900", fields)


def born(day: str) -> Row:
    return ("customers", CUSTOMER, {"birth_date": day})


def another(number: int, **fields: Any) -> Row:
    key = f"BK-09{number:02d}"
    return ("bookings", key, BOOKED[2] | {"booking_id": key, "vehicle_id": f"VH-09{number}"} | fields)


LUXURY = quote(category="luxury car")
TOMORROW = booking(start_date="2026-03-03", end_date="2026-03-07")
RULE_CASES: dict[str, list[tuple[Case, Case]]] = {
    "identify_customer": [
        (CANCEL, replace(CANCEL, identified=False)),
        (QUOTE, replace(QUOTE, identified=False)),
        (
            Case("list_charges", {"customer_id": CUSTOMER}, (PERSON,)),
            Case("list_charges", {"customer_id": CUSTOMER}, (PERSON,), identified=False),
        ),
    ],
    "confirm_changes": [(case, replace(case, confirmed=False)) for case in (BOOK, EXTEND, ATTACH, REPORT, SETTLE, PAY)],
    "no_past_start": [(QUOTE, QUOTE.but(start_date="2026-03-01"))],
    "only_open_quotes": [
        (BOOK, BOOK.but(quote(status="booked"))),
        (BOOK, BOOK.but(quote(status="expired"))),
        (BOOK, BOOK.but(quote(valid_until="2026-03-01"))),
    ],
    "minimum_age": [(BOOK.but(born("2005-04-01")), BOOK.but(born("2005-04-02")))],
    "luxury_from_25": [
        (
            BOOK.but(LUXURY, born("2001-04-01"), deposit_method="credit card"),
            BOOK.but(LUXURY, born("2001-04-02"), deposit_method="credit card"),
        )
    ],
    "valid_licence": [
        (BOOK.but(quote(end_date="2026-05-31")), BOOK.but(quote(end_date="2026-06-01"))),
        (
            EXTEND.but(booking(start_date="2026-05-20", end_date="2026-05-28")),
            EXTEND.but(booking(start_date="2026-05-20", end_date="2026-05-29")),
        ),
    ],
    "deposit_by_credit_card": [
        (BOOK.but(LUXURY, deposit_method="credit card"), BOOK.but(LUXURY)),
        (
            BOOK.but(quote(category="minibus"), deposit_method="credit card"),
            BOOK.but(quote(category="minibus"), deposit_method="bank transfer"),
        ),
    ],
    "no_booking_with_overdue_charges": [
        (BOOK.but(OWED), BOOK.but(OWED, ("charges", "CH-0900", {"due_on": "2026-03-01"}))),
    ],
    "three_rentals": [
        (
            BOOK.but(another(1), another(2), another(3, status="completed"), another(4, status="cancelled")),
            BOOK.but(another(1), another(2), another(3, status="active")),
        ),
    ],
    "extend_twice": [(EXTEND, EXTEND.but(booking(extension_count=2)))],
    "thirty_days": [
        (EXTEND.but(booking(start_date="2026-03-09")), EXTEND.but(booking(start_date="2026-03-08"))),
    ],
    "turnaround_day": [
        (
            EXTEND.but(another(1, vehicle_id="VH-0900", start_date="2026-04-09", end_date="2026-04-12")),
            EXTEND.but(another(1, vehicle_id="VH-0900", start_date="2026-04-08", end_date="2026-04-12")),
        ),
        (
            EXTEND.but(another(1, vehicle_id="VH-0900", start_date="2026-04-08", status="cancelled")),
            EXTEND.but(another(1, vehicle_id="VH-0900", start_date="2026-04-06", end_date="2026-04-12")),
        ),
    ],
    "only_before_pickup": [
        (CANCEL, CANCEL.but(booking(status="active"))),
        (ATTACH, ATTACH.but(booking(status="active"))),
    ],
    "late_cancellation_fee": [(CANCEL.but(TOMORROW, with_cancellation_fee=True), CANCEL.but(TOMORROW))],
    "no_needless_fee": [
        (
            CANCEL.but(booking(start_date="2026-03-04"), with_cancellation_fee=False),
            CANCEL.but(booking(start_date="2026-03-04"), with_cancellation_fee=True),
        ),
    ],
    "damage_after_pickup": [
        (REPORT, REPORT.but(booking(status="booked"))),
        (REPORT.but(booking(status="completed")), REPORT.but(booking(status="cancelled"))),
    ],
    "injuries_to_service": [(REPORT, REPORT.but(injuries=True))],
    "charge_damage_once": [
        (SETTLE, SETTLE.but(("damage_reports", "DR-0900", {"status": "charged"}))),
        (SETTLE, SETTLE.but(("damage_reports", "DR-0900", {"status": "waived"}))),
    ],
    "large_damages_to_service": [(SETTLE, SETTLE.but(("damage_reports", "DR-0900", {"severity": "severe"})))],
    "pay_only_open": [
        (PAY, PAY.but(("charges", "CH-0900", {"status": "paid"}))),
        (PAY, PAY.but(("charges", "CH-0900", {"status": "void"}))),
    ],
}
CASES = [(rule, *pair) for rule, pairs in RULE_CASES.items() for pair in pairs]


def broken(case: Case) -> list[str]:
    """Return the ids of the rules that a case breaks."""
    state: dict[str, Any] = {**{name: dict(rows) for name, rows in TABLES.items()}, "handovers": {}}
    for table, key, fields in case.rows:
        state[table][key] = {**state[table].get(key, {}), **fields}
    event = PolicyEvent(
        call=ToolCall(id="b00000001", name=case.tool, arguments=case.arguments),
        history=(identification(state["customers"].get(CUSTOMER, {})),) if case.identified else (),
        state=state,
        confirmed=case.confirmed,
    )
    policy: Policy = POLICY
    return [issue.code for issue in policy.violations(event)]


def identification(customer: Mapping[str, Any]) -> tuple[ToolCall, ToolResult]:
    made = ToolCall(id="a00000001", name="find_customer", arguments={"name": "Rieke Test", "birth_date": "1980-05-01"})
    return made, ToolResult.of(made, dict(customer))


def test_every_rule_has_its_cases() -> None:
    assert list(RULE_CASES) == [rule.id for rule in RULES]


def test_there_are_rules_of_every_kind() -> None:
    assert {rule.kind for rule in RULES} == set(get_args(RuleKind))


@pytest.mark.parametrize(("rule", "good", "bad"), CASES)
def test_a_call_that_keeps_the_rules_breaks_none_and_one_that_does_not_breaks_that_one_alone(
    rule: str, good: Case, bad: Case
) -> None:
    assert broken(good) == []
    assert broken(bad) == [rule]


def test_a_failed_search_identifies_nobody() -> None:
    made = ToolCall(id="a00000001", name="find_customer", arguments={})
    event = PolicyEvent(
        call=ToolCall(id="b00000001", name="list_charges", arguments={"customer_id": "CU-0001"}),
        history=((made, ToolResult.failed(made, "Error: no customer.")),),
        state=dict(TABLES),
        confirmed=False,
    )
    assert [issue.code for issue in POLICY.violations(event)] == ["identify_customer"]


def test_ids_that_lead_nowhere_break_no_rule() -> None:
    for case in (BOOK, EXTEND, CANCEL, ATTACH, REPORT, SETTLE, PAY):
        nowhere = {key: "XX-0000" if key.endswith("_id") else value for key, value in case.arguments.items()}
        assert broken(replace(case, arguments=nowhere)) == []


def test_the_policy_and_the_table_agree() -> None:
    assert list(POLICY.texts) == [rule.id for rule in RULES]
    names = {tool.name for tool in DOMAIN.toolset.tools}
    for rule in DOMAIN.toolset.rules:
        assert f"**{rule.id}**" in POLICY.prose
        assert rule.text == POLICY.texts[rule.id]
        assert set(rule.tools) <= names


def test_the_policy_names_the_day_of_the_rental() -> None:
    assert date(2026, 3, 2) == TODAY
    assert f"Today is {TODAY:%A}, {TODAY.day} {TODAY:%B %Y}." in " ".join(POLICY.prose.split())


def test_writes_that_bind_the_customer_are_confirmed() -> None:
    policy = POLICY
    assert policy.confirms("create_booking")
    assert not policy.confirms("create_quote")
