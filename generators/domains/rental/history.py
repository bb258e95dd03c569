"""The history of the customers: consistent quotes, bookings, damage reports and charges."""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import get_args

from interplay.generators.domains import WorldSeed, next_id, numbered, words
from interplay.generators.domains.rental import tariff
from interplay.generators.domains.rental.contracts import (
    lengthen,
    new_booking,
    new_charge,
    new_quote,
    next_extension,
)
from interplay.generators.domains.rental.data_model import (
    TODAY,
    Booking,
    BookingStatus,
    Charge,
    ChargeKind,
    ChargeStatus,
    Cover,
    Customer,
    DamageReport,
    Extra,
    Part,
    PaymentMethod,
    Quote,
    QuoteStatus,
    ReportStatus,
    Severity,
    Vehicle,
)

PAST_DAYS, AHEAD_DAYS = 45, 55
LENGTHS = (2, 3, 3, 4, 5, 5, 7, 7, 8, 10, 14)
MOST_BOOKINGS, MOST_RUNNING = 5, 2
SEED = Path(__file__).with_name("seed.yaml")


@dataclass
class History:
    """The tables of the history while they are filled."""

    seed: WorldSeed
    chance: random.Random
    quotes: dict[str, Quote] = field(default_factory=dict)
    bookings: dict[str, Booking] = field(default_factory=dict)
    damage_reports: dict[str, DamageReport] = field(default_factory=dict)
    charges: dict[str, Charge] = field(default_factory=dict)
    by_customer: dict[str, list[Booking]] = field(default_factory=lambda: defaultdict(list))
    by_vehicle: dict[str, list[Booking]] = field(default_factory=lambda: defaultdict(list))

    def next_id(self, letters: str, table: Mapping[str, object]) -> str:
        """Return the id for the next row of a table: its first number in the world, or the one after the last row."""
        return next_id(letters, table) if table else next(numbered(self.seed, letters))


def make_history(
    seed: WorldSeed, chance: random.Random, customers: Sequence[Customer], vehicles: Sequence[Vehicle]
) -> History:
    """Make all existing quotes, bookings, reports and charges; bookings of one vehicle or one customer never overlap."""
    history = History(seed, chance)
    for vehicle, start, days in _periods(chance, vehicles):
        first, last = start.isoformat(), (start + timedelta(days=days)).isoformat()
        free = [customer for customer in customers if _may_book(history, customer, vehicle, first, last)]
        if free:
            _book(history, chance.choice(free), vehicle, start, days)
    for booking in list(history.bookings.values()):
        if booking["status"] in ("active", "completed") and chance.random() < 0.45:
            _damage(history, booking)
    for customer in customers:
        for _ in range(chance.choice([0, 1, 1, 2, 3])):
            _quote(history, customer, chance.choice(vehicles))
    return history


def _periods(chance: random.Random, vehicles: Sequence[Vehicle]) -> Iterator[tuple[Vehicle, date, int]]:
    """Yield (vehicle, start, days) of rentals in chronological order; those of one vehicle do not overlap."""
    found = []
    for vehicle in vehicles:
        start = TODAY - timedelta(days=PAST_DAYS - chance.randrange(40))
        while start < TODAY + timedelta(days=AHEAD_DAYS):
            days = chance.choice(LENGTHS)
            if vehicle["status"] == "in service" or start + timedelta(days=days) < TODAY:
                found.append((vehicle, start, days))
            start += timedelta(days=days + chance.randrange(4, 75))
    return iter(sorted(found, key=lambda item: (item[1], item[0]["vehicle_id"])))


def _may_book(history: History, customer: Customer, vehicle: Vehicle, first: str, last: str) -> bool:
    """Tell whether the policy and the customer's other bookings allow a rental from `first` to `last`."""
    age = int(first[:4]) - int(customer["birth_date"][:4])
    youngest = 26 if vehicle["category"] == "luxury car" else 22
    own = history.by_customer[customer["customer_id"]]
    if age < youngest or len(own) >= MOST_BOOKINGS or customer["licence_expiry"] < last:
        return False
    for row in own:
        if row["end_date"] >= first and last >= row["start_date"]:
            return False
    return len([row for row in own if row["status"] in ("booked", "active")]) < MOST_RUNNING


def _status(chance: random.Random, start: date, end: date) -> BookingStatus:
    if chance.random() < 0.1:
        return "cancelled"
    return "booked" if start >= TODAY else "active" if end >= TODAY else "completed"


def _book(history: History, customer: Customer, vehicle: Vehicle, start: date, days: int) -> None:
    """Add a booking with its charges; some are extended once or twice."""
    chance, end = history.chance, start + timedelta(days=days)
    status = _status(chance, start, end)
    cover: Cover = chance.choice(get_args(Cover))
    extras: list[Extra] = chance.sample(get_args(Extra), chance.choice([0, 0, 1, 1, 2]))
    times = 0 if status == "cancelled" or days < 5 else chance.choice([0, 0, 0, 1, 2])
    first = days - times
    quote = new_quote("", customer["customer_id"], vehicle, start, first, cover, TODAY)
    secured = vehicle["category"] in ("minibus", "luxury car")
    method: PaymentMethod = "credit card" if secured else chance.choice(get_args(PaymentMethod))
    booking = new_booking(history.next_id("BK", history.bookings), quote, method)
    booking["status"] = status
    booking["cancel_reason"] = chance.choice(words(SEED, "cancel_reasons")) if status == "cancelled" else None
    booking["extras"] = extras
    booking["per_day"] = tariff.with_extras(booking["per_day"], extras)
    booking["total"] = tariff.cost(booking["per_day"], first)
    history.bookings[booking["booking_id"]] = booking
    history.by_customer[customer["customer_id"]].append(booking)
    history.by_vehicle[vehicle["vehicle_id"]].append(booking)
    _charge(history, booking, "rental", "rental of", booking["total"], start)
    for added in range(times):
        due = start + timedelta(days=first + added)
        _charge(history, booking, "extension", next_extension(booking), lengthen(booking, 1), due)


def _charge(history: History, booking: Booking, kind: ChargeKind, subject: str, amount: float, due: date) -> None:
    """Add a charge: mostly paid if it is overdue; void or refunded if the booking is cancelled."""
    paid = history.chance.random() < (0.95 if due < TODAY else 0.4)
    status: ChargeStatus = "paid" if paid else "open"
    if booking["status"] == "cancelled":
        status = "refunded" if paid else "void"
    charge = new_charge(history.next_id("CH", history.charges), booking, kind, subject, amount, due.isoformat())
    charge["status"] = status
    charge["payment_method"] = history.chance.choice(get_args(PaymentMethod)) if paid else None
    history.charges[charge["charge_id"]] = charge


def _damage(history: History, booking: Booking) -> None:
    """Add a damage report, and a charge if its status is charged."""
    chance = history.chance
    part: Part = chance.choice(get_args(Part))
    severity: Severity = chance.choice([*get_args(Severity), "light"])
    status: ReportStatus = chance.choice(["reported", "reported", "reported", "reported", "charged", "waived"])
    reported = min(TODAY, date.fromisoformat(booking["end_date"])) - timedelta(days=1)
    report_id = history.next_id("DR", history.damage_reports)
    history.damage_reports[report_id] = {
        "damage_report_id": report_id,
        "customer_id": booking["customer_id"],
        "booking_id": booking["booking_id"],
        "vehicle_id": booking["vehicle_id"],
        "vehicle": booking["vehicle"],
        "part": part,
        "severity": severity,
        "circumstances": chance.choice(words(SEED, "circumstances")),
        "injuries": False,
        "reported_on": reported.isoformat(),
        "status": status,
    }
    if status == "charged":
        due = tariff.customers_share(tariff.repair_cost(part, severity), booking["cover"])
        text = f"{severity} damage to the {part} of"
        _charge(history, booking, "damage", text, due, reported + timedelta(days=14))


def _quote(history: History, customer: Customer, vehicle: Vehicle) -> None:
    """Add an expired quote, or an open one for future days on which the vehicle is free."""
    chance, days = history.chance, history.chance.choice(LENGTHS)
    status: QuoteStatus = chance.choice(["open", "open", "open", "expired"])
    asked = TODAY - timedelta(days=chance.randrange(9, 30) if status == "expired" else chance.randrange(6))
    start = TODAY + timedelta(days=chance.randrange(3, 80))
    end, cover = start + timedelta(days=days), chance.choice(get_args(Cover))
    taken = any(
        row["start_date"] < end.isoformat() and start.isoformat() < row["end_date"]
        for row in history.by_vehicle[vehicle["vehicle_id"]]
        if row["status"] in ("booked", "active")
    )
    if vehicle["status"] != "in service" or (status == "open" and taken):
        return
    valid_until = asked + timedelta(days=7)
    quote_id, owner = history.next_id("QT", history.quotes), customer["customer_id"]
    history.quotes[quote_id] = new_quote(quote_id, owner, vehicle, start, days, cover, valid_until)
    history.quotes[quote_id]["status"] = status
