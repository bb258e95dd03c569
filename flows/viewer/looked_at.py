"""A workspace under view: its figures, its records, and its other files; everything is read, nothing written."""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from interplay.flows.runs.model_state import model_state
from interplay.flows.viewer.index_upkeep import error_file
from interplay.flows.viewer.run_world import RunWorld
from interplay.flows.workspaces.cost_course import cost_course
from interplay.flows.workspaces.manifest import RunFile
from interplay.flows.workspaces.role_costs import by_role, priced_counts
from interplay.flows.workspaces.run_files import read_lines
from interplay.flows.workspaces.source_notes import noted_accounts, noted_tools
from interplay.flows.workspaces.workspace import BRANCH_ANEW, Workspace
from interplay.generators.environments.accounts.account_words import resource_notes, tool_notes
from interplay.generators.models.journal.journal_report import batches
from interplay.outputs.report.coverage import TO_COVER, held_against, to_cover
from interplay.outputs.report.drawings import Bin
from interplay.outputs.report.intervals import wilson
from interplay.outputs.report.pictures import pictures
from interplay.outputs.store.shard_file import record_at
from interplay.outputs.viewer.index_search import FOUND_BY, Found, Search, find, tallies
from interplay.outputs.viewer.record_index import distributions_of, reading
from interplay.outputs.viewer.record_rows import KINDS
from interplay.outputs.viewer.viewer_pages import Drawn
from interplay.schemas.errors import StoreError
from interplay.schemas.records.verdict import DatasetRecord, Verdict

NAMES = 60
"""The most names per kind that a person can choose from."""
BARS = 40
"""The most bars in a chart."""


@dataclass(frozen=True)
class LookedAt:
    """A workspace and its index, with its number in addresses."""

    number: int
    workspace: Workspace
    index: Path

    @property
    def name(self) -> str:
        """Its path or URL."""
        return self.workspace.name

    @property
    def root(self) -> str:
        """The path of its pages."""
        return f"/w/{self.number}"

    def run(self) -> RunFile:
        """Return the run of the workspace."""
        return self.workspace.existing_run()

    @cached_property
    def world(self) -> RunWorld:
        """The world of its run, for seeing what calls change."""
        return RunWorld(self.run().config)

    @cached_property
    def writes(self) -> frozenset[str]:
        """The names of its tools that write."""
        return frozenset(tool.name for tool in self.workspace.toolset().tools if tool.effect == "write")

    def tools(self) -> dict[str, Any]:
        """Return its tools, what was inferred of them, and its edges, each with how many records use it."""
        graph = self.workspace.graph()
        with reading(self.index) as index:
            used = {
                (kind, row["name"]): (row["accepted"], row["rejected"])
                for kind in ("tool", "edge", "rules", "temptation")
                for row in tallies(index, kind, 10**6)
            }
        return {
            "toolset": self.workspace.toolset(),
            "edges": graph.edges if graph else (),
            "used": used,
            "accounts": noted_accounts(self.workspace),
            "taken": {name: (tool, tool_notes(tool)) for name, tool in noted_tools(self.workspace).items()},
            "notes": resource_notes,
        }

    def models(self) -> dict[str, Any]:
        """Return the answers and costs of its run's models by role, the state of batches, and, while it runs, of endpoints.

        Raises:
            StoreError: the journal cannot be read.
        """
        spent, path = priced_counts(self.workspace), self.workspace.journal_file
        return {
            "spent": spent,
            "roles": by_role(spent),
            "batches": Counter((batch.name, batch.state) for batch in batches(path)) if path.exists() else {},
            "state": model_state(self.workspace),
        }

    def progress(self) -> dict[str, Any]:
        """Return how far its run has come, as far as it is indexed."""
        run = self.run()
        with reading(self.index) as index:
            row = index.execute(
                "SELECT count(*) AS shards, coalesce(sum(tried), 0) AS tried, coalesce(max(until) + 1, 0) AS indices FROM shards"
            ).fetchone()
            statuses = {row["name"]: row["accepted"] + row["rejected"] for row in tallies(index, "status")}
            reached = {row["name"]: row["accepted"] + row["rejected"] for row in tallies(index, "reached")}
            sums = {row["name"]: row["value"] for row in index.execute("SELECT * FROM sums ORDER BY name")}
            stages = tallies(index, "stage")
        accepted, rejected = statuses.get("accepted", 0), statuses.get("rejected", 0)
        low, high = wilson(accepted, accepted + rejected)
        attempts = run.config.attempts
        played = "dialogues played" if attempts == 1 else f"dialogues played, {attempts} of each task"
        made = sum(1 for _ in self.workspace.shard(0).parent.glob("shard-*.parquet"))
        return {
            "wanted": accepted if self.workspace.exhausted() else run.config.records,
            "accepted": accepted,
            "rejected": rejected,
            "tried": row["tried"],
            "low": low,
            "high": high,
            "behind": max(0, made - row["shards"]) if accepted < run.config.records else 0,
            "funnel": [
                ("indices tried", row["tried"], ""),
                ("tasks composed", row["tried"] - reached.get("draw", 0), ""),
                (played, reached.get("dialogue", 0), "reached=dialogue"),
                ("accepted", accepted, "status=accepted"),
            ],
            "stages": stages,
            "sums": sums,
            "problem": self.problem(),
        }

    def problem(self) -> str:
        """Return the error that keeps the index from being made, or ""."""
        try:
            return error_file(self.index).read_text(encoding="utf-8")
        except OSError:
            return ""

    def charts(self) -> list[tuple[str, str, list[Any], int]]:
        """Return kind, title, bars and the longest bar of each chart that is not empty."""
        with reading(self.index) as index:
            found = [(kind, title, tallies(index, kind, BARS)) for kind, title in KINDS.items()]
        return [
            (kind, title, bars, max(bar["accepted"] + bar["rejected"] for bar in bars))
            for kind, title, bars in found
            if bars
        ]

    def pictures(self) -> list[Drawn]:
        """Return the pictures of its accepted records; bars link to the records that they count."""

        def link(name: str, bin: Bin) -> str:
            high = (
                bin.high - 1 if bin.high - bin.low >= 1 else bin.high
            )  # whole numbers: the upper end belongs to the next bin
            asked = (
                {} if name == "pass_rate" else {"status": "accepted"}
            )  # pass rates are of all tasks, not only of accepted records
            asked |= {f"{name}_from": f"{bin.low:g}", f"{name}_to": f"{high:g}"}
            return f"{self.root}/records?{urlencode(asked)}"

        def meet(pattern: str, tool: str) -> str:
            return f"{self.root}/records?{urlencode({'status': 'accepted', 'pattern': pattern, 'tool': tool})}"

        with reading(self.index) as index:
            found = distributions_of(index)
            accepted = {row["number"]: row["accepted"] for row in index.execute("SELECT number, accepted FROM shards")}
        found = replace(found, course=cost_course(self.workspace, accepted))
        return [Drawn(picture) for picture in pictures(found, link, meet).values()]

    def coverage(self) -> dict[str, dict[str, Any]]:
        """Return what there is to cover and what accepted records cover, by the index's name of each kind."""
        graph = self.workspace.graph()
        wanted = to_cover(self.workspace.toolset(), graph.edges if graph else ())
        with reading(self.index) as index:
            return {
                TO_COVER[kind].chosen: held_against(
                    names, {row["name"] for row in tallies(index, TO_COVER[kind].chosen, 10**6) if row["accepted"]}
                )
                for kind, names in wanted.items()
                if names
            }

    def names(self) -> dict[str, list[Any]]:
        """Return the most frequent names of each kind by which records can be searched."""
        with reading(self.index) as index:
            return {kind: tallies(index, kind, NAMES) for kind in FOUND_BY}

    def search(self, search: Search) -> Found:
        """Return a page of the records that match a search."""
        with reading(self.index) as index:
            return find(index, search)

    def record(self, identifier: str) -> tuple[DatasetRecord, list[dict[str, Any]]]:
        """Return a record by its id, and all attempts at its task.

        Raises:
            StoreError: there is none, or its shard cannot be read.
        """
        with reading(self.index) as index:
            row = index.execute(
                "SELECT * FROM records JOIN shown USING (number) WHERE id = ?", (identifier,)
            ).fetchone()
            if row is None:
                raise StoreError(f"{self.name}: holds no record {identifier[:64]}.")
            attempts = [
                dict(other)
                for other in index.execute(
                    "SELECT * FROM records JOIN shown USING (number) WHERE idx = ? ORDER BY attempt", (row["idx"],)
                )
            ]
        record = record_at(self.workspace.shard(row["shard"]), row["row"])
        if record.id != identifier:
            raise StoreError(f"{self.name}: the shard of {identifier} has changed. Wait a moment.")
        if row["late"]:
            record = record.rejected_by(Verdict.model_validate_json(row["late"]))
        return record, attempts

    def origin(self, record: DatasetRecord) -> DatasetRecord | None:
        """Return the dialogue from which a record branches; None if it branches from none.

        Raises:
            ConfigError: the file of branching dialogues is broken.
        """
        path = self.workspace.branched_file
        if not path.exists():
            return None
        held = read_lines(path, DatasetRecord, BRANCH_ANEW)
        return held[record.index] if record.index < len(held) else None

    def neighbours(self, identifier: str, search: Search) -> tuple[str | None, str | None]:
        """Return the ids of the records before and after one on its page of a search."""
        ids = [row["id"] for row in self.search(search).rows]
        if identifier not in ids:
            return None, None
        place = ids.index(identifier)
        return (ids[place - 1] if place else None), (ids[place + 1] if place + 1 < len(ids) else None)
