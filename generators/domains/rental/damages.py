"""Tools about damages."""

from interplay.generators.domains import MOST_ROWS, ToolError, found, next_id, tool
from interplay.generators.domains.rental import tariff
from interplay.generators.domains.rental.charges import add_charge, due_date
from interplay.generators.domains.rental.customers import of_customer
from interplay.generators.domains.rental.data_model import (
    TODAY,
    BookingId,
    Charge,
    Circumstances,
    CustomerId,
    DamageEstimate,
    DamageReport,
    DamageReportId,
    Part,
    ReportStatus,
    Severity,
)
from interplay.generators.domains.rental.state import State


@tool(effect="write", phrases=("report a damage", "report damage to a vehicle I rented"))
def submit_damage_report(
    rental: State, booking_id: BookingId, part: Part, severity: Severity, circumstances: Circumstances, injuries: bool
) -> DamageReport:
    """Take down a damage to the vehicle of a booking.

    Args:
        part: Part of the vehicle that is damaged.
        severity: How bad it is.
        circumstances: How it happened, in the customer's words.
        injuries: Whether anyone was injured.
    """
    booking = found(rental.bookings, booking_id, "booking")
    if booking["status"] == "cancelled":
        raise ToolError(f"Error: booking {booking_id} is cancelled.")
    report: DamageReport = {
        "damage_report_id": next_id("DR", rental.damage_reports),
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
    rental.damage_reports[report["damage_report_id"]] = report
    return report


@tool(effect="read", phrases=("see my damage reports", "check what became of a damage"))
def list_damage_reports(
    rental: State, customer_id: CustomerId, status: ReportStatus | None = None
) -> list[DamageReport]:
    """List the damages that a customer has reported, the latest first.

    Args:
        status: Only damage reports with this status.
    """
    rows = of_customer(rental, rental.damage_reports.values(), customer_id, status)
    return sorted(rows, key=lambda row: row["reported_on"], reverse=True)[:MOST_ROWS]


@tool(effect="read", phrases=("find out what a damage will cost me", "check what the insurance pays for a damage"))
def estimate_damage_cost(rental: State, damage_report_id: DamageReportId) -> DamageEstimate:
    """Work out what a repair costs, and which part of it the customer pays; nothing is charged."""
    report = found(rental.damage_reports, damage_report_id, "damage report")
    repair = tariff.repair_cost(report["part"], report["severity"])
    due = tariff.customers_share(repair, found(rental.bookings, report["booking_id"], "booking")["cover"])
    return {
        "damage_report_id": damage_report_id,
        "vehicle": report["vehicle"],
        "part": report["part"],
        "amount_due": due,
        "repair_cost": repair,
        "covered_amount": tariff.euros(tariff.cents(repair) - tariff.cents(due)),
        "currency": tariff.CURRENCY,
    }


@tool(effect="write", phrases=("settle a damage", "get the bill for a damage"))
def create_damage_charge(rental: State, damage_report_id: DamageReportId) -> Charge:
    """Charge the customer's part of a repair, due in two weeks."""
    report = found(rental.damage_reports, damage_report_id, "damage report")
    estimate = estimate_damage_cost(rental, damage_report_id)
    report["status"] = "charged"
    text = f"{report['severity']} damage to the {report['part']} of"
    booking = found(rental.bookings, report["booking_id"], "booking")
    return add_charge(rental, booking, "damage", text, estimate["amount_due"], due_date())
