"""The process that composes the tasks of a run, shard after shard, and writes a line about each; see `TaskProcess`.

    > /data/workspace
    > 0                     < {"blueprint": {...}, "verdicts": [...], ...}
                            < {"issue": {...}, ...}
    > 1                     < !The store cannot be read.

It ends when the other end is closed.
"""

import asyncio
import gc
import os
from contextlib import suppress
from pathlib import Path
from socket import socket
from typing import BinaryIO

from interplay.flows.runs.process_life import COLLECTED_EVERY
from interplay.flows.runs.shards import order_and_aims
from interplay.flows.runs.stages import open_generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.workspace import Workspace
from interplay.flows.worlds.assembly import open_world
from interplay.schemas.errors import InterplayError


async def _serve(config: RunConfig, orders: BinaryIO, answers: BinaryIO) -> None:
    """Read a folder, then numbers of shards; write a line for each index of a shard, in the order in which they choose."""
    world = open_world(config.toolset)
    folder = orders.readline().decode().removesuffix("\n")
    if not folder:  # the other end was closed before it named a workspace
        return
    workspace = Workspace(Path(folder))
    generator = await open_generator(workspace, composes_in=world)
    while number := orders.readline():
        told, aims = order_and_aims(generator, workspace, int(number))
        for index in told.indices:
            composed = await generator.composed(index, told, aims)
            answers.write(composed.model_dump_json().encode() + b"\n")
            answers.flush()


def compose(config: RunConfig, ours: socket, theirs: socket) -> None:
    """Serve the process at the other end of a socket, in a workspace that it prepares meanwhile.

    Tools that are code get neither standard input nor output. The copy `theirs` of the other end is closed, so that this
    process notices when the last holder closes it.
    """
    theirs.close()
    os.setsid()  # Ctrl+C must reach only the other process
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    gc.set_threshold(COLLECTED_EVERY)
    gc.freeze()  # existing objects are never collected
    gone = suppress(BrokenPipeError, ConnectionResetError)
    with ours, ours.makefile("rb") as orders, gone, ours.makefile("wb") as answers:
        try:
            asyncio.run(_serve(config, orders, answers))
        except InterplayError as error:
            answers.write(b"!" + str(error).replace("\n", " ").encode() + b"\n")
