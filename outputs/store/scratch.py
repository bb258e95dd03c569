"""Folders for what is needed for a while; what a killed process left of them is deleted by the next that asks for one.

A process holds the file `lock` in its folder while it lives, and nothing else tells whether it does.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "interplay-"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield an empty folder of this process, where the system keeps temporary files, and delete it at the end."""
    _sweep(Path(tempfile.gettempdir()))
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    lock = os.open(folder / "locking", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        (folder / "locking").rename(folder / "lock")  # held from when it can be seen
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _sweep(place: Path) -> None:
    """Delete the folders of processes of this user that are gone; one without a lock is not touched."""
    for folder in place.glob(f"{PREFIX}*"):
        with suppress(OSError):  # somebody else's, or deleted meanwhile
            if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
                continue
            lock = os.open(folder / "lock", os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)
