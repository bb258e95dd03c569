"""Tools about bookings."""

from datetime import date, timedelta

from interplay.generators.domains import MOST_ROWS, ToolError, found, next_id, tool
from interplay.generators.domains.rental import tariff
from interplay.generators.domains.rental.charges import add_charge, due_date
from interplay.generators.domains.rental.contracts import lengthen, new_booking, next_extension
from interplay.generators.domains.rental.customers import of_customer
from interplay.generators.domains.rental.data_model import (
    Booking,
    BookingDetails,
    BookingId,
    BookingStatus,
    CancelReason,
    CustomerId,
    Extra,
    ExtraDays,
    HoursLate,
    LateFee,
    PaymentMethod,
    QuoteId,
)
from interplay.generators.domains.rental.state import State
from interplay.generators.domains.rental.vehicles import bookings_of, refuse_taken


@tool(effect="write", phrases=("book the vehicle from my quote", "turn a quote into a booking", "take up a quote"))
def create_booking(rental: State, quote_id: QuoteId, deposit_method: PaymentMethod) -> Booking:
    """Book the vehicle of a quote at the quoted price, which is charged on the first day.

    Args:
        deposit_method: How the customer leaves the deposit.
    """
    quote = found(rental.quotes, quote_id, "quote")
    refuse_taken(rental, found(rental.vehicles, quote["vehicle_id"], "vehicle"), quote["start_date"], quote["end_date"])
    booking = new_booking(next_id("BK", rental.bookings), quote, deposit_method)
    rental.bookings[booking["booking_id"]] = booking
    quote["status"] = "booked"
    add_charge(rental, booking, "rental", "rental of", booking["total"], booking["start_date"])
    return booking


@tool(effect="read", phrases=("see my bookings", "get an overview of my bookings"))
def list_bookings(rental: State, customer_id: CustomerId, status: BookingStatus | None = None) -> list[Booking]:
    """List a customer's bookings, the latest first, eight at most.

    Args:
        status: Only bookings with this status.
    """
    rows = of_customer(rental, rental.bookings.values(), customer_id, status)
    return sorted(rows, key=lambda row: row["start_date"], reverse=True)[:MOST_ROWS]


@tool(effect="read", phrases=("check the details of a booking", "find out what my booking costs"))
def get_booking(rental: State, booking_id: BookingId) -> BookingDetails:
    """Get one booking with its dates, extras and price, and the date from which its vehicle is booked next."""
    booking = found(rental.bookings, booking_id, "booking")
    return {**booking, "next_booking_date": _following(rental, booking)}


@tool(effect="write", phrases=("extend my booking", "keep the vehicle longer", "make my rental longer"))
def extend_booking(rental: State, booking_id: BookingId, number_of_extra_days: ExtraDays) -> Booking:
    """Extend a booking at its daily price; the added days are charged on the day when it would have ended.

    Args:
        number_of_extra_days: Number of days to add.
    """
    booking = _running(rental, booking_id)
    end = (date.fromisoformat(booking["end_date"]) + timedelta(days=number_of_extra_days)).isoformat()
    following = _following(rental, booking)
    if following is not None and following < end:
        raise ToolError(f"Error: the vehicle of booking {booking_id} is booked again from {following} on.")
    added_on = booking["end_date"]
    subject = next_extension(booking)
    add_charge(rental, booking, "extension", subject, lengthen(booking, number_of_extra_days), added_on)
    return booking


@tool(effect="write", phrases=("cancel my booking", "call off a rental"))
def cancel_booking(
    rental: State, booking_id: BookingId, reason: CancelReason | None = None, with_cancellation_fee: bool = False
) -> Booking:
    """Cancel a booking: open charges become void, paid ones are refunded.

    Args:
        reason: Why the customer cancels.
        with_cancellation_fee: Whether the price of one day is charged as a cancellation fee.
    """
    booking = _running(rental, booking_id)
    for row in rental.charges.values():
        if row["booking_id"] == booking_id and row["kind"] != "damage":
            row["status"] = "refunded" if row["status"] in ("paid", "refunded") else "void"
    if with_cancellation_fee:
        add_charge(rental, booking, "cancellation", "cancellation of", tariff.cost(booking["per_day"], 1), due_date())
    booking["status"] = "cancelled"
    booking["cancel_reason"] = reason
    return booking


@tool(effect="write", phrases=("add an extra to my booking", "have something added to my rental"))
def attach_extra(rental: State, booking_id: BookingId, extra: Extra) -> Booking:
    """Add an extra to a booking, for all its days.

    Args:
        extra: What to add.
    """
    booking = _running(rental, booking_id)
    if extra in booking["extras"]:
        raise ToolError(f"Error: booking {booking_id} has the {extra} already.")
    added = tariff.extra_cost(extra, booking["days"])
    add_charge(rental, booking, "extra", f"{extra} for", added, booking["start_date"])
    booking["extras"] = [*booking["extras"], extra]
    booking["per_day"] = tariff.with_extras(booking["per_day"], booking["extras"])
    booking["total"] = tariff.cost(booking["per_day"], booking["days"])
    return booking


@tool(effect="read", phrases=("find out what a late return would cost", "get the fee for a late return"))
def estimate_late_fee(rental: State, booking_id: BookingId, number_of_hours: HoursLate) -> LateFee:
    """Work out what it costs to bring a vehicle back late; nothing is charged.

    Args:
        number_of_hours: Number of hours after the time when the vehicle is due.
    """
    booking = _running(rental, booking_id)
    return {
        "booking_id": booking_id,
        "vehicle": booking["vehicle"],
        "end_date": booking["end_date"],
        "hours_late": number_of_hours,
        "late_fee": tariff.late_fee(booking["per_day"], number_of_hours),
        "currency": booking["currency"],
    }


def _following(rental: State, booking: Booking) -> str | None:
    """Return the start date of the next booking of the same vehicle, or None."""
    rows = bookings_of(rental, booking["vehicle_id"])
    later = (row for row in rows if row["booking_id"] != booking["booking_id"])
    return min((row["start_date"] for row in later if row["start_date"] >= booking["end_date"]), default=None)


def _running(rental: State, booking_id: str) -> Booking:
    """Return a booking that is neither completed nor cancelled.

    Raises:
        ToolError: there is no such booking, or it is over.
    """
    booking = found(rental.bookings, booking_id, "booking")
    if booking["status"] in ("completed", "cancelled"):
        raise ToolError(f"Error: booking {booking_id} is {booking['status']}.")
    return booking
