"""The workspace of a run in another process -> how far it has come; reads its files and takes no lock."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from interplay.flows.workspaces.finished_shards import tally_shard
from interplay.flows.workspaces.lock import process_holding
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.models.journal.journal_report import counts
from interplay.outputs.store.shard_file import read_shard
from interplay.schemas.json.record import Record
from interplay.validators.blueprints.duplicates import Duplicates

State = Literal["not begun", "running", "stopped", "finished"]

LATEST = 20
"""The most shards read for reasons of rejection at the first look."""


class RunSight(Record):
    """The progress of a run: records accepted and wanted, indices tried, and why records were rejected.

    `process` is the id of the process that holds the workspace, if any; `tokens` are those of all answers of models.
    """

    state: State
    target: int = 0
    accepted: int = 0
    tried: int = 0
    shards: int = 0
    rejected_by_issue: dict[str, int] = Field(default_factory=dict)
    process: int | None = None
    answers: int = 0
    tokens: int = 0


@dataclass
class RunWatch:
    """Looks at a run repeatedly; shards that were counted are not read again."""

    workspace: Workspace
    _duplicates: Duplicates | None = None
    _shards: int = 0
    _accepted: int = 0
    _tried: int = 0
    _reasons: Counter[str] = field(default_factory=Counter)

    def look(self) -> RunSight:
        """Return how far the run has come.

        Raises:
            StoreError: a shard or the journal is broken.
        """
        run = self.workspace.run()
        if run is None:
            return RunSight(state="not begun")
        wanted = run.config.records
        self._duplicates = self._duplicates or Duplicates(run.config.copies)
        there = list(self.workspace.finished_shards())
        for number in range(self._shards, len(there)):
            if self._accepted >= wanted:
                break
            indices = run.config.shard(number)
            tally = tally_shard(there[number], indices, wanted - self._accepted, self._duplicates)
            self._accepted += tally.accepted
            self._tried += tally.tried
            self._shards = number + 1
            if number >= len(there) - LATEST:
                self._count_reasons(number, tally.until)
        held = process_holding(self.workspace)
        done = self._accepted >= wanted or self.workspace.exhausted()
        state: State = "finished" if done else "running" if held is not None else "stopped"
        answers = counts(self.workspace.journal_file) if self.workspace.journal_file.exists() else ()
        return RunSight(
            state=state,
            target=wanted,
            accepted=self._accepted,
            tried=self._tried,
            shards=self._shards,
            rejected_by_issue=dict(self._reasons.most_common()),
            process=held,
            answers=sum(count.answers for count in answers),
            tokens=sum(count.prompt + count.completion for count in answers),
        )

    def _count_reasons(self, shard: int, until: int) -> None:
        for record in read_shard(self.workspace.shard(shard)):
            if record.status == "rejected" and record.index <= until:
                self._reasons[str(record.filter_reason).rpartition("/")[2]] += 1
