"""The tools of a vehicle rental, in the order in which they are offered; each is a function of the rental's state.

A tool refuses only what is impossible: an unknown id, a vehicle that is taken, a booking that is over. What is forbidden is
written in `policy.md` and checked by `rules`.
"""

from interplay.generators.domains.rental import bookings, charges, customers, damages, quotes, vehicles
from interplay.generators.domains.rental.state import State


class Rental(State):
    """A vehicle rental; each instance has its own database."""

    find_customer = customers.find_customer

    find_branches = vehicles.find_branches
    find_vehicles = vehicles.find_vehicles
    check_availability = vehicles.check_availability

    create_quote = quotes.create_quote
    list_quotes = quotes.list_quotes

    create_booking = bookings.create_booking
    list_bookings = bookings.list_bookings
    get_booking = bookings.get_booking
    extend_booking = bookings.extend_booking
    cancel_booking = bookings.cancel_booking
    attach_extra = bookings.attach_extra
    estimate_late_fee = bookings.estimate_late_fee

    submit_damage_report = damages.submit_damage_report
    list_damage_reports = damages.list_damage_reports
    estimate_damage_cost = damages.estimate_damage_cost
    create_damage_charge = damages.create_damage_charge

    list_charges = charges.list_charges
    pay_charge = charges.pay_charge

    hand_over_to_service = customers.hand_over_to_service
