"""The attributes of an object -> the entries of its present state, which can be read, set and put back.

patients = {"P-1": {...}}   the entry ("patients",) is a table, and ("patients", "P-1") a row of it
counter = 3                 the entry ("counter",)
"""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from itertools import count
from operator import is_not
from typing import Any

from interplay.generators.environments.toolkit.databases import DatabaseAttributes
from interplay.generators.environments.toolkit.state_entries import ABSENT, TABLE, entries_of, is_state
from interplay.generators.environments.toolkit.tracked_containers import Entry, Table


class LiveEntries:
    """The attributes in a root, and in `known` their values when they were last taken in."""

    def __init__(self, root: MutableMapping[str, Any]) -> None:
        self.known: dict[str, Any] = {}
        self._tables: dict[str, Mapping[Any, Any]] | None = None
        self._attributes = DatabaseAttributes(root)
        self._free_places = count()

    def attributes(self) -> Mapping[str, Any]:
        """Return all attributes by name, read-only."""
        return self._attributes.read()

    def databases(self) -> dict[str, Any]:
        """Return the databases whose tables count as attributes, by name."""
        return self._attributes.databases()

    def entries(self) -> Iterator[Entry]:
        """Yield the entries of all known attributes."""
        for name, value in self.known.items():
            yield from entries_of(name, value)

    def tables(self) -> dict[str, Mapping[Any, Any]]:
        """Return the public tables by name."""
        if self._tables is None:
            self._tables = {
                name: value for name, value in self.known.items() if type(value) is Table and name[0] != "_"
            }
        return self._tables

    def is_rebound(self) -> bool:
        """Tell whether an attribute was set, replaced or deleted since it was taken in."""
        known, attributes = self.known, self._attributes.read()
        if list(attributes) == list(known) and not any(map(is_not, attributes.values(), known.values())):
            return False  # the usual case, decided without a loop in Python
        for name, value in known.items():
            if attributes.get(name, ABSENT) is not value:
                return True
        return len(attributes) != len(known) and any(
            name not in known and is_state(name, value) for name, value in attributes.items()
        )

    def value(self, entry: Entry) -> Any:
        """Return the value of an entry, or a marker (`ABSENT`, `TABLE`)."""
        value = self.known.get(str(entry[0]), ABSENT)
        if len(entry) == 1:
            return TABLE if type(value) is Table else value
        return value.get(entry[1], ABSENT) if type(value) is Table else ABSENT

    def place(self, entry: Entry) -> int:
        """Return the place of a row in its table; 0 for any other entry."""
        table = self.known.get(str(entry[0])) if len(entry) > 1 else None
        return table.places.get(entry[1], 0) if type(table) is Table else 0

    def table(self, name: str, rows: dict[Any, Any], touch: Callable[[Entry], None]) -> Table:
        """Return a table of rows that reports each entry before it changes."""
        return Table(name, rows, touch, self._free_places)

    def put(self, entry: Entry, value: Any) -> None:
        """Set the value of an entry without reporting it."""
        if len(entry) == 1:
            self.known[str(entry[0])], self._tables = value, None
            self._attributes.write(str(entry[0]), value)
        else:
            self.known[str(entry[0])].put(entry[1], value)

    def drop(self, name: str) -> None:
        """Delete an attribute."""
        self._attributes.drop(name)
        self.forget(name)

    def forget(self, name: str) -> None:
        """Drop what is known of an attribute that is gone or must be taken in again."""
        self.known.pop(name, None)
        self._tables = None

    def put_databases(self, databases: Mapping[str, Any]) -> None:
        """Put back databases that were replaced, and write the known values into them."""
        held = self._attributes.databases()
        if any(held.get(name) is not database for name, database in databases.items()):
            self._attributes.put_databases(databases)
            for name, value in self.known.items():
                if name not in databases:
                    self._attributes.write(name, value)
            for name in databases:
                self.forget(name)
