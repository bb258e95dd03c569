"""Refuses paths of pipes, sockets and devices, which might never end when read."""

import errno
import stat
from pathlib import Path


def plain(path: Path) -> Path:
    """Return `path` if it is a regular file or a folder.

    Raises:
        OSError: it is a pipe, a socket or a device, or does not exist.
    """
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.EINVAL, "it is a pipe or a device, and no file", str(path))
    return path
