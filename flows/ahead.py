"""Tasks that the rules compose in a process of their own, ahead of the dialogues that models have about them.

The process is begun before this one imports what it needs to talk to models, so nothing heavy is imported here.
"""

import asyncio
import gc
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self

from interplay.flows.config import RunConfig
from interplay.flows.workspace import Workspace
from interplay.schemas.errors import InterplayError

LONGEST = 64 * 1024**2
"""Bytes of what is told of one task at most."""

INVOLVED = {"composer", "reviewer", "tool"}
"""Roles in which a model has a say in what a task becomes."""


def composes_ahead(config: RunConfig) -> bool:
    """Tell whether models play, tasks come of their index and those before it alone, and a processor is to spare."""
    involved = INVOLVED & set(config.roles) or config.committee or config.embeddings
    elsewhere = config.start or config.evolution or config.branched or config.tasks_per_session > 1
    live = any(spec.startswith("mcp+live:") for spec in config.toolset)
    spare = config.workers == 1 and _processors() > 1
    return bool(config.roles) and spare and not (involved or elsewhere or live)


def _processors() -> int:
    """Return on how many processors this process may run; all that there are where the system does not tell."""
    told: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)
    return len(told(0)) if told is not None else os.cpu_count() or 1


class Ahead:
    """The process; it ends with the block, and when this process is killed."""

    def __init__(self) -> None:
        self._awaited: deque[asyncio.Future[bytes]] = deque()
        self._composed: dict[int, asyncio.Future[bytes]] = {}
        self._reading: asyncio.Task[None] | None = None
        self._failure: InterplayError | None = None

    def __enter__(self) -> Self:
        command = [sys.executable, "-P", "-m", "interplay.flows.composing", str(gc.get_threshold()[0])]
        # A session of its own: Ctrl+C is for this process.
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        with self._process:  # closes its pipes, and waits
            pass

    async def open(self, workspace: Workspace) -> None:
        """Let it open a workspace that is prepared; tasks are taken in the event loop of this call."""
        self._order(str(workspace.folder.absolute()))
        self._reading = asyncio.create_task(self._read())

    def begin(self, number: int, indices: Sequence[int]) -> None:
        """Let it compose a shard, whose indices choose in this order."""
        loop = asyncio.get_running_loop()
        begun = {index: loop.create_future() for index in indices}
        self._composed |= begun
        self._awaited += begun.values()
        self._order(str(number))
        if self._failure is not None:
            self._give_up(self._failure)

    async def take(self, index: int) -> bytes:
        """Return what it told of an index of a shard that was begun; each can be taken once.

        Raises:
            InterplayError: it has failed, or was ended.
        """
        return await self._composed.pop(index)

    async def aclose(self) -> None:
        """Stop listening."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    def _order(self, line: str) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # that it has ended is told to those who wait
            self._process.stdin.write(f"{line}\n".encode())

    async def _read(self) -> None:
        reader, loop = asyncio.StreamReader(limit=LONGEST), asyncio.get_running_loop()
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), self._process.stdout)
        failure = "The process that composes tasks told more of one than can be read."
        try:
            while (line := await reader.readline()).endswith(b"\n") and not line.startswith(b"!"):
                _settle(self._awaited.popleft(), line)
            failure = line[1:].decode().rstrip() if line.startswith(b"!") else self._ended()
        except ValueError:  # a line beyond the limit
            pass
        finally:
            transport.close()
        self._give_up(InterplayError(failure))

    def _ended(self) -> str:
        return (
            f"The process that composes tasks has ended by itself (code {self._process.wait()}). Everything made is kept: "
            "run again, with fewer dialogues open if memory is short."
        )

    def _give_up(self, failure: InterplayError) -> None:
        self._failure = failure
        for future in self._awaited:
            _settle(future, failure)
        self._awaited.clear()


def _settle(future: asyncio.Future[bytes], outcome: bytes | InterplayError) -> None:
    """Tell whoever waits; one that was cancelled does not, and where nobody does, there is nobody to warn."""
    if future.done():
        return
    if isinstance(outcome, bytes):
        future.set_result(outcome)
    else:
        future.set_exception(outcome)
        future.exception()
