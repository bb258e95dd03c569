"""Canonical JSON, digests and differences: when two values or two states are equal. JSON pointers."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import orjson

from interplay.schemas.json.record import Record

MISSING = "<missing>"

json_text = json.JSONEncoder(ensure_ascii=False).encode
"""Encode a value as one-line JSON, keys in their own order; built once, since `json.dumps` builds an encoder per value."""

_PRIVATE, _WHOLE, _LARGE = b'"_', re.compile(rb"\.0[,\]}]"), orjson.dumps(1e16).removeprefix(b"1").removesuffix(b"16")
"""Byte patterns in JSON that reveal private fields, whole floats (`25.0`) and large floats (the `e+` of `1e+16`)."""

_PLAIN = frozenset((str, int, bool, type(None)))
"""Types whose values are already canonical."""


class Change(Record):
    """One field that differs between two states; a side that lacks the field holds `MISSING`."""

    path: str
    before: Any = None
    after: Any = None


def canonical(value: Any) -> Any:
    """Return `value` with whole floats turned into integers and private fields (leading underscore) removed."""
    kind = type(value)
    if kind in _PLAIN:  # most leaves; skips the slower checks below
        return value
    if kind is dict:
        named = {str(key): item for key, item in value.items()}
        return {key: item if type(item) in _PLAIN else canonical(item) for key, item in named.items() if key[:1] != "_"}
    if kind is list or kind is tuple:
        return [item if type(item) in _PLAIN else canonical(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): canonical(item) for key, item in value.items() if str(key)[:1] != "_"}
    if isinstance(value, (list, tuple)):
        return [canonical(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def canonical_json(value: Any) -> str:
    """Return the unique JSON text of `value`: keys sorted, no spaces, 25.0 written as 25."""
    return _canonical_bytes(value).decode()


def _canonical_bytes(value: Any) -> bytes:
    if type(value) in (dict, list):  # most values are already canonical, which their JSON shows
        try:
            made = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
        except TypeError:
            pass
        else:
            if _PRIVATE not in made and _LARGE not in made and _WHOLE.search(made) is None:
                return made
    plain = canonical(value)
    try:
        return orjson.dumps(plain, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # an integer beyond 64 bits, a lone surrogate, or not JSON at all
        text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=repr)
        return text.encode()


def digest(value: Any) -> str:
    """Return 32 hexadecimal characters, equal exactly for canonically equal values."""
    return hashlib.blake2b(_canonical_bytes(value), digest_size=16).hexdigest()


def entry_sum(entries: Iterable[tuple[str, Any]]) -> int:
    """Sum the 128-bit hashes of state entries; a changed entry then updates the sum in constant time."""
    return sum(int(digest([path, value]), 16) for path, value in entries)


def state_digest(total: int) -> str:
    """Return the digest of a state from the sum of its entries' hashes (see `entry_sum`)."""
    return f"{total % (1 << 128):032x}"


def difference(before: Any, after: Any, path: str = "") -> tuple[Change, ...]:
    """Return the changes between two values after making both canonical, by JSON pointer in sorted order."""
    before, after = canonical(before), canonical(after)
    return tuple(differences(before, after, path))


def differences(before: Any, after: Any, path: str = "") -> Iterable[Change]:
    """Yield the changes between two values as they are, not made canonical; lists are compared as a whole."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            yield from differences(before.get(key, MISSING), after.get(key, MISSING), f"{path}/{pointer_token(key)}")
    elif before != after or isinstance(before, bool) != isinstance(after, bool):
        yield Change(path=path, before=before, after=after)


def since(base: Sequence[Change], now: Iterable[Change]) -> tuple[Change, ...]:
    """Return the changes from one state to another, given the changes of each from a common opening state.

    `base` leads to the earlier state, `now` to the present one. Fields below a new or deleted row are part of that row's
    change.
    """
    if not base:
        return tuple(now)
    was, found = {change.path: change for change in base}, dict[str, Change]()
    for change in now:
        before = was.pop(change.path, None)
        if before is None:
            found[change.path] = change
        elif canonical_json(before.after) != canonical_json(change.after):
            found[change.path] = Change(path=change.path, before=before.after, after=change.after)
    for path, change in was.items():
        if not any(path.startswith(f"{other}/") for other in found):
            found[path] = Change(path=path, before=change.after, after=change.before)
    return tuple(found[path] for path in sorted(found))


def pointer_token(key: str) -> str:
    """Escape one key for a JSON pointer (RFC 6901, section 3)."""
    return key.replace("~", "~0").replace("/", "~1") if "~" in key or "/" in key else key


def join_pointer(*keys: str | int) -> str:
    """Build the JSON pointer that leads through `keys`."""
    if len(keys) == 1:  # the most frequent case
        return f"/{pointer_token(str(keys[0]))}"
    return "".join(f"/{pointer_token(str(key))}" for key in keys)


@lru_cache(maxsize=16_384)
def split_pointer(pointer: str) -> tuple[str, ...]:
    """Split a JSON pointer into its unescaped keys."""
    parts = pointer.split("/")[1:]
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in parts) if "~" in pointer else tuple(parts)


@lru_cache(maxsize=16_384)
def starred(pointer: str) -> str:
    """Return a JSON pointer with `*` for each index of a list: `/legs/0/to` -> `/legs/*/to`."""
    return "".join(f"/{'*' if part.isdigit() else part}" for part in pointer.split("/")[1:])


def last_name(pointer: str) -> str:
    """Return the last part of a JSON pointer that is not a list index, `/legs/0/to/1` -> `to`; "" if all are indices."""
    return next((part for part in reversed(split_pointer(pointer)) if part != "*" and not part.isdigit()), "")


def at_pointer(value: Any, pointer: str) -> Any:
    """Return the value at `pointer` in `value`.

    Raises:
        LookupError: the pointer leads nowhere.
    """
    for key in split_pointer(pointer):
        if isinstance(value, list):
            if not _leads_to_item(key, value):
                raise LookupError(f"no element {key} at {pointer}")
            value = value[int(key)]
        elif isinstance(value, (dict, Mapping)) and key in value:  # `dict` first: the check for it is fast
            value = value[key]
        else:
            raise LookupError(f"nothing at {pointer}")
    return value


def _leads_to_item(key: str, items: list[Any]) -> bool:
    """Tell whether a part of a pointer is the index of an item: a plain number below 10 ** 9."""
    return key.isascii() and key.isdigit() and len(key) < _DIGITS and int(key) < len(items)


_DIGITS = 10
"""As many digits are no index of a list; a number of thousands of digits could not even be read."""


def value_at(value: Any, pointer: str) -> Any:
    """Return the value at `pointer` in `value`; None if the pointer leads nowhere."""
    try:
        return at_pointer(value, pointer)
    except LookupError:
        return None


def leaves(value: Any, pointer: str = "") -> Iterable[tuple[str, Any]]:
    """Return (JSON pointer, leaf) for each scalar, empty container and list of scalars in `value`."""
    found: list[tuple[str, Any]] = []
    _gather(value, pointer, found)
    return found


def _gather(value: Any, pointer: str, found: list[tuple[str, Any]]) -> None:
    """Append the leaves of `value` to `found`; a shared list takes a third of the time of nested generators."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            below = f"{pointer}/{pointer_token(str(key))}"
            if type(item) in _PLAIN or not isinstance(item, (dict, list)):  # scalars, the most frequent case
                found.append((below, item))
            else:
                _gather(item, below, found)
    elif (
        isinstance(value, list)
        and not _PLAIN.issuperset(map(type, value))
        and any(isinstance(item, (dict, list)) for item in value)
    ):
        for index, item in enumerate(value):
            _gather(item, f"{pointer}/{index}", found)
    else:
        found.append((pointer, value))


def set_leaf(value: Any, pointer: str, leaf: Any) -> Any:
    """Return a copy of `value` with the leaf at `pointer` replaced, if its container exists; `*` stands for every list item."""
    return _set(value, split_pointer(pointer), leaf)


def _set(value: Any, path: Sequence[str], leaf: Any) -> Any:
    if not path:
        return [leaf] if isinstance(value, list) and not isinstance(leaf, list) else leaf
    if path[0] == "*" and isinstance(value, list):
        return [_set(item, path[1:], leaf) for item in value]
    if isinstance(value, list) and _leads_to_item(path[0], value):
        return [_set(item, path[1:], leaf) if str(index) == path[0] else item for index, item in enumerate(value)]
    if isinstance(value, (dict, Mapping)) and path[0] in value:
        return {**value, path[0]: _set(value[path[0]], path[1:], leaf)}
    return value
