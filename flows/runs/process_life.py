"""How processes live: garbage is rarely looked for, not all is freed at the end, and who works for another ends with it."""

import atexit
import multiprocessing
import os
import subprocess
import sys
import threading
from functools import lru_cache
from typing import NoReturn

COLLECTED_EVERY = 250_000
"""New objects between two garbage collections; Python's 700 make a sixth of the start a search among new classes."""


def leave(code: int) -> NoReturn:
    """End as Python does, without freeing objects one by one, which takes a third of a second after a run.

    Threads that are not daemons are not waited for.
    """
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        sys.exit(code)  # the reader of the output is gone: Python reports it
    os._exit(code)


@lru_cache(maxsize=1)
def end_with_parent() -> None:
    """Let this process end when the one that started it is killed: nobody else tells it to."""
    from interplay.flows.worlds.trial_process import WAITING  # noqa: PLC0415 - `--help` needs nothing of it

    threading.Thread(target=_wait_for_parent, daemon=True, name=WAITING).start()


_WATCH = "import os, signal, sys; sys.stdin.read(); os.kill(int(sys.argv[1]), signal.SIGTERM)"
"""What a process does that waits until nobody holds the other end of its input."""


def end_along(process: int) -> None:
    """Let a process of other code end when this one does, also when it is killed; a third process sees to it."""
    reading, _held = os.pipe()  # whoever is started later does not inherit the end that is held
    nowhere = subprocess.DEVNULL
    command = [sys.executable, "-I", "-c", _WATCH, str(process)]
    subprocess.Popen(command, stdin=reading, stdout=nowhere, stderr=nowhere, start_new_session=True)
    os.close(reading)


def _wait_for_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
