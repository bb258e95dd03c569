"""Tools about patients."""

from collections.abc import Iterable
from typing import TypeVar

from interplay.generators.domains import ToolError, found, next_id, tool
from interplay.generators.domains.clinic.data_model import (
    TODAY,
    Appointment,
    BirthDate,
    Email,
    FullName,
    Invoice,
    Patient,
    PatientId,
    Phone,
    Prescription,
)
from interplay.generators.domains.clinic.state import State

Owned = TypeVar("Owned", Appointment, Prescription, Invoice)


@tool(effect="read", phrases=("look up my record", "find my file"))
def find_patient(clinic: State, name: FullName, birth_date: BirthDate) -> Patient:
    """Find a patient by full name and date of birth.

    Args:
        name: Full name of the patient.
        birth_date: Date of birth of the patient.
    """
    born = birth_date.isoformat()
    for patient in clinic.patients.values():
        if patient["birth_date"] == born and patient["name"].casefold() == name.casefold():
            return patient
    raise ToolError(f"Error: no patient called {name} was born on {birth_date}.")


@tool(effect="read", phrases=("check which contact details you have for me",))
def get_patient(clinic: State, patient_id: PatientId) -> Patient:
    """Get a patient's record with the contact details."""
    return found(clinic.patients, patient_id, "patient")


@tool(effect="write", phrases=("register as a new patient", "sign up at the clinic"))
def register_patient(
    clinic: State, name: FullName, birth_date: BirthDate, phone: Phone, email: Email, city: str = "Eastport"
) -> Patient:
    """Register a new patient.

    Args:
        name: Full name of the new patient.
        birth_date: Date of birth of the new patient.
        phone: Phone number, with country code.
        email: Email address.
        city: City where the new patient lives.
    """
    patient: Patient = {
        "patient_id": next_id("P", clinic.patients),
        "name": name,
        "birth_date": birth_date.isoformat(),
        "phone": phone,
        "email": email,
        "city": city,
        "registered_on": TODAY.isoformat(),
    }
    clinic.patients[patient["patient_id"]] = patient
    return patient


@tool(effect="write", phrases=("correct my contact details", "update my contact details"))
def update_contact_details(
    clinic: State, patient_id: PatientId, phone: Phone | None = None, email: Email | None = None
) -> Patient:
    """Change the phone number or the email address of a patient, or both.

    Args:
        phone: New phone number, with country code.
        email: New email address.
    """
    patient = found(clinic.patients, patient_id, "patient")
    if phone is None and email is None:
        raise ToolError("Error: give a phone number or an email address.")
    patient["phone"] = phone or patient["phone"]
    patient["email"] = email or patient["email"]
    return patient


def of_patient(clinic: State, rows: Iterable[Owned], patient_id: str, status: str | None) -> list[Owned]:
    """Return the rows of a patient; with `status`, only those with that status.

    Raises:
        ToolError: there is no such patient.
    """
    found(clinic.patients, patient_id, "patient")
    return [row for row in rows if row["patient_id"] == patient_id and status in (None, row["status"])]
