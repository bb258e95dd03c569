"""Prices, computed in whole cents and shown in euros."""

from collections.abc import Mapping, Sequence

from interplay.generators.domains import beside, table
from interplay.generators.domains.rental.data_model import Cover, Extra, Part, PerDay, Severity

CURRENCY = "EUR"

LONG_RENTAL_DAYS, LONG_RENTAL_PERCENT = 7, 90
COVER_CENTS: dict[Cover, int] = {"basic": 650, "full": 1890}
EXCESS_CENTS: dict[Cover, int] = {"basic": 90_000, "full": 15_000}
"""Most cents of a repair that the customer pays, by cover."""

EXTRA_CENTS: Mapping[str, int] = table(beside(__file__), "extras")
DEPOSIT_CENTS: Mapping[str, int] = table(beside(__file__), "deposits")
PART_CENTS: Mapping[str, int] = table(beside(__file__), "parts")
SEVERITY_PERCENT: dict[Severity, int] = {"light": 40, "moderate": 100, "severe": 210}
LATE_STEP_HOURS, LATE_STEP_PERCENT, LATE_DAY_PERCENT = 6, 40, 120
"""Late fees in percent of the daily rate: for each started step of hours, and the maximum per day."""


def euros(cents: int) -> float:
    """Convert cents to the shown amount: 4990 -> 49.9."""
    return cents / 100


def cents(euros: float) -> int:
    """Convert a shown amount to whole cents."""
    return round(euros * 100)


def per_day(daily_rate: float, days: int, cover: Cover) -> PerDay:
    """Return the parts of the daily price, without extras; long rentals have a lower daily rate."""
    rental = cents(daily_rate)
    if days >= LONG_RENTAL_DAYS:
        rental = rental * LONG_RENTAL_PERCENT // 100
    return {"rental": euros(rental), "cover": euros(COVER_CENTS[cover]), "extras": 0.0}


def cost(parts: PerDay, days: int) -> float:
    """Return the price of a number of days."""
    return euros(days * (cents(parts["rental"]) + cents(parts["cover"]) + cents(parts["extras"])))


def extra_cost(extra: Extra, days: int) -> float:
    """Return the price of an extra for a number of days."""
    return euros(EXTRA_CENTS[extra] * days)


def with_extras(parts: PerDay, extras: Sequence[Extra]) -> PerDay:
    """Return the parts of the daily price with these extras."""
    return {**parts, "extras": euros(sum(EXTRA_CENTS[extra] for extra in extras))}


def late_fee(parts: PerDay, hours: int) -> float:
    """Return the fee for a return that many hours late."""
    full, rest = divmod(hours, 24)
    steps = -(-rest // LATE_STEP_HOURS)
    percent = full * LATE_DAY_PERCENT + min(LATE_DAY_PERCENT, steps * LATE_STEP_PERCENT)
    return euros(cents(parts["rental"]) * percent // 100)


def repair_cost(part: Part, severity: Severity) -> float:
    """Return the cost of a repair."""
    return euros(PART_CENTS[part] * SEVERITY_PERCENT[severity] // 100)


def customers_share(repair: float, cover: Cover) -> float:
    """Return the customer's share of a repair; the cover pays the rest."""
    return euros(min(cents(repair), EXCESS_CENTS[cover]))
