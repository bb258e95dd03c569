"""The user's laptop and the servers: the status of their synchronisation, and its effects."""

from typing import Protocol

from interplay.generators.domains.workspace.data_model import (
    NOW,
    SERIAL_NUMBER,
    Device,
    Mail,
    Sticker,
    SyncState,
    SyncStatus,
    Warranty,
)

CLEARED_GIGABYTES = 14.0
"""Space that emptying the laptop's bin and caches frees."""

NEEDED_GIGABYTES = 2.0
"""Least free space for files to be synchronised."""


STICKER: Sticker = {"model": "Corvid 14", "serial_number": SERIAL_NUMBER}
WARRANTY: Warranty = {**STICKER, "covered_until": "2027-08-31"}


class Sides(Protocol):
    """The laptop, the servers' status of it, and the mails."""

    device: Device
    sync: SyncStatus
    mails: dict[str, Mail]


def sync_status(device: Device, mails: dict[str, Mail]) -> SyncStatus:
    """Return the servers' status of the laptop."""
    online = not device["airplane_mode"]
    return {
        "connection": "online" if online else "offline",
        "mail_sync": _state(online and device["mail_client"] == "running"),
        "calendar_sync": _state(online and device["calendar_permission"] == "granted"),
        "file_sync": _state(online and device["free_gigabytes"] >= NEEDED_GIGABYTES),
        "waiting_mails": sum(mail["mailbox"] == "outbox" for mail in mails.values()),
    }


def bring_in_line(sides: Sides) -> None:
    """Send the mails in the outbox if mail is synchronised, and update the servers' status of the laptop."""
    status = sync_status(sides.device, sides.mails)
    if status["mail_sync"] == "up to date" and status["waiting_mails"]:
        for mail in sides.mails.values():
            if mail["mailbox"] == "outbox":
                mail["mailbox"], mail["sent_at"] = "sent", NOW.isoformat()
        status = sync_status(sides.device, sides.mails)
    if sides.sync != status:
        sides.sync = status


def _state(works: bool) -> SyncState:
    return "up to date" if works else "stopped"
