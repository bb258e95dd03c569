"""A folder on disk <-> the state of a run: its configuration, its tools and graph, its shards, its store.

workspace/
  run.json                     the configuration, and the identity of the run
  toolset.json  graph.json     the tools, and the edges of their graph
  accounts.json                what was inferred of the tools, and why
  phrases.json                 the phrases and example rows from the composer's model, if there is one
  parents.jsonl                the tasks that the run evolves, if any
  starts.jsonl                 where dialogues begin, if not blank
  branched.jsonl               the dialogues that branch, if any
  calibration.json             how reliable its reviewers are, if measured
  labels.jsonl                 people's labels of its records, if any
  curation.json  curated.jsonl what curation left out of exports, and why
  aims/000004.json             what the shards from this one on aim at, if recipes top up
  shards/shard-000000.parquet  the records; these files are the truth for progress
  journal.sqlite               the answers of models, which were paid for and cannot be derived
  dataset.duckdb               derived from all of the above
  merged.jsonl                 where its records come from, in a merged workspace
  withdrawn.jsonl              what was removed or redacted, and why
  exports.jsonl                the exports that were made of it
  report.html                  the figures and some dialogues, to look at
  viewer.sqlite                the index of `interplay view`, derived from the shards
  firings.jsonl                what each firing of a deployment asked for
  models.json                  the state of the models of a run under way
  lock                         the process that works here
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from pydantic import BaseModel

from interplay.flows.settings.config import Evolution, RunConfig
from interplay.flows.workspaces.manifest import AimsFile, DialogueStart, GraphFile, RunFile, decided_at, identify
from interplay.flows.workspaces.run_files import read_lines, read_record, write_record
from interplay.generators.blueprints.recipes.aims import Aim
from interplay.generators.importers.toolset_changes import compare
from interplay.schemas.errors import ConfigError, StoreError
from interplay.schemas.json.canonical import difference, digest
from interplay.schemas.json.record import Record
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.calibration import Calibration, PersonLabel
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import Curation, CurationVerdict, DatasetRecord
from interplay.schemas.versions import WORKSPACE

RESTORE = "Restore it from a copy, or make the records anew in another workspace."
MERGE_ANEW, EVOLVE_ANEW, BRANCH_ANEW = (
    "Merge the workspaces again into a new one.", "Evolve into a new folder.", "Branch into a new folder."
)  # fmt: skip
"""What to do if something is lost that cannot be derived."""
FAR = 10_000
"""How many shards may be missing before one that counts."""
SHOWN, LONGEST = 8, 60
"""The most differences between settings that are shown, and characters of each value."""


def rows_digest(rows: Sequence[BaseModel]) -> str:
    """Return a digest of the rows of a file."""
    return digest([row.model_dump_json() for row in rows])


def _are(rows: Sequence[Blueprint | DatasetRecord], expected: str) -> bool:
    """Tell whether rows match a digest; earlier versions used a digest of their ids."""
    return expected in (rows_digest(rows), digest([row.id for row in rows]))


@dataclass(frozen=True)
class _File:
    """A descriptor for a file of a workspace, by its name."""

    name: str

    def __get__(self, workspace: "Workspace", owner: type | None = None) -> Path:
        return workspace.folder / self.name


class SharedPlace(Record):
    """The URL of a workspace on an object store, noted in its local cache."""

    url: str


@dataclass(frozen=True)
class Workspace:
    """The files of a run; the module docstring lists them."""

    folder: Path

    run_file = _File("run.json")
    toolset_file = _File("toolset.json")
    graph_file = _File("graph.json")
    accounts_file = _File("accounts.json")
    phrases_file = _File("phrases.json")
    parents_file = _File("parents.jsonl")
    starts_file = _File("starts.jsonl")
    branched_file = _File("branched.jsonl")
    calibration_file = _File("calibration.json")
    labels_file = _File("labels.jsonl")
    curation_file = _File("curation.json")
    curated_file = _File("curated.jsonl")
    store_file = _File("dataset.duckdb")
    journal_file = _File("journal.sqlite")
    merged_file = _File("merged.jsonl")
    withdrawn_file = _File("withdrawn.jsonl")
    exports_file = _File("exports.jsonl")
    firings_file = _File("firings.jsonl")
    models_file = _File("models.json")
    lock_file = _File("lock")
    shared_file = _File("shared.json")
    report_file = _File("report.html")
    viewer_file = _File("viewer.sqlite")

    def is_own(self, path: Path) -> bool:
        """Tell whether a path is that of a file or folder of the workspace itself, whether it exists or not."""
        files = {file.name for file in vars(Workspace).values() if isinstance(file, _File)}
        own = (*(self.folder / name for name in files), self.shard(0).parent, self.aims_file(0).parent)
        return any(path.resolve().is_relative_to(place.resolve()) for place in own)

    @property
    def shared(self) -> SharedPlace | None:
        """The place on an object store that this folder is the cache of; None for a local workspace.

        Raises:
            StoreError: the note of it is broken.
        """
        return read_record(self.shared_file, SharedPlace, "Delete it, and name the URL again.")

    @property
    def name(self) -> str:
        """Its name for people and commands: its URL on an object store, or its path."""
        shared = self.shared
        return str(self.folder) if shared is None else shared.url

    @property
    def argument(self) -> str:
        """Its name as an argument of a command, quoted if a shell needs it."""
        return quote(self.name)

    @property
    def anew(self) -> str:
        """What to do if the contents cannot be made again in place."""
        made = {
            self.merged_file: MERGE_ANEW,
            self.parents_file: EVOLVE_ANEW,
            self.branched_file: BRANCH_ANEW,
        }
        again = "Delete it and run again with the same settings, or use another --workspace."
        return next((remedy for path, remedy in made.items() if path.exists()), again)

    @property
    def repair(self) -> str:
        """What to do if something is damaged that `verify` can repair."""
        return f"Make it again with: interplay verify {self.argument} --repair"

    def starts(self) -> tuple[DialogueStart, ...]:
        """Return where dialogues begin.

        Raises:
            ConfigError: the file is missing or broken.
        """
        return read_lines(self.starts_file, DialogueStart, "Delete it, and run again with the same configuration.")

    def branched(self, expected: str) -> tuple[DatasetRecord, ...]:
        """Return the dialogues that branch; `expected` is their `rows_digest`.

        Raises:
            ConfigError: the file is missing, or holds other ones than the run began with.
        """
        records = read_lines(self.branched_file, DatasetRecord, BRANCH_ANEW)
        if not _are(records, expected):
            raise ConfigError(f"{self.branched_file}: holds other dialogues than the run began with. {BRANCH_ANEW}")
        return records

    def calibration(self) -> Calibration | None:
        """Return the calibration of the run's reviewers; None if there is none.

        Raises:
            StoreError: the file is broken.
        """
        return read_record(self.calibration_file, Calibration, "Calibrate again, or delete it.")

    def labels(self) -> tuple[PersonLabel, ...]:
        """Return people's labels of its records; empty if there are none.

        Raises:
            ConfigError: the file is broken.
        """
        return read_labels(self.labels_file) if self.labels_file.exists() else ()

    def curated(self) -> tuple[Curation, frozenset[str]] | None:
        """Return the report of curation, and the ids that it left out of exports; None without curation.

        Raises:
            ConfigError: the files are broken.
        """
        remedy = f"Curate again, with the same options: interplay curate --workspace {self.argument}"
        if (report := read_record(self.curation_file, Curation, remedy)) is None:
            if self.curated_file.exists():
                raise ConfigError(f"{self.curation_file}: is missing, beside the verdicts of a curation. {remedy}")
            return None
        verdicts = read_lines(self.curated_file, CurationVerdict, remedy)
        if report.verdicts not in ("", rows_digest(verdicts)):
            raise ConfigError(f"{self.curated_file}: holds other verdicts than curation gave. {remedy}")
        return report, frozenset(verdict.id for verdict in verdicts)

    def aims_file(self, number: int) -> Path:
        """Return the file of what the shards from `number` on aim at, decided when all before it were loaded."""
        return self.folder / "aims" / f"{number:06d}.json"

    def aims(self, number: int) -> tuple[Aim, ...]:
        """Return what a shard aims at besides its recipes; empty for the first shards.

        Raises:
            ConfigError: it was not decided yet.
        """
        since = decided_at(number)
        if since is None:
            return ()
        held = read_record(self.aims_file(since), AimsFile, RESTORE)
        if held is None:
            raise ConfigError(
                f"{self.aims_file(since)}: is missing. What shard {number} aims at is decided when the {since} shards "
                "before are made and loaded: interplay run does so, or set recipes: {top_up: 0}."
            )
        return held.aims

    def shard(self, number: int) -> Path:
        """Return the path of a shard file; shard k holds the indices from k * size up to (k + 1) * size."""
        return self.folder / "shards" / f"shard-{number:06d}.parquet"

    def finished_shards(self) -> Iterator[Path]:
        """Yield the shard files from the first up to the first that is missing."""
        number = 0
        while self.shard(number).exists():
            yield self.shard(number)
            number += 1

    def made(self) -> int:
        """Return how many indices the finished shards hold."""
        finished = sum(1 for _ in self.finished_shards())
        return self.existing_run().config.shard(finished - 1).stop if finished else 0

    def exhausted(self) -> bool:
        """Tell whether a run with a fixed number of indices has made all of them, however many were accepted."""
        return self.existing_run().config.indices == self.made()

    def missing_shard(self) -> Path | None:
        """Return the path of the first missing shard before an existing one; None if none is missing."""
        return next((path for path in map(self.shard, range(self.last_shard())) if not path.exists()), None)

    def last_shard(self) -> int:
        """Return the highest number of an existing shard file, strays aside; -1 if there is none."""
        found = self._shard_numbers()
        return max((number for place, number in enumerate(found) if number <= place + FAR), default=-1)

    def strays(self) -> list[Path]:
        """Return the files that are named as shards are, but so far behind the others that they are none of the run."""
        return [self.shard(number) for place, number in enumerate(self._shard_numbers()) if number > place + FAR]

    def _shard_numbers(self) -> list[int]:
        names = [path.stem.removeprefix("shard-") for path in self.shard(0).parent.glob("shard-*.parquet")]
        return sorted(int(name) for name in names if name.isdecimal())

    def run(self) -> RunFile | None:
        """Return the run of the workspace; None if it is new.

        Raises:
            ConfigError: it is of a newer version.
            StoreError: its run.json is broken.
        """
        return read_record(self.run_file, RunFile, self.anew, WORKSPACE)

    @property
    def is_merged(self) -> bool:
        """Whether its records come from other workspaces."""
        run = self.run()
        return self.merged_file.exists() or (run is not None and run.merged)

    def parts(self) -> "list[Workspace]":
        """Return the workspaces in a folder of parts, as deployments make them, sorted by name; empty for a workspace itself."""
        if self.run_file.exists():
            return []
        return [Workspace(path.parent) for path in sorted(self.folder.glob(f"*/{self.run_file.name}"))]

    def require_present(self) -> None:
        """Check that a workspace that was begun still exists.

        Raises:
            StoreError: it was deleted or moved away.
        """
        if not self.run_file.exists():
            raise StoreError(
                f"{self.name}: was deleted or moved away while the run went on, which ends here. Begin anew with the same command, "
                "or bring the folder back and run again."
            )

    def existing_run(self) -> RunFile:
        """Return the run of the workspace.

        Raises:
            ConfigError: it holds no run yet.
        """
        run = self.run()
        if run is None and self.last_shard() >= 0:
            raise ConfigError(
                f"{self.name}: holds shards, and no run.json that tells what they are of: it was lost, or a merge was broken off. "
                "Run the same interplay merge again, restore the file from a copy, or delete the folder and make it anew."
            )
        if run is None and (parts := self.parts()):
            told = ", ".join(part.folder.name for part in parts[:SHOWN])
            more = f" and {len(parts) - SHOWN} more" if len(parts) > SHOWN else ""
            raise ConfigError(
                f"{self.name}: holds no run itself, and {len(parts)} parts, each a workspace of its own: {told}{more}. Name one of them, "
                f"such as {parts[-1].argument}, or join them: interplay merge {self.argument} --to joined"
            )
        if run is None:
            raise ConfigError(
                f"{self.name}: holds no run. Make one with: interplay run --workspace {self.argument} "
                "(or name another with --workspace)."
            )
        return run

    def toolset(self) -> Toolset:
        """Return the tools of the run.

        Raises:
            StoreError: the file is missing or broken.
        """
        toolset = read_record(self.toolset_file, Toolset, self.repair)
        if toolset is None:
            raise StoreError(f"{self.toolset_file}: is missing. {self.repair}")
        return toolset

    def toolset_changes(self, toolset: Toolset | None) -> str:
        """Return how a toolset differs from the one that the run began with, as the end of a sentence."""
        if toolset is None or not self.toolset_file.exists():
            return ""
        difference = compare(self.toolset(), toolset)
        return "" if difference.is_empty else f" ({difference.summary()})"

    def require_code(self, known: RunFile, code: Mapping[str, str]) -> None:
        """Check that the code of tools is the one that the run began with, if both digests are known.

        Raises:
            ConfigError: some of it has changed.
        """
        changed = sorted(name for name in known.code.keys() | code.keys() if known.code.get(name) != code.get(name))
        if known.code and code and changed:
            raise ConfigError(
                f"{self.name}: the code of its tools has changed since ({', '.join(changed[:SHOWN])}), and records of two codes do not "
                "belong together. Bring the code back as it was, or use another --workspace."
            )

    def graph(self) -> GraphFile | None:
        """Return the edges of the tool graph; None if it was not built yet."""
        return read_record(self.graph_file, GraphFile, self.repair)

    def parents(self, evolution: Evolution) -> tuple[Blueprint, ...]:
        """Return the tasks that the run evolves.

        Raises:
            ConfigError: the file is missing, or holds other ones than the run began with.
        """
        path, remedy = self.parents_file, EVOLVE_ANEW
        parents = read_lines(path, Blueprint, remedy)
        if not _are(parents, evolution.parents):
            raise ConfigError(f"{path}: holds other tasks than the run began with. {remedy}")
        return parents

    def _is_blank(self) -> bool:
        """Tell whether a run was noted here but nothing was made or paid for, so that another one may take its place."""
        from interplay.generators.models.journal.journal_report import batches, entries  # noqa: PLC0415 - rarely needed

        kept = (self.starts_file, self.parents_file, self.branched_file, self.store_file)
        if any(path.exists() for path in kept) or any(self.shard(0).parent.glob("*")):
            return False
        paid = self.journal_file.exists() and (any(entries(self.journal_file)) or batches(self.journal_file))
        return not paid

    def begin(self, run: RunFile, toolset: Toolset | None = None) -> RunFile:
        """Note the run of the workspace, or check that it is the same as the noted one; return what is noted.

        With the `toolset` of the run, the error can name the tools that changed. A run that was noted but never made or paid for
        anything, for example because a key was missing, is replaced.

        Raises:
            ConfigError: it was made with other settings, tools or another version.
        """
        known = self.run()
        if known is not None and (known.run, known.code) != (run.run, run.code) and self._is_blank():
            self.toolset_file.unlink(missing_ok=True)
            known = None
        if known is not None:
            _require_same(self, known, run, toolset)
            records = max(known.config.records, run.config.records)
            run = run.model_copy(update={"config": run.config.asking(records)})
        elif self.shard(0).exists():
            from interplay.outputs.store.shard_file import read_shard  # noqa: PLC0415 - Arrow, which few runs begin with

            first = next(read_shard(self.shard(0)))
            if first.run != run.run:
                raise ConfigError(
                    f"{self.name}: holds shards of another run, and no run.json. Use another --workspace."
                )
        if run != known:
            write_record(self.run_file, run, indent=2)
        return run


def require_settings(workspace: Workspace, config: RunConfig) -> None:
    """Check that a workspace, if it was begun, was begun with these settings.

    Raises:
        ConfigError: it was made with others.
    """
    known = workspace.run()
    if known is not None and not workspace.is_merged:
        _require_same(workspace, known, identify(config, known.toolset, known.version), None)


def _require_same(workspace: Workspace, known: RunFile, asked: RunFile, toolset: Toolset | None) -> None:
    """Check that the run of a workspace is the one that is asked for; the error names the differences."""
    if known.run == asked.run:
        workspace.require_code(known, asked.code)
        return
    if workspace.is_merged:
        raise ConfigError(
            f"{workspace.name}: joins other workspaces, and nothing is added to it. Make records in those, and merge "
            "them again into a new one."
        )
    folder, remedy = workspace.name, "Ask for the same again, or use another --workspace."
    changes = difference(known.config.identity(), asked.config.identity())
    if changes:
        told = [f"{change.path[1:]}: {_short(change.before)} -> {_short(change.after)}" for change in changes[:SHOWN]]
        told += [f"{len(changes) - SHOWN} more"] if len(changes) > SHOWN else []
        raise ConfigError(f"{folder}: was made with other settings ({', '.join(told)}). {remedy}")
    told_tools = workspace.toolset_changes(toolset)  # "" if only this build's description of the tools differs
    if known.toolset != asked.toolset and (told_tools or toolset is None):
        sources = ", ".join(asked.config.identity()["toolset"])
        raise ConfigError(f"{folder}: the tools of {sources} have changed since{told_tools}. {remedy}")
    made = (
        f"interplay {known.version}"
        if known.version != asked.version
        else f"an earlier build of interplay {asked.version}"
    )
    raise ConfigError(
        f"{folder}: was made with {made}, and this one makes other records. It can be read and exported as it is; "
        "to make more, use that version again, or another --workspace."
    )


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def read_labels(path: Path) -> tuple[PersonLabel, ...]:
    """Read people's labels of dialogues.

    Raises:
        ConfigError: the file is missing, or holds something else.
    """
    return read_lines(path, PersonLabel, 'Give one JSON object a line: {"id": "...", "person": "...", "sound": true}.')
