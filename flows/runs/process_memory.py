"""How a process of the command line treats its memory: garbage is rarely looked for, and not all is freed at the end."""

import atexit
import os
import sys
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
