"""Tools about prescriptions."""

from interplay.generators.domains import MOST_ROWS, found, tool
from interplay.generators.domains.clinic.data_model import (
    PatientId,
    Prescription,
    PrescriptionId,
    PrescriptionStatus,
    RenewalNote,
)
from interplay.generators.domains.clinic.patients import of_patient
from interplay.generators.domains.clinic.state import State


@tool(effect="read", phrases=("see my prescriptions", "check my medication"))
def list_prescriptions(
    clinic: State, patient_id: PatientId, status: PrescriptionStatus | None = None
) -> list[Prescription]:
    """List a patient's prescriptions.

    Args:
        status: Only prescriptions with this status.
    """
    return of_patient(clinic, clinic.prescriptions.values(), patient_id, status)[:MOST_ROWS]


@tool(effect="read", phrases=("check the details of a prescription",))
def get_prescription(clinic: State, prescription_id: PrescriptionId) -> Prescription:
    """Get one prescription."""
    return found(clinic.prescriptions, prescription_id, "prescription")


@tool(effect="write", phrases=("renew a prescription", "get a refill of my medication"))
def request_prescription_renewal(
    clinic: State, prescription_id: PrescriptionId, note: RenewalNote | None = None
) -> Prescription:
    """Ask the practitioner to renew a prescription; this uses up one refill.

    Args:
        note: A note to the practitioner.
    """
    prescription = found(clinic.prescriptions, prescription_id, "prescription")
    prescription["renewal_requested"] = True
    prescription["renewal_note"] = note
    prescription["refills_left"] = max(0, prescription["refills_left"] - 1)
    return prescription
