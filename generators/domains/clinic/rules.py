"""The rules of `policy.md` as code: for each rule, whether the next call complies with it."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from importlib.resources import files
from typing import Any

from interplay.generators.domains import DomainPolicy, Duty, PolicyEvent, Rule, row, user_has_agreed
from interplay.generators.domains.clinic.data_model import NOW

MOST_UPCOMING = 3
MOST_MOVES = 2
LARGEST_PAYMENT = 300
NO_REASON = {"", "-", "?", "n/a", "na", "no reason", "none", "other", "unknown"}

PATIENT_TOOLS = (
    "get_patient", "update_contact_details", "list_appointments", "get_appointment", "book_appointment",
    "reschedule_appointment", "cancel_appointment", "list_prescriptions", "get_prescription",
    "request_prescription_renewal", "list_invoices", "get_invoice", "pay_invoice", "hand_over_to_reception",
)  # fmt: skip
CONFIRMED_TOOLS = (
    "book_appointment", "reschedule_appointment", "cancel_appointment", "pay_invoice", "register_patient",
    "update_contact_details",
)  # fmt: skip
OWNED_TABLES = {"appointment_id": "appointments", "prescription_id": "prescriptions", "invoice_id": "invoices"}


def patient_of(event: PolicyEvent) -> str | None:
    """Return the id of the patient that the call is about, or None."""
    given = event.call.arguments
    if "patient_id" in given:
        return str(given["patient_id"])
    named = ((table, argument) for argument, table in OWNED_TABLES.items() if argument in given)
    owners = (row(event, table, argument).get("patient_id") for table, argument in named)
    return next(filter(None, owners), None)


def upcoming(event: PolicyEvent) -> Iterator[Mapping[str, Any]]:
    """Yield the patient's upcoming appointments, except the one that the call is about."""
    now, patient, about = NOW.isoformat(), patient_of(event), event.call.arguments.get("appointment_id")
    for appointment in event.state["appointments"].values():
        if (
            appointment["patient_id"] == patient
            and appointment["appointment_id"] != about
            and appointment["status"] == "booked"
            and appointment["starts_at"] >= now
        ):
            yield appointment


def patient_is_identified(event: PolicyEvent) -> bool:
    patient = patient_of(event)
    return patient is None or any(
        call.name in ("find_patient", "register_patient")
        and isinstance(result.value, dict)
        and result.value.get("patient_id") == patient
        for call, result in event.history
    )


def person_is_new(event: PolicyEvent) -> bool:
    name, birth_date = str(event.call.arguments.get("name")).casefold(), event.call.arguments.get("birth_date")
    return not any(
        patient["birth_date"] == birth_date and patient["name"].casefold() == name
        for patient in event.state["patients"].values()
    )


def slot_is_ahead(event: PolicyEvent) -> bool:
    slot = row(event, "slots", "slot_id")
    return not slot or bool(slot["starts_at"] > NOW.isoformat())


def patient_is_free_then(event: PolicyEvent) -> bool:
    starts_at = row(event, "slots", "slot_id").get("starts_at")
    return all(appointment["starts_at"] != starts_at for appointment in upcoming(event))


def fewer_than_three_are_ahead(event: PolicyEvent) -> bool:
    return len(list(upcoming(event))) < MOST_UPCOMING


def reason_is_stated(event: PolicyEvent) -> bool:
    return str(event.call.arguments.get("reason", "")).strip().casefold() not in NO_REASON


def appointment_is_booked(event: PolicyEvent) -> bool:
    return bool(row(event, "appointments", "appointment_id").get("status", "booked") == "booked")


def appointment_was_moved_once_at_most(event: PolicyEvent) -> bool:
    return bool(row(event, "appointments", "appointment_id").get("times_rescheduled", 0) < MOST_MOVES)


def appointment_is_a_day_ahead(event: PolicyEvent) -> bool:
    appointment = row(event, "appointments", "appointment_id")
    if appointment.get("status") != "booked":
        return True
    wait = datetime.fromisoformat(appointment["starts_at"]) - NOW
    return not timedelta(0) <= wait < timedelta(hours=24)


def prescription_can_be_renewed(event: PolicyEvent) -> bool:
    prescription = row(event, "prescriptions", "prescription_id")
    return not prescription or (
        prescription["status"] == "active"
        and prescription["refills_left"] > 0
        and not prescription["renewal_requested"]
    )


def medication_is_not_controlled(event: PolicyEvent) -> bool:
    return not row(event, "prescriptions", "prescription_id").get("controlled", False)


def invoice_is_open(event: PolicyEvent) -> bool:
    return bool(row(event, "invoices", "invoice_id").get("status", "open") == "open")


def invoice_is_small(event: PolicyEvent) -> bool:
    return bool(row(event, "invoices", "invoice_id").get("amount", 0) <= LARGEST_PAYMENT)


BOOK, MOVE, CANCEL = "book_appointment", "reschedule_appointment", "cancel_appointment"
RENEW, PAY, REGISTER = "request_prescription_renewal", "pay_invoice", "register_patient"
SLOTS, APPOINTMENTS = ("list_free_slots",), ("list_appointments",)
ONE_APPOINTMENT, ONE_PRESCRIPTION = (*APPOINTMENTS, "get_appointment"), ("list_prescriptions", "get_prescription")
ONE_INVOICE = ("list_invoices", "get_invoice")
RECEPTION = Duty(kind="hand_over", tool="hand_over_to_reception")
RULES = (
    Rule("identify_patient", "identify_first", PATIENT_TOOLS, patient_is_identified),
    Rule("confirm_changes", "confirm_before", CONFIRMED_TOOLS, user_has_agreed),
    Rule("no_second_registration", "forbids", (REGISTER,), person_is_new),
    Rule("no_past_slots", "forbids", (BOOK, MOVE), slot_is_ahead, SLOTS),
    Rule("no_double_booking", "forbids", (BOOK, MOVE), patient_is_free_then, APPOINTMENTS),
    Rule("three_upcoming", "limit", (BOOK,), fewer_than_three_are_ahead, APPOINTMENTS),
    Rule("state_the_reason", "requires", (BOOK,), reason_is_stated),
    Rule("only_booked_appointments", "only_if", (MOVE, CANCEL), appointment_is_booked, ONE_APPOINTMENT),
    Rule("reschedule_twice", "limit", (MOVE,), appointment_was_moved_once_at_most, ONE_APPOINTMENT),
    Rule(
        "late_changes_to_reception",
        "handover_when",
        (MOVE, CANCEL),
        appointment_is_a_day_ahead,
        ONE_APPOINTMENT,
        RECEPTION,
    ),
    Rule("renew_only_refillable", "only_if", (RENEW,), prescription_can_be_renewed, ONE_PRESCRIPTION),
    Rule("no_controlled_medication", "forbids", (RENEW,), medication_is_not_controlled, ONE_PRESCRIPTION),
    Rule("pay_only_open", "only_if", (PAY,), invoice_is_open, ONE_INVOICE),
    Rule("large_invoices_to_reception", "handover_when", (PAY,), invoice_is_small, ONE_INVOICE, RECEPTION),
)

POLICY = DomainPolicy(files(__package__).joinpath("policy.md").read_text(encoding="utf-8"), RULES)
