"""The state of the clinic: a database in memory, which the tools read and change."""

from interplay.generators.domains.clinic.data_model import Handover, Tables
from interplay.generators.domains.clinic.seed import make_tables


class State:
    """The clinic's tables; each instance has its own."""

    def __init__(self, tables: Tables | None = None) -> None:
        tables = tables or make_tables()
        self.patients = tables["patients"]
        self.practitioners = tables["practitioners"]
        self.slots = tables["slots"]
        self.appointments = tables["appointments"]
        self.prescriptions = tables["prescriptions"]
        self.invoices = tables["invoices"]
        self.handovers: dict[str, Handover] = {}
