"""Limits on calls of foreign code: a timeout, captured output, and no way to end or leave the process.

Running code is interrupted by a timer signal, which works in the main thread only; awaited code is cancelled by its event loop.
In other threads there is no timeout.
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
"""Characters of a call's output that are kept."""


class Printed(io.TextIOBase):
    """A stream that keeps only the first `PRINTED` characters, in `text`."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""

    def write(self, text: str, /) -> int:
        """Write a text, as far as there is room."""
        if len(self.text) < PRINTED:
            self.text += text[: PRINTED - len(self.text)]
        return len(text)


@contextlib.contextmanager
def no_terminal() -> Iterator[Printed]:
    """Capture standard output, discard standard error, and give an empty standard input, during the context.

    Threads started inside are daemons, so that they do not keep the process alive: they inherit that from the current thread.
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
    """Foreign code tried to end, copy or replace the process; it cannot catch this with `except Exception`."""


_FOREIGN = ContextVar("foreign", default=False)
"""Whether foreign code is running in this thread or task."""


@cache
def _guard_process() -> None:
    """Patch the functions that end or copy the process so that they refuse foreign code.

    The patch stays: removing it after each call would affect concurrent calls.
    """
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
    """Keep the code inside from leaving the process, and restore the working directory and standard streams afterwards.

    Raises:
        LeftProcess: it tried to end, copy or replace the process.
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
    """Restore the standard streams afterwards, even if they were closed or replaced inside."""
    kept = dict[int, int]()
    for stream in (0, 1, 2):
        with contextlib.suppress(OSError):  # the stream is closed
            kept[stream] = os.dup(stream)
    try:
        yield
    finally:
        for stream, copy in kept.items():
            os.dup2(copy, stream)
            os.close(copy)


class TookTooLong(BaseException):
    """A call timed out; the called code cannot catch this with `except Exception`."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Interrupt the code inside after some seconds; in the main thread only.

    Raises:
        TookTooLong: it took longer.
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
    """Await an answer, with a timeout if there is an event loop.

    Raises:
        TookTooLong: it took longer.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:  # no event loop: the coroutine is driven by hand and does not wait
        return await answer
    try:
        return await asyncio.wait_for(answer, seconds)
    except TimeoutError as error:
        raise TookTooLong from error
