"""Tools about branches and vehicles."""

from datetime import date

from interplay.generators.domains import MOST_ROWS, ToolError, found, tool
from interplay.generators.domains.rental.contracts import period
from interplay.generators.domains.rental.data_model import (
    Availability,
    Booking,
    Branch,
    BranchId,
    Category,
    Days,
    Fuel,
    Seats,
    Town,
    Transmission,
    Vehicle,
    VehicleId,
)
from interplay.generators.domains.rental.state import State


@tool(effect="read", phrases=("find a branch", "find out where you have branches"))
def find_branches(rental: State, town: Town) -> list[Branch]:
    """Find the branches in a town, with their addresses and opening hours.

    Args:
        town: Town to look in.
    """
    return [branch for branch in rental.branches.values() if branch["town"].casefold() == town.casefold()]


@tool(effect="read", phrases=("find a vehicle", "see which vehicles you have", "look for something to rent"))
def find_vehicles(
    rental: State,
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
    found(rental.branches, branch_id, "branch")
    rows = [
        row
        for row in rental.vehicles.values()
        if row["branch_id"] == branch_id and row["category"] == category and row["status"] == "in service"
        if transmission in (None, row["transmission"]) and fuel in (None, row["fuel"]) and row["seats"] >= (seats or 0)
    ]
    return sorted(rows, key=lambda row: row["daily_rate"])[:MOST_ROWS]


@tool(effect="read", phrases=("check if a vehicle is free", "find out whether a vehicle is available"))
def check_availability(rental: State, vehicle_id: VehicleId, start_date: date, number_of_days: Days) -> Availability:
    """Check whether a vehicle is free for some days, and when it is booked next.

    Args:
        start_date: Day on which the rental would start.
        number_of_days: Number of days.
    """
    vehicle, start, end = found(rental.vehicles, vehicle_id, "vehicle"), *period(start_date, number_of_days)
    later = [row["start_date"] for row in bookings_of(rental, vehicle_id) if row["end_date"] > start]
    free = vehicle["status"] == "in service" and all(begin >= end for begin in later)
    return {
        "vehicle_id": vehicle_id,
        "vehicle": vehicle["name"],
        "start_date": start,
        "end_date": end,
        "status": "available" if free else "not available",
        "booked_from": min(later, default=None),
    }


def bookings_of(rental: State, vehicle_id: str) -> list[Booking]:
    """Return the current and future bookings of a vehicle."""
    rows = (row for row in rental.bookings.values() if row["vehicle_id"] == vehicle_id)
    return [row for row in rows if row["status"] in ("booked", "active")]


def refuse_taken(rental: State, vehicle: Vehicle, start: str, end: str) -> None:
    """Check that a vehicle is in service and free from `start` to `end`.

    Raises:
        ToolError: it is not.
    """
    if vehicle["status"] != "in service":
        raise ToolError(f"Error: vehicle {vehicle['vehicle_id']} is {vehicle['status']}.")
    for row in bookings_of(rental, vehicle["vehicle_id"]):
        if row["start_date"] < end and start < row["end_date"]:
            taken = f"from {row['start_date']} to {row['end_date']}"
            raise ToolError(f"Error: vehicle {vehicle['vehicle_id']} is booked {taken}.")
