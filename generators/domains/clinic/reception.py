"""Tools of the clinic itself: its reception, opening hours and prices."""

from interplay.generators.domains import found, next_id, tool
from interplay.generators.domains.clinic.data_model import (
    TODAY,
    Handover,
    Location,
    Message,
    OpeningHours,
    PatientId,
    Price,
    Service,
    Topic,
    Weekday,
)
from interplay.generators.domains.clinic.seed import HOURS, PRICES
from interplay.generators.domains.clinic.state import State


@tool(effect="write", phrases=("talk to the reception", "leave a message for the reception"))
def hand_over_to_reception(clinic: State, patient_id: PatientId, topic: Topic, message: Message) -> Handover:
    """Pass a patient's matter on to the reception, who will call back.

    Args:
        topic: What the matter is about.
        message: What the reception should know.
    """
    found(clinic.patients, patient_id, "patient")
    handover: Handover = {
        "handover_id": next_id("H", clinic.handovers),
        "patient_id": patient_id,
        "topic": topic,
        "message": message,
        "created_on": TODAY.isoformat(),
    }
    clinic.handovers[handover["handover_id"]] = handover
    return handover


@tool(effect="read", phrases=("know when the clinic is open", "check the opening hours"))
def get_clinic_hours(location: Location, day: Weekday) -> OpeningHours:
    """Get the opening hours of a location on a day of the week.

    Args:
        location: Location of the clinic.
        day: Day of the week.
    """
    opens, closes = HOURS[location].get(day, (None, None))
    return {"location": location, "day": day, "opens": opens, "closes": closes}


@tool(effect="read", phrases=("know what a service costs", "get a price"))
def get_price_estimate(service: Service) -> Price:
    """Get the price of a service without insurance.

    Args:
        service: Service to price.
    """
    return {"service": service, "amount": PRICES[service], "currency": "EUR", "note": "Insurance may cover a part."}
