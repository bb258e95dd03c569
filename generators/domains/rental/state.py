"""The state of the rental: a database in memory, which the tools read and change."""

from interplay.generators.domains.rental.data_model import Handover, Tables
from interplay.generators.domains.rental.seed import make_tables


class State:
    """The rental's tables; each instance has its own."""

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
