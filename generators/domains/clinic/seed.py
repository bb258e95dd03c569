"""The seed of a world -> the clinic's database in it: invented people and consistent rows, from the lists in `seed.yaml`."""

import random
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import get_args

from interplay.generators.domains import OPENING, Size, WorldSeed, beside, mail_of, numbered, people, rows, table, words
from interplay.generators.domains.clinic.data_model import (
    NOW,
    TODAY,
    Appointment,
    Invoice,
    Location,
    Patient,
    PaymentMethod,
    Practitioner,
    Prescription,
    Service,
    Slot,
    Specialty,
    Tables,
)

SIZES = {"patient": Size(fewest=18, usual=30, most=60)}
"""The number of rows of the table that all others depend on."""

SEED = beside(__file__)
HOURS, PRICES, REASONS = (table(SEED, name) for name in ("hours", "prices", "reasons"))
CITIES, LANGUAGES, TIMES = (words(SEED, name) for name in ("cities", "languages", "times"))


def make_tables(seed: WorldSeed = OPENING) -> Tables:
    """Make the database of a world; the same seed gives the same rows."""
    chance = seed.random("clinic")
    patients = {row["patient_id"]: row for row in _patients(seed, chance)}
    practitioners = {row["practitioner_id"]: row for row in _practitioners(seed, chance)}
    slots = {row["slot_id"]: row for row in _slots(seed, chance, practitioners)}
    appointments = {row["appointment_id"]: row for row in _appointments(seed, chance, patients, slots)}
    prescriptions = {row["prescription_id"]: row for row in _prescriptions(seed, chance, patients, practitioners)}
    invoices = {row["invoice_id"]: row for row in _invoices(seed, chance, patients)}
    return {
        "patients": patients,
        "practitioners": practitioners,
        "slots": slots,
        "appointments": appointments,
        "prescriptions": prescriptions,
        "invoices": invoices,
    }


def _patients(seed: WorldSeed, chance: random.Random) -> Iterator[Patient]:
    names = people(chance, seed.size("patient", SIZES["patient"]))
    for number, (patient_id, name) in enumerate(zip(numbered(seed, "P"), names, strict=False), start=1):
        born = date(1940, 1, 1) + timedelta(days=chance.randrange(24_500))
        yield {
            "patient_id": patient_id,
            "name": name,
            "birth_date": born.isoformat(),
            "phone": f"+44 7700 900{number:03d}",
            "email": mail_of(name),
            "city": chance.choice(CITIES),
            "registered_on": (TODAY - timedelta(days=chance.randrange(100, 3000))).isoformat(),
        }


def _practitioners(seed: WorldSeed, chance: random.Random) -> Iterator[Practitioner]:
    specialties: list[Specialty] = [*get_args(Specialty), *get_args(Specialty), "general practice"]
    names = people(chance, len(specialties))
    for practitioner_id, specialty, name in zip(numbered(seed, "D"), specialties, names, strict=False):
        yield {
            "practitioner_id": practitioner_id,
            "name": f"Dr. {name}",
            "specialty": specialty,
            "location": chance.choice(get_args(Location)),
            "languages": ["English", *chance.sample(LANGUAGES, chance.randrange(1, 3))],
        }


def _slots(seed: WorldSeed, chance: random.Random, practitioners: dict[str, Practitioner]) -> Iterator[Slot]:
    """Yield free slots of each practitioner, from two weeks ago to three weeks ahead, in chronological order."""
    days = [TODAY + timedelta(days=offset) for offset in range(-14, 21)]
    ids = numbered(seed, "S")
    for practitioner in practitioners.values():
        for day in [day for day in days if day.weekday() < 5]:
            for time in sorted(chance.sample(TIMES, 2 if day >= TODAY else 1)):
                yield {
                    "slot_id": next(ids),
                    "practitioner_id": practitioner["practitioner_id"],
                    "practitioner_name": practitioner["name"],
                    "specialty": practitioner["specialty"],
                    "location": practitioner["location"],
                    "starts_at": f"{day.isoformat()}T{time}:00",
                    "duration_minutes": 20 if practitioner["specialty"] == "general practice" else 40,
                    "free": True,
                }


def _appointments(
    seed: WorldSeed, chance: random.Random, patients: dict[str, Patient], slots: dict[str, Slot]
) -> Iterator[Appointment]:
    """Yield mostly one or two upcoming appointments and a past one for each patient, and mark their slots as taken."""
    tomorrow = (NOW + timedelta(hours=24)).isoformat()
    past = [slot for slot in slots.values() if slot["starts_at"] < NOW.isoformat()]
    soon = [slot for slot in slots.values() if NOW.isoformat() <= slot["starts_at"] < tomorrow]
    later = [slot for slot in slots.values() if slot["starts_at"] >= tomorrow]
    ids = numbered(seed, "A")
    for index, patient in enumerate(patients.values()):
        chosen = [chance.choice(past), *chance.sample(later, 3 if index % 12 == 5 else 1 + index % 2)]
        if index % 8 == 3:
            chosen.append(chance.choice(soon))
        booked = set[str]()
        for slot in sorted(chosen, key=lambda slot: slot["starts_at"]):
            if not slot["free"] or slot["starts_at"] in booked:
                continue
            booked.add(slot["starts_at"])
            slot["free"] = False
            reason = chance.choice(REASONS[slot["specialty"]])
            appointment = new_appointment(next(ids), patient["patient_id"], slot, reason)
            appointment["status"] = "completed" if datetime.fromisoformat(slot["starts_at"]) < NOW else "booked"
            appointment["times_rescheduled"] = chance.choice([0, 0, 0, 0, 1, 1, 2])
            yield appointment


def new_appointment(appointment_id: str, patient_id: str, slot: Slot, reason: str) -> Appointment:
    """Return a booked appointment in a slot."""
    return {
        "appointment_id": appointment_id,
        "patient_id": patient_id,
        "slot_id": slot["slot_id"],
        "practitioner_id": slot["practitioner_id"],
        "practitioner_name": slot["practitioner_name"],
        "specialty": slot["specialty"],
        "location": slot["location"],
        "starts_at": slot["starts_at"],
        "reason": reason,
        "status": "booked",
        "times_rescheduled": 0,
        "cancel_reason": None,
    }


def _prescriptions(
    seed: WorldSeed, chance: random.Random, patients: dict[str, Patient], practitioners: dict[str, Practitioner]
) -> Iterator[Prescription]:
    ids = numbered(seed, "R")
    for patient in patients.values():
        for medication, dose, instructions, controlled in chance.sample(
            rows(SEED, "medications"), chance.randrange(1, 4)
        ):
            active = chance.random() < 0.85
            valid = TODAY + timedelta(days=chance.randrange(20, 300) * (1 if active else -1))
            yield {
                "prescription_id": next(ids),
                "patient_id": patient["patient_id"],
                "practitioner_name": chance.choice(list(practitioners.values()))["name"],
                "medication": medication,
                "dose": dose,
                "instructions": instructions,
                "status": "active" if active else "expired",
                "refills_left": chance.choice([0, 1, 2, 3, 4, 5]),
                "controlled": controlled,
                "renewal_requested": False,
                "renewal_note": None,
                "valid_until": valid.isoformat(),
            }


def _invoices(seed: WorldSeed, chance: random.Random, patients: dict[str, Patient]) -> Iterator[Invoice]:
    ids = numbered(seed, "I")
    for patient in patients.values():
        for service in chance.sample(get_args(Service), chance.randrange(1, 4)):
            issued = TODAY - timedelta(days=chance.randrange(2, 60))
            paid = chance.random() < 0.35
            yield {
                "invoice_id": next(ids),
                "patient_id": patient["patient_id"],
                "service": service,
                "amount": PRICES[service] * chance.choice([1, 1, 1, 2, 4]),
                "currency": "EUR",
                "issued_on": issued.isoformat(),
                "due_on": (issued + timedelta(days=30)).isoformat(),
                "status": "paid" if paid else "open",
                "payment_method": chance.choice(get_args(PaymentMethod)) if paid else None,
            }
