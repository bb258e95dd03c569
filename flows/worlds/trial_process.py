"""Calls of foreign code -> their outcome, made in a separate process, so that a crash costs one tool only.

    get_item       answers                     ->  its findings
    resize_image   crashes with SIGSEGV        ->  Crashed("resize_image", "SIGSEGV"); this process goes on

On Linux, if no other Python thread may hold a lock, the process is a fork, which starts at once; elsewhere, as in notebooks
and under Prefect, it is a new one. If that cannot open the tools, as those of a notebook itself, calls are made here.
"""

import asyncio
import faulthandler
import mmap
import os
import pickle
import select
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from types import ModuleType
from typing import NoReturn, TypeVar

from interplay.generators.environments.toolkit.call_marks import mark_calls_in

LOOK_SECONDS = 0.5
"""Seconds between two looks at which tool is being called."""

SILENT = 20.0
"""Seconds without a call after which a fork is given up: something in it waits for a thread that it lacks."""

STARTED = 120.0
"""Seconds for a new process to make its first call; it must load the modules of the tools again."""

WAITING = "interplay: waits for its parent"
"""The name of a thread of interplay that holds no lock."""

_MARK = struct.Struct("=Q256p")
"""The number of marks made, and the name of the tool being called."""

Mark = Callable[[str], None]
"""Takes the name of the tool that is about to be called, or "" when the call is over."""

T = TypeVar("T")


_BEGIN = "import sys; from multiprocessing.connection import Connection; told = Connection(int(sys.argv[1])); \
sys.path[:] = told.recv(); from interplay.flows.worlds.trial_process import serve; serve(told)"
"""The program of a new process; one started by `multiprocessing` would first run the main script again."""


class Crashed(Exception):
    """A call crashed its process: the name of the tool, and the signal or exit code."""

    def __init__(self, tool: str, by: str) -> None:
        super().__init__(f"{tool}: {by}")
        self.tool, self.by = tool, by


_HIDING = threading.Lock()


@contextmanager
def without_script() -> Iterator[None]:
    """Keep processes that `multiprocessing` starts in this context from running the main script again.

    One thread at a time: a second one would take the first one's empty module for the script, and restore that.
    """
    with _HIDING:
        script, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = script


def tried_apart(work: Callable[[Mark], T], tell: Mark, anew: Callable[[Mark], T] | None = None) -> T:
    """Run `work`, which makes calls and marks them, in another process, and return its result; `tell` is called with each mark.

    `anew` does the same in a new process, and must be picklable.

    Raises:
        Crashed: a call crashed the process in which it was made, which was not this one.
    """
    told = _in_copy(work, tell) if _can_copy() else None if anew is None else _in_new_process(anew, tell)
    return work(tell) if told is None else pickle.loads(told)


def _can_copy() -> bool:
    here = threading.current_thread()
    others = (thread for thread in threading.enumerate() if thread is not here)
    return sys.platform == "linux" and all(thread.name == WAITING for thread in others)


def _in_copy(work: Callable[[Mark], T], tell: Mark) -> bytes | None:
    """Return the pickled result of `work` in a fork of this process; None if the fork did not finish."""
    within_loop = _within_loop()
    reading, writing = os.pipe()
    with mmap.mmap(-1, _MARK.size) as called, os.fdopen(reading, "rb", buffering=0) as answer:
        copied_from = os.getpid()
        copy = os.fork()
        if copy == 0:
            _work_in_copy(work, called, writing, copied_from, within_loop)
        os.close(writing)
        told, ended = bytearray(), False
        try:
            ended = _listen(answer.fileno(), told, called, tell)
        finally:
            if not ended:
                os.kill(copy, signal.SIGKILL)
            _, status = os.waitpid(copy, 0)
        code, (_, name) = os.waitstatus_to_exitcode(status), _MARK.unpack(called)
    if ended and code != 0 and name:
        raise Crashed(name.decode(), told_end(code))
    return bytes(told) if ended and code == 0 else None


def _within_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def told_end(code: int) -> str:
    """Return how a process ended: the signal or the exit code, as text."""
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def _listen(answer: int, told: bytearray, called: mmap.mmap, tell: Mark) -> bool:
    """Read a fork's answer into `told`, and report its calls; return False if it fell silent."""
    heard, before = time.monotonic(), 0
    while time.monotonic() - heard < SILENT:
        ready, _, _ = select.select([answer], [], [], LOOK_SECONDS)
        made, name = _MARK.unpack(called)
        if ready or made != before:
            heard, before = time.monotonic(), made
        tell(name.decode(errors="replace"))
        if ready:
            part = os.read(answer, 1 << 16)
            if not part:
                return True
            told += part
    return False


def _work_in_copy(
    work: Callable[[Mark], T], called: mmap.mmap, writing: int, copied_from: int, within_loop: bool
) -> NoReturn:
    """Do the work and send the result; this fork must not continue as if it were the original process."""
    code, made = 1, 0
    with suppress(BaseException):
        faulthandler.disable()  # the other process reports what happened
        mark_calls_in(None)

        def mark(name: str) -> None:
            nonlocal made
            if os.getppid() != copied_from:
                os._exit(1)
            made += 1
            _MARK.pack_into(called, 0, made, name.encode())

        try:
            found = _done(work, mark, within_loop)
        finally:
            mark("")  # what is raised is no crash
        with os.fdopen(writing, "wb") as telling:
            pickle.dump(found, telling)
        code = 0
    os._exit(code)


def _done(work: Callable[[Mark], T], mark: Mark, within_loop: bool) -> T:
    """Do the work, within an event loop if the original process runs one."""

    async def in_loop() -> T:
        return work(mark)

    return asyncio.run(in_loop()) if within_loop else work(mark)


def _in_new_process(work: Callable[[Mark], T], tell: Mark) -> bytes | None:
    """Return the pickled result of `work` in a new process; None if it did not finish."""
    ours, theirs = Pipe()
    begun = [sys.executable, "-c", _BEGIN, str(theirs.fileno())]
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(begun, stdin=nowhere, stdout=nowhere, stderr=nowhere, pass_fds=(theirs.fileno(),))
    theirs.close()
    name, heard, patience = "", time.monotonic(), STARTED
    try:
        ours.send(sys.path)
        ours.send((work, _within_loop()))
        while time.monotonic() - heard < patience:
            if ours.poll(LOOK_SECONDS):
                told: str | bytes = ours.recv()
                if isinstance(told, bytes):
                    return told
                name, heard, patience = told, time.monotonic(), SILENT
            tell(name)
        name = ""  # given up: no call is to blame
    except (EOFError, OSError):
        process.wait()
    finally:
        process.kill()
        code = process.wait()
        ours.close()
    if name:
        raise Crashed(name, told_end(code))
    return None


def serve(asked: Connection) -> NoReturn:
    """Do the work that another process sends, and report each call, then the result."""
    with suppress(BaseException):
        work, within_loop = asked.recv()
        try:
            found = _done(work, asked.send, within_loop)
        finally:
            asked.send("")  # what is raised is no crash
        asked.send(pickle.dumps(found))
    os._exit(0)
