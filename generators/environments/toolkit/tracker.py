"""The attributes of any object -> snapshots, digest and changes, at a cost proportional to what changed.

    patients = {"P-1": {...}, "P-2": {...}}   entries ("patients", "P-1") and ("patients", "P-2")
    log = ["opened"]                          entry ("log",)
    counter = 3                               entry ("counter",)

Dicts and lists are replaced by tracked ones (see tracked_containers), which report their entry before they change; only
reported entries are copied or compared. Containers shared by several entries stay shared.

The tables of a database (see databases) count as attributes of the object: `self.db.patients["P-1"]` is the entry
("patients", "P-1").

An entry that holds anything else (a set, a dataclass, a model, any object, a dict subclass) cannot report its changes. Such
entries are opaque: they are copied at every snapshot and compared at every digest, at a cost proportional to their size, by
their public attributes. Functions, classes, modules, locks and streams are not data and are left out. An object in
the state that refers to a dict or list of another entry gets a copy of it when it is restored.
"""

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

from interplay.generators.environments.toolkit.frozen import Frozen
from interplay.generators.environments.toolkit.live_entries import LiveEntries
from interplay.generators.environments.toolkit.state_entries import (
    ABSENT,
    OPAQUE,
    TABLE,
    Marker,
    Saved,
    ShownRows,
    Snapshot,
    as_shown,
    entries_of,
    hash_of,
    is_attribute,
    is_public,
    is_state,
)
from interplay.generators.environments.toolkit.tracked_containers import (
    Entry,
    Table,
    TrackedDict,
    TrackedList,
    is_flat,
    is_trackable,
    plain_copy,
)
from interplay.schemas.errors import EnvironmentFailure
from interplay.schemas.json.canonical import Change, difference, entry_sum, join_pointer, split_pointer, state_digest


class Tracker:
    """Watches the attributes in `attributes`, the `vars()` of `owners`, and puts tracked containers into them."""

    def __init__(self, attributes: MutableMapping[str, Any], *owners: object, name: str = "") -> None:
        """Start from the present values; a unique `name` stands for them in digests."""
        self._live = LiveEntries(attributes)
        self._owners = owners
        self._base: dict[Entry, Saved] = {}
        self._current: dict[Entry, Saved] = {}
        self._dirty: dict[Entry, None] = {}
        self._linked: dict[Entry, list[Entry]] = {}
        self._opaque: set[Entry] = set()
        memo: dict[int, Any] = {}
        for attribute, value in list(self._live.attributes().items()):
            if is_state(attribute, value):
                self._adopt_attribute(attribute, value, memo)
        self._begin(name)

    def begin_here(self) -> None:
        """Make the present state the initial one, from which changes are counted; earlier snapshots become invalid."""
        self.take_in_changes()
        self._begin("")

    def _begin(self, name: str) -> None:
        self._base_total = entry_sum([("", name)]) if name else None
        self._current.clear()
        self._base_frozen = self._freeze()
        self._base_opaque = self._base_frozen.thaw() if self._base_frozen else {}
        self._opaque_moves: tuple[bytes | None, int] = (None, 0)
        self._base = {entry: Saved(OPAQUE, self._live.place(entry)) for entry in self._opaque}
        self._dirty.clear()

    def take_in_changes(self) -> None:
        """Take in what changed since the last time; must be called after each change from outside."""
        memo: dict[int, Any] = {}
        if self._live.is_rebound():
            self._notice_rebound(memo)
        if not self._dirty:
            return
        queue = list(self._dirty)
        for entry in queue:
            self._adopt(entry, memo)
            if len(self._dirty) > len(queue):  # it was linked to entries not touched before
                queue.extend(list(self._dirty)[len(queue) :])
        copies: dict[int, Any] = {}
        for entry in queue:
            self._current[entry] = self._save(entry, copies)
        self._dirty.clear()

    def snapshot(self) -> Snapshot:
        """Return a token for the present state."""
        self.take_in_changes()
        return Snapshot(dict(self._current), self._freeze(), self._live.databases())

    def restore(self, snapshot: Snapshot) -> None:
        """Put back the entries that differ from `snapshot`."""
        self.take_in_changes()
        wanted: dict[Entry, Saved] = {}
        for entry in {**self._current, **snapshot.entries}:
            saved = snapshot.entries.get(entry) or self._base[entry]
            if self._current.get(entry, self._base[entry]) is not saved:
                wanted[entry] = saved
        opaque: dict[Entry, Any] = {}
        if snapshot.opaque is not None and (
            any(saved.value is OPAQUE for saved in wanted.values()) or not snapshot.opaque.is_same(self._freeze())
        ):
            opaque = snapshot.opaque.thaw()
        wanted |= {entry: snapshot.entries.get(entry) or self._base[entry] for entry in opaque}
        self._live.put_databases(snapshot.databases)
        if wanted:
            self._put(wanted, opaque)
        self._current = dict(snapshot.entries)

    def digest(self) -> str:
        """Return the digest of the public state."""
        self.take_in_changes()
        if self._base_total is None:
            self._base_total = sum(hash_of(entry, value) for entry, value in self._base_values())
        moved = sum(saved.hash(entry) - self._base[entry].hash(entry) for entry, saved in self._current.items())
        return state_digest(self._base_total + moved + self._opaque_moved())

    def changes(self) -> tuple[Change, ...]:
        """Return the difference of the public state from the initial one, by entries and fields."""
        self.take_in_changes()
        found: list[Change] = []
        for entry in {**self._current, **dict.fromkeys(self._opaque), **self._base_opaque}:
            if is_public(entry):
                before = self._base_opaque.get(entry, self._base[entry].value)
                after = self._live.value(entry)
                found.extend(difference(as_shown(before), as_shown(after), join_pointer(*map(str, entry))))
        return tuple(sorted(found, key=lambda change: split_pointer(change.path)))

    def tables(self) -> dict[str, Mapping[Any, Any]]:
        """Return the public dict attributes, live; rows that cannot be tracked come as JSON copies, made when read."""
        tables = self._live.tables()
        if not self._opaque:
            return tables
        opaque = {entry[0] for entry in self._opaque if len(entry) > 1}
        return {name: ShownRows(table) if name in opaque else table for name, table in tables.items()}

    def attributes(self) -> Mapping[str, Any]:
        """Return all attributes by name, including the tables of databases, live and read-only."""
        return self._live.attributes()

    def touch(self, entry: Entry) -> None:
        """Save the initial value of `entry` and of all entries that share containers with it, before they change."""
        if entry in self._dirty:
            return
        memo: dict[int, Any] = {}
        for each in self._linked.get(entry, (entry,)):
            self._dirty[each] = None
            if each not in self._base:
                self._base[each] = self._save(each, memo)

    def _notice_rebound(self, memo: dict[int, Any]) -> None:
        """Touch and take in the attributes that were set, replaced or deleted."""
        known, attributes = self._live.known, dict(self._live.attributes())
        for name in [*known, *(name for name in attributes if name not in known)]:
            old, new = known.get(name, ABSENT), attributes.get(name, ABSENT)
            if old is new or (old is ABSENT and not is_state(name, new)):
                continue
            for entry in entries_of(name, old) + entries_of(name, new):
                self.touch(entry)
            if new is ABSENT:
                self._opaque -= set(entries_of(name, old))
                self._live.forget(name)
            else:
                self._adopt_attribute(name, new, memo)

    def _adopt_attribute(self, name: str, value: Any, memo: dict[int, Any]) -> None:
        """Take in the value of an attribute; a dict becomes a table."""
        if type(value) in (dict, Table, TrackedDict):
            value = self._live.table(name, value, self.touch)
        self._live.put((name,), value)
        for entry in entries_of(name, value):
            self._adopt(entry, memo)

    def _adopt(self, entry: Entry, memo: dict[int, Any]) -> None:
        """Replace the plain containers of a live entry by tracked ones, or mark it as opaque."""
        value = self._live.value(entry)
        if type(value) is Marker:
            self._opaque.discard(entry)
        elif is_trackable(value):
            self._opaque.discard(entry)
            tracked = self._track(value, entry, memo)
            if tracked is not value:
                self._live.put(entry, tracked)
        else:
            self._opaque.add(entry)

    def _track(self, value: Any, entry: Entry, memo: dict[int, Any]) -> Any:
        """Return `value` in tracked containers; a container that another entry holds too links both entries."""
        kind = type(value)
        if kind is TrackedDict or kind is TrackedList:
            if value.entry != entry:
                self._link(entry, value.entry)
            for key, item in value.items() if kind is TrackedDict else enumerate(value):
                tracked = self._track(item, entry, memo) if isinstance(item, (dict, list)) else item
                if tracked is not item:
                    (dict if kind is TrackedDict else list).__setitem__(value, key, tracked)
            return value
        if kind not in (dict, list):
            return value
        held = memo.get(id(value))
        if held is not None:
            if held[0].entry != entry:
                self._link(entry, held[0].entry)
            return held[0]
        made: Any
        if kind is dict:
            held = value if is_flat(value) else {key: self._track(item, entry, memo) for key, item in value.items()}
            made = TrackedDict(held, entry, self.touch)
        else:
            made = TrackedList([self._track(item, entry, memo) for item in value], entry, self.touch)
        memo[id(value)] = (made, value)
        return made

    def _link(self, entry: Entry, other: Entry) -> None:
        """Make two entries always be touched together."""
        group, joined = self._linked.get(entry, [entry]), self._linked.get(other, [other])
        if group is not joined:
            group = group + joined
            self._linked |= dict.fromkeys(group, group)
        dirty = [each for each in group if each not in self._dirty]
        for each in dirty:
            self.touch(each)

    def _save(self, entry: Entry, memo: dict[int, Any]) -> Saved:
        value = OPAQUE if entry in self._opaque else self._live.value(entry)
        return Saved(plain_copy(value, memo), self._live.place(entry))

    def _freeze(self) -> Frozen | None:
        """Copy the opaque entries."""
        if not self._opaque:
            return None
        fixed = [*self._live.databases().values(), *self._owners]
        values = {entry: self._live.value(entry) for entry in sorted(self._opaque, key=repr)}
        try:
            return Frozen(values, fixed)
        except Exception as error:
            names = sorted({str(entry[0]) for entry in self._opaque})
            raise EnvironmentFailure(f"the state in {', '.join(names)} cannot be copied: {error}") from error

    def _opaque_moved(self) -> int:
        """Return the difference that opaque entries make to the sum of hashes since the start."""
        frozen = self._freeze()
        if frozen is None and self._base_frozen is None:
            return 0
        if frozen is not None and frozen.text is not None and frozen.text == self._opaque_moves[0]:
            return self._opaque_moves[1]
        moved = sum(
            hash_of(entry, self._live.value(entry) if entry in self._opaque else ABSENT)
            - hash_of(entry, self._base_opaque.get(entry, ABSENT))
            for entry in self._opaque | self._base_opaque.keys()
        )
        self._opaque_moves = (frozen.text if frozen else None, moved)
        return moved

    def _base_values(self) -> Iterator[tuple[Entry, Any]]:
        """Yield each initial entry with its value; untouched ones are read from the live state."""
        for entry, saved in self._base.items():
            yield entry, self._base_opaque.get(entry, saved.value)
        for entry in self._live.entries():
            if entry not in self._base:
                yield entry, self._live.value(entry)

    def _put(self, wanted: dict[Entry, Saved], opaque: dict[Entry, Any]) -> None:
        """Restore saved entries: whole attributes first, then the rows of each table."""
        self._opaque = (self._opaque - wanted.keys()) | opaque.keys()
        for entry in filter(is_attribute, wanted):
            value = opaque.get(entry, wanted[entry].value)
            if value is ABSENT:
                self._live.drop(str(entry[0]))
            elif value is not TABLE:
                self._live.put(entry, value)
            elif type(self._live.known.get(str(entry[0]))) is not Table:
                self._live.put(entry, self._live.table(str(entry[0]), {}, self.touch))
        memo: dict[int, Any] = {}
        rows: dict[str, dict[Any, tuple[Any, int]]] = {}
        gone: dict[str, set[Any]] = {}
        for entry, saved in wanted.items():
            value = opaque.get(entry, saved.value)
            if len(entry) == 1:
                if isinstance(value, list) and entry not in opaque:
                    self._live.put(entry, self._track(value, entry, memo))
            elif value is ABSENT:
                gone.setdefault(str(entry[0]), set()).add(entry[1])
            else:
                tracked = value if entry in opaque else self._track(value, entry, memo)
                rows.setdefault(str(entry[0]), {})[entry[1]] = (tracked, saved.place)
        for name in rows.keys() | gone.keys():
            table = self._live.known.get(name)
            if type(table) is Table:
                table.put_back(rows.get(name, {}), gone.get(name, set()))
        self._dirty.clear()
