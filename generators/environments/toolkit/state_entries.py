"""One entry of a tracked state: which entries there are, a saved copy, its hash, and how it is shown."""

import io
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from interplay.generators.environments.toolkit.frozen import Frozen
from interplay.generators.environments.toolkit.plain_json import as_json
from interplay.generators.environments.toolkit.tracked_containers import Entry, Table, TrackedDict
from interplay.schemas.json.canonical import MISSING, entry_sum, join_pointer

_NO_DATA = (
    BuiltinFunctionType,
    FunctionType,
    MethodType,
    ModuleType,
    type,
    io.IOBase,
    type(threading.Lock()),
    type(threading.RLock()),
)


class Marker:
    """A marker in place of a value: `ABSENT`, `TABLE` (its rows are entries), `OPAQUE` (see `Snapshot.opaque`)."""


ABSENT, TABLE, OPAQUE = Marker(), Marker(), Marker()


class Saved:
    """A plain copy of an entry, its place in its table, and its hash (computed when needed)."""

    __slots__ = ("_hash", "place", "value")

    def __init__(self, value: Any, place: int) -> None:
        self.value, self.place = value, place
        self._hash: int | None = None

    def hash(self, entry: Entry) -> int:
        """Return the hash of the copy as the value of `entry`."""
        if self._hash is None:
            self._hash = hash_of(entry, self.value)
        return self._hash


@dataclass(frozen=True)
class Snapshot:
    """The entries that differ from the start, frozen copies of the opaque ones, and the databases."""

    entries: dict[Entry, Saved]
    opaque: Frozen | None
    databases: dict[str, Any]


def entries_of(name: str, value: Any) -> list[Entry]:
    """Return the entries of an attribute with this value: the attribute itself, and each row of a table."""
    if value is ABSENT:
        return []
    keys = value if type(value) in (dict, Table, TrackedDict) else ()
    return [(name,), *((name, key) for key in keys)]


def is_state(name: str, value: Any) -> bool:
    """Tell whether an attribute is part of the state."""
    return not name.startswith("__") and not isinstance(value, _NO_DATA)


def is_attribute(entry: Entry) -> bool:
    """Tell whether an entry is a whole attribute."""
    return len(entry) == 1


def is_public(entry: Entry) -> bool:
    """Tell whether an entry counts in digests and changes."""
    return not any(str(part).startswith("_") for part in entry)


def as_shown(value: Any) -> Any:
    """Return a value in the form used by changes."""
    if value is TABLE:
        return {}
    return MISSING if value is ABSENT or value is OPAQUE else as_json(value, lenient=True)


def hash_of(entry: Entry, value: Any) -> int:
    """Return the hash of an entry; 0 for private entries and markers."""
    if type(value) is Marker or not is_public(entry):
        return 0
    return entry_sum([(join_pointer(*map(str, entry)), as_json(value, lenient=True))])


class ShownRows(Mapping[Any, Any]):
    """A live table as JSON."""

    def __init__(self, table: Mapping[Any, Any]) -> None:
        self._table = table

    def __getitem__(self, key: Any) -> Any:
        return as_json(self._table[key], lenient=True)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)
