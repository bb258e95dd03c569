"""Tools about quotes."""

from datetime import date, timedelta

from interplay.generators.domains import MOST_ROWS, found, next_id, tool
from interplay.generators.domains.rental.contracts import new_quote, period
from interplay.generators.domains.rental.customers import of_customer
from interplay.generators.domains.rental.data_model import TODAY, Cover, CustomerId, Days, Quote, QuoteStatus, VehicleId
from interplay.generators.domains.rental.state import State
from interplay.generators.domains.rental.vehicles import refuse_taken

QUOTE_DAYS = 7
"""Days of a quote's validity."""


@tool(effect="write", phrases=("get a quote", "find out what a rental would cost", "get a price for a vehicle"))
def create_quote(
    rental: State,
    customer_id: CustomerId,
    vehicle_id: VehicleId,
    start_date: date,
    number_of_days: Days,
    cover: Cover = "basic",
) -> Quote:
    """Work out what a free vehicle costs for some days, and keep the quote for a week; nothing is booked yet.

    Args:
        start_date: Day on which the rental starts.
        number_of_days: Number of days.
        cover: Insurance cover.
    """
    found(rental.customers, customer_id, "customer")
    vehicle, start, end = found(rental.vehicles, vehicle_id, "vehicle"), *period(start_date, number_of_days)
    refuse_taken(rental, vehicle, start, end)
    valid_until = TODAY + timedelta(days=QUOTE_DAYS)
    quote_id = next_id("QT", rental.quotes)
    quote = new_quote(quote_id, customer_id, vehicle, start_date, number_of_days, cover, valid_until)
    rental.quotes[quote["quote_id"]] = quote
    return quote


@tool(effect="read", phrases=("see my quotes", "check the offers you made me"))
def list_quotes(rental: State, customer_id: CustomerId, status: QuoteStatus | None = None) -> list[Quote]:
    """List a customer's quotes, the earliest rental first.

    Args:
        status: Only quotes with this status.
    """
    rows = of_customer(rental, rental.quotes.values(), customer_id, status)
    return sorted(rows, key=lambda row: row["start_date"])[:MOST_ROWS]
