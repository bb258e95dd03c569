"""The call of foreign code that is under way in a process -> a place where another process reads it; and calls that ended one.

    add_note({"title": "Boat"})    the process ends by SIGSEGV    ->    Call("add_note", '{"title": "Boat"}', b"...")

A call is known by itself and the state that it is made in: one that ended a process does so again, and is made no more.
"""

import contextlib
import hashlib
import mmap
import struct
from collections.abc import Iterator
from typing import NamedTuple

ENDING: dict[bytes, str] = {}
"""By what the calls that ended a process did so, by their keys."""

_MARK = struct.Struct("=?16s512s1024s")
SIZE = _MARK.size
"""Bytes that a place takes."""

KEY = 16
_place: mmap.mmap | None = None


class Call(NamedTuple):
    """A call that is under way."""

    tool: str
    arguments: str
    key: bytes


def mark_calls_in(place: mmap.mmap | None) -> None:
    """Mark the calls of this process in a place from now on, or nowhere."""
    global _place
    _place = place


def is_marked() -> bool:
    """Tell whether the calls of this process are marked: another one is there to outlive it."""
    return _place is not None


def key_of(told: str) -> bytes:
    """Return the key of a call, of which a text tells all."""
    return hashlib.blake2b(told.encode(errors="surrogatepass"), digest_size=KEY).digest()


@contextlib.contextmanager
def under_way(call: Call) -> Iterator[None]:
    """Mark a call for as long as it lasts."""
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
    """Return the call that is marked in a place, if one is under way there."""
    if len(place) < SIZE:
        return None
    is_under_way, key, *told = _MARK.unpack_from(place)
    tool, arguments = (part.rstrip(b"\0").decode(errors="replace") for part in told)
    return Call(tool, arguments, key) if is_under_way else None
