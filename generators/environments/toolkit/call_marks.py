"""The call of foreign code under way in a process -> a shared place where another process reads it; calls that ended one.

    add_note({"title": "Boat"})    the process ends by SIGSEGV    ->    Call("add_note", '{"title": "Boat"}', b"...")

A call is identified by itself and the state it is made in: if it ended a process once, it would do so again and is refused.
"""

import contextlib
import hashlib
import mmap
import struct
from collections.abc import Iterator
from typing import NamedTuple

ENDING: dict[bytes, str] = {}
"""Key of a call that ended a process -> how the process ended."""

_MARK = struct.Struct("=?16s512s1024s")
SIZE = _MARK.size
"""Bytes of a place."""

KEY = 16
_place: mmap.mmap | None = None


class Call(NamedTuple):
    """A call under way."""

    tool: str
    arguments: str
    key: bytes


def mark_calls_in(place: mmap.mmap | None) -> None:
    """Mark the calls of this process in `place` from now on, or nowhere if it is none."""
    global _place
    _place = place


def is_marked() -> bool:
    """Tell whether calls of this process are marked, so that another process can see how it ended."""
    return _place is not None


def key_of(told: str) -> bytes:
    """Return the key of a call, from a text that contains everything the call depends on."""
    return hashlib.blake2b(told.encode(errors="surrogatepass"), digest_size=KEY).digest()


@contextlib.contextmanager
def under_way(call: Call) -> Iterator[None]:
    """Mark a call while it is running."""
    place = _place
    if place is not None:
        told = (part.encode(errors="replace") for part in (call.tool, call.arguments))
        _MARK.pack_into(place, 0, True, call.key, *told)
    try:
        yield
    finally:
        if place is not None:
            place[0] = 0


def call_in(place: mmap.mmap | bytes) -> Call | None:
    """Return the call marked in a place; none if no call is under way."""
    if len(place) < SIZE:
        return None
    is_under_way, key, *told = _MARK.unpack_from(place)
    tool, arguments = (part.rstrip(b"\0").decode(errors="replace") for part in told)
    return Call(tool, arguments, key) if is_under_way else None
