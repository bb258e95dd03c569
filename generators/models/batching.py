"""Questions to one model -> batches at its provider, looked after until all their answers are in the journal.

split by the provider's limits -> prepare -> ledger -> create -> ledger -> look, and look again -> journal -> ledger
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from pydantic import Field

from interplay.generators.models.batch_ledger import BatchLedger, Entry
from interplay.generators.models.batch_results import Results
from interplay.generators.models.batch_service import BatchService, Progress, read_lines, unanswered, where_of
from interplay.generators.models.endpoint import SdkEndpoint
from interplay.generators.models.failures import LARGEST
from interplay.generators.models.journal import Journal
from interplay.generators.models.pipeline import RETRIED, kind_of
from interplay.generators.models.transport import RateLimited, Rejected, ServerFailed
from interplay.generators.models.waves import Answers, Waiting
from interplay.schemas.errors import ModelUnavailable
from interplay.schemas.record import Record

_T = TypeVar("_T")
log = logging.getLogger(__name__)

GONE = (404, 410)

READINGS = 3
"""How often results are read that are fewer than the provider says: what is not found is paid for again."""


class BatchSettings(Record):
    """How batches are made and looked after. Times in seconds; without `requests` and `bytes`, the provider's limits."""

    requests: int | None = Field(None, ge=1)
    bytes: int | None = Field(None, ge=1)
    attempts: int = Field(5, ge=1, le=100, description="In how many batches one question is asked.")
    first_look: float = Field(5.0, gt=0, description="Until a batch is looked at; then less and less often.")
    longest_look: float = Field(60.0, gt=0, description="The longest time between two looks.")
    patience: float = Field(1800.0, gt=0, description="How long a provider may give no answer about its batches.")
    deadline: float = Field(90_000.0, gt=0, description="After which a batch is cancelled.")
    ending: float = Field(600.0, gt=0, description="How long a cancelled batch may take to end.")
    transfer: float = Field(600.0, gt=0, description="For sending a batch, or reading its results.")
    longest: int = Field(LARGEST, ge=1, description="Bytes of a result that is looked at.")


class Batcher:
    """The batches of one model; the lane of its questions in `Waves`."""

    def __init__(
        self,
        endpoint: SdkEndpoint,
        service: BatchService,
        journal: Journal,
        ledger: BatchLedger,
        settings: BatchSettings,
    ) -> None:
        """Take the parts; nothing is asked yet."""
        self.attempts = settings.attempts
        self.oddities: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.under_way: dict[int, tuple[int, int]] = {}
        """By the ledger's id: how many questions a batch has, and how many of them are done."""
        self._endpoint = endpoint
        self._service = service
        self._journal = journal
        self._ledger = ledger
        self._settings = settings
        self._waiting: dict[bytes, Waiting] = {}
        self._submitting = asyncio.Lock()
        self._most = settings.requests or service.most_requests

    async def answer(self, waiting: Sequence[Waiting]) -> Answers:
        """Ask in batches what no earlier batch answers, and say what became of each question.

        Raises:
            ModelUnavailable: the provider gives no answer about earlier batches, so that nothing can be submitted.
            StoreError: journal or ledger cannot be used.
        """
        own = {one.question.key: one for one in waiting}
        self._waiting |= own
        try:
            outcomes = {key: error for key, error in (await self.resume()).items() if key in own and _final(error)}
            outcomes |= {key: None for key in own if self._journal.get(key) is not None}
            outcomes |= {key: self._too_large() for key, one in own.items() if len(one.line) > self._most_bytes}
            parts = list(self._split([one for key, one in own.items() if key not in outcomes]))
            found = await asyncio.gather(*(self._batch(part) for part in parts), return_exceptions=True)
        finally:
            for key in own:
                self._waiting.pop(key, None)
        for part, answers in zip(parts, found, strict=True):
            outcomes |= {one.question.key: _outcome(answers, one.question.key) for one in part}
        return outcomes

    async def resume(self) -> dict[bytes, Exception | None]:
        """Wait for the batches that an earlier run left, and take their answers; say what became of their questions.

        Raises:
            ModelUnavailable, StoreError: see `answer`.
        """
        endpoint = self._endpoint
        left = self._ledger.unfinished(endpoint.base_url, endpoint.path, endpoint.model)
        mine = [entry for entry in left if entry.id not in self.under_way]
        for entry in mine:
            self.under_way[entry.id] = (len(entry.questions), 0)
        regained = await asyncio.gather(*(self._regained(entry) for entry in mine))
        return {key: outcome for answers in regained for key, outcome in answers.items()}

    async def _regained(self, entry: Entry) -> Answers:
        """Take what a batch of an earlier run answers, if it came to be at all."""
        try:
            found = entry if entry.remote else await self._found(entry)
            if found is not None:
                log.info("%s: a batch of %s questions goes on", where_of(self._endpoint), len(entry.questions))
                return await self._followed(found)
            self._ledger.ended(entry)
            return {}
        finally:
            del self.under_way[entry.id]

    async def _batch(self, waiting: list[Waiting]) -> Answers:
        """Make one batch, and wait for it."""
        lines, questions = [one.line for one in waiting], [one.question for one in waiting]
        async with self._submitting:
            trace = await self._steadily(lambda: self._service.prepare(lines))
            entry = self._ledger.prepare(self._endpoint.path, trace, questions)
            self.under_way[entry.id] = (len(questions), 0)
            try:
                entry = await self._created(entry, lines)
            except BaseException:
                del self.under_way[entry.id]
                raise
        log.info("%s: a batch of %s questions is submitted", where_of(self._endpoint), len(questions))
        self.counts["batches"] += 1
        self.counts["questions"] += len(questions)
        try:
            return await self._followed(entry)
        finally:
            del self.under_way[entry.id]

    async def _created(self, entry: Entry, lines: list[bytes]) -> Entry:
        """Create a batch once: after a failure that may have come too late, it is looked for first."""
        doubtful = False

        async def attempt() -> Entry:
            nonlocal doubtful
            if doubtful and (found := await self._found(entry)) is not None:
                return found
            try:
                remote = await self._service.create(entry.trace, lines)
            except RETRIED as error:
                doubtful = doubtful or not isinstance(error, RateLimited)
                raise
            return self._ledger.submitted(entry, remote)

        try:
            return await self._steadily(attempt)
        except Rejected:
            self._ledger.ended(entry)
            raise

    async def _found(self, entry: Entry) -> Entry | None:
        """Find a batch that may have been created, without our having heard of it."""
        known = self._ledger.known(self._endpoint.base_url)
        try:
            remotes = await self._steadily(lambda: self._service.find(entry.trace, len(entry.questions), known))
        except Rejected:  # it keeps no list
            return None
        for remote in remotes:
            if self._service.sure or await self._ours(replace(entry, remote=remote)):
                return self._ledger.submitted(entry, remote)
        return None

    async def _ours(self, entry: Entry) -> bool:
        """Tell whether a batch answers a batch's questions; one that is not ours must not be cancelled."""
        progress, _ = await self._ended(entry, cancels=False)
        results = Results(self._service, self._endpoint.secrets, self._journal, entry, {}, Counter())

        async def take(line: bytes) -> bool:
            return await results.take(line) and not results.outcomes

        for file in progress.files if progress is not None else ():
            await self._steadily(lambda file=file: self._lines(file, take))  # type: ignore[misc]
        await results.flush()
        return bool(results.outcomes)

    async def _followed(self, entry: Entry) -> Answers:
        """Wait for a batch to end, and take its answers."""
        results = Results(self._service, self._endpoint.secrets, self._journal, entry, self._waiting, self.oddities)
        late = False
        try:
            progress, late = await self._ended(entry)
            if progress is not None:
                await self._read(progress, results)
                self._note_problems(entry, progress, results)
        except Rejected as error:
            if error.status not in GONE:
                raise
        self._ledger.ended(entry)
        answers = {
            question.key: results.outcomes.get(question.key, unanswered(self._endpoint, "it is not in the results"))
            for question in entry.questions
        }
        self.counts["answers"] += sum(outcome is None for outcome in answers.values())
        return {key: self._given_up() if late and not _final(error) else error for key, error in answers.items()}

    async def _ended(self, entry: Entry, cancels: bool = True) -> tuple[Progress | None, bool]:
        """Wait until a batch has ended, if it does, and tell whether it had to be cancelled."""
        scatter, looks = Random(f"{entry.id}/{entry.remote}"), 0
        clock, cancelled_at = asyncio.get_running_loop().time, None
        while True:
            progress = await self._steadily(lambda: self._service.look(entry.remote))
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
        log.warning("%s: a batch has not ended after %g s, and is cancelled", where_of(self._endpoint), seconds)
        try:
            await self._steadily(lambda: self._service.cancel(entry.remote))
        except Rejected:  # it has ended by now
            log.info("%s: there was nothing to cancel", where_of(self._endpoint))

    async def _read(self, progress: Progress, results: Results) -> None:
        """Read all files of results; what was read before a connection broke is kept."""

        async def attempt(file: str) -> None:
            results.begin()
            try:
                self.oddities["too_long"] += await self._lines(file, results.take)
            finally:
                await results.flush()

        for again in range(READINGS):
            if again:
                await asyncio.sleep(self._settings.first_look)
            for file in progress.files:
                await self._steadily(lambda file=file: attempt(file))  # type: ignore[misc]
            if len(results.outcomes) >= progress.done:
                return
            self.oddities["incomplete"] += 1

    async def _lines(self, file: str, take: Callable[[bytes], Awaitable[bool]]) -> int:
        settings, address = self._settings, self._service.address(file)
        return await read_lines(self._endpoint, address, settings.transfer, settings.longest, take)

    def _note_problems(self, entry: Entry, progress: Progress, results: Results) -> None:
        """Note why a batch was not begun: for single questions where it is told of which, else for all."""
        size = len(entry.questions)
        for place, error in progress.problems:
            told = entry.questions if place is None or place >= size else (entry.questions[place],)
            for question in told:
                results.outcomes.setdefault(question.key, error)
        if any(isinstance(error, RateLimited) for _, error in progress.problems):
            self._most = max(1, size // 2)
        elif size >= self._most:
            self._most = min(2 * self._most, self._settings.requests or self._service.most_requests)

    async def _steadily(self, call: Callable[[], Awaitable[_T]]) -> _T:
        """Do something until it succeeds, for as long as there is patience.

        Raises:
            ModelUnavailable: the provider gave no answer.
            Rejected: it will not.
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
                    f"{where_of(self._endpoint)} gave no answer about its batches {failures} times; the last time: "
                    f"{failed} Nothing is lost: start the same run again when it does."
                ) from failed
            await asyncio.sleep(wait)

    def _wait(self, error: ModelUnavailable, failures: int) -> float:
        scatter: float = 0.75 + 0.5 * Random(f"{self._endpoint.model}/{failures}").random()
        told = error.retry_after if isinstance(error, RateLimited | ServerFailed) else None
        first, longest = self._settings.first_look / 5, self._settings.longest_look
        return told if told is not None else min(first * 2.0 ** min(failures - 1, 30), longest) * scatter

    @property
    def _most_bytes(self) -> int:
        return self._settings.bytes or self._service.most_bytes

    def _split(self, waiting: Sequence[Waiting]) -> Iterator[list[Waiting]]:
        """Cut into batches that the provider takes."""
        part: list[Waiting] = []
        size = 0
        for one in waiting:
            length = len(one.line) + 1
            if part and (len(part) >= self._most or size + length > self._most_bytes):
                yield part
                part, size = [], 0
            part.append(one)
            size += length
        if part:
            yield part

    def _too_large(self) -> Rejected:
        return Rejected(
            f"A question to {where_of(self._endpoint)} is larger than a whole batch may be ({self._most_bytes} bytes): "
            "offer fewer tools, or end dialogues earlier.",
            413,
        )

    def _given_up(self) -> ModelUnavailable:
        return ModelUnavailable(
            f"{where_of(self._endpoint)} did not answer a question within {self._settings.deadline:g} s, and its batch "
            "was cancelled. Answers that were finished are kept: start the same run again to ask the others."
        )


def _final(outcome: Exception | None) -> bool:
    """Tell whether a question is not to be asked again."""
    return not isinstance(outcome, RETRIED)


def _outcome(answers: Answers | BaseException, key: bytes) -> Exception | None:
    if isinstance(answers, Exception):
        return answers
    if isinstance(answers, BaseException):
        raise answers
    return answers[key]
