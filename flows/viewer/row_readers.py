"""Counted shards -> the rows of their records, read here, or by several processes if many shards wait and no run goes on."""

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from interplay.flows.runs.process_life import end_with_parent
from interplay.outputs.store.arrivals import ShardToLoad
from interplay.outputs.viewer.record_rows import RecordRow, RowMaker
from interplay.schemas.records.tool import Toolset

MANY = 16
"""Waiting shards from which on several processes read them; starting these takes seconds."""
MOST_READERS = 8

_makers: list[RowMaker] = []
"""The row maker of this process, if it is one of several readers."""


@dataclass(frozen=True)
class RowReaders:
    """Reads shards of one run; `ahead` is how many to request before the first is needed."""

    maker: RowMaker
    pool: ProcessPoolExecutor | None = None
    ahead: int = 1

    def read(self, arrival: ShardToLoad) -> Future[list[RecordRow]]:
        """Start to read a shard.

        Raises:
            StoreError: it is broken; raised by the result if another process reads it.
        """
        if self.pool is not None:
            return self.pool.submit(_read, arrival)
        read: Future[list[RecordRow]] = Future()
        read.set_result(_rows(self.maker, arrival))
        return read


@contextmanager
def row_readers(toolset: Toolset, several: bool) -> Iterator[RowReaders]:
    """Open the readers of a run's shards: this process, or `several`."""
    count = min(os.cpu_count() or 1, MOST_READERS)
    if not several or count == 1:
        yield RowReaders(RowMaker(toolset))
        return
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), initializer=_begin, initargs=(toolset,))
    try:
        yield RowReaders(RowMaker(toolset), pool, 2 * count)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin(toolset: Toolset) -> None:
    _makers[:] = [RowMaker(toolset)]
    end_with_parent()


def _read(arrival: ShardToLoad) -> list[RecordRow]:
    return _rows(_makers[0], arrival)


def _rows(maker: RowMaker, arrival: ShardToLoad) -> list[RecordRow]:
    late = {index: verdict.model_dump_json() for index, verdict in arrival.rejected.items()}
    return [maker.row(record, late.get(record.index)) for _, record in arrival.rows()]
