"""Questions to one model -> batches at its provider, followed until all their answers are in the journal.

split by the provider's limits -> prepare -> ledger -> create -> ledger -> poll until ended -> journal -> ledger
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from interplay.generators.models.batches.batch_ledger import BatchLedger, Entry
from interplay.generators.models.batches.batch_results import Results
from interplay.generators.models.batches.batch_service import BatchProgress, BatchService, unanswered, where_of
from interplay.generators.models.batches.batch_settings import BatchSettings
from interplay.generators.models.batches.batch_watch import BatchWatch
from interplay.generators.models.batches.waves import Answers, WaitingQuestion
from interplay.generators.models.client.model import RETRIED
from interplay.generators.models.journal.journal import Journal
from interplay.generators.models.providers.endpoint import SdkEndpoint
from interplay.generators.models.transport.transport_errors import RateLimited, Rejected
from interplay.schemas.errors import ModelUnavailable

log = logging.getLogger(__name__)

GONE = (404, 410)


class Batcher:
    """The batches of one model; implements `WaveLane`."""

    def __init__(
        self,
        name: str,
        endpoint: SdkEndpoint,
        service: BatchService,
        journal: Journal,
        ledger: BatchLedger,
        settings: BatchSettings,
    ) -> None:
        """Store the parts; nothing is sent yet. Batches of an earlier run are found by the same `name`."""
        self.attempts = settings.attempts
        self.counts: Counter[str] = Counter()
        self.watch = BatchWatch(endpoint, service, settings)
        self._name = name
        self._endpoint = endpoint
        self._service = service
        self._journal = journal
        self._ledger = ledger
        self._settings = settings
        self._waiting: dict[bytes, WaitingQuestion] = {}
        self._submitting = asyncio.Lock()
        self._most = settings.requests or service.most_requests

    async def answer(self, waiting: Sequence[WaitingQuestion]) -> Answers:
        """Resume earlier batches, ask the remaining questions in new ones, and return the outcome of each question.

        Raises:
            ModelUnavailable: the provider gives no answer about earlier batches, so that nothing can be submitted.
            StoreError: journal or ledger cannot be used.
        """
        own = {one.question.key: one for one in waiting}
        self._waiting |= own
        try:
            outcomes = {key: error for key, error in (await self.resume()).items() if key in own and _final(error)}
            outcomes |= {key: None for key in own if self._journal.get(key) is not None}
            rest = [one for key, one in own.items() if key not in outcomes]
            outcomes |= {one.question.key: self._too_large() for one in rest if len(one.line) > self._most_bytes}
            parts = list(self._split([one for one in rest if one.question.key not in outcomes]))
            found = await asyncio.gather(*(self._batch(part) for part in parts), return_exceptions=True)
        finally:
            for key in own:
                self._waiting.pop(key, None)
        for part, answers in zip(parts, found, strict=True):
            outcomes |= {one.question.key: _outcome(answers, one.question.key) for one in part}
        return outcomes

    async def resume(self) -> dict[bytes, Exception | None]:
        """Wait for the batches that an earlier run left open, and return the outcome of each of their questions.

        Raises:
            ModelUnavailable, StoreError: see `answer`.
        """
        endpoint = self._endpoint
        left = self._ledger.unfinished(self._name, endpoint.base_url, endpoint.path, endpoint.model)
        mine = [entry for entry in left if entry.id not in self.watch.under_way]
        for entry in mine:
            self.watch.under_way[entry.id] = (len(entry.questions), 0)
        regained = await asyncio.gather(*(self._regained(entry) for entry in mine), return_exceptions=True)
        outcomes: dict[bytes, Exception | None] = {}
        for answers in regained:
            if isinstance(answers, BaseException):
                raise answers
            outcomes |= answers
        return outcomes

    async def _regained(self, entry: Entry) -> Answers:
        """Return the outcomes of a batch of an earlier run; empty if it was never created."""
        try:
            found = entry if entry.remote else await self._found(entry)
            if found is not None:
                log.info("%s: a batch of %s questions goes on", where_of(self._endpoint), len(entry.questions))
                self.counts["resumed"] += 1
                return await self._followed(found)
            self._ledger.ended(entry)
            return {}
        finally:
            del self.watch.under_way[entry.id]

    async def _batch(self, waiting: list[WaitingQuestion]) -> Answers:
        """Submit one batch, and wait for its answers."""
        lines, questions = [one.line for one in waiting], [one.question for one in waiting]
        async with self._submitting:
            trace = await self.watch.steadily(lambda: self._service.prepare(lines))
            entry = self._ledger.prepare(self._name, self._endpoint.path, trace, questions)
            self.watch.under_way[entry.id] = (len(questions), 0)
            try:
                entry = await self._created(entry, lines)
            except BaseException:
                del self.watch.under_way[entry.id]
                raise
        log.info("%s: a batch of %s questions is submitted", where_of(self._endpoint), len(questions))
        self.counts["batches"] += 1
        self.counts["questions"] += len(questions)
        self.counts["again"] += sum(one.attempts + one.refusals > 0 for one in waiting)
        try:
            return await self._followed(entry)
        finally:
            del self.watch.under_way[entry.id]

    async def _created(self, entry: Entry, lines: list[bytes]) -> Entry:
        """Create a batch exactly once: after a failure that may have come after its creation, look for it first."""
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
            return await self.watch.steadily(attempt)
        except Rejected:
            self._ledger.ended(entry)
            raise

    async def _found(self, entry: Entry) -> Entry | None:
        """Find a batch that may have been created although its id was never received; None if there is none."""
        known = self._ledger.known(self._endpoint.base_url)
        try:
            remotes = await self.watch.steadily(lambda: self._service.find(entry.trace, len(entry.questions), known))
        except Rejected:  # the provider lists no batches
            return None
        for remote in remotes:
            if self._service.sure or await self._ours(replace(entry, remote=remote)):
                return self._ledger.submitted(entry, remote)
        return None

    async def _ours(self, entry: Entry) -> bool:
        """Tell whether a batch at the provider answers the entry's questions; it is not cancelled, as it may be foreign."""
        progress, _ = await self.watch.ended(entry, cancels=False)
        results = Results(self._service, self._endpoint.secrets, self._journal, entry, {}, Counter())

        async def take(line: bytes) -> bool:
            return await results.take(line) and not results.outcomes

        for file in progress.files if progress is not None else ():
            await self.watch.steadily(lambda file=file: self.watch.lines(file, take))  # type: ignore[misc]
        await results.flush()
        return bool(results.outcomes)

    async def _followed(self, entry: Entry) -> Answers:
        """Wait for a batch to end, and return the outcome of each question."""
        results = Results(
            self._service, self._endpoint.secrets, self._journal, entry, self._waiting, self.watch.oddities
        )
        progress, late = None, False
        try:
            progress, late = await self.watch.ended(entry)
            if progress is not None:
                await self.watch.read(progress, results)
                self._note_problems(entry, progress, results)
        except Rejected as error:
            if error.status not in GONE:
                raise
        answers = {
            question.key: results.outcomes.get(question.key, unanswered(self._endpoint, "it is not in the results"))
            for question in entry.questions
        }
        answered = sum(outcome is None for outcome in answers.values())
        self._ledger.ended(entry, answered)
        self.counts["ended"] += 1
        self.counts["answers"] += answered
        if progress is not None and len(results.outcomes) >= len(entry.questions):
            await self.watch.tidied(entry, progress)
        return {key: self._given_up() if late and not _final(error) else error for key, error in answers.items()}

    def _note_problems(self, entry: Entry, progress: BatchProgress, results: Results) -> None:
        """Note the errors of a batch that was not started, for the questions that they name or all; adapt the batch size."""
        size = len(entry.questions)
        for place, error in progress.problems:
            told = entry.questions if place is None or place >= size else (entry.questions[place],)
            for question in told:
                results.outcomes.setdefault(question.key, error)
        if any(isinstance(error, RateLimited) for _, error in progress.problems):
            self._most = max(1, size // 2)
        elif size >= self._most:
            self._most = min(2 * self._most, self._settings.requests or self._service.most_requests)

    @property
    def _most_bytes(self) -> int:
        return self._settings.bytes or self._service.most_bytes

    def _split(self, waiting: Sequence[WaitingQuestion]) -> Iterator[list[WaitingQuestion]]:
        """Split questions into batches within the provider's limits."""
        part: list[WaitingQuestion] = []
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
    """Tell whether an outcome is final, so that the question is not asked again."""
    return not isinstance(outcome, RETRIED)


def _outcome(answers: Answers | BaseException, key: bytes) -> Exception | None:
    if isinstance(answers, Exception):
        return answers
    if isinstance(answers, BaseException):
        raise answers
    return answers[key]
