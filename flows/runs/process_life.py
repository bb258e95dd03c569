"""The life of processes: rare garbage collection, a fast exit, and children that end with their parent."""

import atexit
import multiprocessing
import os
import subprocess
import sys
import threading
from functools import lru_cache
from typing import NoReturn

COLLECTED_EVERY = 250_000
"""New objects between two garbage collections; with Python's 700, they take a sixth of the start-up time."""


def leave(code: int) -> NoReturn:
    """Exit like Python, but without freeing objects one by one, which takes a third of a second after a run.

    Threads that are not daemons are not waited for.
    """
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:  # the disk is full, or the reader of the output gone; Python's own exit would fail at it again
        code = code or 1
    os._exit(code)


@lru_cache(maxsize=1)
def end_with_parent() -> None:
    """Let this process end when its parent is killed, of which it gets no other notice."""
    from interplay.flows.worlds.trial_process import WAITING  # noqa: PLC0415 - `--help` does not need it

    threading.Thread(target=_wait_for_parent, daemon=True, name=WAITING).start()


_WATCH = "import os, signal, sys; sys.stdin.read(); os.kill(int(sys.argv[1]), signal.SIGTERM)"
"""The program of a process that waits until nobody holds the other end of its input, and then ends another process."""


def end_along(process: int) -> None:
    """Let a process of other code end when this one ends or is killed; a third process watches for that."""
    reading, _held = os.pipe()  # later children do not inherit the held end
    nowhere = subprocess.DEVNULL
    command = [sys.executable, "-I", "-c", _WATCH, str(process)]
    subprocess.Popen(command, stdin=reading, stdout=nowhere, stderr=nowhere, start_new_session=True)
    os.close(reading)


def _wait_for_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
