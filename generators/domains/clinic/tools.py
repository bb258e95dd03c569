"""The tools of an outpatient clinic, in the order in which they are offered; each is a function of the clinic's state.

A tool refuses only what is impossible: an unknown id, a slot that is taken. What is forbidden is written in `policy.md`
and checked by `rules`.
"""

from interplay.generators.domains.clinic import (
    appointments,
    invoices,
    patients,
    practitioners,
    prescriptions,
    reception,
)
from interplay.generators.domains.clinic.state import State


class Clinic(State):
    """A clinic with two locations; each instance has its own database."""

    find_patient = patients.find_patient
    get_patient = patients.get_patient
    register_patient = patients.register_patient
    update_contact_details = patients.update_contact_details

    find_practitioners = practitioners.find_practitioners
    get_practitioner = practitioners.get_practitioner
    list_specialties = staticmethod(practitioners.list_specialties)
    list_free_slots = practitioners.list_free_slots

    list_appointments = appointments.list_appointments
    get_appointment = appointments.get_appointment
    book_appointment = appointments.book_appointment
    reschedule_appointment = appointments.reschedule_appointment
    cancel_appointment = appointments.cancel_appointment

    list_prescriptions = prescriptions.list_prescriptions
    get_prescription = prescriptions.get_prescription
    request_prescription_renewal = prescriptions.request_prescription_renewal

    list_invoices = invoices.list_invoices
    get_invoice = invoices.get_invoice
    pay_invoice = invoices.pay_invoice

    hand_over_to_reception = reception.hand_over_to_reception
    get_clinic_hours = staticmethod(reception.get_clinic_hours)
    get_price_estimate = staticmethod(reception.get_price_estimate)
