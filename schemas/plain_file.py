"""Paths that people give: at home, and of plain files alone, since pipes, sockets and devices might never end when read."""

import errno
import stat
from pathlib import Path

MOST_BYTES = 64 * 1024**2
"""The largest file of settings, texts or labels that is read whole."""


def at_home(path: Path) -> Path:
    """Return a path with the home folder in place of `~` or `~name`; as it is, if there is no such home."""
    try:
        return path.expanduser()
    except RuntimeError:
        return path


def plain(path: Path) -> Path:
    """Return `path` if it is a regular file or a folder.

    Raises:
        OSError: it is a pipe, a socket or a device, or does not exist.
    """
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.EINVAL, "it is a pipe or a device, and no file", str(path))
    return path


def plain_text(path: Path) -> str:
    """Return the text of a plain file in UTF-8.

    Raises:
        OSError: it is no plain file, is larger than `MOST_BYTES`, or cannot be read.
        UnicodeDecodeError: it is no text.
    """
    if plain(path).stat().st_size > MOST_BYTES:
        raise OSError(errno.EFBIG, f"it is larger than {MOST_BYTES // 1024**2} MiB", str(path))
    return path.read_text(encoding="utf-8")
