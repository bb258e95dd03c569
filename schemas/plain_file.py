"""The path of a file -> the same path, unless a pipe or a device is there, which to read may never end."""

import errno
import stat
from pathlib import Path


def plain(path: Path) -> Path:
    """Return a path that can be read; what is missing, or a folder, is told when it is opened.

    Raises:
        OSError: a pipe, a socket or a device is there, or nothing.
    """
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.EINVAL, "it is a pipe or a device, and no file", str(path))
    return path
