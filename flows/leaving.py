"""An exit code -> the end of this process, without Python's own way to it."""

import atexit
import os
import sys
from typing import NoReturn


def leave(code: int) -> NoReturn:
    """End as Python does, but for freeing its objects one by one, which takes a third of a second after a run.

    Threads that are not daemons are not waited for.
    """
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        sys.exit(code)  # nobody reads on: Python tells it in its own way
    os._exit(code)
