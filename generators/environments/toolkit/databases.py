"""The attributes of an object -> the same, with the tables of a database among them as if they were its own attributes.

    self.db = {"patients": {"P-1": {...}}, "rooms": {...}}        patients = {"P-1": {...}}, rooms = {...}
    self.db = Database(patients={"P-1": Patient(...)})            patients = {"P-1": Patient(...)}

A database is a pydantic model or dataclass with a field that holds rows (by their keys or in a list), or a dict of such
fields whose attribute is named like one (`db`, `_data`, ...) or whose keys are plurals. If a table has the name of an attribute,
the names are joined: `db.patients`. Tables in a private attribute named like a database count as public.
"""

from collections.abc import Mapping, MutableMapping
from dataclasses import is_dataclass
from typing import Any

from pydantic import BaseModel

from interplay.generators.environments.toolkit.plain_json import attributes_of

NAMES = frozenset("backend data database db records state storage store tables world".split())


class DatabaseAttributes:
    """The attributes in `root` without its databases, together with the fields of the databases, under unique names.

    A database that is replaced by a value of another type is an ordinary attribute.
    """

    def __init__(self, root: MutableMapping[str, Any]) -> None:
        self._root = root
        self._kinds = {name: type(value) for name, value in root.items() if is_database(name, value)}
        self._names: dict[tuple[str, str], str] = {}
        self._places: dict[str, tuple[str, str]] = {}

    def read(self) -> Mapping[str, Any]:
        """Return all values by name, read-only."""
        open_ones = self.databases()
        if not open_ones:
            return self._root
        found = {name: value for name, value in self._root.items() if name not in open_ones}
        for holder, database in open_ones.items():
            for key, value in fields_of(database).items():
                found[self._names.get((holder, key)) or self._new_name(holder, key)] = value
        return found

    def write(self, name: str, value: Any) -> None:
        """Set a value, in the database if the name is one of its fields."""
        holder, key = self._places.get(name, ("", name))
        if holder in self.databases():
            fields_of(self._root[holder])[key] = value
        elif not holder:
            self._root[key] = value

    def drop(self, name: str) -> None:
        """Remove a value, if it is there."""
        holder, key = self._places.get(name, ("", name))
        open_ones = self.databases()
        if holder in open_ones:
            fields_of(self._root[holder]).pop(key, None)
        elif not holder and key not in open_ones:
            self._root.pop(key, None)

    def databases(self) -> dict[str, Any]:
        """Return attribute name -> database."""
        root = self._root
        if not self._kinds:
            return {}
        return {name: root[name] for name, kind in self._kinds.items() if name in root and type(root[name]) is kind}

    def put_databases(self, databases: Mapping[str, Any]) -> None:
        """Put databases back into their attributes."""
        self._root.update(databases)

    def _new_name(self, holder: str, key: str) -> str:
        taken = key in self._root or key in self._places
        name = f"{holder.strip('_')}.{key}" if taken else str(key)
        self._names[holder, key] = name
        self._places[name] = (holder, key)
        return name


def is_database(name: str, value: Any) -> bool:
    """Tell whether an attribute holds tables."""
    called = name.lower().rpartition("_")[2] in NAMES
    if name.startswith("_") and not called:
        return False
    if type(value) is dict:
        plural = all(isinstance(key, str) and key.isidentifier() and key.endswith("s") for key in value)
        return bool(value) and (called or plural) and _holds_tables(value, all_of_them=not called)
    if isinstance(value, BaseModel) or (is_dataclass(value) and not isinstance(value, type)):
        return hasattr(value, "__dict__") and (
            _holds_tables(vars(value), all_of_them=False) or any(map(_lists_rows, vars(value).values()))
        )
    return False


def _lists_rows(value: Any) -> bool:
    """Tell whether a field of a database is a list of rows."""
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) or _is_object(row) for row in value)


def _is_object(row: Any) -> bool:
    return not isinstance(row, (list, str)) and bool(attributes_of(row))


def fields_of(database: Any) -> dict[str, Any]:
    """Return the dict that holds the fields of a database."""
    return database if isinstance(database, dict) else vars(database)


def _holds_tables(fields: Mapping[str, Any], all_of_them: bool) -> bool:
    if any(not isinstance(key, str) for key in fields):
        return False
    held = [value for value in fields.values() if isinstance(value, dict) and value]
    tables = [value for value in held if all(isinstance(row, dict) or _is_object(row) for row in value.values())]
    empty = [value for value in fields.values() if isinstance(value, dict) and not value]
    return bool(tables) and (not all_of_them or len(tables) + len(empty) == len(fields))
