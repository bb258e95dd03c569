"""The user's tools on the own laptop, which the assistant does not have."""

from interplay.generators.domains import ToolError, tool
from interplay.generators.domains.workspace.data_model import Device, Sticker
from interplay.generators.domains.workspace.device import CLEARED_GIGABYTES, NEEDED_GIGABYTES, STICKER
from interplay.generators.domains.workspace.state import State


@tool(effect="read", requestor="user", phrases=("look at the bottom of my laptop", "turn my laptop over"))
def read_sticker() -> Sticker:
    """Read what stands on the bottom of the laptop: its model and serial number."""
    return STICKER


@tool(effect="read", requestor="user", phrases=("look at the settings of my laptop", "open the settings of my laptop"))
def check_sync_status(office: State) -> Device:
    """Look at what may keep the laptop from being in sync."""
    return office.device


@tool(effect="write", requestor="user", phrases=("toggle airplane mode", "flip the switch for airplane mode"))
def toggle_airplane_mode(office: State) -> Device:
    """Switch airplane mode on where it is off, and off where it is on."""
    office.device["airplane_mode"] = not office.device["airplane_mode"]
    return office.device


@tool(effect="write", requestor="user", phrases=("restart my mail client", "close my mail client and open it again"))
def restart_mail_client(office: State) -> Device:
    """Close the mail client and open it again."""
    office.device["mail_client"] = "running"
    return office.device


@tool(
    effect="write",
    requestor="user",
    phrases=("make room on my laptop", "empty the bin and the caches of my laptop"),
)
def free_disk_space(office: State) -> Device:
    """Empty the bin and the caches of the laptop."""
    if office.device["free_gigabytes"] >= NEEDED_GIGABYTES:
        raise ToolError("Error: the bin and the caches are empty already.")
    office.device["free_gigabytes"] += CLEARED_GIGABYTES
    return office.device


@tool(
    effect="write",
    requestor="user",
    phrases=("let the calendar be synchronised", "allow my laptop to synchronise the calendar"),
)
def accept_calendar_permission(office: State) -> Device:
    """Allow the calendar of the laptop to be synchronised."""
    office.device["calendar_permission"] = "granted"
    return office.device
