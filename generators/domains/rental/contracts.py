"""New quotes, bookings and charges, for the tools and for the history."""

from datetime import date, timedelta

from interplay.generators.domains import ToolError
from interplay.generators.domains.rental import tariff
from interplay.generators.domains.rental.data_model import (
    Booking,
    Charge,
    ChargeKind,
    Cover,
    PaymentMethod,
    Quote,
    Vehicle,
)

ORDINALS = ("first", "second", "third")
LAST_DAY = date(2027, 12, 31)


def period(start: date, days: int) -> tuple[str, str]:
    """Return the start date of a rental and the date on which the vehicle is brought back.

    Raises:
        ToolError: it would start after `LAST_DAY`.
    """
    if start > LAST_DAY:
        raise ToolError(f"Error: {start} is too far ahead; the last day on which a rental can start is {LAST_DAY}.")
    return start.isoformat(), (start + timedelta(days=days)).isoformat()


def new_quote(
    quote_id: str, customer_id: str, vehicle: Vehicle, start: date, days: int, cover: Cover, valid_until: date
) -> Quote:
    """Return an open quote for a vehicle."""
    parts = tariff.per_day(vehicle["daily_rate"], days, cover)
    first, last = period(start, days)
    return {
        "quote_id": quote_id,
        "customer_id": customer_id,
        "vehicle_id": vehicle["vehicle_id"],
        "vehicle": vehicle["name"],
        "category": vehicle["category"],
        "branch_name": vehicle["branch_name"],
        "start_date": first,
        "end_date": last,
        "days": days,
        "cover": cover,
        "total": tariff.cost(parts, days),
        "per_day": parts,
        "deposit": tariff.euros(tariff.DEPOSIT_CENTS[vehicle["category"]]),
        "currency": tariff.CURRENCY,
        "valid_until": valid_until.isoformat(),
        "status": "open",
    }


def new_booking(booking_id: str, quote: Quote, deposit_method: PaymentMethod) -> Booking:
    """Return the booking of a quote, without extras."""
    return {
        "booking_id": booking_id,
        "customer_id": quote["customer_id"],
        "vehicle_id": quote["vehicle_id"],
        "vehicle": quote["vehicle"],
        "category": quote["category"],
        "branch_name": quote["branch_name"],
        "start_date": quote["start_date"],
        "end_date": quote["end_date"],
        "days": quote["days"],
        "cover": quote["cover"],
        "extras": [],
        "total": quote["total"],
        "per_day": {**quote["per_day"]},
        "deposit": quote["deposit"],
        "deposit_method": deposit_method,
        "currency": quote["currency"],
        "status": "booked",
        "extension_count": 0,
        "cancel_reason": None,
    }


def lengthen(booking: Booking, days: int) -> float:
    """Add days to a booking at its daily price; return their cost."""
    booking["end_date"] = (date.fromisoformat(booking["end_date"]) + timedelta(days=days)).isoformat()
    booking["days"] += days
    booking["extension_count"] += 1
    booking["total"] = tariff.cost(booking["per_day"], booking["days"])
    return tariff.cost(booking["per_day"], days)


def next_extension(booking: Booking) -> str:
    """Return the subject of the charge for a booking's next extension."""
    count = booking["extension_count"]
    return f"{ORDINALS[count]} extension for" if count < len(ORDINALS) else f"extension {count + 1} for"


def new_charge(charge_id: str, booking: Booking, kind: ChargeKind, subject: str, amount: float, due_on: str) -> Charge:
    """Return an open charge for a booking; the vehicle's name is appended to `subject`."""
    return {
        "charge_id": charge_id,
        "customer_id": booking["customer_id"],
        "booking_id": booking["booking_id"],
        "subject": f"{subject} the {booking['vehicle']}",
        "kind": kind,
        "amount": amount,
        "currency": booking["currency"],
        "due_on": due_on,
        "status": "open",
        "payment_method": None,
    }
