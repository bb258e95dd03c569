"""A module of two sides: what stands on a meter in the user's cellar is what the supplier's calls take."""

from typing import TypedDict

from interplay.generators.importers.python.importer import ToolError, tool

NUMBER, COUNT = "EM-7730-41", 48213


class Plate(TypedDict):
    """What a meter shows."""

    meter_number: str
    meter_reading: int
    maker: str


class Contract(TypedDict):
    """What is supplied to whom."""

    meter_number: str
    tariff: str
    price_per_month: float


class Supplier:
    """One user, one meter."""

    def __init__(self) -> None:
        self.reading = {"meter_reading": 0}

    @tool(effect="read", requestor="user", phrases=("look at the meter in my cellar",))
    def look_at_meter(self) -> Plate:
        """Read what the meter in the cellar shows."""
        return {"meter_number": NUMBER, "meter_reading": COUNT, "maker": "Corvid"}

    @tool(effect="read", phrases=("check my contract",))
    def get_contract(self, meter_number: str) -> Contract:
        """Tell what is supplied through a meter."""
        self._known(meter_number)
        return {"meter_number": meter_number, "tariff": "green flat", "price_per_month": 41.5}

    @tool(effect="write", phrases=("hand in my meter reading",))
    def submit_reading(self, meter_number: str, meter_reading: int) -> str:
        """Take what a meter shows."""
        self._known(meter_number)
        self.reading["meter_reading"] = meter_reading
        return "Taken."

    def _known(self, meter_number: str) -> None:
        if meter_number != NUMBER:
            raise ToolError(f"There is no meter {meter_number}.")
