"""The seal of a shard file: a digest of its bytes, which stands in the file itself.

It is read without Arrow, which takes a fifth of a second to import and which commands that only look do not need.
"""

import hashlib
import os
from pathlib import Path

from interplay.schemas.errors import StoreError
from interplay.schemas.plain_file import plain

SEAL = b"interplay.digest"
"""The key of the digest of all bytes of the file, those of the digest itself taken for zeros."""
BLANK = b"0" * 32
_TRAILER = 8
"""Bytes at the end of a Parquet file: the length of its footer, and `PAR1`."""

REMAKE = "Delete the file and run again: the shard is made anew."


def shard_digest(path: Path) -> str:
    """Return 32 hexadecimal characters that identify the bytes of a shard file: its seal, read from the end of the file.

    Whether the bytes are those that were sealed is looked at when they are read. Of a file from before there were seals,
    all bytes are read.

    Raises:
        StoreError: the file cannot be read.
    """
    try:
        with plain(path).open("rb") as file:
            file.seek(-_TRAILER, os.SEEK_END)
            length = int.from_bytes(file.read(4), "little")
            file.seek(-_TRAILER - length, os.SEEK_END)
            footer = file.read(length)
    except (OSError, ValueError):
        return _digest(read_shard_bytes(path))
    _, found, rest = footer.rpartition(SEAL)
    seal = rest[2 : 2 + len(BLANK)]  # after the type and length of the value
    return seal.decode("latin-1") if found else _digest(read_shard_bytes(path))


def read_shard_bytes(path: Path) -> bytes:
    """Return all bytes of a shard file.

    Raises:
        StoreError: it is not there, or cannot be read.
    """
    try:
        return plain(path).read_bytes()
    except FileNotFoundError as error:
        raise StoreError(f"{path}: there is no such shard file. Run again to make it.") from error
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror}). {REMAKE}") from error


def sealed(content: bytes) -> bytes:
    """Return the content of a file with the digest that belongs to it.

    Raises:
        ValueError: it has no place for one.
    """
    start = content.rindex(SEAL) + len(SEAL) + 2  # the type and length of the value
    blank = content[:start] + BLANK + content[start + len(BLANK) :]
    return content[:start] + _digest(blank).encode() + content[start + len(BLANK) :]


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()
