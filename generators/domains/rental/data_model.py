"""The types of the rental: the arguments and results of its tools, and the rows of its state."""

from datetime import date
from typing import Annotated, Literal, TypedDict

from pydantic import Field

TODAY = date(2026, 3, 2)
"""The rental's current date; it is fixed, so that calls are reproducible."""

Category = Literal["small car", "family car", "electric car", "SUV", "van", "minibus", "luxury car"]
Transmission = Literal["manual", "automatic"]
Fuel = Literal["petrol", "diesel", "electric"]
Cover = Literal["basic", "full"]
Extra = Literal["child seat", "navigation system", "additional driver", "roof box", "snow chains", "bicycle rack"]
VehicleStatus = Literal["in service", "in the workshop"]
QuoteStatus = Literal["open", "booked", "expired"]
BookingStatus = Literal["booked", "active", "completed", "cancelled"]
ReportStatus = Literal["reported", "charged", "waived"]
ChargeStatus = Literal["open", "paid", "void", "refunded"]
ChargeKind = Literal["rental", "extension", "extra", "damage", "cancellation"]
PaymentMethod = Literal["credit card", "debit card", "bank transfer"]
Part = Literal["bumper", "door", "wing mirror", "windscreen", "headlight", "tyre", "roof", "bonnet"]
Severity = Literal["light", "moderate", "severe"]
Topic = Literal["accident", "damage", "booking", "payment", "something else"]

CustomerId = Annotated[str, Field(description="Id of the customer.")]
BranchId = Annotated[str, Field(description="Id of the branch.")]
VehicleId = Annotated[str, Field(description="Id of the vehicle.")]
QuoteId = Annotated[str, Field(description="Id of the quote.")]
BookingId = Annotated[str, Field(description="Id of the booking.")]
DamageReportId = Annotated[str, Field(description="Id of the damage report.")]
ChargeId = Annotated[str, Field(description="Id of the charge.")]
FullName = Annotated[str, Field(min_length=1, examples=["Rieke Sandberg", "Tomas Achterberg"])]
BirthDate = Annotated[date, Field(examples=["1984-06-17", "1957-11-02"])]
Town = Annotated[str, Field(examples=["Port Elden", "Wyncombe", "Tarnsby", "Oakhurst"])]
Days = Annotated[int, Field(ge=1, le=21)]
ExtraDays = Annotated[int, Field(ge=1, le=14)]
HoursLate = Annotated[int, Field(ge=1, le=72)]
Seats = Annotated[int, Field(ge=2, le=9)]
CancelReason = Annotated[str, Field(examples=["our trip fell through", "I found a lift", "a change of plans"])]
Circumstances = Annotated[
    str,
    Field(
        min_length=1,
        examples=[
            "someone hit us in a car park",
            "something hit us on the motorway",
            "I was backing out of a drive",
            "I found it like this",
        ],
    ),
]
Message = Annotated[
    str,
    Field(
        min_length=1,
        examples=["please call me back", "I'd rather speak to a person", "this needs explaining", "it is urgent"],
    ),
]


class Customer(TypedDict):
    """A person who is registered with the rental, with the driving licence that a branch has seen."""

    customer_id: str
    name: str
    birth_date: str
    phone: str
    email: str
    licence_number: str
    licence_expiry: str


class Branch(TypedDict):
    """A place where vehicles are picked up and brought back."""

    branch_id: str
    name: str
    town: str
    address: str
    phone: str
    opens_at: str
    closes_at: str


class Vehicle(TypedDict):
    """A vehicle that belongs to a branch; the daily rate is without cover and extras."""

    vehicle_id: str
    name: str
    category: Category
    branch_id: str
    branch_name: str
    transmission: Transmission
    fuel: Fuel
    seats: int
    daily_rate: float
    currency: str
    status: VehicleStatus


class Availability(TypedDict):
    """Whether a vehicle is free for some days, and when it is booked next from the first of them on."""

    vehicle_id: str
    vehicle: str
    start_date: str
    end_date: str
    status: Literal["available", "not available"]
    booked_from: str | None


class PerDay(TypedDict):
    """What the parts of a price are for one day."""

    rental: float
    cover: float
    extras: float


class Quote(TypedDict):
    """What a vehicle would cost a customer for some days; it does not hold the vehicle."""

    quote_id: str
    customer_id: str
    vehicle_id: str
    vehicle: str
    category: Category
    branch_name: str
    start_date: str
    end_date: str
    days: int
    cover: Cover
    total: float
    per_day: PerDay
    deposit: float
    currency: str
    valid_until: str
    status: QuoteStatus


class Booking(TypedDict):
    """A vehicle that a customer has for some days; it is picked up on the first and brought back on the last date."""

    booking_id: str
    customer_id: str
    vehicle_id: str
    vehicle: str
    category: Category
    branch_name: str
    start_date: str
    end_date: str
    days: int
    cover: Cover
    extras: list[Extra]
    total: float
    per_day: PerDay
    deposit: float
    deposit_method: PaymentMethod
    currency: str
    status: BookingStatus
    extension_count: int
    cancel_reason: str | None


class BookingDetails(Booking):
    """A booking, and the first day on which the next one of the same vehicle begins, if there is one."""

    next_booking_date: str | None


class LateFee(TypedDict):
    """What it costs to bring a vehicle back late."""

    booking_id: str
    vehicle: str
    end_date: str
    hours_late: int
    late_fee: float
    currency: str


class DamageReport(TypedDict):
    """A damage to a vehicle that a customer had."""

    damage_report_id: str
    customer_id: str
    booking_id: str
    vehicle_id: str
    vehicle: str
    part: Part
    severity: Severity
    circumstances: str
    injuries: bool
    reported_on: str
    status: ReportStatus


class DamageEstimate(TypedDict):
    """What a repair costs, and how the cover and the customer share it."""

    damage_report_id: str
    vehicle: str
    part: Part
    amount_due: float
    repair_cost: float
    covered_amount: float
    currency: str


class Charge(TypedDict):
    """What a customer owes, or has paid, for a booking."""

    charge_id: str
    customer_id: str
    booking_id: str
    subject: str
    kind: ChargeKind
    amount: float
    currency: str
    due_on: str
    status: ChargeStatus
    payment_method: PaymentMethod | None


class Handover(TypedDict):
    """A matter that was passed on to the service team."""

    handover_id: str
    customer_id: str
    topic: Topic
    message: str
    created_on: str


class Tables(TypedDict):
    """The whole database."""

    branches: dict[str, Branch]
    customers: dict[str, Customer]
    vehicles: dict[str, Vehicle]
    quotes: dict[str, Quote]
    bookings: dict[str, Booking]
    damage_reports: dict[str, DamageReport]
    charges: dict[str, Charge]
