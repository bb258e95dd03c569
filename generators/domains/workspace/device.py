"""The user's laptop and the servers: what one side shows of the other, and what goes over when they are in sync."""

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
"""What emptying the bin and the caches of the laptop gives."""

NEEDED_GIGABYTES = 2.0
"""Free space without which files are not synchronised."""


STICKER: Sticker = {"model": "Corvid 14", "serial_number": SERIAL_NUMBER}
WARRANTY: Warranty = {**STICKER, "covered_until": "2027-08-31"}


class Sides(Protocol):
    """Both sides: the laptop, and what the servers hold and know of it."""

    device: Device
    sync: SyncStatus
    mails: dict[str, Mail]


def sync_status(device: Device, mails: dict[str, Mail]) -> SyncStatus:
    """Return what the servers know of the laptop."""
    online = not device["airplane_mode"]
    return {
        "connection": "online" if online else "offline",
        "mail_sync": _state(online and device["mail_client"] == "running"),
        "calendar_sync": _state(online and device["calendar_permission"] == "granted"),
        "file_sync": _state(online and device["free_gigabytes"] >= NEEDED_GIGABYTES),
        "waiting_mails": sum(mail["mailbox"] == "outbox" for mail in mails.values()),
    }


def bring_in_line(sides: Sides) -> None:
    """Send what waits in the outbox when mail comes through, and tell the servers how the laptop is."""
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
