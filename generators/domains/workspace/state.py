"""The state of the office: a database in memory, which the tools read and change."""

from interplay.generators.domains.workspace.data_model import Device, Repair, SupportCase, Tables
from interplay.generators.domains.workspace.device import bring_in_line, sync_status
from interplay.generators.domains.workspace.seed import make_device, make_tables


class State:
    """The office's tables and the user's laptop; each instance has its own."""

    def __init__(self, tables: Tables | None = None, device: Device | None = None) -> None:
        tables = tables or make_tables()
        self.contacts = tables["contacts"]
        self.folders = tables["folders"]
        self.files = tables["files"]
        self.slots = tables["slots"]
        self.meetings = tables["meetings"]
        self.mails = tables["mails"]
        self.tasks = tables["tasks"]
        self.support_cases: dict[str, SupportCase] = {}
        self.repairs: dict[str, Repair] = {}
        self.device = device or make_device()
        self.sync = sync_status(self.device, self.mails)

    def synchronise(self) -> None:
        """Synchronise the laptop and the servers; runs after each call."""
        bring_in_line(self)
