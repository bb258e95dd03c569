"""The rules of `policy.md` as code: for each rule, whether the next call complies with it."""

from collections.abc import Mapping
from datetime import date, timedelta
from importlib.resources import files
from typing import Any

from interplay.generators.domains import DomainPolicy, Duty, PolicyEvent, Rule, row, user_has_agreed
from interplay.generators.domains.rental.data_model import TODAY
from interplay.generators.domains.rental.tariff import repair_cost

LEAST_AGE, LUXURY_AGE = 21, 25
MOST_RUNNING = 3
MOST_EXTENSIONS = 2
LONGEST_RENTAL = 30
LARGEST_DAMAGE = 1000
CREDIT_CARD_ONLY = ("minibus", "luxury car")

CUSTOMER_TOOLS = (
    "create_quote", "list_quotes", "create_booking", "list_bookings", "get_booking", "extend_booking",
    "cancel_booking", "attach_extra", "estimate_late_fee", "submit_damage_report", "list_damage_reports",
    "estimate_damage_cost", "create_damage_charge", "list_charges", "pay_charge", "hand_over_to_service",
)  # fmt: skip
CONFIRMED_TOOLS = (
    "create_booking", "extend_booking", "cancel_booking", "attach_extra", "submit_damage_report",
    "create_damage_charge", "pay_charge",
)  # fmt: skip
OWNED_TABLES = {
    "quote_id": "quotes",
    "booking_id": "bookings",
    "damage_report_id": "damage_reports",
    "charge_id": "charges",
}


def customer_of(event: PolicyEvent) -> str | None:
    """Return the id of the customer that the call is about, or None."""
    if "customer_id" in event.call.arguments:
        return str(event.call.arguments["customer_id"])
    owners = (row(event, table, argument).get("customer_id") for argument, table in OWNED_TABLES.items())
    return next(filter(None, owners), None)


def customer(event: PolicyEvent) -> Mapping[str, Any]:
    """Return the row of the customer that the call is about; empty if there is none."""
    found: Mapping[str, Any] = event.state["customers"].get(str(customer_of(event)), {})
    return found


def age_on_first_day(event: PolicyEvent) -> int | None:
    """Return the customer's age on the first day of the quoted rental; None if either is unknown."""
    person, quote = customer(event), row(event, "quotes", "quote_id")
    if not person or not quote:
        return None
    born, start = date.fromisoformat(person["birth_date"]), date.fromisoformat(quote["start_date"])
    return start.year - born.year - ((start.month, start.day) < (born.month, born.day))


def new_end(event: PolicyEvent) -> date | None:
    """Return the end date of the rental after the call; None if the call names no rental."""
    quote, booking = row(event, "quotes", "quote_id"), row(event, "bookings", "booking_id")
    if quote:
        return date.fromisoformat(quote["end_date"])
    extra = event.call.arguments.get("number_of_extra_days")
    if not booking or not isinstance(extra, int):
        return None
    return date.fromisoformat(booking["end_date"]) + timedelta(days=extra)


def customer_is_identified(event: PolicyEvent) -> bool:
    identified = {
        result.value.get("customer_id")
        for call, result in event.history
        if call.name == "find_customer" and isinstance(result.value, dict)
    }
    return customer_of(event) is None or customer_of(event) in identified


def start_is_ahead(event: PolicyEvent) -> bool:
    return str(event.call.arguments.get("start_date", TODAY)) >= TODAY.isoformat()


def quote_is_open(event: PolicyEvent) -> bool:
    quote = row(event, "quotes", "quote_id")
    return not quote or (quote["status"] == "open" and quote["valid_until"] >= TODAY.isoformat())


def customer_is_old_enough(event: PolicyEvent) -> bool:
    age = age_on_first_day(event)
    return age is None or age >= LEAST_AGE


def luxury_is_for_older_customers(event: PolicyEvent) -> bool:
    age, luxury = age_on_first_day(event), row(event, "quotes", "quote_id").get("category") == "luxury car"
    return age is None or not luxury or age >= LUXURY_AGE


def licence_lasts(event: PolicyEvent) -> bool:
    end = new_end(event)
    return end is None or bool(customer(event).get("licence_expiry", "9999-12-31") >= end.isoformat())


def deposit_is_secured(event: PolicyEvent) -> bool:
    category = row(event, "quotes", "quote_id").get("category")
    return category not in CREDIT_CARD_ONLY or event.call.arguments.get("deposit_method") == "credit card"


def nothing_is_overdue(event: PolicyEvent) -> bool:
    person = customer_of(event)
    return not any(
        charge["customer_id"] == person and charge["status"] == "open" and charge["due_on"] < TODAY.isoformat()
        for charge in event.state["charges"].values()
    )


def fewer_than_three_are_running(event: PolicyEvent) -> bool:
    person = customer_of(event)
    running = [
        booking
        for booking in event.state["bookings"].values()
        if booking["customer_id"] == person and booking["status"] in ("booked", "active")
    ]
    return len(running) < MOST_RUNNING


def booking_was_extended_once_at_most(event: PolicyEvent) -> bool:
    return bool(row(event, "bookings", "booking_id").get("extension_count", 0) < MOST_EXTENSIONS)


def rental_stays_short(event: PolicyEvent) -> bool:
    booking, end = row(event, "bookings", "booking_id"), new_end(event)
    return not booking or end is None or (end - date.fromisoformat(booking["start_date"])).days <= LONGEST_RENTAL


def a_day_is_left_for_turnaround(event: PolicyEvent) -> bool:
    booking, end = row(event, "bookings", "booking_id"), new_end(event)
    if not booking or end is None:
        return True
    told = booking.get("next_booking_date")  # all that `get_booking` shows of other bookings
    return (told is None or told > end.isoformat()) and all(
        other["start_date"] > end.isoformat()
        for other in event.state["bookings"].values()
        if other["vehicle_id"] == booking["vehicle_id"]
        and other["booking_id"] != booking["booking_id"]
        and other["status"] in ("booked", "active")
        and other["start_date"] >= booking["end_date"]
    )


def booking_is_not_picked_up(event: PolicyEvent) -> bool:
    return bool(row(event, "bookings", "booking_id").get("status", "booked") == "booked")


def starts_soon(event: PolicyEvent) -> bool:
    """Tell whether the call is about a booking that is not picked up, and starts by tomorrow."""
    booking, tomorrow = row(event, "bookings", "booking_id"), (TODAY + timedelta(days=1)).isoformat()
    return bool(booking) and booking["status"] == "booked" and booking["start_date"] <= tomorrow


def late_cancellation_has_its_fee(event: PolicyEvent) -> bool:
    return not starts_soon(event) or event.call.arguments.get("with_cancellation_fee") is True


def fee_is_for_late_cancellations(event: PolicyEvent) -> bool:
    return starts_soon(event) or event.call.arguments.get("with_cancellation_fee") is not True


def vehicle_was_picked_up(event: PolicyEvent) -> bool:
    return row(event, "bookings", "booking_id").get("status", "active") in ("active", "completed")


def nobody_was_injured(event: PolicyEvent) -> bool:
    return event.call.arguments.get("injuries") is not True


def damage_is_only_reported(event: PolicyEvent) -> bool:
    return bool(row(event, "damage_reports", "damage_report_id").get("status", "reported") == "reported")


def damage_is_small(event: PolicyEvent) -> bool:
    report = row(event, "damage_reports", "damage_report_id")
    return not report or repair_cost(report["part"], report["severity"]) <= LARGEST_DAMAGE


def charge_is_open(event: PolicyEvent) -> bool:
    return bool(row(event, "charges", "charge_id").get("status", "open") == "open")


BOOK, EXTEND, CANCEL, ATTACH = "create_booking", "extend_booking", "cancel_booking", "attach_extra"
REPORT, SETTLE, PAY = "submit_damage_report", "create_damage_charge", "pay_charge"
QUOTES, BOOKINGS = ("list_quotes", "create_quote"), ("list_bookings", "get_booking")
CUSTOMER, CHARGES, REPORTS = ("find_customer",), ("list_charges",), ("list_damage_reports",)
SERVICE = Duty(kind="hand_over", tool="hand_over_to_service")
RULES = (
    Rule("identify_customer", "identify_first", CUSTOMER_TOOLS, customer_is_identified),
    Rule("confirm_changes", "confirm_before", CONFIRMED_TOOLS, user_has_agreed),
    Rule("no_past_start", "forbids", ("create_quote",), start_is_ahead),
    Rule("only_open_quotes", "only_if", (BOOK,), quote_is_open, QUOTES),
    Rule("minimum_age", "only_if", (BOOK,), customer_is_old_enough, CUSTOMER),
    Rule("luxury_from_25", "forbids", (BOOK,), luxury_is_for_older_customers, CUSTOMER),
    Rule("valid_licence", "only_if", (BOOK, EXTEND), licence_lasts, CUSTOMER),
    Rule("deposit_by_credit_card", "requires", (BOOK,), deposit_is_secured, QUOTES),
    Rule("no_booking_with_overdue_charges", "forbids", (BOOK,), nothing_is_overdue, CHARGES),
    Rule("three_rentals", "limit", (BOOK,), fewer_than_three_are_running, ("list_bookings",)),
    Rule("extend_twice", "limit", (EXTEND,), booking_was_extended_once_at_most, BOOKINGS),
    Rule("thirty_days", "limit", (EXTEND,), rental_stays_short, BOOKINGS),
    Rule("turnaround_day", "forbids", (EXTEND,), a_day_is_left_for_turnaround, ("get_booking",)),
    Rule("only_before_pickup", "only_if", (CANCEL, ATTACH), booking_is_not_picked_up, BOOKINGS),
    Rule("late_cancellation_fee", "requires", (CANCEL,), late_cancellation_has_its_fee, BOOKINGS),
    Rule("no_needless_fee", "forbids", (CANCEL,), fee_is_for_late_cancellations, BOOKINGS),
    Rule("damage_after_pickup", "only_if", (REPORT,), vehicle_was_picked_up, BOOKINGS),
    Rule("injuries_to_service", "handover_when", (REPORT,), nobody_was_injured, duty=SERVICE),
    Rule("charge_damage_once", "only_if", (SETTLE,), damage_is_only_reported, REPORTS),
    Rule("large_damages_to_service", "handover_when", (SETTLE,), damage_is_small, ("estimate_damage_cost",), SERVICE),
    Rule("pay_only_open", "only_if", (PAY,), charge_is_open, CHARGES),
)

POLICY = DomainPolicy(files(__package__).joinpath("policy.md").read_text(encoding="utf-8"), RULES)
