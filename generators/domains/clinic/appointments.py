"""Tools about appointments."""

from interplay.generators.domains import MOST_ROWS, found, next_id, tool
from interplay.generators.domains.clinic.data_model import (
    Appointment,
    AppointmentId,
    AppointmentStatus,
    CancelReason,
    PatientId,
    Reason,
    SlotId,
)
from interplay.generators.domains.clinic.patients import of_patient
from interplay.generators.domains.clinic.practitioners import take_slot
from interplay.generators.domains.clinic.seed import new_appointment
from interplay.generators.domains.clinic.state import State


@tool(effect="read", phrases=("see my appointments", "get an overview of my appointments"))
def list_appointments(
    clinic: State, patient_id: PatientId, status: AppointmentStatus | None = None
) -> list[Appointment]:
    """List a patient's appointments, the earliest first.

    Args:
        status: Only appointments with this status.
    """
    rows = of_patient(clinic, clinic.appointments.values(), patient_id, status)
    return sorted(rows, key=lambda row: row["starts_at"])[-MOST_ROWS:]


@tool(effect="read", phrases=("check the details of an appointment",))
def get_appointment(clinic: State, appointment_id: AppointmentId) -> Appointment:
    """Get one appointment."""
    return found(clinic.appointments, appointment_id, "appointment")


@tool(effect="write", phrases=("book an appointment", "see a doctor", "get an appointment"))
def book_appointment(clinic: State, patient_id: PatientId, slot_id: SlotId, reason: Reason) -> Appointment:
    """Book a free slot for a patient.

    Args:
        reason: What the visit is for, in a few words.
    """
    found(clinic.patients, patient_id, "patient")
    slot = take_slot(clinic, slot_id)
    appointment = new_appointment(next_id("A", clinic.appointments), patient_id, slot, reason)
    clinic.appointments[appointment["appointment_id"]] = appointment
    return appointment


@tool(effect="write", phrases=("move my appointment", "reschedule my appointment"))
def reschedule_appointment(clinic: State, appointment_id: AppointmentId, slot_id: SlotId) -> Appointment:
    """Move an appointment to another free slot."""
    appointment = found(clinic.appointments, appointment_id, "appointment")
    slot = take_slot(clinic, slot_id)
    clinic.slots[appointment["slot_id"]]["free"] = True
    appointment["slot_id"] = slot_id
    appointment["practitioner_id"] = slot["practitioner_id"]
    appointment["practitioner_name"] = slot["practitioner_name"]
    appointment["specialty"] = slot["specialty"]
    appointment["location"] = slot["location"]
    appointment["starts_at"] = slot["starts_at"]
    appointment["times_rescheduled"] += 1
    return appointment


@tool(effect="write", phrases=("cancel my appointment", "call off a visit"))
def cancel_appointment(clinic: State, appointment_id: AppointmentId, reason: CancelReason | None = None) -> Appointment:
    """Cancel an appointment and free its slot.

    Args:
        reason: Why the patient cancels.
    """
    appointment = found(clinic.appointments, appointment_id, "appointment")
    if appointment["status"] == "booked":
        clinic.slots[appointment["slot_id"]]["free"] = True
    appointment["status"] = "cancelled"
    appointment["cancel_reason"] = reason
    return appointment
