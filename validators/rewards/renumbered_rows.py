"""Changes of the state beside those that are wanted -> the changes, with new rows numbered as wanted if only their order differs.

Two mails that may be sent in either order swap their numbers, and so do the things numbered with them: threads, receipts.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import permutations
from typing import Any

from interplay.schemas.json.canonical import MISSING, Change, canonical_json, leaves
from interplay.validators.rewards.own_words import replaced

MOST = 5
"""The most new rows of one kind of which every order is tried."""


def renumbered(changes: tuple[Change, ...], wanted: Sequence[Change], given: Collection[str]) -> tuple[Change, ...]:
    """Return the changes with the names of new rows swapped, where only these names differ from what is wanted.

    A name that a call has `given` to a row is never swapped.
    """
    made, due = _new(changes), _new(wanted)
    if made.keys() != due.keys() or canonical_json(made) == canonical_json(due):
        return changes
    names: dict[str, str] = {}
    for place in {path.rpartition("/")[0] for path in made}:
        own = {path: row for path, row in made.items() if path.rpartition("/")[0] == place}
        found = _names(own, {path: due[path] for path in own}, names, given)
        if found is None:
            return changes
        names |= found
    if {*names} != {*names.values()}:
        return changes  # they are not each other's
    return tuple(
        change.model_copy(update={"path": _renamed_path(change.path, names), "after": replaced(change.after, names)})
        if change.before == MISSING
        else change
        for change in changes
    )


def _new(changes: Sequence[Change]) -> dict[str, Any]:
    return {
        change.path: change.after for change in changes if change.before == MISSING and isinstance(change.after, dict)
    }


def _names(
    made: Mapping[str, Any], due: Mapping[str, Any], known: Mapping[str, str], given: Collection[str]
) -> dict[str, str] | None:
    """Return how rows would have to be called to be as wanted, in the first order in which that is all that differs."""
    paths = sorted(made)
    for order in permutations(sorted(due)) if len(paths) <= MOST else ():
        names: dict[str, str] | None = dict(known)
        for path, wanted in zip(paths, order, strict=True):
            if names is not None:
                ends = (path.rpartition("/")[2], wanted.rpartition("/")[2])
                names = _matched([ends, *_apart(made[path], due[wanted])], names, given)
        if names is not None:
            return names
    return None


def _apart(made: Any, wanted: Any) -> list[tuple[Any, Any]]:
    """Return the pairs of leaves of two rows; a leaf without a fellow is beside nothing."""
    one, other = dict(leaves(made)), dict(leaves(wanted))
    return [(one.get(path), other.get(path)) for path in one.keys() | other.keys() if one.get(path) != other.get(path)]


def _matched(
    pairs: Sequence[tuple[Any, Any]], known: Mapping[str, str], given: Collection[str]
) -> dict[str, str] | None:
    names = dict(known)
    for one, other in pairs:
        if not isinstance(one, str) or not isinstance(other, str) or {one, other} & {*given}:
            return None
        if names.setdefault(one, other) != other:
            return None
    return names


def _renamed_path(path: str, names: Mapping[str, str]) -> str:
    above, mark, last = path.rpartition("/")
    return f"{above}{mark}{names.get(last, last)}"
