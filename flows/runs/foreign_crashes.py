"""Calls of foreign code that crash their process -> the same run without these calls.

    add_note(title="Boat") crashes a worker, or the run itself    ->    the run goes on; this call is an error from then on

The same call in the same state crashes every process that makes it, so records do not depend on which process found it.
"""

import ctypes
import logging
import mmap
import os
import signal
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

from interplay.flows.worlds.trial_process import told_end
from interplay.generators.environments.toolkit.call_marks import ENDING, SIZE, Call, call_in, is_marked, mark_calls_in
from interplay.schemas.errors import InterplayError

log = logging.getLogger(__name__)

CRASHES = 20
"""The most calls that may crash a process of one run; each costs a restart."""

OTHERS = {signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
"""Signals that come from outside, for which no call is to blame."""

_FORWARDED = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
_PARENT_DEATH = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


def note_crash(call: Call | None, code: int) -> bool:
    """Note the call that was under way in a process that has ended; return whether it was the cause and is new.

    Raises:
        InterplayError: too many calls have crashed.
    """
    if call is None or code in {-number for number in OTHERS} or call.key in ENDING:
        return False
    ENDING[call.key] = told_end(code)
    what = f"{call.tool}({call.arguments[:200]})"
    if len(ENDING) >= CRASHES:
        raise InterplayError(
            f"Calls of tools have ended the process {CRASHES} times, the last one {what}: {told_end(code)}. Everything made is "
            f"kept. Leave the tool out (?without={call.tool} after the toolset, with another --workspace), or mend it."
        )
    log.warning(
        "%s has ended the process (%s). The run goes on, and does not make this call again.", what, told_end(code)
    )
    return True


def mark_calls_for(report: Path) -> None:
    """Record the calls of this process in a file, for the process that started it."""
    report.write_bytes(bytes(SIZE))
    with report.open("r+b") as file:
        mark_calls_in(mmap.mmap(file.fileno(), SIZE))


def must_call_apart(toolset: Iterable[str]) -> bool:
    """Tell whether these tools must be called in another process: a call may crash this one, and nothing would restart it.

    That is so in notebooks and flows. Tools that are written in a notebook itself exist only there, and are called there.
    """
    return not is_marked() and any(spec.startswith("python:") and not is_of_script(spec) for spec in toolset)


def is_of_script(spec: str) -> bool:
    """Tell whether tools are defined in the script or notebook that was started."""
    return spec.startswith("python:__main__")


def outlive_crashes(toolset: Iterable[str]) -> None:
    """Continue in a copy of this process; if a call crashes it, in a new copy that does not make the call again.

    Does nothing unless tools are code, the system is Linux, and no other thread has started.

    Raises:
        InterplayError: too many calls have crashed; raised in this process, not in the copy.
    """
    if not any(spec.startswith("python:") for spec in toolset):
        return
    if sys.platform != "linux" or threading.active_count() > 1:
        return
    place, here = mmap.mmap(-1, SIZE), os.getpid()
    mark_calls_in(place)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {*_FORWARDED, signal.SIGCHLD})
    while True:
        copy = os.fork()
        if copy == 0:
            ctypes.CDLL(None).prctl(_PARENT_DEATH, signal.SIGKILL)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            if os.getppid() != here:
                os._exit(1)
            return
        code = _end_of(copy)
        if not note_crash(call_in(place), code):
            break
        place[0] = 0
    if code < 0:  # end by the same signal
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {-code})
        os.kill(here, -code)
    os._exit(code)


def _end_of(copy: int) -> int:
    """Return the exit code of a copy of this process, and forward signals that are sent to this process only."""
    while True:
        told = signal.sigwaitinfo({*_FORWARDED, signal.SIGCHLD})
        if told.si_signo != signal.SIGCHLD:
            if told.si_pid:  # the terminal, which has no pid, signals both
                os.kill(copy, told.si_signo)
            continue
        ended, status = os.waitpid(copy, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
