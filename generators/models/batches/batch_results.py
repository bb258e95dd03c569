"""Rows of a batch's results, in any order and possibly malformed -> answers in the journal."""

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from interplay.generators.models.batches.batch_ledger import Entry
from interplay.generators.models.batches.batch_service import BatchService, Result
from interplay.generators.models.batches.waves import WaitingQuestion
from interplay.generators.models.journal.journal import Journal
from interplay.generators.models.journal.journal_file import Question
from interplay.generators.models.providers.usage import assumed_usage, usage_of
from interplay.generators.models.transport.credentials import Secrets
from interplay.schemas.errors import ModelError

GROUP, GROUP_BYTES = 200, 16_000_000
"""Answers, and bytes of them, that are read before they are written to the journal."""

UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError)


class Results:
    """The results of one batch; `outcomes` maps each question read to its error, or to None if the journal has the answer."""

    def __init__(
        self, service: BatchService, secrets: Secrets, journal: Journal, entry: Entry,
        waiting: Mapping[bytes, WaitingQuestion], oddities: Counter[str],
    ) -> None:  # fmt: skip
        """Start without results; `waiting` holds the questions with budget reservations, `oddities` counts bad rows."""
        self.outcomes: dict[bytes, Exception | None] = {}
        self._service = service
        self._secrets = secrets
        self._journal = journal
        self._waiting = waiting
        self._oddities = oddities
        self._questions = {question.key.hex(): question for question in entry.questions}
        self._group: list[tuple[Question, bytes]] = []
        self._size = 0
        self._seen: set[str] = set()
        self._rows = 0

    def begin(self) -> None:
        """Start reading a file, for the first time or again."""
        self._seen, self._rows = set(), 0

    async def take(self, line: bytes) -> bool:
        """Process one row; return whether to read on, since a server may send rows without end."""
        self._rows += 1
        if line.strip():
            await self._note(self._result(line))
        return self._rows <= 2 * len(self._questions) + 100

    async def flush(self) -> None:
        """Write the answers read so far to the journal."""
        group, self._group, self._size = self._group, [], 0
        await asyncio.gather(*(self._keep(question, body) for question, body in group))

    async def _note(self, result: Result | None) -> None:
        question = self._questions.get(result.custom_id) if result else None
        if result is None or question is None:
            self._oddities["unreadable" if result is None else "unknown_id"] += 1
            return
        self._oddities["twice"] += result.custom_id in self._seen
        self._seen.add(result.custom_id)
        if isinstance(result.outcome, ModelError):
            self.outcomes.setdefault(question.key, result.outcome)
        elif self.outcomes.get(question.key, question) is not None:
            self.outcomes[question.key] = None
            self._group.append((question, result.outcome))
            self._size += len(result.outcome)
            if len(self._group) >= GROUP or self._size >= GROUP_BYTES:
                await self.flush()

    def _result(self, line: bytes) -> Result | None:
        try:
            row: Any = json.loads(self._secrets.scrub_body(line))
            result = self._service.read(row)
        except UNREADABLE:
            return None
        return result if isinstance(result.custom_id, str) else None

    async def _keep(self, question: Question, body: bytes) -> None:
        """Put an answer into the journal, unless it is there already: its cost must not be counted twice."""
        if self._journal.get(question.key) is not None:
            return
        usage = usage_of(body) or assumed_usage(question.size, body)
        waiting = self._waiting.get(question.key)
        if waiting is not None:
            waiting.settle(usage)
        # The answer to a question of an earlier run has no reservation in this one.
        release = waiting.release if waiting is not None else lambda: None
        await self._journal.put(question, body, usage, release)
