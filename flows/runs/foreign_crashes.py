"""Calls of foreign code that end the process which makes them -> the same run without these calls, as often as it takes.

    add_note(title="Boat") ends a worker, or the run itself, by SIGSEGV    ->    the run goes on; this call is an error from then on

The same call in the same state ends every process that makes it, so that records are the same, whoever finds it out.
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
"""Calls that may end a process of one run; each costs a new start."""

OTHERS = {signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
"""Signals that come from elsewhere: of these no call is to blame."""

_FORWARDED = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
_PARENT_DEATH = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


def note_crash(call: Call | None, code: int) -> bool:
    """Note the call under way in a process that has ended, and tell of it; tell whether it is what ended it.

    Raises:
        InterplayError: that has happened too often.
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
    """Mark calls of this process in a file, for the process that started it."""
    report.write_bytes(bytes(SIZE))
    with report.open("r+b") as file:
        mark_calls_in(mmap.mmap(file.fileno(), SIZE))


def must_call_apart(toolset: Iterable[str]) -> bool:
    """Tell whether a call of these tools may end this process and nobody would go on, as in notebooks and flows: others make them.

    What is written in a notebook itself is known there alone, and called there.
    """
    return not is_marked() and any(spec.startswith("python:") and not is_of_script(spec) for spec in toolset)


def is_of_script(spec: str) -> bool:
    """Tell whether tools are written in the script or the notebook that was started."""
    return spec.startswith("python:__main__")


def outlive_crashes(toolset: Iterable[str]) -> None:
    """Go on in a copy of this process; where a call ends that, in another one that does not make the call again.

    Only where tools are code, on Linux, and where no thread has begun; else nothing happens.

    Raises:
        InterplayError: it was of no use; here, and not in the copy.
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
    if code < 0:  # end as it has ended
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {-code})
        os.kill(here, -code)
    os._exit(code)


def _end_of(copy: int) -> int:
    """Return the exit code of a copy of this process, which hears of signals that are sent to this one alone."""
    while True:
        told = signal.sigwaitinfo({*_FORWARDED, signal.SIGCHLD})
        if told.si_signo != signal.SIGCHLD:
            if told.si_pid:  # the terminal, which is no process, tells both
                os.kill(copy, told.si_signo)
            continue
        ended, status = os.waitpid(copy, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
