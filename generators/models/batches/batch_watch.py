"""A batch at its provider -> polled until it has ended, and its results read, however often the connection breaks."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random
from typing import TypeVar

from interplay.generators.models.batches.batch_ledger import Entry
from interplay.generators.models.batches.batch_results import Results
from interplay.generators.models.batches.batch_service import BatchProgress, BatchService, Reader, read_lines, where_of
from interplay.generators.models.batches.batch_settings import BatchSettings
from interplay.generators.models.client.model import RETRIED, kind_of
from interplay.generators.models.providers.endpoint import SdkEndpoint
from interplay.generators.models.transport.transport_errors import RateLimited, Rejected, ServerFailed
from interplay.schemas.errors import ModelError, ModelUnavailable

_T = TypeVar("_T")
log = logging.getLogger(__name__)

READINGS = 3
"""Most readings of results that are fewer than the provider reports; a missing answer would be paid for again."""


class BatchWatch:
    """Polls the batches of one model.

    `under_way` maps the ledger's id of a batch to its number of questions and how many of them are done; `oddities`
    counts errors by kind.
    """

    def __init__(self, endpoint: SdkEndpoint, service: BatchService, settings: BatchSettings) -> None:
        self.under_way: dict[int, tuple[int, int]] = {}
        self.oddities: Counter[str] = Counter()
        self._service = service
        self._settings = settings
        self._endpoint = endpoint
        self._name = where_of(endpoint)

    async def ended(self, entry: Entry, cancels: bool = True) -> tuple[BatchProgress | None, bool]:
        """Wait until a batch has ended; return its progress (None if it did not end), and whether it was cancelled.

        After the deadline it is cancelled, or with `cancels` false no longer waited for.
        """
        scatter, looks = Random(f"{entry.id}/{entry.remote}"), 0
        clock, cancelled_at = asyncio.get_running_loop().time, None
        while True:
            progress = await self.steadily(lambda: self._service.look(entry.remote))
            self.under_way[entry.id] = (len(entry.questions), progress.done)
            if progress.ended:
                return progress, cancelled_at is not None
            if cancelled_at is not None and clock() - cancelled_at > self._settings.ending:
                return None, True
            if cancelled_at is None and time.time() - entry.began > self._settings.deadline:
                if not cancels:
                    return None, False
                cancelled_at = clock()
                await self._cancel(entry)
            wait = min(self._settings.first_look * 1.5 ** min(looks, 50), self._settings.longest_look)
            await asyncio.sleep(wait * (0.75 + 0.5 * scatter.random()))
            looks += 1

    async def _cancel(self, entry: Entry) -> None:
        seconds = self._settings.deadline
        log.warning("%s: a batch has not ended after %g s, and is cancelled", self._name, seconds)
        try:
            await self.steadily(lambda: self._service.cancel(entry.remote))
        except Rejected:  # it has ended by now
            log.info("%s: there was nothing to cancel", self._name)

    async def read(self, progress: BatchProgress, results: Results) -> None:
        """Read all files of results; answers read before a connection broke are kept."""

        async def attempt(file: str) -> None:
            results.begin()
            try:
                self.oddities["too_long"] += await self.lines(file, results.take)
            finally:
                await results.flush()

        for again in range(READINGS):
            if again:
                await asyncio.sleep(self._settings.first_look)
            for file in progress.files:
                await self.steadily(lambda file=file: attempt(file))  # type: ignore[misc]
            if len(results.outcomes) >= progress.done:
                return
            self.oddities["incomplete"] += 1

    async def tidied(self, entry: Entry, progress: BatchProgress) -> None:
        """Delete the files of a batch, whose answers must all be in the journal; failures are only counted."""
        for file in self._service.files(entry.trace, progress):
            try:
                await self._service.delete(file)
            except ModelError as error:
                self.oddities["undeleted"] += 1
                log.info("%s: a file of a batch stays where it is: %s", self._name, error)

    async def lines(self, file: str, take: Reader) -> int:
        """Read a file of results row by row; return how many rows were too long."""
        settings, address = self._settings, self._service.address(file)
        return await read_lines(self._endpoint, address, settings.transfer, settings.longest, take)

    async def steadily(self, call: Callable[[], Awaitable[_T]]) -> _T:
        """Retry `call` until it succeeds, at most for `patience` seconds.

        Raises:
            ModelUnavailable: the provider gave no answer.
            Rejected: the provider refuses the call.
        """
        clock, failures = asyncio.get_running_loop().time, 0
        began = clock()
        while True:
            try:
                return await call()
            except RETRIED as error:
                failed = error
            failures += 1
            self.oddities[kind_of(failed)] += 1
            wait = self._wait(failed, failures)
            if clock() + wait - began > self._settings.patience:
                raise ModelUnavailable(
                    f"{self._name} gave no answer about its batches {failures} times; the last time: "
                    f"{failed} Nothing is lost: start the same run again when it does."
                ) from failed
            await asyncio.sleep(wait)

    def _wait(self, error: ModelUnavailable, failures: int) -> float:
        scatter: float = 0.75 + 0.5 * Random(f"{self._name}/{failures}").random()
        told = error.retry_after if isinstance(error, (RateLimited, ServerFailed)) else None
        first, longest = self._settings.first_look / 5, self._settings.longest_look
        return told if told is not None else min(first * 2.0 ** min(failures - 1, 30), longest) * scatter
