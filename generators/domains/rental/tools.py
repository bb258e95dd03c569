"""The tools of a vehicle rental, over a database in memory.

A tool refuses only what cannot be done: an unknown id, a vehicle that is taken, a booking that is over. What must not be
done is written in `policy.md` and checked by `rules`.
"""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import TypeVar

from interplay.generators.domains.rental import pricing
from interplay.generators.domains.rental.records import (
    TODAY,
    Availability,
    BirthDate,
    Booking,
    BookingId,
    BookingStatus,
    Branch,
    BranchId,
    CancelReason,
    Category,
    Charge,
    ChargeId,
    ChargeKind,
    ChargeStatus,
    Circumstances,
    Cover,
    Customer,
    CustomerId,
    DamageEstimate,
    DamageReport,
    DamageReportId,
    Days,
    Extra,
    ExtraDays,
    Fuel,
    FullName,
    Handover,
    HoursLate,
    LateFee,
    Message,
    Part,
    PaymentMethod,
    Quote,
    QuoteId,
    QuoteStatus,
    ReportStatus,
    Seats,
    Severity,
    Tables,
    Topic,
    Town,
    Transmission,
    Vehicle,
    VehicleId,
)
from interplay.generators.domains.rental.rows import (
    lengthen,
    new_booking,
    new_charge,
    new_quote,
    next_extension,
    period,
)
from interplay.generators.domains.rental.seed import make_tables
from interplay.generators.domains.tables import found, next_id
from interplay.generators.importers.python import ToolError, tool

Owned = TypeVar("Owned", Quote, Booking, DamageReport, Charge)

MOST_ROWS = 8
"""Rows that a list holds at most."""

QUOTE_DAYS, PAYMENT_DAYS = 7, 14
"""Days for which a quote is valid, and until a fee or a damage is due."""


class Rental:
    """A vehicle rental; each object has a database of its own."""

    def __init__(self, tables: Tables | None = None) -> None:
        tables = tables or make_tables()
        self.branches = tables["branches"]
        self.customers = tables["customers"]
        self.vehicles = tables["vehicles"]
        self.quotes = tables["quotes"]
        self.bookings = tables["bookings"]
        self.damage_reports = tables["damage_reports"]
        self.charges = tables["charges"]
        self.handovers: dict[str, Handover] = {}

    # Customers, branches and vehicles

    @tool(effect="read", phrases=("check which details you have about me", "see my customer account"))
    def find_customer(self, name: FullName, birth_date: BirthDate) -> Customer:
        """Find a customer by full name and date of birth.

        Args:
            name: Full name of the customer.
            birth_date: Date of birth of the customer.
        """
        for customer in self.customers.values():
            if customer["name"].casefold() == name.casefold() and customer["birth_date"] == birth_date.isoformat():
                return customer
        raise ToolError(f"Error: no customer called {name} was born on {birth_date}.")

    @tool(effect="read", phrases=("find a branch", "find out where you have branches"))
    def find_branches(self, town: Town) -> list[Branch]:
        """Find the branches in a town, with their addresses and opening hours.

        Args:
            town: Town to look in.
        """
        return [branch for branch in self.branches.values() if branch["town"].casefold() == town.casefold()]

    @tool(effect="read", phrases=("find a vehicle", "see which vehicles you have", "look for something to rent"))
    def find_vehicles(
        self,
        branch_id: BranchId,
        category: Category,
        transmission: Transmission | None = None,
        fuel: Fuel | None = None,
        seats: Seats | None = None,
    ) -> list[Vehicle]:
        """Find the vehicles of a category that a branch has in service, the cheapest first.

        Args:
            category: Category of the vehicle.
            transmission: Only vehicles with this transmission.
            fuel: Only vehicles with this fuel.
            seats: Only vehicles with so many seats or more.
        """
        found(self.branches, branch_id, "branch")
        rows = [
            row
            for row in self.vehicles.values()
            if row["branch_id"] == branch_id and row["category"] == category and row["status"] == "in service"
            if transmission in (None, row["transmission"])
            and fuel in (None, row["fuel"])
            and row["seats"] >= (seats or 0)
        ]
        return sorted(rows, key=lambda row: row["daily_rate"])[:MOST_ROWS]

    @tool(effect="read", phrases=("check if a vehicle is free", "find out whether a vehicle is available"))
    def check_availability(self, vehicle_id: VehicleId, start_date: date, number_of_days: Days) -> Availability:
        """Check whether a vehicle is free for some days, and when it is booked next.

        Args:
            start_date: Day on which the rental would start.
            number_of_days: Number of days.
        """
        vehicle, start, end = found(self.vehicles, vehicle_id, "vehicle"), *period(start_date, number_of_days)
        later = [row["start_date"] for row in self._bookings_of(vehicle_id) if row["end_date"] > start]
        free = vehicle["status"] == "in service" and all(begin >= end for begin in later)
        return {
            "vehicle_id": vehicle_id,
            "vehicle": vehicle["name"],
            "start_date": start,
            "end_date": end,
            "status": "available" if free else "not available",
            "booked_from": min(later, default=None),
        }

    # Quotes and bookings

    @tool(effect="write", phrases=("get a quote", "find out what a rental would cost", "get a price for a vehicle"))
    def create_quote(
        self,
        customer_id: CustomerId,
        vehicle_id: VehicleId,
        start_date: date,
        number_of_days: Days,
        cover: Cover = "basic",
    ) -> Quote:
        """Work out what a free vehicle costs for some days, and keep the quote for a week; nothing is booked yet.

        Args:
            start_date: Day on which the rental starts.
            number_of_days: Number of days.
            cover: Insurance cover.
        """
        found(self.customers, customer_id, "customer")
        vehicle, start, end = found(self.vehicles, vehicle_id, "vehicle"), *period(start_date, number_of_days)
        self._refuse_taken(vehicle, start, end)
        valid_until = TODAY + timedelta(days=QUOTE_DAYS)
        quote_id = next_id("QT", self.quotes)
        quote = new_quote(quote_id, customer_id, vehicle, start_date, number_of_days, cover, valid_until)
        self.quotes[quote["quote_id"]] = quote
        return quote

    @tool(effect="read", phrases=("see my quotes", "check the offers you made me"))
    def list_quotes(self, customer_id: CustomerId, status: QuoteStatus | None = None) -> list[Quote]:
        """List a customer's quotes, the earliest rental first.

        Args:
            status: Only quotes with this status.
        """
        found(self.customers, customer_id, "customer")
        rows = of_customer(self.quotes.values(), customer_id, status)
        return sorted(rows, key=lambda row: row["start_date"])[:MOST_ROWS]

    @tool(effect="write", phrases=("book the vehicle from my quote", "turn a quote into a booking", "take up a quote"))
    def create_booking(self, quote_id: QuoteId, deposit_method: PaymentMethod) -> Booking:
        """Book the vehicle of a quote at the quoted price, which is charged on the first day.

        Args:
            deposit_method: How the customer leaves the deposit.
        """
        quote = found(self.quotes, quote_id, "quote")
        self._refuse_taken(found(self.vehicles, quote["vehicle_id"], "vehicle"), quote["start_date"], quote["end_date"])
        booking = new_booking(next_id("BK", self.bookings), quote, deposit_method)
        self.bookings[booking["booking_id"]] = booking
        quote["status"] = "booked"
        self._charge(booking, "rental", "rental of", booking["total"], booking["start_date"])
        return booking

    @tool(effect="read", phrases=("see my bookings", "check when I have a vehicle"))
    def list_bookings(self, customer_id: CustomerId, status: BookingStatus | None = None) -> list[Booking]:
        """List a customer's bookings, the latest first, eight at most.

        Args:
            status: Only bookings with this status.
        """
        found(self.customers, customer_id, "customer")
        rows = of_customer(self.bookings.values(), customer_id, status)
        return sorted(rows, key=lambda row: row["start_date"], reverse=True)[:MOST_ROWS]

    @tool(effect="read", phrases=("check the details of a booking", "find out what my booking costs"))
    def get_booking(self, booking_id: BookingId) -> Booking:
        """Get one booking with its dates, extras and price."""
        return found(self.bookings, booking_id, "booking")

    @tool(effect="write", phrases=("extend my booking", "keep the vehicle longer", "make my rental longer"))
    def extend_booking(self, booking_id: BookingId, number_of_extra_days: ExtraDays) -> Booking:
        """Extend a booking at its daily price; the added days are charged on the day when it would have ended.

        Args:
            number_of_extra_days: Number of days to add.
        """
        booking = self._running(booking_id)
        end = (date.fromisoformat(booking["end_date"]) + timedelta(days=number_of_extra_days)).isoformat()
        later = [row for row in self._bookings_of(booking["vehicle_id"]) if row["start_date"] >= booking["end_date"]]
        following = min((row["start_date"] for row in later), default=end)
        if following < end:
            raise ToolError(f"Error: the vehicle of booking {booking_id} is booked again from {following} on.")
        added_on = booking["end_date"]
        subject = next_extension(booking)
        self._charge(booking, "extension", subject, lengthen(booking, number_of_extra_days), added_on)
        return booking

    @tool(effect="write", phrases=("cancel my booking", "call off a rental"))
    def cancel_booking(
        self, booking_id: BookingId, reason: CancelReason | None = None, with_cancellation_fee: bool = False
    ) -> Booking:
        """Cancel a booking: open charges become void, paid ones are refunded.

        Args:
            reason: Why the customer cancels.
            with_cancellation_fee: Whether the price of one day is charged as a cancellation fee.
        """
        booking = self._running(booking_id)
        for charge in self.charges.values():
            if charge["booking_id"] == booking_id and charge["kind"] != "damage":
                charge["status"] = "refunded" if charge["status"] in ("paid", "refunded") else "void"
        if with_cancellation_fee:
            fee, due = pricing.cost(booking["per_day"], 1), (TODAY + timedelta(days=PAYMENT_DAYS)).isoformat()
            self._charge(booking, "cancellation", "cancellation of", fee, due)
        booking["status"] = "cancelled"
        booking["cancel_reason"] = reason
        return booking

    @tool(effect="write", phrases=("add an extra to my booking", "have something added to my rental"))
    def attach_extra(self, booking_id: BookingId, extra: Extra) -> Booking:
        """Add an extra to a booking, for all its days.

        Args:
            extra: What to add.
        """
        booking = self._running(booking_id)
        if extra in booking["extras"]:
            raise ToolError(f"Error: booking {booking_id} has the {extra} already.")
        added = pricing.extra_cost(extra, booking["days"])
        self._charge(booking, "extra", f"{extra} for", added, booking["start_date"])
        booking["extras"] = [*booking["extras"], extra]
        booking["per_day"] = pricing.with_extras(booking["per_day"], booking["extras"])
        booking["total"] = pricing.cost(booking["per_day"], booking["days"])
        return booking

    @tool(effect="read", phrases=("find out what a late return would cost", "get the fee for a late return"))
    def estimate_late_fee(self, booking_id: BookingId, number_of_hours: HoursLate) -> LateFee:
        """Work out what it costs to bring a vehicle back late; nothing is charged.

        Args:
            number_of_hours: Number of hours after the time when the vehicle is due.
        """
        booking = self._running(booking_id)
        return {
            "booking_id": booking_id,
            "vehicle": booking["vehicle"],
            "end_date": booking["end_date"],
            "hours_late": number_of_hours,
            "late_fee": pricing.late_fee(booking["per_day"], number_of_hours),
            "currency": booking["currency"],
        }

    # Damages

    @tool(effect="write", phrases=("report a damage", "report damage to a vehicle I rented"))
    def submit_damage_report(
        self, booking_id: BookingId, part: Part, severity: Severity, circumstances: Circumstances, injuries: bool
    ) -> DamageReport:
        """Take down a damage to the vehicle of a booking.

        Args:
            part: Part of the vehicle that is damaged.
            severity: How bad it is.
            circumstances: How it happened, in the customer's words.
            injuries: Whether anyone was injured.
        """
        booking = found(self.bookings, booking_id, "booking")
        if booking["status"] == "cancelled":
            raise ToolError(f"Error: booking {booking_id} is cancelled.")
        report: DamageReport = {
            "damage_report_id": next_id("DR", self.damage_reports),
            "customer_id": booking["customer_id"],
            "booking_id": booking_id,
            "vehicle_id": booking["vehicle_id"],
            "vehicle": booking["vehicle"],
            "part": part,
            "severity": severity,
            "circumstances": circumstances,
            "injuries": injuries,
            "reported_on": TODAY.isoformat(),
            "status": "reported",
        }
        self.damage_reports[report["damage_report_id"]] = report
        return report

    @tool(effect="read", phrases=("see my damage reports", "check what became of a damage"))
    def list_damage_reports(self, customer_id: CustomerId, status: ReportStatus | None = None) -> list[DamageReport]:
        """List the damages that a customer has reported, the latest first.

        Args:
            status: Only damage reports with this status.
        """
        found(self.customers, customer_id, "customer")
        rows = of_customer(self.damage_reports.values(), customer_id, status)
        return sorted(rows, key=lambda row: row["reported_on"], reverse=True)[:MOST_ROWS]

    @tool(effect="read", phrases=("find out what a damage will cost me", "check what the insurance pays for a damage"))
    def estimate_damage_cost(self, damage_report_id: DamageReportId) -> DamageEstimate:
        """Work out what a repair costs, and which part of it the customer pays; nothing is charged."""
        report = found(self.damage_reports, damage_report_id, "damage report")
        repair = pricing.repair_cost(report["part"], report["severity"])
        due = pricing.customers_share(repair, found(self.bookings, report["booking_id"], "booking")["cover"])
        return {
            "damage_report_id": damage_report_id,
            "vehicle": report["vehicle"],
            "part": report["part"],
            "amount_due": due,
            "repair_cost": repair,
            "covered_amount": pricing.euros(pricing.cents(repair) - pricing.cents(due)),
            "currency": pricing.CURRENCY,
        }

    @tool(effect="write", phrases=("settle a damage", "get the bill for a damage"))
    def create_damage_charge(self, damage_report_id: DamageReportId) -> Charge:
        """Charge the customer's part of a repair, due in two weeks."""
        report = found(self.damage_reports, damage_report_id, "damage report")
        estimate = self.estimate_damage_cost(damage_report_id)
        report["status"] = "charged"
        due = (TODAY + timedelta(days=PAYMENT_DAYS)).isoformat()
        text = f"{report['severity']} damage to the {report['part']} of"
        return self._charge(
            found(self.bookings, report["booking_id"], "booking"), "damage", text, estimate["amount_due"], due
        )

    # Charges and the service team

    @tool(effect="read", phrases=("see my charges", "get an overview of my charges", "check what you charged me"))
    def list_charges(self, customer_id: CustomerId, status: ChargeStatus | None = None) -> list[Charge]:
        """List a customer's charges, the latest due first, eight at most.

        Args:
            status: Only charges with this status.
        """
        found(self.customers, customer_id, "customer")
        rows = of_customer(self.charges.values(), customer_id, status)
        return sorted(rows, key=lambda row: row["due_on"], reverse=True)[:MOST_ROWS]

    @tool(effect="write", phrases=("pay a charge", "settle what I owe", "pay for a rental"))
    def pay_charge(self, charge_id: ChargeId, payment_method: PaymentMethod) -> Charge:
        """Pay a charge in full.

        Args:
            payment_method: How the customer pays.
        """
        charge = found(self.charges, charge_id, "charge")
        if charge["status"] in ("void", "refunded"):
            raise ToolError(f"Error: charge {charge_id} is {charge['status']}.")
        charge["status"] = "paid"
        charge["payment_method"] = payment_method
        return charge

    @tool(effect="write", phrases=("speak to the service team", "leave a message for the service team"))
    def hand_over_to_service(self, customer_id: CustomerId, topic: Topic, message: Message) -> Handover:
        """Pass a customer's matter on to the service team, who will call back.

        Args:
            topic: What the matter is about.
            message: What the service team should know.
        """
        found(self.customers, customer_id, "customer")
        handover: Handover = {
            "handover_id": next_id("HO", self.handovers),
            "customer_id": customer_id,
            "topic": topic,
            "message": message,
            "created_on": TODAY.isoformat(),
        }
        self.handovers[handover["handover_id"]] = handover
        return handover

    def _bookings_of(self, vehicle_id: str) -> list[Booking]:
        """Return the bookings for which a vehicle is or will be away."""
        rows = (row for row in self.bookings.values() if row["vehicle_id"] == vehicle_id)
        return [row for row in rows if row["status"] in ("booked", "active")]

    def _refuse_taken(self, vehicle: Vehicle, start: str, end: str) -> None:
        """Raise a ToolError unless a vehicle is free."""
        if vehicle["status"] != "in service":
            raise ToolError(f"Error: vehicle {vehicle['vehicle_id']} is {vehicle['status']}.")
        for row in self._bookings_of(vehicle["vehicle_id"]):
            if row["start_date"] < end and start < row["end_date"]:
                taken = f"from {row['start_date']} to {row['end_date']}"
                raise ToolError(f"Error: vehicle {vehicle['vehicle_id']} is booked {taken}.")

    def _running(self, booking_id: str) -> Booking:
        """Return a booking that is neither over nor cancelled."""
        booking = found(self.bookings, booking_id, "booking")
        if booking["status"] in ("completed", "cancelled"):
            raise ToolError(f"Error: booking {booking_id} is {booking['status']}.")
        return booking

    def _charge(self, booking: Booking, kind: ChargeKind, subject: str, amount: float, due_on: str) -> Charge:
        """Add an open charge for a booking."""
        charge = new_charge(next_id("CH", self.charges), booking, kind, subject, amount, due_on)
        self.charges[charge["charge_id"]] = charge
        return charge


def of_customer(rows: Iterable[Owned], customer_id: str, status: str | None) -> list[Owned]:
    """Return the rows that belong to a customer, those with a status alone where one is given."""
    return [row for row in rows if row["customer_id"] == customer_id and status in (None, row["status"])]
