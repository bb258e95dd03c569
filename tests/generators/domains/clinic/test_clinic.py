"""The clinic: a coherent database, tools that keep to their schemas, and rules that agree with the prose."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest

from interplay.generators.domains.clinic import DOMAIN
from interplay.generators.domains.clinic.data_model import NOW
from interplay.generators.domains.clinic.rules import POLICY, RULES
from interplay.generators.domains.clinic.seed import make_tables
from interplay.schemas.protocols import Environment, Policy, PolicyEvent
from interplay.schemas.records.dialogue import ToolCall, ToolResult

TABLES: dict[str, Any] = dict(make_tables())
REFERENCES = {"patient_id": "patients", "practitioner_id": "practitioners", "slot_id": "slots"}


def call(environment: Environment, name: str, /, **arguments: Any) -> ToolResult:
    return asyncio.run(environment.call(ToolCall(id="a00000001", name=name, arguments=arguments)))


def first(table: str, **fields: Any) -> dict[str, Any]:
    """Return the first row of the database with these fields."""
    rows = (row for row in TABLES[table].values() if fields.items() <= row.items())
    return dict(next(rows))


PATIENT, SLOT = first("patients"), first("slots", free=True)
APPOINTMENT, INVOICE = first("appointments", status="booked"), first("invoices", status="open")
PRESCRIPTION = first("prescriptions", status="active")
CALLS: dict[str, dict[str, Any]] = {
    "find_patient": {"name": PATIENT["name"], "birth_date": PATIENT["birth_date"]},
    "get_patient": {"patient_id": "P-0001"},
    "register_patient": {
        "name": "Nora Field",
        "birth_date": "1990-05-01",
        "phone": "+44 7700 900777",
        "email": "nora@example.org",
    },
    "update_contact_details": {"patient_id": "P-0001", "phone": "+44 7700 900777"},
    "find_practitioners": {"specialty": "cardiology"},
    "get_practitioner": {"practitioner_id": "D-0001"},
    "list_specialties": {},
    "list_free_slots": {"practitioner_id": "D-0001", "date_from": "2026-03-04"},
    "list_appointments": {"patient_id": "P-0001", "status": "booked"},
    "get_appointment": {"appointment_id": APPOINTMENT["appointment_id"]},
    "book_appointment": {"patient_id": "P-0001", "slot_id": SLOT["slot_id"], "reason": "a sore knee"},
    "reschedule_appointment": {"appointment_id": APPOINTMENT["appointment_id"], "slot_id": SLOT["slot_id"]},
    "cancel_appointment": {"appointment_id": APPOINTMENT["appointment_id"], "reason": "I feel better"},
    "list_prescriptions": {"patient_id": "P-0001"},
    "get_prescription": {"prescription_id": PRESCRIPTION["prescription_id"]},
    "request_prescription_renewal": {"prescription_id": PRESCRIPTION["prescription_id"]},
    "list_invoices": {"patient_id": "P-0001"},
    "get_invoice": {"invoice_id": INVOICE["invoice_id"]},
    "pay_invoice": {"invoice_id": INVOICE["invoice_id"], "method": "card"},
    "hand_over_to_reception": {"patient_id": "P-0001", "topic": "invoice", "message": "Please call me back."},
    "get_clinic_hours": {"location": "Mill Lane", "day": "Wednesday"},
    "get_price_estimate": {"service": "ECG"},
}


def test_the_database_is_the_same_every_time() -> None:
    assert make_tables() == TABLES
    assert DOMAIN.open().digest() == DOMAIN.open().digest() == "722e619b4a489273a0d6b81796424d4e"


def test_every_key_is_the_id_of_its_row_and_every_reference_leads_to_a_row() -> None:
    for table, rows in TABLES.items():
        identity = f"{table[:-1]}_id"
        for key, row in rows.items():
            assert row[identity] == key
            for field, target in REFERENCES.items():
                assert field not in row or row[field] in TABLES[target]


def test_appointments_agree_with_their_slots() -> None:
    booked = Counter(row["slot_id"] for row in TABLES["appointments"].values())
    assert set(booked.values()) == {1}
    for row in TABLES["appointments"].values():
        slot = TABLES["slots"][row["slot_id"]]
        shared = ("practitioner_id", "practitioner_name", "specialty", "location", "starts_at")
        assert [row[field] for field in shared] == [slot[field] for field in shared]
    assert {key for key, slot in TABLES["slots"].items() if not slot["free"]} == set(booked)


def test_a_name_and_a_birth_date_find_one_patient() -> None:
    assert len({(row["name"], row["birth_date"]) for row in TABLES["patients"].values()}) == len(TABLES["patients"])


def share(table: str, condition: Any) -> float:
    return float(sum(map(condition, TABLES[table].values())) / len(TABLES[table]))


def test_most_rows_allow_the_actions() -> None:
    later = (NOW + timedelta(hours=24)).isoformat()
    ahead = {row["patient_id"] for row in TABLES["appointments"].values() if row["starts_at"] >= later}
    free = {row["practitioner_id"] for row in TABLES["slots"].values() if row["free"] and row["starts_at"] >= later}
    assert len(ahead) >= 0.9 * len(TABLES["patients"])
    assert len(free) == len(TABLES["practitioners"])
    assert (
        share("prescriptions", lambda row: row["status"] == "active" and row["refills_left"] and not row["controlled"])
        > 0.5
    )
    assert share("invoices", lambda row: row["status"] == "open" and row["amount"] <= 300) > 0.5


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("find_patient", {"name": "Nobody", "birth_date": "1990-01-01"}, "no patient called Nobody"),
        ("get_patient", {"patient_id": "P-9999"}, "no patient P-9999"),
        ("list_free_slots", {"practitioner_id": "D-99"}, "no practitioner D-99"),
        ("book_appointment", {"patient_id": "P-0001", "slot_id": APPOINTMENT["slot_id"], "reason": "x"}, "is taken"),
        ("update_contact_details", {"patient_id": "P-0001"}, "give a phone number or an email"),
        ("pay_invoice", {"invoice_id": INVOICE["invoice_id"], "method": "coins"}, "'coins' is not one of"),
    ],
)
def test_what_is_impossible_is_an_error(name: str, arguments: dict[str, Any], text: str) -> None:
    environment = DOMAIN.open()
    error = call(environment, name, **arguments).error
    assert error is not None
    assert error.startswith("Error")
    assert text in error
    assert environment.changes() == ()


def test_a_practitioner_is_found_by_family_name() -> None:
    practitioner = first("practitioners")
    family = practitioner["name"].split()[-1]
    found = call(DOMAIN.open(), "find_practitioners", specialty=practitioner["specialty"], name=f"Dr. {family}").value
    assert [row["practitioner_id"] for row in found] == [practitioner["practitioner_id"]]


def test_moving_an_appointment_frees_its_old_slot() -> None:
    environment = DOMAIN.open()
    call(environment, "reschedule_appointment", **CALLS["reschedule_appointment"])
    assert environment.state()["slots"][APPOINTMENT["slot_id"]]["free"]
    assert not environment.state()["slots"][SLOT["slot_id"]]["free"]


# The rules: each with a call that keeps it and one that breaks it, in the same state.


@dataclass(frozen=True)
class Case:
    """A call, in the database with some fields set, by a patient who is identified and agrees unless told otherwise."""

    tool: str
    arguments: dict[str, Any]
    rows: tuple[tuple[str, str, dict[str, Any]], ...] = ()
    confirmed: bool = True
    identified: bool = True


SOON = {"starts_at": (NOW + timedelta(hours=23)).isoformat()}
OWNER = APPOINTMENT["patient_id"]
FREE = first("slots", free=True, starts_at="2026-03-16T10:00:00")["slot_id"]
PAST = next(key for key, row in TABLES["slots"].items() if row["free"] and row["starts_at"] < NOW.isoformat())
BOOKED, RENEWED, OWED = APPOINTMENT["appointment_id"], PRESCRIPTION["prescription_id"], INVOICE["invoice_id"]
STATED = {"patient_id": OWNER, "slot_id": FREE, "reason": "a sore knee"}
GOOD_APPOINTMENT = ("appointments", BOOKED, {"times_rescheduled": 0})
RENEWABLE = ("prescriptions", RENEWED, {"refills_left": 1, "controlled": False, "renewal_requested": False})
PAYABLE = ("invoices", OWED, {"amount": 300.0})
BOOK = Case("book_appointment", STATED)
MOVE = Case("reschedule_appointment", {"appointment_id": BOOKED, "slot_id": FREE}, (GOOD_APPOINTMENT,))
CANCEL = Case("cancel_appointment", {"appointment_id": BOOKED})
RENEW = Case("request_prescription_renewal", {"prescription_id": RENEWED}, (RENEWABLE,))
PAY = Case("pay_invoice", {"invoice_id": OWED, "method": "card"}, (PAYABLE,))
REGISTER = Case("register_patient", CALLS["register_patient"])
THREE = tuple(
    ("appointments", f"X-{n}", {**APPOINTMENT, "appointment_id": f"X-{n}", "starts_at": f"2026-04-0{n}T10:00:00"})
    for n in (1, 2, 3)
)

RULE_CASES: dict[str, tuple[Case, Case]] = {
    "identify_patient": (
        Case("list_invoices", {"patient_id": OWNER}),
        Case("list_invoices", {"patient_id": OWNER}, identified=False),
    ),
    "confirm_changes": (PAY, Case(PAY.tool, PAY.arguments, PAY.rows, confirmed=False)),
    "no_second_registration": (
        REGISTER,
        Case(
            REGISTER.tool, REGISTER.arguments | {"name": PATIENT["name"].upper(), "birth_date": PATIENT["birth_date"]}
        ),
    ),
    "no_past_slots": (BOOK, Case(BOOK.tool, STATED | {"slot_id": PAST})),
    "no_double_booking": (
        BOOK,
        Case(BOOK.tool, STATED, (("appointments", BOOKED, {"starts_at": "2026-03-16T10:00:00"}),)),
    ),
    "three_upcoming": (BOOK, Case(BOOK.tool, STATED, THREE)),
    "state_the_reason": (BOOK, Case(BOOK.tool, STATED | {"reason": " None "})),
    "only_booked_appointments": (
        CANCEL,
        Case(CANCEL.tool, CANCEL.arguments, (("appointments", BOOKED, {"status": "cancelled"}),)),
    ),
    "reschedule_twice": (MOVE, Case(MOVE.tool, MOVE.arguments, (("appointments", BOOKED, {"times_rescheduled": 2}),))),
    "late_changes_to_reception": (CANCEL, Case(CANCEL.tool, CANCEL.arguments, (("appointments", BOOKED, SOON),))),
    "renew_only_refillable": (
        RENEW,
        Case(RENEW.tool, RENEW.arguments, (RENEWABLE, ("prescriptions", RENEWED, {"refills_left": 0}))),
    ),
    "no_controlled_medication": (
        RENEW,
        Case(RENEW.tool, RENEW.arguments, (RENEWABLE, ("prescriptions", RENEWED, {"controlled": True}))),
    ),
    "pay_only_open": (PAY, Case(PAY.tool, PAY.arguments, (PAYABLE, ("invoices", OWED, {"status": "paid"})))),
    "large_invoices_to_reception": (PAY, Case(PAY.tool, PAY.arguments, (("invoices", OWED, {"amount": 300.5}),))),
}


def broken(case: Case) -> list[str]:
    """Return the ids of the rules that a case breaks."""
    state: dict[str, Any] = {**{name: dict(rows) for name, rows in TABLES.items()}, "handovers": {}}
    for table, key, fields in case.rows:
        state[table][key] = {**state[table].get(key, {}), **fields}
    owners = {OWNER, PRESCRIPTION["patient_id"], INVOICE["patient_id"]} if case.identified else set()
    history = tuple(identification(state["patients"][key]) for key in sorted(owners))
    event = PolicyEvent(
        call=ToolCall(id="b00000001", name=case.tool, arguments=case.arguments),
        history=history,
        state=state,
        confirmed=case.confirmed,
    )
    policy: Policy = POLICY
    return [issue.code for issue in policy.violations(event)]


def identification(patient: Mapping[str, Any]) -> tuple[ToolCall, ToolResult]:
    arguments = {"name": patient["name"], "birth_date": patient["birth_date"]}
    made = ToolCall(id="a00000001", name="find_patient", arguments=arguments)
    return made, ToolResult.of(made, dict(patient))


def test_every_rule_has_its_cases() -> None:
    assert list(RULE_CASES) == [rule.id for rule in RULES]


@pytest.mark.parametrize("rule", RULE_CASES)
def test_a_call_that_keeps_the_rules_breaks_none(rule: str) -> None:
    assert broken(RULE_CASES[rule][0]) == []


@pytest.mark.parametrize("rule", RULE_CASES)
def test_a_call_that_breaks_a_rule_breaks_that_one_alone(rule: str) -> None:
    assert broken(RULE_CASES[rule][1]) == [rule]


def test_a_failed_search_identifies_nobody() -> None:
    made = ToolCall(id="a00000001", name="find_patient", arguments={})
    event = PolicyEvent(
        call=ToolCall(id="b00000001", name="get_patient", arguments={"patient_id": "P-0001"}),
        history=((made, ToolResult.failed(made, "Error: no patient.")),),
        state=TABLES,
        confirmed=False,
    )
    assert [issue.code for issue in POLICY.violations(event)] == ["identify_patient"]


def test_ids_that_lead_nowhere_break_no_rule() -> None:
    for tool, argument in (("cancel_appointment", "appointment_id"), ("pay_invoice", "invoice_id")):
        assert broken(Case(tool, {argument: "Z-0000"})) == []


def test_the_policy_and_the_table_agree() -> None:
    assert list(POLICY.texts) == [rule.id for rule in RULES]
    names = {tool.name for tool in DOMAIN.toolset.tools}
    for rule in DOMAIN.toolset.rules:
        assert f"**{rule.id}**" in POLICY.prose
        assert rule.text == POLICY.texts[rule.id]
        assert set(rule.tools) <= names


def test_the_policy_names_the_clock_of_the_clinic() -> None:
    assert datetime(2026, 3, 2, 8, 0) == NOW
    assert f"{NOW:%A}, {NOW.day} {NOW:%B %Y}, {NOW:%H:%M}" in " ".join(POLICY.prose.split())


def test_writes_that_bind_the_patient_are_confirmed() -> None:
    policy = POLICY
    assert policy.confirms("book_appointment")
    assert not policy.confirms("list_invoices")
