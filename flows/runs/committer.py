"""Finished shards -> the store, in the order of their indices; and the progress and summary of a run."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.manifest import AimsFile, decided_at
from interplay.flows.workspaces.run_files import make_folder, write_record
from interplay.flows.workspaces.shared_workspace import push_small
from interplay.flows.workspaces.withdrawals import withdrawals
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.blueprints.recipes.aims import Aim
from interplay.generators.blueprints.recipes.rule_targets import RULE_PATTERNS
from interplay.generators.environments.accounts.fitness import Fitness
from interplay.generators.models.batches.batched_model import BatchSnapshot
from interplay.generators.models.limits.budget import Spent
from interplay.generators.models.limits.limit_settings import LimitSnapshot
from interplay.schemas.errors import BudgetExceeded, StoreInUse
from interplay.schemas.json.record import Record
from interplay.schemas.records.tool import SEARCH_TOOL
from interplay.schemas.records.verdict import DatasetRecord
from interplay.validators.blueprints.duplicates import Duplicates

if TYPE_CHECKING:
    from interplay.outputs.store.arrivals import ShardToLoad
    from interplay.outputs.store.dataset_store import DatasetStore

LOADED_TOGETHER, LOADED_EVERY = 200, 5.0
"""Records of small shards that are loaded together: loading 20 takes the database as long as loading twice as many.

If shards are made slowly, they are loaded after `LOADED_EVERY` seconds, so that others can look at them.
"""

AIMING_WAITS, ENDING_WAITS = 600.0, 10.0
"""Seconds to wait while another process reads the store: if the next step depends on it, and if not."""
AIMING_LOOKS = 0.5
"""Seconds between two attempts meanwhile."""

TRIES_BEFORE_HOPELESS = 200
HOPELESS_SHARE = 0.5
"""The run stops early if its yield is below this share of the least that `max_tries_per_record` allows."""


@dataclass
class RunProgress:
    """The progress of a run; `made` and `seconds` count from its start in this process.

    `rejected_by_issue` counts the loaded records by the issue that rejected each first; `models` and `spent` are the state and
    cost of models, if any play.
    """

    target: int
    accepted: int = 0
    tried: int = 0
    made: int = 0
    rejected_by_issue: dict[str, int] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)
    models: tuple[LimitSnapshot | BatchSnapshot, ...] = ()
    spent: Spent | None = None
    notice: str = ""
    """What to tell before anything is made."""
    making: str = ""
    """The indices that are being made."""
    making_since: float = 0.0

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    def makes(self, indices: range) -> None:
        """Note which indices are made next."""
        self.making, self.making_since = f"indices {indices[0]} to {indices[-1]}", time.monotonic()

    @property
    def rate(self) -> float:
        """Indices made per second."""
        return self.made / max(self.seconds, 0.001)


class RunSummary(Record):
    """The results of a run in its workspace; `made` counts the indices that were made now and not found.

    `spent` is the cost of models since the workspace began; None if the rules play. `fitness` tells for each source what the
    answers of its tools rest on. `left_out` holds tools that tasks avoid, or to which fewer links lead, with the reason.
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
    fitness: tuple[Fitness, ...] = ()
    notice: str = Field(
        "", description="Where the tools hold fewer tasks than are asked for: how many, and what gives more."
    )
    rejected_examples: dict[str, str] = Field(
        default_factory=dict, description="A record that each issue rejected, as `interplay show` takes it."
    )
    kept: int = Field(0, description="Indices that are made and wait until more records are asked for.")
    example: int | None = Field(None, description="The first index that was accepted.")
    ended: bool = Field(
        False,
        description="All indices that the configuration has are made, and fewer are accepted than were asked for.",
    )
    uncalled: bool = Field(False, description="No accepted dialogue calls a tool of the toolset.")
    senseless: int = Field(0, description="Indices for which no task was found that makes enough sense.")
    left_out: dict[str, str] = Field(default_factory=dict)
    unasked: tuple[str, ...] = Field((), description="Tools that no task is about: no good words for them are known.")
    unreviewed: bool = Field(
        False,
        description="Models spoke and no model reviewed: nobody judged what was meant, facts and values alone did.",
    )


OnProgress = Callable[[RunProgress], None]


@dataclass(frozen=True)
class Arrived:
    """A shard that is committed and not loaded yet: its indices up to the last that counts, and its numbers of records."""

    shard: "ShardToLoad"
    indices: range
    accepted: int
    records: int


@dataclass
class Committer:
    """The only writer of the store, which is open only while shards are loaded, so that others can read it in between.

    Shards are counted as they come, and loaded in the background: loading takes twenty times as long as counting.
    """

    workspace: Workspace
    config: RunConfig
    run: str
    progress: RunProgress
    spent: Callable[[], Spent | None]
    duplicates: Duplicates
    settle: Callable[[], None] = lambda: None
    """Writes the verified graph before the store is first opened; runs in the thread of the tasks, whose world it uses."""
    settled: bool = False
    known: dict[int, tuple[int, str]] = field(default_factory=dict)
    """Number of accepted records and story by index, for shards that are not committed yet."""
    arrived: list[Arrived] = field(default_factory=list)
    """Shards that are committed and wait to be loaded together."""
    loaded_at: float = 0.0
    """When the store was last opened, in seconds since the start; 0 before the first shard."""
    _loading: asyncio.Future[None] | None = None
    _one_at_a_time: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def _store(self, wait: float = 0.0) -> Iterator["DatasetStore"]:
        from interplay.flows.workspaces.run_store import open_run_store  # noqa: PLC0415 - Arrow and DuckDB load while models already answer

        with open_run_store(self.workspace, self.workspace.existing_run(), wait) as store:
            yield store

    @contextmanager
    def _store_to_read(self) -> Iterator["DatasetStore"]:
        from interplay.outputs.store.dataset_store import DatasetStore  # noqa: PLC0415
        from interplay.outputs.store.scratch import scratch_folder  # noqa: PLC0415

        with scratch_folder() as spill, DatasetStore(self.workspace.store_file, spill, ENDING_WAITS) as store:
            yield store

    @property
    def done(self) -> bool:
        """Whether enough records are accepted."""
        return self.progress.accepted >= self.progress.target

    def note(self, records: Sequence[DatasetRecord]) -> None:
        """Count the outcome of an index before its shard is complete."""
        blueprint = records[0].blueprint
        passed = sum(record.status == "accepted" for record in records)
        self.known[records[0].index] = passed, blueprint.story() if blueprint is not None else ""

    def _hoped_for(self) -> int:
        """Return how many of the known accepted records will count: of one story, no more than may still be told."""
        told, found = Counter[str](), 0
        for passed, story in self.known.values():
            if passed and told[story] < self.duplicates.left(story):
                told[story] += 1
                found += passed
        return found

    def shards_needed(self) -> int:
        """Return how many more shards are needed, those under way included; unknown outcomes are estimated by the yield so far.

        No more indices are counted as lost than are wanted, and no shard is needed beyond the allowed tries: whether a run is
        hopeless is decided by shards that are made.
        """
        progress, size = self.progress, self.config.shard_size
        missing = progress.target - progress.accepted - self._hoped_for()
        share = max(progress.accepted, 1) / progress.tried if progress.tried else 1.0
        wanted = min(len(self.known), progress.target) + missing / share
        allowed = self.config.max_tries_per_record * progress.target - progress.tried
        return ceil(min(wanted, allowed) / size)

    async def aim(self, begun: int, loaded: int) -> bool:
        """Decide what shards from `begun` on aim at, if that is due; return whether shard `begun` may be started.

        The decision depends on all earlier shards only, so that it is the same for any number of workers. The run can be
        interrupted while another process reads the store.

        Raises:
            StoreInUse: it is still being read after `AIMING_WAITS` seconds.
        """
        if not self.config.recipes.top_up or decided_at(begun) != begun or self.workspace.aims_file(begun).exists():
            return True
        if loaded < begun:
            return False
        ends = time.monotonic() + AIMING_WAITS
        while True:
            aiming = asyncio.ensure_future(asyncio.to_thread(self._aim, begun))
            try:
                await asyncio.shield(aiming)
                return True
            except StoreInUse:
                if time.monotonic() >= ends:
                    raise
            finally:
                await asyncio.wait([aiming])
            await asyncio.sleep(AIMING_LOOKS)

    def _aim(self, begun: int) -> None:
        from interplay.outputs.report.coverage import coverage  # noqa: PLC0415 - DuckDB

        self.load()
        with self._store_to_read() as store:
            found = coverage(store, self.run)
        kinds: dict[Literal["tool", "edge", "pattern", "temptation"], str] = {
            "tool": "tools", "edge": "edges", "pattern": "patterns", "temptation": "temptations"
        }  # fmt: skip
        asked = {name for name, weight in self.config.recipes.patterns.items() if weight} - {*RULE_PATTERNS}
        aims = tuple(
            Aim(kind=kind, name=name)
            for kind, section in kinds.items()
            for name in found[section]["holes"]
            if kind != "pattern" or name in asked
        )
        make_folder(self.workspace.aims_file(begun).parent)
        write_record(self.workspace.aims_file(begun), AimsFile(aims=aims))
        push_small(self.workspace)

    async def commit(self, number: int, path: Path) -> None:
        """Count a shard up to the last record that is wanted, and start to load waiting shards if that is due.

        Counting finishes even if the run is cancelled, as the store must not be closed before. Errors from loading earlier shards
        are raised here.
        """
        indices = self.config.shard(number)
        self.known = {index: known for index, known in self.known.items() if index not in indices}
        if not self.settled:
            self.settle()
            self.settled = True
        counting = asyncio.ensure_future(asyncio.to_thread(self._count, indices, path))
        try:
            await asyncio.shield(counting)
        finally:
            await asyncio.wait([counting])
        if self._loading is not None and self._loading.done():
            self._loading.result()
            self._loading = None
        if self._loading is None and self._is_due():
            self._loading = asyncio.get_running_loop().run_in_executor(None, self._load_some)

    def _count(self, indices: range, path: Path) -> None:
        from interplay.flows.workspaces.finished_shards import require_heeded, tally_shard  # noqa: PLC0415
        from interplay.outputs.store.arrivals import ShardToLoad  # noqa: PLC0415

        progress = self.progress
        if not self.loaded_at:
            with suppress(StoreInUse), self._store():  # raises with the first shard if it cannot be opened
                self.loaded_at = progress.seconds
        require_heeded(path, indices, withdrawals(self.workspace))
        tally = tally_shard(path, indices, progress.target - progress.accepted, self.duplicates)
        progress.accepted += tally.accepted
        progress.tried += tally.tried
        shard = ShardToLoad(path, tally.until, tally.repeats, self.run)
        self.arrived.append(Arrived(shard, range(indices.start, tally.until + 1), tally.accepted, tally.records))

    async def rest(self) -> None:
        """Wait until nothing is being loaded; the workspace must not be released before."""
        if self._loading is not None:
            await asyncio.wait([self._loading])

    def _is_due(self) -> bool:
        waiting = sum(len(arrived.indices) for arrived in self.arrived)
        return waiting >= LOADED_TOGETHER or self.progress.seconds - self.loaded_at >= LOADED_EVERY

    def _load_some(self) -> None:
        with suppress(StoreInUse):  # another process reads it: they are loaded with the next shard
            self._load(0.0)

    def load(self, wait: float = 0.0) -> None:
        """Load the waiting shards. A failing run skips this: whoever opens the store next loads the shards that it lacks.

        Raises:
            StoreInUse: another process still reads the store after `wait` seconds.
        """
        while self.arrived:
            self._load(wait)

    def _load(self, wait: float) -> None:
        """Load as many waiting shards as fit into one transaction."""
        from interplay.flows.workspaces.finished_shards import LOADED_AT_MOST  # noqa: PLC0415

        with self._one_at_a_time:
            taken, records = list[Arrived](), 0
            while len(taken) < len(self.arrived) and records < LOADED_AT_MOST:
                taken.append(self.arrived[len(taken)])
                records += taken[-1].records
            if not taken:
                return
            with self._store(wait) as store:
                store.load_shards([arrived.shard for arrived in taken])
                rejected = self._rejected(store, range(taken[0].indices.start, taken[-1].indices.stop))
            for code, count in rejected.items():
                self.progress.rejected_by_issue[code] = self.progress.rejected_by_issue.get(code, 0) + count
            del self.arrived[: len(taken)]
            self.loaded_at = self.progress.seconds

    def _rejected(self, store: "DatasetStore", indices: range) -> dict[str, int]:
        rows = store.query(
            "SELECT split_part(coalesce(filter_reason, stage), '/', -1) AS code, count(*) AS n FROM records "
            "WHERE run = ? AND index BETWEEN ? AND ? AND status = 'rejected' GROUP BY code",
            [self.run, indices[0], indices[-1]],
        )
        return {row["code"]: row["n"] for row in rows}

    def check_yield(self) -> None:
        """Give up if too much was tried, or so little passes that too much would be.

        Raises:
            BudgetExceeded: with what rejects most; everything made is kept.
        """
        progress, limit = self.progress, self.config.max_tries_per_record
        spent = progress.tried >= limit * progress.target
        hopeless = (
            progress.tried >= TRIES_BEFORE_HOPELESS and progress.accepted * limit < HOPELESS_SHARE * progress.tried
        )
        if not self.done and (spent or hopeless):
            raise BudgetExceeded(
                f"Gave up: {progress.accepted} of {progress.target} accepted after {progress.tried} tries. "
                f"{self._what_kills()} Everything made is kept in {self.workspace.name}; max_tries_per_record in the "
                f"configuration (now {limit:g}) lets a run go on for longer."
            )

    def _what_kills(self) -> str:
        with suppress(StoreInUse):
            self.load(ENDING_WAITS)
        with self._store_to_read() as store:
            rows = store.query(
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
        """Return what the workspace holds now, including shards that could not be loaded because others read the store."""
        with suppress(StoreInUse):
            self.load(ENDING_WAITS)
        waiting = [arrived.indices for arrived in self.arrived] or [range(0)]
        with self._store_to_read() as store:
            [loaded] = store.query(
                "SELECT count(*) FILTER (status = 'accepted') AS accepted, count(*) FILTER (status = 'rejected') AS rejected, "
                "min(index) FILTER (status = 'accepted') AS example, coalesce(max(index), -1) AS last, "
                "count(*) FILTER (filter_reason = 'compose/little_sense') AS senseless "
                "FROM records WHERE run = ? AND NOT index BETWEEN ? AND ?",
                [self.run, waiting[0].start, waiting[-1].stop - 1],
            )
            called = store.query(
                "SELECT 1 AS one FROM calls JOIN records ON id = record_id "
                "WHERE run = ? AND status = 'accepted' AND tool <> ? LIMIT 1",
                [self.run, SEARCH_TOOL],
            )
            examples = store.rejected_examples(self.run)
        progress, end = self.progress, max(loaded["last"] + 1, waiting[-1].stop)
        accepted = loaded["accepted"] + sum(held.accepted for held in self.arrived)
        given = self.config.branched or self.config.evolution  # their number is given by another run
        return RunSummary(
            run=self.run,
            workspace=self.workspace.name,
            target=progress.target,
            accepted=accepted,
            ended=self.config.indices is not None and not given and accepted < progress.target,
            rejected=loaded["rejected"] + sum(held.records - held.accepted for held in self.arrived),
            kept=max(self.workspace.made() - end, 0),
            example=loaded["example"],
            uncalled=bool(loaded["accepted"] and not called),
            senseless=loaded["senseless"],
            rejected_examples=examples,
            rejected_by_issue=dict(sorted(progress.rejected_by_issue.items(), key=lambda item: (-item[1], item[0]))),
            made=progress.made,
            seconds=round(progress.seconds, 2),
            records_per_second=round(progress.rate, 2),
            spent=self.spent(),
            unreviewed=bool({"user", "assistant"} & set(self.config.roles)) and not self.config.reviews_dialogues(),
        )
