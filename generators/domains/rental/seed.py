"""The seed of a world -> the rental's database in it: invented people and vehicles, from the lists in `seed.yaml`."""

import random
from collections.abc import Iterator
from datetime import date, timedelta
from typing import get_args

from interplay.generators.domains import OPENING, Size, WorldSeed, beside, mail_of, numbered, people, rows, table
from interplay.generators.domains.rental.data_model import (
    TODAY,
    Branch,
    Category,
    Customer,
    Tables,
    Vehicle,
)
from interplay.generators.domains.rental.history import make_history
from interplay.generators.domains.rental.tariff import CURRENCY, euros

SIZES = {"customer": Size(fewest=24, usual=40, most=70)}
"""The number of rows of the table that most others depend on."""

EACH = 2
"""Most vehicles of a category at a branch."""


SEED = beside(__file__)


def make_tables(seed: WorldSeed = OPENING) -> Tables:
    """Make the database of a world; the same seed gives the same rows."""
    chance = seed.random("rental")
    branches = {row["branch_id"]: row for row in _branches()}
    customers = {row["customer_id"]: row for row in _customers(seed, chance)}
    vehicles = {row["vehicle_id"]: row for row in _vehicles(seed, chance, branches)}
    history = make_history(seed, chance, list(customers.values()), list(vehicles.values()))
    return {
        "branches": branches,
        "customers": customers,
        "vehicles": vehicles,
        "quotes": history.quotes,
        "bookings": history.bookings,
        "damage_reports": history.damage_reports,
        "charges": history.charges,
    }


def _branches() -> Iterator[Branch]:
    for number, (name, town, address, opens_at, closes_at) in enumerate(rows(SEED, "branches"), start=1):
        yield {
            "branch_id": f"BR-{number:04d}",
            "name": name,
            "town": town,
            "address": address,
            "phone": f"+44 20 7946 0{number:03d}",
            "opens_at": opens_at,
            "closes_at": closes_at,
        }


def _customers(seed: WorldSeed, chance: random.Random) -> Iterator[Customer]:
    """Yield customers from 19 years on; the licences of some expire soon."""
    names = people(chance, seed.size("customer", SIZES["customer"]))
    for number, (customer_id, name) in enumerate(zip(numbered(seed, "CU"), names, strict=False), start=1):
        years = 19 + number % 6 if number % 5 == 0 else chance.randrange(25, 78)
        born = date(TODAY.year - years, 1, 1) - timedelta(days=chance.randrange(300))
        expires = chance.randrange(5, 60) if number % 12 == 7 else chance.randrange(200, 4000)
        yield {
            "customer_id": customer_id,
            "name": name,
            "birth_date": born.isoformat(),
            "phone": f"+44 7700 900{number:03d}",
            "email": mail_of(name),
            "licence_number": f"EL{chance.randrange(10**6, 10**7)}",
            "licence_expiry": (TODAY + timedelta(days=expires)).isoformat(),
        }


def _vehicles(seed: WorldSeed, chance: random.Random, branches: dict[str, Branch]) -> Iterator[Vehicle]:
    """Yield one or two different models of each category for each branch."""
    number, ids = 0, numbered(seed, "VH")
    for branch in branches.values():
        for category in get_args(Category):
            models = table(SEED, "models")[category]
            for model, transmission, fuel, seats, rate in chance.sample(models, chance.choice([1, 2, EACH])):
                number += 1
                yield {
                    "vehicle_id": next(ids),
                    "name": model,
                    "category": category,
                    "branch_id": branch["branch_id"],
                    "branch_name": branch["name"],
                    "transmission": transmission,
                    "fuel": fuel,
                    "seats": seats,
                    "daily_rate": euros(rate),
                    "currency": CURRENCY,
                    "status": "in the workshop" if number % 17 == 8 else "in service",
                }
