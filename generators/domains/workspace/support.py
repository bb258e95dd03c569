"""Tools of the IT support, and what the servers know of the user's laptop."""

from datetime import timedelta

from interplay.generators.domains import ToolError, tool
from interplay.generators.domains.workspace.data_model import (
    TODAY,
    Damage,
    Repair,
    SerialNumber,
    SupportCase,
    SupportMessage,
    SyncStatus,
    Topic,
    Warranty,
)
from interplay.generators.domains.workspace.device import WARRANTY
from interplay.generators.domains.workspace.seed import next_row_id
from interplay.generators.domains.workspace.state import State


@tool(effect="write", phrases=("hand something over to the IT support", "open a case with the IT support"))
def open_support_case(office: State, topic: Topic, message: SupportMessage) -> SupportCase:
    """Hand a matter over to the IT support, where somebody calls the user back.

    Args:
        topic: What the matter is about.
        message: What the support should know.
    """
    case: SupportCase = {
        "support_case_id": next_row_id("case", office.support_cases),
        "topic": topic,
        "message": message,
        "created_on": TODAY.isoformat(),
    }
    office.support_cases[case["support_case_id"]] = case
    return case


@tool(effect="read", phrases=("check whether my laptop is in sync", "find out whether my laptop is online"))
def get_device_status(office: State) -> SyncStatus:
    """Tell what the servers know of the user's laptop: whether it is online and what is in sync."""
    return office.sync


@tool(effect="read", phrases=("check the warranty of my laptop", "find out how long my laptop is under warranty"))
def check_warranty(serial_number: SerialNumber) -> Warranty:
    """Tell until when the maker of a laptop repairs it for nothing."""
    if serial_number != WARRANTY["serial_number"]:
        raise ToolError(f"Error: there is no laptop with the serial number {serial_number}.")
    return WARRANTY


@tool(effect="write", phrases=("have my laptop repaired", "order a repair of my laptop"))
def order_repair(office: State, serial_number: SerialNumber, damage: Damage) -> Repair:
    """Have a laptop fetched on the next working day and repaired.

    Args:
        serial_number: Serial number on the bottom of the laptop.
        damage: What has to be repaired.
    """
    check_warranty(serial_number)
    if any(row["damage"] == damage for row in office.repairs.values()):
        raise ToolError(f"Error: a repair of the {damage} is ordered already.")
    repair: Repair = {
        "repair_id": next_row_id("repair", office.repairs),
        "serial_number": serial_number,
        "damage": damage,
        "pickup_date": (TODAY + timedelta(days=1)).isoformat(),
    }
    office.repairs[repair["repair_id"]] = repair
    return repair
