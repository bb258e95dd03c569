"""The rental's database, the same at every call: invented people, places and vehicles, from word lists."""

import random
from collections.abc import Iterator
from datetime import date, timedelta

from interplay.generators.domains.rental.data_model import (
    TODAY,
    Branch,
    Category,
    Customer,
    Fuel,
    Tables,
    Transmission,
    Vehicle,
)
from interplay.generators.domains.rental.history import make_history
from interplay.generators.domains.rental.tariff import CURRENCY, euros

CUSTOMERS = 60
EACH = 2
"""Vehicles of a category at a branch at most."""

BRANCHES = [
    ("Port Elden Airport", "Port Elden", "Terminal Road 3", "06:00", "23:00"),
    ("Port Elden Harbour", "Port Elden", "Quayside 41", "08:00", "19:00"),
    ("Wyncombe Station", "Wyncombe", "Railway Square 1", "07:00", "21:00"),
    ("Wyncombe West", "Wyncombe", "Orchard Way 88", "08:00", "18:00"),
    ("Marlow Heath", "Marlow Heath", "Heath Lane 12", "08:30", "17:30"),
    ("Tarnsby Old Mill", "Tarnsby", "Mill Bank 7", "08:00", "18:00"),
    ("Tarnsby Station", "Tarnsby", "Station Street 20", "07:30", "20:00"),
    ("Oakhurst", "Oakhurst", "Market Place 5", "09:00", "17:00"),
]
MODELS: dict[Category, list[tuple[str, Transmission, Fuel, int, int]]] = {
    "small car": [
        ("Norda Pico", "manual", "petrol", 4, 2_890),
        ("Velio Uno", "manual", "petrol", 5, 3_150),
        ("Arven Mini", "automatic", "petrol", 4, 3_480),
    ],
    "family car": [
        ("Norda Vista", "manual", "diesel", 5, 4_690),
        ("Velio Tourer", "automatic", "diesel", 5, 5_290),
        ("Arven Seven", "automatic", "petrol", 7, 6_150),
    ],
    "electric car": [
        ("Norda Volt", "automatic", "electric", 5, 4_990),
        ("Lumen One", "automatic", "electric", 4, 4_350),
        ("Lumen Cross", "automatic", "electric", 5, 6_790),
    ],
    "SUV": [
        ("Norda Trek", "manual", "diesel", 5, 6_490),
        ("Velio Ridge", "automatic", "diesel", 5, 7_250),
        ("Arven Summit", "automatic", "petrol", 7, 8_190),
    ],
    "van": [
        ("Harrow Cargo", "manual", "diesel", 3, 5_890),
        ("Harrow Cargo Long", "manual", "diesel", 3, 6_890),
        ("Velio Porter", "automatic", "electric", 2, 7_490),
    ],
    "minibus": [
        ("Harrow Nine", "manual", "diesel", 9, 8_890),
        ("Velio Shuttle", "automatic", "diesel", 9, 9_650),
    ],
    "luxury car": [
        ("Arven Regent", "automatic", "petrol", 5, 15_900),
        ("Lumen Grand", "automatic", "electric", 5, 17_500),
        ("Arven Spyder", "manual", "petrol", 2, 19_900),
    ],
}
GIVEN = (
    "Alma Arne Birgit Caspar Dilan Enno Freya Gideon Hedda Ilka Jarl Katya Lorenz Malin Nadim Odile Piet Quirin "
    "Rieke Selma Tomas Ulla Vito Wiebke Xenia Yara Zeno Bjarne Corin Despina Eskil Fenna Goran Imke"
).split()
FAMILY = (
    "Achterberg Bellweather Carrow Dunmore Ellery Fenwick Garrick Hollander Iversen Jorvik Kettering Lamorna Merrow "
    "Nystrom Ormond Penhale Quarles Ravensky Sandberg Tiller Underhay Vasko Wexley Yarrow Zimmerli Ashdown"
).split()


def make_tables() -> Tables:
    """Make the database; the same rows at every call."""
    chance = random.Random(20260302)
    branches = {row["branch_id"]: row for row in _branches()}
    customers = {row["customer_id"]: row for row in _customers(chance)}
    vehicles = {row["vehicle_id"]: row for row in _vehicles(chance, branches)}
    history = make_history(chance, list(customers.values()), list(vehicles.values()))
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
    for number, (name, town, address, opens_at, closes_at) in enumerate(BRANCHES, start=1):
        yield {
            "branch_id": f"BR-{number:04d}",
            "name": name,
            "town": town,
            "address": address,
            "phone": f"+44 20 7946 0{number:03d}",
            "opens_at": opens_at,
            "closes_at": closes_at,
        }


def _customers(chance: random.Random) -> Iterator[Customer]:
    """Yield customers of all ages from 19 on; the licences of some are about to expire."""
    names = chance.sample([(given, family) for given in GIVEN for family in FAMILY], CUSTOMERS)
    for number, (given, family) in enumerate(names, start=1):
        years = 19 + number % 6 if number % 5 == 0 else chance.randrange(25, 78)
        born = date(TODAY.year - years, 1, 1) - timedelta(days=chance.randrange(300))
        expires = chance.randrange(5, 60) if number % 12 == 7 else chance.randrange(200, 4000)
        yield {
            "customer_id": f"CU-{number:04d}",
            "name": f"{given} {family}",
            "birth_date": born.isoformat(),
            "phone": f"+44 7700 900{number:03d}",
            "email": f"{given}.{family}@example.org".lower(),
            "licence_number": f"EL{chance.randrange(10**6, 10**7)}",
            "licence_expiry": (TODAY + timedelta(days=expires)).isoformat(),
        }


def _vehicles(chance: random.Random, branches: dict[str, Branch]) -> Iterator[Vehicle]:
    """Yield one or two different models of each category for each branch."""
    number = 0
    for branch in branches.values():
        for category, models in MODELS.items():
            for model, transmission, fuel, seats, rate in chance.sample(models, chance.choice([1, 2, EACH])):
                number += 1
                yield {
                    "vehicle_id": f"VH-{number:04d}",
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
