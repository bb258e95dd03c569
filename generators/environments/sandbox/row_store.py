"""Tables of rows over an immutable base: snapshot, restore and digest cost only what has changed."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from interplay.schemas.json.canonical import Change, difference, entry_sum, join_pointer, state_digest

Row = Mapping[str, Any]
Snapshot = dict[tuple[str, str], Row | None]


class _Tables(Mapping[str, Mapping[str, Row]]):
    """The changed tables over those of the base; listing them does not make the tables of the base."""

    def __init__(self, changed: Mapping[str, Mapping[str, Row]], base: Mapping[str, Mapping[str, Row]]) -> None:
        self._changed = changed
        self._base = base

    def __getitem__(self, name: str) -> Mapping[str, Row]:
        return self._changed[name] if name in self._changed else self._base[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._base, *self._changed]))

    def __len__(self) -> int:
        return len(self._base.keys() | self._changed.keys())


class RowStore:
    """Rows by table and key. A row is replaced, never changed in place; a deleted one is kept as none."""

    def __init__(self, base: Mapping[str, Mapping[str, Row]], name: str = "") -> None:
        """Start from the rows of a base, whose tables may be made lazily; `name` identifies the base.

        With a name, a digest is made of the name and the changes, so that it does not make tables.
        """
        self._base = base
        self._name = name
        self._changed: Snapshot = {}
        self._views: dict[str, dict[str, Row]] = {}
        self._tables: Mapping[str, Mapping[str, Row]] | None = None

    @cached_property
    def _base_sum(self) -> int:
        if self._name:
            return entry_sum([("", self._name)])
        return entry_sum((_path(table, key), row) for table, rows in self._base.items() for key, row in rows.items())

    def get(self, table: str, key: str) -> Row | None:
        """Return a row; none if there is none."""
        if (table, key) in self._changed:
            return self._changed[table, key]
        return self._base.get(table, {}).get(key)

    def first(self, table: str, key: str) -> Row | None:
        """Return a row as it is in the base, even if it was changed or deleted."""
        return self._base.get(table, {}).get(key)

    def table(self, name: str) -> Mapping[str, Row]:
        """Return the rows of a table by key: those of the base in their order, then new ones in order of creation.

        The mapping is the same object until the table changes, and is not modified by changes.
        """
        if name not in self._views:
            self._views[name] = dict(self._rows(name))
        return self._views[name]

    def rows(self, table: str) -> Iterator[tuple[str, Row]]:
        """Yield keys and rows in the order of the table."""
        yield from self.table(table).items()

    def _rows(self, table: str) -> Iterator[tuple[str, Row]]:
        base = self._base.get(table, {})
        for key, row in base.items():
            present = self._changed.get((table, key), row)
            if present is not None:
                yield key, present
        for (owner, key), added in self._changed.items():
            if owner == table and key not in base and added is not None:
                yield key, added

    def put(self, table: str, key: str, row: Row) -> None:
        """Add or replace a row; a deleted row of the base returns to its old place."""
        if (table, key) in self._changed and self._changed[table, key] is None and key not in self._base.get(table, {}):
            del self._changed[table, key]
        self._set(table, key, row)

    def delete(self, table: str, key: str) -> None:
        """Remove an existing row; its key stays known."""
        self._set(table, key, None)

    def is_known(self, table: str, key: str) -> bool:
        """Tell whether a row with this key exists or existed."""
        return (table, key) in self._changed or key in self._base.get(table, {})

    def count_changed(self) -> int:
        """Return the number of rows that were added, changed or deleted."""
        return len(self._changed)

    def _set(self, table: str, key: str, row: Row | None) -> None:
        self._changed[table, key] = row
        self._forget(table)

    def _forget(self, table: str) -> None:
        self._views.pop(table, None)
        self._tables = None

    def tables(self) -> Mapping[str, Mapping[str, Row]]:
        """Return all tables as they are now; the same object until something changes."""
        if self._tables is None:
            self._tables = _Tables({name: self.table(name) for name, _ in self._changed}, self._base)
        return self._tables

    def snapshot(self) -> Snapshot:
        """Return the differences from the base."""
        return dict(self._changed)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        for table in {name for name, _ in [*self._changed, *snapshot]}:
            self._forget(table)
        self._changed = dict(snapshot)

    def digest(self) -> str:
        """Return the digest of all public fields; equal for states with the same rows."""
        total = self._base_sum
        for (table, key), row in self._changed.items():
            before = self._base.get(table, {}).get(key)
            if before is not None:
                total -= entry_sum([(_path(table, key), before)])
            if row is not None:
                total += entry_sum([(_path(table, key), row)])
        return state_digest(total)

    def changes(self) -> tuple[Change, ...]:
        """Return the fields that differ from the base, in the order of their paths."""
        found: list[Change] = []
        for (table, key), row in self._changed.items():
            before = self._base.get(table, {}).get(key)
            if before is None or row is None:
                sides = ({} if before is None else {"row": before}, {} if row is None else {"row": row})
                found += [change.model_copy(update={"path": _path(table, key)}) for change in difference(*sides)]
            else:
                found += difference(before, row, _path(table, key))
        return tuple(sorted(found, key=lambda change: change.path))


def _path(table: str, key: str) -> str:
    return join_pointer(table, key)
