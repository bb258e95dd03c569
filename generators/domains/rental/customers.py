"""Tools about customers, and the handover to the service team."""

from collections.abc import Iterable
from typing import TypeVar

from interplay.generators.domains import ToolError, found, next_id, tool
from interplay.generators.domains.rental.data_model import (
    TODAY,
    BirthDate,
    Booking,
    Charge,
    Customer,
    CustomerId,
    DamageReport,
    FullName,
    Handover,
    Message,
    Quote,
    Topic,
)
from interplay.generators.domains.rental.state import State

Owned = TypeVar("Owned", Quote, Booking, DamageReport, Charge)


@tool(effect="read", phrases=("check which details you have about me", "see my customer account"))
def find_customer(rental: State, name: FullName, birth_date: BirthDate) -> Customer:
    """Find a customer by full name and date of birth.

    Args:
        name: Full name of the customer.
        birth_date: Date of birth of the customer.
    """
    for customer in rental.customers.values():
        if customer["name"].casefold() == name.casefold() and customer["birth_date"] == birth_date.isoformat():
            return customer
    raise ToolError(f"Error: no customer called {name} was born on {birth_date}.")


@tool(effect="write", phrases=("speak to the service team", "leave a message for the service team"))
def hand_over_to_service(rental: State, customer_id: CustomerId, topic: Topic, message: Message) -> Handover:
    """Pass a customer's matter on to the service team, who will call back.

    Args:
        topic: What the matter is about.
        message: What the service team should know.
    """
    found(rental.customers, customer_id, "customer")
    handover: Handover = {
        "handover_id": next_id("HO", rental.handovers),
        "customer_id": customer_id,
        "topic": topic,
        "message": message,
        "created_on": TODAY.isoformat(),
    }
    rental.handovers[handover["handover_id"]] = handover
    return handover


def of_customer(rental: State, rows: Iterable[Owned], customer_id: str, status: str | None) -> list[Owned]:
    """Return the rows of a customer; with `status`, only those with that status.

    Raises:
        ToolError: there is no such customer.
    """
    found(rental.customers, customer_id, "customer")
    return [row for row in rows if row["customer_id"] == customer_id and status in (None, row["status"])]
