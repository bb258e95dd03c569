"""A process that composes tasks by rules, ahead of the dialogues that models have about them."""

import asyncio
import multiprocessing
import os
import socket
from collections import deque
from collections.abc import Callable, Sequence
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Self

from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.workspace import Workspace
from interplay.flows.worlds.trial_process import without_script
from interplay.schemas.errors import InterplayError

LONGEST = 64 * 1024**2
"""The most bytes of one task's message."""

INVOLVED = {"composer", "reviewer", "tool"}
"""Roles in which a model takes part in composing tasks."""


def can_compose_ahead(config: RunConfig) -> bool:
    """Tell whether tasks can be composed ahead: models only play, no task depends on a dialogue, and a CPU is free."""
    involved = INVOLVED & set(config.roles) or config.committee or config.embeddings
    elsewhere = config.start or config.evolution or config.branched or config.tasks_per_session > 1
    others = ("mcp+live:", "python:")  # calls may be slow, or end the process
    live = any(spec.startswith(others) for spec in config.toolset)
    spare = config.workers == 1 and _processors() > 1
    return bool(config.roles) and spare and not (involved or elsewhere or live)


def _processors() -> int:
    """Return the number of processors that this process may use; all, if the system does not tell."""
    told: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)
    return len(told(0)) if told is not None else os.cpu_count() or 1


def _context() -> BaseContext:
    """Return how to start a process: by fork, which keeps all imports, if no other thread could hold a lock; else by spawn."""
    tasks = Path("/proc/self/task")  # threads of libraries are among them
    alone = tasks.is_dir() and sum(1 for _ in tasks.iterdir()) == 1  # only Linux tells
    return multiprocessing.get_context("fork" if alone else "spawn")


class TaskProcess:
    """The process that composes tasks; it ends with the `with` block, or when this process is killed."""

    def __init__(self, config: RunConfig, compose: Callable[[RunConfig, socket.socket, socket.socket], None]) -> None:
        """Set the run's `config` and the function `compose` that the process runs.

        `compose` gets its own end of a socket, and a copy of this process's end, which it must close.
        """
        self._config = config
        self._compose = compose
        self._awaited: deque[asyncio.Future[bytes]] = deque()
        self._composed: dict[int, asyncio.Future[bytes]] = {}
        self._reading: asyncio.Task[None] | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._failure: InterplayError | None = None

    def __enter__(self) -> Self:
        self._ours, theirs = socket.socketpair()
        with theirs:
            # Not a daemon: tools that are code may start processes of their own.
            self._process = _context().Process(target=self._compose, args=(self._config, theirs, self._ours))  # type: ignore[attr-defined]
            with without_script():
                self._process.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ours.close()
        self._process.kill()
        self._process.join()
        self._process.close()

    async def open(self, workspace: Workspace) -> None:
        """Let the process open a prepared workspace; tasks must be taken in the event loop of this call."""
        reader, self._writer = await asyncio.open_connection(sock=self._ours, limit=LONGEST)
        self._order(str(workspace.folder.absolute()))
        self._reading = asyncio.create_task(self._read(reader))

    def begin(self, number: int, indices: Sequence[int]) -> None:
        """Let the process compose shard `number`; its indices choose their scenarios in the given order."""
        loop = asyncio.get_running_loop()
        begun = {index: loop.create_future() for index in indices}
        self._composed |= begun
        self._awaited += begun.values()
        if self._failure is None:
            self._order(str(number))
        else:
            self._give_up(self._failure)

    async def take(self, index: int) -> bytes:
        """Return the message about an index of a shard that was begun; each can be taken once.

        Raises:
            InterplayError: the process has failed, or was ended.
        """
        return await self._composed.pop(index)

    async def aclose(self) -> None:
        """Stop reading from the process."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    def _order(self, line: str) -> None:
        assert self._writer is not None
        self._writer.write(f"{line}\n".encode())

    async def _read(self, reader: asyncio.StreamReader) -> None:
        assert self._writer is not None
        failure = "The process that composes tasks told more of one than can be read."
        try:
            while (line := await reader.readline()).endswith(b"\n") and not line.startswith(b"!"):
                _settle(self._awaited.popleft(), line)
            failure = line[1:].decode().rstrip() if line.startswith(b"!") else self._ended()
        except ConnectionError:
            failure = self._ended()
        except ValueError:  # a line beyond the limit
            pass
        finally:
            self._writer.close()
        self._give_up(InterplayError(failure))

    def _ended(self) -> str:
        self._process.join()
        return (
            f"The process that composes tasks has ended by itself (code {self._process.exitcode}). Everything made is kept: "
            "run again, with fewer dialogues open if memory is short."
        )

    def _give_up(self, failure: InterplayError) -> None:
        self._failure = failure
        for future in self._awaited:
            _settle(future, failure)
        self._awaited.clear()


def _settle(future: asyncio.Future[bytes], outcome: bytes | InterplayError) -> None:
    """Set the outcome of a future, unless it is done; an exception that nobody awaits is not reported."""
    if future.done():
        return
    if isinstance(outcome, bytes):
        future.set_result(outcome)
    else:
        future.set_exception(outcome)
        future.exception()
