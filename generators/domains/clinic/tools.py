"""The tools of an outpatient clinic, over a database in memory.

A tool refuses only what cannot be done: an unknown id, a slot that is taken. What must not be done is written in
`policy.md` and checked by `rules`.
"""

from datetime import date
from typing import get_args

from interplay.generators.domains.clinic.records import (
    TODAY,
    Appointment,
    AppointmentId,
    AppointmentStatus,
    BirthDate,
    CancelReason,
    Email,
    FullName,
    Handover,
    Invoice,
    InvoiceId,
    InvoiceStatus,
    Location,
    Message,
    OpeningHours,
    Patient,
    PatientId,
    PaymentMethod,
    Phone,
    Practitioner,
    PractitionerId,
    Prescription,
    PrescriptionId,
    PrescriptionStatus,
    Price,
    Reason,
    RenewalNote,
    Service,
    Slot,
    SlotId,
    Specialty,
    Tables,
    Topic,
    Weekday,
)
from interplay.generators.domains.clinic.seed import HOURS, PRICES, make_tables
from interplay.generators.domains.tables import found, next_id
from interplay.generators.importers.python import ToolError, tool

MOST_ROWS = 8
"""Rows that a list holds at most."""


class Clinic:
    """A clinic with two locations; each object has a database of its own."""

    def __init__(self, tables: Tables | None = None) -> None:
        tables = tables or make_tables()
        self.patients = tables["patients"]
        self.practitioners = tables["practitioners"]
        self.slots = tables["slots"]
        self.appointments = tables["appointments"]
        self.prescriptions = tables["prescriptions"]
        self.invoices = tables["invoices"]
        self.handovers: dict[str, Handover] = {}

    # Patients

    @tool(effect="read", phrases=("look up my record", "find my file"))
    def find_patient(self, name: FullName, birth_date: BirthDate) -> Patient:
        """Find a patient by full name and date of birth.

        Args:
            name: Full name of the patient.
            birth_date: Date of birth of the patient.
        """
        for patient in self.patients.values():
            if patient["name"].casefold() == name.casefold() and patient["birth_date"] == birth_date.isoformat():
                return patient
        raise ToolError(f"Error: no patient called {name} was born on {birth_date}.")

    @tool(effect="read", phrases=("check which contact details you have for me",))
    def get_patient(self, patient_id: PatientId) -> Patient:
        """Get a patient's record with the contact details."""
        return found(self.patients, patient_id, "patient")

    @tool(effect="write", phrases=("register as a new patient", "sign up at the clinic"))
    def register_patient(
        self, name: FullName, birth_date: BirthDate, phone: Phone, email: Email, city: str = "Eastport"
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
            "patient_id": next_id("P", self.patients),
            "name": name,
            "birth_date": birth_date.isoformat(),
            "phone": phone,
            "email": email,
            "city": city,
            "registered_on": TODAY.isoformat(),
        }
        self.patients[patient["patient_id"]] = patient
        return patient

    @tool(effect="write", phrases=("change my phone number or email", "update my contact details"))
    def update_contact_details(
        self, patient_id: PatientId, phone: Phone | None = None, email: Email | None = None
    ) -> Patient:
        """Change the phone number or the email address of a patient, or both.

        Args:
            phone: New phone number, with country code.
            email: New email address.
        """
        patient = found(self.patients, patient_id, "patient")
        if phone is None and email is None:
            raise ToolError("Error: give a phone number or an email address.")
        patient["phone"] = phone or patient["phone"]
        patient["email"] = email or patient["email"]
        return patient

    # Practitioners and their free slots

    @tool(effect="read", phrases=("find a doctor", "see who works at the clinic"))
    def find_practitioners(self, specialty: Specialty, name: str | None = None) -> list[Practitioner]:
        """Find the practitioners of a specialty, by name where one is given.

        Args:
            specialty: Specialty of the practitioner.
            name: Name of the practitioner, in full or the family name only.
        """
        wanted = set((name or "").casefold().split())
        rows = [row for row in self.practitioners.values() if row["specialty"] == specialty]
        return [row for row in rows if wanted <= set(row["name"].casefold().split())][:MOST_ROWS]

    @tool(effect="read", phrases=("know more about a doctor",))
    def get_practitioner(self, practitioner_id: PractitionerId) -> Practitioner:
        """Get a practitioner's specialty, location and languages."""
        return found(self.practitioners, practitioner_id, "practitioner")

    @tool(effect="read", phrases=("know which specialties you offer",))
    def list_specialties(self) -> list[Specialty]:
        """List the specialties that the clinic offers."""
        return list(get_args(Specialty))

    @tool(effect="read", phrases=("see when a doctor is free", "find a free time"))
    def list_free_slots(
        self, practitioner_id: PractitionerId, date_from: date | None = None, date_to: date | None = None
    ) -> list[Slot]:
        """List the next free slots of a practitioner, eight at most.

        Args:
            date_from: First day to look at; today, where it is left out.
            date_to: Last day to look at.
        """
        found(self.practitioners, practitioner_id, "practitioner")
        first, last = (date_from or TODAY).isoformat(), (date_to or date.max).isoformat()
        slots = [slot for slot in self.slots.values() if slot["practitioner_id"] == practitioner_id and slot["free"]]
        return [slot for slot in slots if first <= slot["starts_at"][:10] <= last][:MOST_ROWS]

    # Appointments

    @tool(effect="read", phrases=("see my appointments", "check when my appointment is"))
    def list_appointments(self, patient_id: PatientId, status: AppointmentStatus | None = None) -> list[Appointment]:
        """List a patient's appointments, the earliest first.

        Args:
            status: Only appointments with this status.
        """
        found(self.patients, patient_id, "patient")
        rows = [row for row in self.appointments.values() if row["patient_id"] == patient_id]
        rows = [row for row in rows if status in (None, row["status"])]
        return sorted(rows, key=lambda row: row["starts_at"])[-MOST_ROWS:]

    @tool(effect="read", phrases=("check the details of an appointment",))
    def get_appointment(self, appointment_id: AppointmentId) -> Appointment:
        """Get one appointment."""
        return found(self.appointments, appointment_id, "appointment")

    @tool(effect="write", phrases=("book an appointment", "see a doctor", "get an appointment"))
    def book_appointment(self, patient_id: PatientId, slot_id: SlotId, reason: Reason) -> Appointment:
        """Book a free slot for a patient.

        Args:
            reason: What the visit is for, in a few words.
        """
        found(self.patients, patient_id, "patient")
        slot = self._take(slot_id)
        appointment: Appointment = {
            "appointment_id": next_id("A", self.appointments),
            "patient_id": patient_id,
            "slot_id": slot_id,
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
        self.appointments[appointment["appointment_id"]] = appointment
        return appointment

    @tool(effect="write", phrases=("move my appointment", "reschedule my appointment"))
    def reschedule_appointment(self, appointment_id: AppointmentId, slot_id: SlotId) -> Appointment:
        """Move an appointment to another free slot."""
        appointment = found(self.appointments, appointment_id, "appointment")
        slot = self._take(slot_id)
        self.slots[appointment["slot_id"]]["free"] = True
        appointment["slot_id"] = slot_id
        appointment["practitioner_id"] = slot["practitioner_id"]
        appointment["practitioner_name"] = slot["practitioner_name"]
        appointment["specialty"] = slot["specialty"]
        appointment["location"] = slot["location"]
        appointment["starts_at"] = slot["starts_at"]
        appointment["times_rescheduled"] += 1
        return appointment

    @tool(effect="write", phrases=("cancel my appointment", "call off a visit"))
    def cancel_appointment(self, appointment_id: AppointmentId, reason: CancelReason | None = None) -> Appointment:
        """Cancel an appointment and free its slot.

        Args:
            reason: Why the patient cancels.
        """
        appointment = found(self.appointments, appointment_id, "appointment")
        if appointment["status"] == "booked":
            self.slots[appointment["slot_id"]]["free"] = True
        appointment["status"] = "cancelled"
        appointment["cancel_reason"] = reason
        return appointment

    # Prescriptions

    @tool(effect="read", phrases=("see my prescriptions", "check my medication"))
    def list_prescriptions(self, patient_id: PatientId, status: PrescriptionStatus | None = None) -> list[Prescription]:
        """List a patient's prescriptions.

        Args:
            status: Only prescriptions with this status.
        """
        found(self.patients, patient_id, "patient")
        rows = [row for row in self.prescriptions.values() if row["patient_id"] == patient_id]
        return [row for row in rows if status in (None, row["status"])][:MOST_ROWS]

    @tool(effect="read", phrases=("check the details of a prescription",))
    def get_prescription(self, prescription_id: PrescriptionId) -> Prescription:
        """Get one prescription."""
        return found(self.prescriptions, prescription_id, "prescription")

    @tool(effect="write", phrases=("renew a prescription", "get a refill of my medication"))
    def request_prescription_renewal(
        self, prescription_id: PrescriptionId, note: RenewalNote | None = None
    ) -> Prescription:
        """Ask the practitioner to renew a prescription; this uses up one refill.

        Args:
            note: A note to the practitioner.
        """
        prescription = found(self.prescriptions, prescription_id, "prescription")
        prescription["renewal_requested"] = True
        prescription["renewal_note"] = note
        prescription["refills_left"] = max(0, prescription["refills_left"] - 1)
        return prescription

    # Invoices

    @tool(effect="read", phrases=("see my invoices", "check what I owe"))
    def list_invoices(self, patient_id: PatientId, status: InvoiceStatus | None = None) -> list[Invoice]:
        """List a patient's invoices.

        Args:
            status: Only invoices with this status.
        """
        found(self.patients, patient_id, "patient")
        rows = [row for row in self.invoices.values() if row["patient_id"] == patient_id]
        return [row for row in rows if status in (None, row["status"])][:MOST_ROWS]

    @tool(effect="read", phrases=("check the details of an invoice",))
    def get_invoice(self, invoice_id: InvoiceId) -> Invoice:
        """Get one invoice."""
        return found(self.invoices, invoice_id, "invoice")

    @tool(effect="write", phrases=("pay an invoice", "settle my bill"))
    def pay_invoice(self, invoice_id: InvoiceId, method: PaymentMethod) -> Invoice:
        """Pay an invoice in full.

        Args:
            method: How the patient pays.
        """
        invoice = found(self.invoices, invoice_id, "invoice")
        invoice["status"] = "paid"
        invoice["payment_method"] = method
        return invoice

    # The clinic itself

    @tool(effect="write", phrases=("talk to the reception", "leave a message for the reception"))
    def hand_over_to_reception(self, patient_id: PatientId, topic: Topic, message: Message) -> Handover:
        """Pass a patient's matter on to the reception, who will call back.

        Args:
            topic: What the matter is about.
            message: What the reception should know.
        """
        found(self.patients, patient_id, "patient")
        handover: Handover = {
            "handover_id": next_id("H", self.handovers),
            "patient_id": patient_id,
            "topic": topic,
            "message": message,
            "created_on": TODAY.isoformat(),
        }
        self.handovers[handover["handover_id"]] = handover
        return handover

    @tool(effect="read", phrases=("know when the clinic is open", "check the opening hours"))
    def get_clinic_hours(self, location: Location, day: Weekday) -> OpeningHours:
        """Get the opening hours of a location on a day of the week.

        Args:
            location: Location of the clinic.
            day: Day of the week.
        """
        opens, closes = HOURS[location].get(day, (None, None))
        return {"location": location, "day": day, "opens": opens, "closes": closes}

    @tool(effect="read", phrases=("know what a service costs", "get a price"))
    def get_price_estimate(self, service: Service) -> Price:
        """Get the price of a service without insurance.

        Args:
            service: Service to price.
        """
        return {"service": service, "amount": PRICES[service], "currency": "EUR", "note": "Insurance may cover a part."}

    def _take(self, slot_id: str) -> Slot:
        """Mark a free slot as taken."""
        slot = found(self.slots, slot_id, "slot")
        if not slot["free"]:
            raise ToolError(f"Error: slot {slot_id} is taken.")
        slot["free"] = False
        return slot
