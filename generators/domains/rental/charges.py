"""Tools about charges."""

from datetime import timedelta

from interplay.generators.domains import MOST_ROWS, ToolError, found, next_id, tool
from interplay.generators.domains.rental.contracts import new_charge
from interplay.generators.domains.rental.customers import of_customer
from interplay.generators.domains.rental.data_model import (
    TODAY,
    Booking,
    Charge,
    ChargeId,
    ChargeKind,
    ChargeStatus,
    CustomerId,
    PaymentMethod,
)
from interplay.generators.domains.rental.state import State

PAYMENT_DAYS = 14
"""Days until a cancellation fee or a damage charge is due."""


@tool(effect="read", phrases=("see my charges", "get an overview of my charges", "check what you charged me"))
def list_charges(rental: State, customer_id: CustomerId, status: ChargeStatus | None = None) -> list[Charge]:
    """List a customer's charges, the latest due first, eight at most.

    Args:
        status: Only charges with this status.
    """
    rows = of_customer(rental, rental.charges.values(), customer_id, status)
    return sorted(rows, key=lambda row: row["due_on"], reverse=True)[:MOST_ROWS]


@tool(effect="write", phrases=("pay a charge", "settle what I owe", "pay for a rental"))
def pay_charge(rental: State, charge_id: ChargeId, payment_method: PaymentMethod) -> Charge:
    """Pay a charge in full.

    Args:
        payment_method: How the customer pays.
    """
    charge = found(rental.charges, charge_id, "charge")
    if charge["status"] in ("void", "refunded"):
        raise ToolError(f"Error: charge {charge_id} is {charge['status']}.")
    charge["status"] = "paid"
    charge["payment_method"] = payment_method
    return charge


def add_charge(rental: State, booking: Booking, kind: ChargeKind, subject: str, amount: float, due_on: str) -> Charge:
    """Add an open charge for a booking."""
    charge = new_charge(next_id("CH", rental.charges), booking, kind, subject, amount, due_on)
    rental.charges[charge["charge_id"]] = charge
    return charge


def due_date() -> str:
    """Return the due date of a fee or damage charged today."""
    return (TODAY + timedelta(days=PAYMENT_DAYS)).isoformat()
