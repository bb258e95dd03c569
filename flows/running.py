"""A prepared workspace -> one with the first N accepted records in its store, whatever was there before.

Shards are made in the order of their indices, a bounded number ahead; one committer loads them in that order.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import ExitStack, aclosing
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from interplay.flows.ahead import Ahead
from interplay.flows.cast import Cast
from interplay.flows.config import RunConfig
from interplay.flows.files import make_folder, write_text
from interplay.flows.holding import held
from interplay.flows.identity import AimsFile, decided_at
from interplay.flows.stages import make_shard, prepare, watching
from interplay.flows.workers import WorkerPool
from interplay.flows.workspace import Workspace
from interplay.generators.blueprints.about_rules import BY_RULES
from interplay.generators.blueprints.aims import Aim
from interplay.generators.models.batched import BatchSnapshot
from interplay.generators.models.budget import Spent
from interplay.generators.models.limits import LimitSnapshot
from interplay.schemas.errors import BudgetExceeded
from interplay.schemas.record import Record
from interplay.schemas.verdict import DatasetRecord
from interplay.validators.duplicates import Duplicates

if TYPE_CHECKING:
    from interplay.outputs.store import DatasetStore

MakeShard = Callable[[int], Awaitable[Path]]
"""Makes the shard with a number, or finds it made, and returns its path."""

LOOK_SECONDS = 0.5
"""How often to look whether what is under way can still be enough, or another shard is to be begun beside it."""

TRIES_BEFORE_HOPELESS = 200
HOPELESS_SHARE = 0.5
"""The run stops early when its yield is below this share of what `max_tries_per_record` asks for."""


@dataclass
class Progress:
    """Where a run stands; `made` and `seconds` count from its start in this process.

    `models` and `spent` tell how things stand with the models, where some play.
    """

    target: int
    accepted: int = 0
    tried: int = 0
    made: int = 0
    rejected_by_issue: dict[str, int] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)
    models: tuple[LimitSnapshot | BatchSnapshot, ...] = ()
    spent: Spent | None = None

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    @property
    def rate(self) -> float:
        """Indices made a second."""
        return self.made / max(self.seconds, 0.001)


class RunSummary(Record):
    """What a run left in its workspace; `made` counts the indices that were made now, not found.

    `spent` is what models cost since the workspace began; none where the rules played.
    """

    run: str
    workspace: str
    target: int
    accepted: int
    rejected: int
    rejected_by_issue: dict[str, int]
    made: int
    seconds: float
    records_per_second: float
    spent: Spent | None = None


Tell = Callable[[Progress], None]
Orchestrate = Callable[[MakeShard], MakeShard]
"""Turns the making of a shard into a task of an orchestrator."""


async def run(
    workspace: Workspace,
    config: RunConfig,
    tell: Tell,
    source: Path | None = None,
    records: int | None = None,
    orchestrate: Orchestrate | None = None,
    ahead: Ahead | None = None,
) -> RunSummary:
    """Make records until `records` of them are accepted, or as many as the workspace was asked for at most so far.

    `tell` hears of the progress after each shard. With `orchestrate`, every shard is made in a worker process; with
    `ahead`, tasks are composed in one, see `composes_ahead`.

    Raises:
        ConfigError: the workspace is for something else.
        BudgetExceeded: too many indices were tried, or nearly nothing passes.
        InterplayError: a file could not be read or written, or a worker was killed.
    """
    asked = config if records is None else config.model_copy(update={"records": records})
    with held(workspace):
        generator = await prepare(workspace, asked, source, ahead)
        progress = Progress(records or generator.config.records)
        async with aclosing(generator):
            with ExitStack() as opened, WorkerPool(workspace, config.workers) as pool:
                apart = config.workers > 1 or orchestrate is not None

                def look(cast: Cast) -> None:
                    progress.models = pool.snapshots() if apart else cast.snapshots()
                    progress.spent = cast.spent_by_workers() if apart else cast.spent()
                    tell(progress)

                async with watching(generator.cast, look):
                    cast = generator.cast
                    spent = (lambda: None) if cast is None else cast.spent_by_workers if apart else cast.spent
                    told = Duplicates(generator.config.copies)
                    committer = _Committer(opened, workspace, generator.config, generator.run, progress, spent, told)
                    if orchestrate is not None:
                        await _fill(committer, orchestrate(pool.make), 2 * config.workers, tell)
                    elif config.workers > 1:
                        await _fill(committer, pool.make, 2 * config.workers, tell)
                    else:
                        # A shard waits for its longest dialogue: more of them are begun than hold the dialogues that may be open.
                        at_once = 1 if cast is None else 1 + 3 * ceil(config.open_dialogues() / config.shard_size)
                        make = partial(make_shard, generator, workspace, note=committer.note)
                        await _fill(committer, make, at_once, tell)
                    return committer.summary()


async def _fill(committer: "_Committer", make: MakeShard, ahead: int, tell: Tell) -> None:
    """Make shards, `ahead` of them at a time, and commit them in order; those that are not needed are dropped.

    A shard that takes long holds up the commits of later ones, and not their making.
    """
    under_way: dict[int, asyncio.Task[Path]] = {}
    number = 0
    try:
        while not committer.done and committer.config.shard(number):
            last = number + committer.shards_needed()
            while number + len(under_way) < last and _may_begin(under_way.values(), ahead):
                begun = number + len(under_way)
                if not committer.config.shard(begun):
                    break
                if not committer.aim(begun, loaded=number):
                    break
                under_way[begun] = asyncio.ensure_future(_made(make, committer, begun))
            if not under_way[number].done():
                busy = [task for task in under_way.values() if not task.done()]
                await asyncio.wait(busy, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                continue
            await committer.commit(number, under_way.pop(number).result())
            tell(committer.progress)
            committer.check_yield()
            number += 1
    finally:
        for task in under_way.values():
            task.cancel()
        await asyncio.gather(*under_way.values(), return_exceptions=True)


def _may_begin(tasks: Collection[asyncio.Task[Path]], ahead: int) -> bool:
    """Tell whether one more shard may be begun: not where so many are being made, and not once one has failed."""
    if any(task.done() and (task.cancelled() or task.exception() is not None) for task in tasks):
        return False
    return sum(not task.done() for task in tasks) < ahead


async def _made(make: MakeShard, committer: "_Committer", number: int) -> Path:
    found = committer.workspace.shard(number)
    if found.exists():
        return found
    path = await make(number)
    committer.progress.made += len(committer.config.shard(number))
    return path


@dataclass
class _Committer:
    """The only writer of the store, which is open from the first shard on until `opened` is closed."""

    opened: ExitStack
    workspace: Workspace
    config: RunConfig
    run: str
    progress: Progress
    spent: Callable[[], Spent | None]
    duplicates: Duplicates
    known: dict[int, int] = field(default_factory=dict)
    """Accepted records by the index that they are of, of shards that are not loaded yet."""

    @cached_property
    def _store(self) -> "DatasetStore":
        from interplay.flows.storing import open_store  # noqa: PLC0415 - Arrow and DuckDB, while models answer already

        return self.opened.enter_context(open_store(self.workspace, self.workspace.existing_run()))

    @property
    def done(self) -> bool:
        """Tell whether enough is accepted."""
        return self.progress.accepted >= self.progress.target

    def note(self, records: Sequence[DatasetRecord]) -> None:
        """Take note of what became of an index before its shard is made."""
        self.known[records[0].index] = sum(record.status == "accepted" for record in records)

    def shards_needed(self) -> int:
        """Return how many more shards it takes, those under way among them: at the yield so far where nothing is known yet.

        Not more are counted as lost than are wanted, and none are begun that may not be tried: a run may be hopeless, which
        is told by shards that are made.
        """
        progress, size = self.progress, self.config.shard_size
        missing = progress.target - progress.accepted - sum(self.known.values())
        share = max(progress.accepted, 1) / progress.tried if progress.tried else 1.0
        wanted = min(len(self.known), progress.target) + missing / share
        allowed = self.config.max_tries_per_record * progress.target - progress.tried
        return ceil(min(wanted, allowed) / size)

    def aim(self, begun: int, loaded: int) -> bool:
        """Decide what shards aim at from one on, where that is due; tell whether the shard may be begun already.

        It is decided by all shards before and by no other, so that it is the same for any number of workers.
        """
        if not self.config.recipes.top_up or decided_at(begun) != begun or self.workspace.aims_file(begun).exists():
            return True
        if loaded < begun:
            return False
        from interplay.outputs.coverage import coverage  # noqa: PLC0415 - DuckDB

        found = coverage(self._store, self.run)
        kinds: dict[Literal["tool", "edge", "pattern", "temptation"], str] = {
            "tool": "tools", "edge": "edges", "pattern": "patterns", "temptation": "temptations"
        }  # fmt: skip
        asked = {name for name, weight in self.config.recipes.patterns.items() if weight} - {*BY_RULES}
        aims = tuple(
            Aim(kind=kind, name=name)
            for kind, section in kinds.items()
            for name in found[section]["holes"]
            if kind != "pattern" or name in asked
        )
        make_folder(self.workspace.aims_file(begun).parent)
        write_text(self.workspace.aims_file(begun), AimsFile(aims=aims).model_dump_json() + "\n")
        return True

    async def commit(self, number: int, path: Path) -> None:
        """Load a shard up to the last record that is wanted; models are answered meanwhile.

        It is loaded to its end though the run ends: the store is not closed before.
        """
        indices = self.config.shard(number)
        self.known = {index: accepted for index, accepted in self.known.items() if index not in indices}
        loading = asyncio.ensure_future(asyncio.to_thread(self._load, indices, path))
        try:
            await asyncio.shield(loading)
        finally:
            await asyncio.wait([loading])

    def _load(self, indices: range, path: Path) -> None:
        from interplay.flows.storing import tally_shard  # noqa: PLC0415

        progress = self.progress
        tally = tally_shard(path, indices, progress.target - progress.accepted, self.duplicates)
        self._store.load_shard(path, tally.until, tally.repeats)
        progress.accepted += tally.accepted
        progress.tried += tally.tried
        if tally.accepted < tally.tried * self.config.attempts:
            for code, count in self._rejected(indices.start, tally.until).items():
                progress.rejected_by_issue[code] = progress.rejected_by_issue.get(code, 0) + count

    def _rejected(self, first: int, last: int) -> dict[str, int]:
        rows = self._store.query(
            "SELECT code, count(DISTINCT record_id) AS n FROM issues JOIN records ON records.id = record_id "
            "WHERE run = ? AND index BETWEEN ? AND ? AND status = 'rejected' AND severity = 'error' GROUP BY code",
            [self.run, first, last],
        )
        return {row["code"]: row["n"] for row in rows}

    def check_yield(self) -> None:
        """Give up when too much was tried, or when so little passes that it will be.

        Raises:
            BudgetExceeded: it tells what rejects most, and that everything is kept.
        """
        progress, limit = self.progress, self.config.max_tries_per_record
        spent = progress.tried >= limit * progress.target
        hopeless = (
            progress.tried >= TRIES_BEFORE_HOPELESS and progress.accepted * limit < HOPELESS_SHARE * progress.tried
        )
        if not self.done and (spent or hopeless):
            raise BudgetExceeded(
                f"Gave up: {progress.accepted} of {progress.target} accepted after {progress.tried} tries. "
                f"{self._what_kills()} Everything made is kept in {self.workspace.folder}; max_tries_per_record in the "
                f"configuration (now {limit:g}) lets a run go on for longer."
            )

    def _what_kills(self) -> str:
        rows = self._store.query(
            "SELECT stage, code, count(DISTINCT record_id) AS n, min(message) AS example FROM issues "
            "JOIN records ON records.id = record_id WHERE run = ? AND status = 'rejected' AND severity = 'error' "
            "GROUP BY stage, code ORDER BY n DESC, code LIMIT 1",
            [self.run],
        )
        if not rows:
            return ""
        worst = rows[0]
        if worst["code"] == "duplicate_scenario":
            text = "The tools allow for few different tasks; copies in the configuration lets more people tell the same one."
            return f"Most tell a scenario that was told before ({worst['n']} records). {text}"
        return f"Most were rejected at {worst['stage']} ({worst['code']}, {worst['n']} records: {worst['example']})"

    def summary(self) -> RunSummary:
        """Return what the workspace holds now."""
        rows = self._store.query("SELECT status, count(*) AS n FROM records WHERE run = ? GROUP BY status", [self.run])
        counts = {row["status"]: row["n"] for row in rows}
        progress = self.progress
        return RunSummary(
            run=self.run,
            workspace=str(self.workspace.folder),
            target=progress.target,
            accepted=counts.get("accepted", 0),
            rejected=counts.get("rejected", 0),
            rejected_by_issue=dict(sorted(progress.rejected_by_issue.items(), key=lambda item: (-item[1], item[0]))),
            made=progress.made,
            seconds=round(progress.seconds, 2),
            records_per_second=round(progress.rate, 2),
            spent=self.spent(),
        )
