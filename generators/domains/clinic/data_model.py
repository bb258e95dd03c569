"""The types of the clinic: the arguments and results of its tools, and the rows of its state."""

from datetime import date, datetime
from typing import Annotated, Literal, TypedDict

from pydantic import Field

NOW = datetime(2026, 3, 2, 8, 0)
"""The clinic's current time; it is fixed, so that calls are reproducible."""
TODAY: date = NOW.date()

Specialty = Literal["general practice", "cardiology", "dermatology", "orthopaedics", "ophthalmology", "physiotherapy"]
Location = Literal["Harbour Street", "Mill Lane"]
Weekday = Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
Service = Literal["consultation", "blood test", "ECG", "X-ray", "skin check", "physiotherapy session", "vaccination"]
AppointmentStatus = Literal["booked", "cancelled", "completed"]
PrescriptionStatus = Literal["active", "expired"]
InvoiceStatus = Literal["open", "paid"]
PaymentMethod = Literal["card", "bank transfer", "direct debit"]
Topic = Literal["appointment", "prescription", "invoice", "other"]

PatientId = Annotated[str, Field(description="Id of the patient.")]
PractitionerId = Annotated[str, Field(description="Id of the practitioner.")]
SlotId = Annotated[str, Field(description="Id of the slot.")]
AppointmentId = Annotated[str, Field(description="Id of the appointment.")]
PrescriptionId = Annotated[str, Field(description="Id of the prescription.")]
InvoiceId = Annotated[str, Field(description="Id of the invoice.")]
FullName = Annotated[str, Field(min_length=1, examples=["Nora Lindqvist", "Amir Haddad"])]
BirthDate = Annotated[date, Field(examples=["1984-06-17", "1957-11-02"])]
Phone = Annotated[str, Field(pattern=r"^\+?[0-9 ]{7,20}$", examples=["+44 7700 900317", "+44 7700 900842"])]
Email = Annotated[str, Field(pattern=r"^[^@\s]+@[^@\s]+$", examples=["n.lindqvist@example.org", "amir@example.net"])]
Reason = Annotated[
    str,
    Field(
        examples=[
            "recurring headaches", "a sore knee", "my yearly check-up", "a cough that won't go away", "back pain",
            "a rash on my arm", "trouble sleeping", "an itchy eye",
        ],
    ),
]  # fmt: skip
CancelReason = Annotated[
    str,
    Field(
        examples=[
            "a clash with work", "a trip that day", "a sick child", "no way to get there", "another appointment",
            "feeling better already",
        ],
    ),
]  # fmt: skip
RenewalNote = Annotated[
    str,
    Field(
        examples=[
            "I have a week's supply left", "the same dose as before", "I run out on Friday", "please send it to my pharmacy",
            "I take it every morning",
        ],
    ),
]  # fmt: skip
Message = Annotated[
    str,
    Field(
        min_length=1,
        examples=[
            "Please call me back", "I need help with my bill", "I have a question about my medication",
            "I cannot come before noon", "Please send me the papers by post", "I would like to speak to somebody about it",
        ],
    ),
]  # fmt: skip


class Patient(TypedDict):
    """A person who is registered at the clinic."""

    patient_id: str
    name: str
    birth_date: str
    phone: str
    email: str
    city: str
    registered_on: str


class Practitioner(TypedDict):
    """Someone who sees patients."""

    practitioner_id: str
    name: str
    specialty: Specialty
    location: Location
    languages: list[str]


class Slot(TypedDict):
    """A time at which a practitioner can see one patient."""

    slot_id: str
    practitioner_id: str
    practitioner_name: str
    specialty: Specialty
    location: Location
    starts_at: str
    duration_minutes: int
    free: bool


class Appointment(TypedDict):
    """A slot that a patient has booked."""

    appointment_id: str
    patient_id: str
    slot_id: str
    practitioner_id: str
    practitioner_name: str
    specialty: Specialty
    location: Location
    starts_at: str
    reason: str
    status: AppointmentStatus
    times_rescheduled: int
    cancel_reason: str | None


class Prescription(TypedDict):
    """A medication that a practitioner has prescribed to a patient."""

    prescription_id: str
    patient_id: str
    practitioner_name: str
    medication: str
    dose: str
    instructions: str
    status: PrescriptionStatus
    refills_left: int
    controlled: bool
    renewal_requested: bool
    renewal_note: str | None
    valid_until: str


class Invoice(TypedDict):
    """What a patient owes, or has paid, for a service."""

    invoice_id: str
    patient_id: str
    service: Service
    amount: float
    currency: str
    issued_on: str
    due_on: str
    status: InvoiceStatus
    payment_method: PaymentMethod | None


class Handover(TypedDict):
    """A matter that was passed on to the reception."""

    handover_id: str
    patient_id: str
    topic: Topic
    message: str
    created_on: str


class OpeningHours(TypedDict):
    """When a location is open on a day; `opens` and `closes` are missing times on a closed day."""

    location: Location
    day: Weekday
    opens: str | None
    closes: str | None


class Price(TypedDict):
    """What a service costs without insurance."""

    service: Service
    amount: float
    currency: str
    note: str


class Tables(TypedDict):
    """The whole database."""

    patients: dict[str, Patient]
    practitioners: dict[str, Practitioner]
    slots: dict[str, Slot]
    appointments: dict[str, Appointment]
    prescriptions: dict[str, Prescription]
    invoices: dict[str, Invoice]
