"""A program that composes the tasks of a run, shard after shard, and writes a line about each; `ahead` runs it.

    python -m interplay.flows.composing 50000
    > /data/workspace
    > 0                     < {"blueprint": {...}, "verdicts": [...], ...}
                            < {"issue": {...}, ...}
    > 1                     < !The store cannot be read.

It ends when nobody is at the other end any more.
"""

import asyncio
import gc
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from interplay.flows.shards import telling
from interplay.flows.stages import open_generator
from interplay.flows.workspace import Workspace
from interplay.schemas.errors import InterplayError


async def _serve(orders: BinaryIO, answers: BinaryIO) -> None:
    """Read a folder, then numbers of shards; write a line for each index of these, in the order of their choice."""
    folder = orders.readline().decode().removesuffix("\n")
    if not folder:  # nobody is there any more, or never had a workspace
        return
    workspace = Workspace(Path(folder))
    generator = await open_generator(workspace, talks=False)
    while number := orders.readline():
        told, aims = telling(generator, workspace, int(number))
        for index in told.indices:
            composed = await generator.composed(index, told, aims)
            answers.write(composed.model_dump_json().encode() + b"\n")


def main() -> None:
    """Serve whoever holds the other ends of standard input and output; tools that are code get neither of them."""
    gc.set_threshold(int(sys.argv[1]))
    with os.fdopen(os.dup(0), "rb") as orders, os.fdopen(os.dup(1), "wb", buffering=0) as answers:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        with suppress(BrokenPipeError):
            try:
                asyncio.run(_serve(orders, answers))
            except InterplayError as error:
                answers.write(b"!" + str(error).replace("\n", " ").encode() + b"\n")


if __name__ == "__main__":
    main()
