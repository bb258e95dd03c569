"""Toolkits in the manner of three benchmarks: nested objects, marked methods over a database, functions over a dict."""

import random
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from interplay.generators.importers.python.importer import tool


class File:
    def __init__(self, name: str, content: str = "") -> None:
        self.name = name
        self.content = content
        self._last_modified = datetime(2026, 3, 2)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, File) and (self.name, self.content) == (other.name, other.content)


class Directory:
    def __init__(self, name: str, parent: "Directory | None" = None) -> None:
        self.name = name
        self.parent = parent
        self.contents: dict[str, File | Directory] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Directory) and (self.name, self.contents) == (other.name, other.contents)


TREE: dict[str, Any] = {
    "root": {
        "home": {
            "type": "directory",
            "contents": {
                "docs": {"type": "directory", "contents": {"a.txt": {"type": "file", "content": "A"}}},
                "b.txt": {"type": "file", "content": "B"},
            },
        }
    }
}
"""A scenario of the file system."""


class FileSystem:
    """Nested objects as state, a loader for the scenario, errors as {"error": ...}."""

    def __init__(self) -> None:
        self.root: Directory
        self._current: Directory
        self.marks = {"b", "a"}
        self._random = random.Random(7)

    def _load_scenario(self, scenario: dict[str, Any], long_context: bool = False) -> None:
        assert not long_context
        ((name, tree),) = scenario.get("root", {"home": {"contents": {}}}).items()
        self.root = self._current = self._directory(name, tree, None)

    def _directory(self, name: str, tree: dict[str, Any], parent: Directory | None) -> Directory:
        made = Directory(name, parent)
        for key, item in tree["contents"].items():
            nested = item["type"] == "directory"
            made.contents[key] = self._directory(key, item, made) if nested else File(key, item["content"])
        return made

    def ls(self) -> dict[str, list[str]]:
        """List the current directory."""
        return {"contents": list(self._current.contents)}

    def cd(self, folder: str) -> dict[str, str]:
        """Change the directory.

        Args:
            folder (str): The folder to go to.

        Returns:
            current (str): The new directory.
        """
        found = self._current.parent if folder == ".." else self._current.contents.get(folder)
        if not isinstance(found, Directory):
            return {"error": f"cd: {folder}: No such directory."}
        self._current = found
        return {"current": found.name}

    def mkdir(self, name):  # type: ignore[no-untyped-def]
        """Make a directory.

        Args:
            name (str): Its name.
        """
        if name in self._current.contents:
            return {"error": f"mkdir: {name}: File exists"}
        self._current.contents[name] = Directory(name, self._current)
        return None

    def echo(self, text: str, file_name: str) -> None:
        """Write a text to a file."""
        self._current.contents[file_name] = File(file_name, text)
        self.marks.add(file_name)

    def mv_all(self, target: str) -> None:
        """Move everything, one by one."""
        for name in list(self._current.contents):
            held = self._current.contents.pop(name)
            self._current.contents[target].contents[name] = held  # type: ignore[union-attr]


class ToolType(StrEnum):
    READ = "read"
    WRITE = "write"


Database = TypeVar("Database", bound=BaseModel)


def is_tool(kind: ToolType = ToolType.READ) -> Callable[[Any], Any]:
    """Mark a method as another library does."""

    def mark(function: Any) -> Any:
        function.__tool__ = True
        function.__tool_type__ = kind
        return function

    return mark


class ToolKit(Generic[Database]):
    def __init__(self, db: Database | None = None) -> None:
        self.db = db

    def get_statistics(self) -> dict[str, int]:
        return {}


@dataclass
class Seat:
    seat_id: str
    flight_id: str
    taken_by: str | None = None


class Flight(BaseModel):
    flight_id: str
    origin: str
    price: float
    notes: list[str] = []


class FlightDatabase(BaseModel):
    flights: dict[str, Flight]
    seats: dict[str, Seat]
    bookings: int = 0


class SeatTaken(Exception):
    pass


class Airline(ToolKit[FlightDatabase]):
    """Marked methods over a typed database, and one tool of the user's phone."""

    db: FlightDatabase

    def __init__(self, db: FlightDatabase) -> None:
        super().__init__(db)
        self.phone = {"alerts": 0}
        self.seen = 0

    @is_tool()
    def get_flight(self, flight_id: str) -> Flight:
        """Get a flight."""
        if flight_id not in self.db.flights:
            raise ValueError(f"Flight {flight_id} not found")
        return self.db.flights[flight_id]

    @is_tool(ToolType.WRITE)
    def book_seat(self, seat_id: str, passenger: str) -> Seat:
        """Book a seat."""
        seat = self.db.seats[seat_id]
        self.db.bookings += 1
        self.db.flights[seat.flight_id].notes.append(passenger)
        if seat.taken_by:
            raise SeatTaken(f"Seat {seat_id} is taken.")
        seat.taken_by = passenger
        return seat

    @is_tool(ToolType.WRITE)
    def fix(self, price: float) -> None:
        """Replace the database."""
        self.db = deepcopy(self.db)
        for flight in self.db.flights.values():
            flight.price = price

    @tool(effect="read", requestor="user")
    def check_alerts(self) -> int:
        """See how many alerts the phone shows."""
        return self.phone["alerts"]

    def sync_tools(self) -> None:
        """Bring the phone in line with the bookings."""
        self.phone["alerts"] = self.db.bookings


FLIGHTS: dict[str, Any] = {
    "flights": {f"F{n}": {"flight_id": f"F{n}", "origin": "Eastport", "price": 10.0} for n in range(3)},
    "seats": {f"S{n}": {"seat_id": f"S{n}", "flight_id": f"F{n}"} for n in range(3)},
}


class Clinic:
    """A database in a dict."""

    def __init__(self) -> None:
        self.db: dict[str, Any] = {
            "patients": {f"P-{n}": {"patient_id": f"P-{n}", "name": f"N{n}"} for n in range(3)},
            "visits": {},
        }
        self._state = {"rooms": {"R-1": {"room_id": "R-1", "free": True}}}

    def add_visit(self, patient_id: str, reason: str) -> dict[str, Any]:
        visit = {"visit_id": f"V-{len(self.db['visits'])}", "patient_id": patient_id}
        self.db["visits"][visit["visit_id"]] = visit
        visit["reason"] = reason
        self.db["patients"][patient_id]["last"] = visit["visit_id"]
        return visit

    def take_room(self, room_id: str) -> None:
        self._state["rooms"][room_id]["free"] = False

    def reset_patients(self) -> None:
        self.db["patients"] = {"P-9": {"patient_id": "P-9", "name": "new"}}

    def replace(self) -> None:
        self.db = {"patients": {"P-1": {"patient_id": "P-1", "name": "other"}}, "extras": {"E": {"n": 1}}}

    def lose(self) -> None:
        self.db = None  # type: ignore[assignment]


class Client:
    """Refers to its owner, and holds what cannot be pickled."""

    def __init__(self, owner: "Agency") -> None:
        self.owner = owner
        self.calls = 0
        self._hook = lambda: None


class Agency:
    def __init__(self) -> None:
        self.db = {"trips": {"T-1": {"trip_id": "T-1", "open": True}}}
        self.client = Client(self)

    def close_trip(self, trip_id: str) -> dict[str, Any]:
        self.client.calls += 1
        self.client.owner.db["trips"][trip_id]["open"] = False
        return self.db["trips"][trip_id]


@dataclass
class Basket:
    items: list[str] = field(default_factory=list)
