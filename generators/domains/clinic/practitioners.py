"""Tools about practitioners and their free slots."""

from datetime import date
from typing import get_args

from interplay.generators.domains import MOST_ROWS, ToolError, found, has_words, tool
from interplay.generators.domains.clinic.data_model import TODAY, Practitioner, PractitionerId, Slot, Specialty
from interplay.generators.domains.clinic.state import State


@tool(effect="read", phrases=("find a doctor", "see who works at the clinic"))
def find_practitioners(clinic: State, specialty: Specialty, name: str | None = None) -> list[Practitioner]:
    """Find the practitioners of a specialty, by name where one is given.

    Args:
        specialty: Specialty of the practitioner.
        name: Name of the practitioner, in full or the family name only.
    """
    rows = [row for row in clinic.practitioners.values() if row["specialty"] == specialty]
    return [row for row in rows if has_words(row["name"], name)][:MOST_ROWS]


@tool(effect="read", phrases=("know more about a doctor",))
def get_practitioner(clinic: State, practitioner_id: PractitionerId) -> Practitioner:
    """Get a practitioner's specialty, location and languages."""
    return found(clinic.practitioners, practitioner_id, "practitioner")


@tool(effect="read", phrases=("know which specialties you offer",))
def list_specialties() -> list[Specialty]:
    """List the specialties that the clinic offers."""
    return list(get_args(Specialty))


@tool(effect="read", phrases=("see when a doctor is free", "find a free time"))
def list_free_slots(
    clinic: State, practitioner_id: PractitionerId, date_from: date | None = None, date_to: date | None = None
) -> list[Slot]:
    """List the next free slots of a practitioner, eight at most.

    Args:
        date_from: First day to look at; today, where it is left out.
        date_to: Last day to look at.
    """
    found(clinic.practitioners, practitioner_id, "practitioner")
    first, last = (date_from or TODAY).isoformat(), (date_to or date.max).isoformat()
    slots = [slot for slot in clinic.slots.values() if slot["practitioner_id"] == practitioner_id and slot["free"]]
    return [slot for slot in slots if first <= slot["starts_at"][:10] <= last][:MOST_ROWS]


def take_slot(clinic: State, slot_id: str) -> Slot:
    """Mark a free slot as taken, and return it.

    Raises:
        ToolError: there is no such slot, or it is taken.
    """
    slot = found(clinic.slots, slot_id, "slot")
    if not slot["free"]:
        raise ToolError(f"Error: slot {slot_id} is taken.")
    slot["free"] = False
    return slot
