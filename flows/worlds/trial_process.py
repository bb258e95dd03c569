"""Calls of foreign code -> what came of them, made in a process of their own, so that one that crashes costs its tool alone.

    get_item       answers                     ->  found of get_item
    resize_image   that process ends by SIGSEGV    ->  Crashed("resize_image", "SIGSEGV"); this process goes on

It is a copy of this one, which begins at once, on Linux and where no other thread of Python may hold a lock of it; elsewhere, as in
notebooks and under Prefect, a new one. Where that cannot open the tools, as those of a notebook itself, calls are made here.
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
"""How often to look at which tool is called."""

SILENT = 20.0
"""Seconds after which a copy that made no call is given up: something in it waits for a thread that it lacks."""

STARTED = 120.0
"""Seconds within which a new process makes its first call: it loads the modules of the tools once more."""

WAITING = "interplay: waits for its parent"
"""The name of a thread of interplay that holds no lock."""

_MARK = struct.Struct("=Q256p")
"""How many marks were made, and the name of the tool that is called."""

Mark = Callable[[str], None]
"""Is told which tool is called, and of an empty name when the call is over."""

T = TypeVar("T")


_BEGIN = "import sys; from multiprocessing.connection import Connection; told = Connection(int(sys.argv[1])); \
sys.path[:] = told.recv(); from interplay.flows.worlds.trial_process import serve; serve(told)"
"""What a new process runs; one of `multiprocessing` would run the script that was started here first."""


class Crashed(Exception):
    """A call ended its process: the name of the tool, and the signal that did it, or the exit code."""

    def __init__(self, tool: str, by: str) -> None:
        super().__init__(f"{tool}: {by}")
        self.tool, self.by = tool, by


_HIDING = threading.Lock()


@contextmanager
def without_script() -> Iterator[None]:
    """Let processes of `multiprocessing` that are started inside not run the script again that was started first.

    One thread at a time: a second one would take the empty module of the first for the script, and put that back.
    """
    with _HIDING:
        script, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = script


def tried_apart(work: Callable[[Mark], T], tell: Mark, anew: Callable[[Mark], T] | None = None) -> T:
    """Return what `work` returns, which makes calls and marks them; `tell` hears which of them is under way.

    `anew` does the same in a process that has opened nothing yet, and can be pickled.

    Raises:
        Crashed: a call ended the process in which it was made, which was not this one.
    """
    told = _in_copy(work, tell) if _can_copy() else None if anew is None else _in_new_process(anew, tell)
    return work(tell) if told is None else pickle.loads(told)


def _can_copy() -> bool:
    here = threading.current_thread()
    others = (thread for thread in threading.enumerate() if thread is not here)
    return sys.platform == "linux" and all(thread.name == WAITING for thread in others)


def _in_copy(work: Callable[[Mark], T], tell: Mark) -> bytes | None:
    """Return what `work` returns in a copy of this process; none where the copy did not come to an end of its own."""
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
    """Return how a process ended: by which signal, or with which exit code."""
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def _listen(answer: int, told: bytearray, called: mmap.mmap, tell: Mark) -> bool:
    """Take what a copy tells until it has told all; tell whether it has, or fell silent."""
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
    """Do the work and tell what came of it; nothing of this process may go on as if it were the other one."""
    code, made = 1, 0
    with suppress(BaseException):
        faulthandler.disable()  # the other process tells what happened
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
    """Do the work, in an event loop where it would be in one here."""

    async def in_loop() -> T:
        return work(mark)

    return asyncio.run(in_loop()) if within_loop else work(mark)


def _in_new_process(work: Callable[[Mark], T], tell: Mark) -> bytes | None:
    """Return what `work` returns in a new process; none where that did not come to an end of its own."""
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
        name = ""  # it was given up
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
    """Do what another process asks for, tell it of each call, and at last what came of it."""
    with suppress(BaseException):
        work, within_loop = asked.recv()
        try:
            found = _done(work, asked.send, within_loop)
        finally:
            asked.send("")  # what is raised is no crash
        asked.send(pickle.dumps(found))
    os._exit(0)
