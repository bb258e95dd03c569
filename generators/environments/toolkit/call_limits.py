"""A call of foreign code -> the same call, given up when it takes too long or would leave the process; it prints to its result alone.

Code that runs is interrupted by a timer of the operating system, which only a main thread has; code that waits, by its
event loop. Elsewhere calls take as long as they take.
"""

import asyncio
import contextlib
import io
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextvars import ContextVar
from functools import cache, wraps
from typing import Any

PRINTED = 4_000
"""Characters of what a call prints that are kept."""


class Printed(io.TextIOBase):
    """Where the prints of foreign code go, however many there are: `text` is how they begin."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""

    def write(self, text: str, /) -> int:
        """Take a text, and keep as much of it as there is room for."""
        if len(self.text) < PRINTED:
            self.text += text[: PRINTED - len(self.text)]
        return len(text)


@contextlib.contextmanager
def no_terminal() -> Iterator[Printed]:
    """Let what runs inside print to where nobody looks, and find nothing where it asks somebody at a terminal.

    Threads that it starts do not keep the process from its end: they inherit that from the one that starts them.
    """
    asked, sys.stdin, printed = sys.stdin, io.StringIO(), Printed()
    first, sys.__stdout__, sys.__stderr__ = (sys.__stdout__, sys.__stderr__), Printed(), Printed()  # type: ignore[misc,assignment]
    held = vars(threading.current_thread())
    lasts = held.get("_daemonic")
    held["_daemonic"] = True
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(Printed()):
            yield printed
    finally:
        sys.stdin, held["_daemonic"] = asked, lasts
        sys.__stdout__, sys.__stderr__ = first  # type: ignore[misc]


class LeftProcess(BaseException):
    """Foreign code would have ended the process, or gone on as another one; no `except Exception` of it keeps it from that."""


_FOREIGN = ContextVar("foreign", default=False)
"""Whether foreign code runs here: in this thread, and in this task of its event loop."""


@cache
def _guard_process() -> None:
    """Let foreign code no longer end or copy the process, for good: put on and taken off for each call, calls side by side
    would leave it off for one of them, or on for everybody."""
    for name in ("_exit", "abort", "fork", "forkpty", "execv", "execve"):
        if hasattr(os, name):
            setattr(os, name, _guarded(getattr(os, name)))
    os.kill, os.killpg = _guarded(os.kill, _ours), _guarded(os.killpg, _our_group)
    signal.raise_signal = _guarded(signal.raise_signal)


def _ours(process: int, number: int) -> bool:
    return number != 0 and process in (-os.getpgrp(), -1, 0, 1, os.getpid(), os.getppid())


def _our_group(group: int, *_: Any) -> bool:
    return group in (0, os.getpgrp())


def _guarded(leave: Callable[..., Any], is_ours: Callable[..., bool] = lambda *_: True) -> Callable[..., Any]:
    @wraps(leave)
    def guarded(*arguments: Any) -> Any:
        if _FOREIGN.get() and is_ours(*arguments):
            module = leave.__module__.replace("posix", "os").strip("_")
            raise LeftProcess(f"{module}.{leave.__name__} is refused: it would end or copy the whole run")
        return leave(*arguments)

    return guarded


@contextlib.contextmanager
def staying() -> Iterator[None]:
    """Let what runs inside stay in this process and its folder, and leave the folder and the standard streams as they were.

    Raises:
        LeftProcess: it would have ended the process, or gone on as another one.
    """
    _guard_process()
    folder, mark = os.getcwd(), _FOREIGN.set(True)
    try:
        with _kept_streams():
            yield
    finally:
        _FOREIGN.reset(mark)
        if os.getcwd() != folder:
            os.chdir(folder)


@contextlib.contextmanager
def _kept_streams() -> Iterator[None]:
    """Keep the standard streams open, whatever is closed or put in their place inside."""
    kept = dict[int, int]()
    for stream in (0, 1, 2):
        with contextlib.suppress(OSError):  # it was closed before
            kept[stream] = os.dup(stream)
    try:
        yield
    finally:
        for stream, copy in kept.items():
            os.dup2(copy, stream)
            os.close(copy)


class TookTooLong(BaseException):
    """A call was given up; no `except Exception` of the code that was called keeps it from that."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Give up what runs inside after some seconds.

    Raises:
        TookTooLong: it was given up.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def give_up(*_: Any) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


async def awaited(answer: Awaitable[Any], seconds: float) -> Any:
    """Wait for an answer, for some seconds where there is an event loop.

    Raises:
        TookTooLong: it did not come.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:  # it is run by hand, and must not wait anyway
        return await answer
    try:
        return await asyncio.wait_for(answer, seconds)
    except TimeoutError as error:
        raise TookTooLong from error
