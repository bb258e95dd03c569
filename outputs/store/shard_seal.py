"""The seal of a shard file: a digest of its bytes, stored in the file itself.

It is read without Arrow, whose import takes a fifth of a second and which read-only commands do not need.
"""

import hashlib
import os
from pathlib import Path
from shlex import quote

from interplay.schemas.errors import StoreError
from interplay.schemas.plain_file import plain

SEAL = b"interplay.digest"
"""The metadata key of the digest, which is taken over all bytes of the file with the digest itself zeroed."""
BLANK = b"0" * 32
_TRAILER = 8
"""Size in bytes of the end of a Parquet file: the length of its footer, and `PAR1`."""


def verify_command(path: Path) -> str:
    """Return the command that checks the workspace of a shard file."""
    return f"interplay verify {quote(str(path.parent.parent))}"


def remake(path: Path) -> str:
    """Return what to do about a broken shard file of a workspace."""
    return f"Make it again with: {verify_command(path)} --repair"


def shard_digest(path: Path) -> str:
    """Return the seal of a shard file, 32 hexadecimal characters that identify its bytes, read from the end of the file.

    The seal is not verified here, but when the rows are read. For a file without a seal, which an older version wrote, all bytes
    are hashed.

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
        StoreError: the file does not exist, or cannot be read.
    """
    try:
        return plain(path).read_bytes()
    except FileNotFoundError as error:
        raise StoreError(f"{path}: there is no such shard file. Run again to make it.") from error
    except PermissionError as error:
        raise StoreError(f"{path}: may not be read. Permit it, and run again.") from error
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror}). {remake(path)}") from error


def sealed(content: bytes) -> bytes:
    """Return the content of a file with its digest filled in.

    Raises:
        ValueError: it has no place for a digest.
    """
    start = content.rindex(SEAL) + len(SEAL) + 2  # the type and length of the value
    blank = content[:start] + BLANK + content[start + len(BLANK) :]
    return content[:start] + _digest(blank).encode() + content[start + len(BLANK) :]


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()
