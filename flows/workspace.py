"""A folder on disk <-> the state of a run: what was asked for, its tools and graph, its shards, its store.

workspace/
  run.json                     the configuration, and the identity of the run
  toolset.json  graph.json     the tools, and the edges of their graph
  parents.jsonl                the tasks that the run evolves, where it evolves some
  starts.jsonl                 where dialogues begin, where that is not blank
  branched.jsonl               the dialogues that branch, where the run is about these
  aims/000004.json             what the shards from this one on aim at, where recipes top up
  shards/shard-000000.parquet  the records; these files are the truth for progress
  journal.sqlite               what models answered; it is paid for, and never derived
  dataset.duckdb               derived from all of the above
  lock                         the process that works here
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from interplay.flows.config import Evolution, RunConfig, load_config
from interplay.flows.sessions import Beginning
from interplay.flows.specs import place_spec
from interplay.generators.blueprints.aims import Aim
from interplay.generators.importers.synchronise import compare
from interplay.schemas.blueprint import Blueprint
from interplay.schemas.canonical import difference, digest
from interplay.schemas.errors import ConfigError, StoreError
from interplay.schemas.graph import Edge
from interplay.schemas.record import Record
from interplay.schemas.tools import Toolset
from interplay.schemas.verdict import DatasetRecord

CONFIG_NAME = "interplay.yaml"
_R = TypeVar("_R", bound=Record)


class RunFile(Record):
    """What a workspace was made for; `run` is the digest of all that decides a record's bytes.

    `source` is the configuration file that the settings are from, if nothing on the command line altered them.
    """

    run: str
    config: RunConfig
    fingerprint: str
    toolset: str
    version: str
    source: str | None = None


class GraphFile(Record):
    """The edges of a tool graph, and the run that they are for."""

    run: str
    edges: tuple[Edge, ...]


class AimsFile(Record):
    """What the accepted tasks of all shards before did not cover."""

    aims: tuple[Aim, ...]


SHOWN, LONGEST = 8, 60
"""Differences between settings that are told, and characters of each value."""

TOP_UP_FROM = 4
"""The first shard that may aim at holes; from then on they are looked for anew whenever the shards have doubled."""


def decided_at(number: int) -> int | None:
    """Return the shard before which the aims of a shard are decided: the last power of two, none for the first shards."""
    return 1 << (number.bit_length() - 1) if number >= TOP_UP_FROM else None


def identify(config: RunConfig, toolset: str, version: str, source: Path | None = None) -> RunFile:
    """Return the identity of a run; no time, place or chance is part of it."""
    fingerprint = config.fingerprint()
    return RunFile(
        run=digest([fingerprint, toolset, version]),
        config=config,
        fingerprint=fingerprint,
        toolset=toolset,
        version=version,
        source=str(source) if source else None,
    )


@dataclass(frozen=True)
class Workspace:
    """The files of a run."""

    folder: Path

    @property
    def run_file(self) -> Path:
        """Configuration and identity."""
        return self.folder / "run.json"

    @property
    def toolset_file(self) -> Path:
        """The tools."""
        return self.folder / "toolset.json"

    @property
    def graph_file(self) -> Path:
        """The edges of the tool graph."""
        return self.folder / "graph.json"

    @property
    def parents_file(self) -> Path:
        """The tasks that the run evolves, where it evolves some."""
        return self.folder / "parents.jsonl"

    @property
    def starts_file(self) -> Path:
        """Where dialogues begin, where that is not from a blank state."""
        return self.folder / "starts.jsonl"

    def starts(self) -> tuple[Beginning, ...]:
        """Return where dialogues begin.

        Raises:
            ConfigError: the file is missing or broken.
        """
        return _read_lines(self.starts_file, Beginning, "Run again with the same configuration.")

    @property
    def branched_file(self) -> Path:
        """The dialogues that branch, where the run is about these."""
        return self.folder / "branched.jsonl"

    def branched(self, expected: str) -> tuple[DatasetRecord, ...]:
        """Return the dialogues that branch; `expected` is the digest of their ids.

        Raises:
            ConfigError: the file is missing, or holds others than the run began with.
        """
        records = _read_lines(self.branched_file, DatasetRecord, "Branch into a new folder.")
        if digest([record.id for record in records]) != expected:
            raise ConfigError(f"{self.branched_file}: holds other dialogues than the run began with.")
        return records

    def aims_file(self, number: int) -> Path:
        """What the shards from `number` on aim at, as was decided when all before it were loaded."""
        return self.folder / "aims" / f"{number:06d}.json"

    def aims(self, number: int) -> tuple[Aim, ...]:
        """Return what a shard aims at besides its recipes; nothing for the first ones.

        Raises:
            ConfigError: it was not decided yet.
        """
        since = decided_at(number)
        if since is None:
            return ()
        held = _read(self.aims_file(since), AimsFile)
        if held is None:
            raise ConfigError(
                f"{self.aims_file(since)}: is missing. What shard {number} aims at is decided when the {since} shards "
                "before are made and loaded: interplay run does so, or set recipes: {top_up: 0}."
            )
        return held.aims

    @property
    def store_file(self) -> Path:
        """The database, derived from the rest."""
        return self.folder / "dataset.duckdb"

    @property
    def journal_file(self) -> Path:
        """The answers of models, kept before anybody reads them."""
        return self.folder / "journal.sqlite"

    @property
    def lock_file(self) -> Path:
        """Held by the process that works here, and names it."""
        return self.folder / "lock"

    def shard(self, number: int) -> Path:
        """Return the path of a shard file; shard k holds the indices from k * size up to (k + 1) * size."""
        return self.folder / "shards" / f"shard-{number:06d}.parquet"

    def finished_shards(self) -> Iterator[Path]:
        """Yield the shard files from the first up to the first that is missing."""
        number = 0
        while self.shard(number).exists():
            yield self.shard(number)
            number += 1

    def run(self) -> RunFile | None:
        """Return what the workspace was made for, or none when it is new.

        Raises:
            StoreError: its run.json is broken.
        """
        return _read(self.run_file, RunFile)

    def existing_run(self) -> RunFile:
        """Return what the workspace was made for.

        Raises:
            ConfigError: nothing was made in it yet.
        """
        run = self.run()
        if run is None:
            raise ConfigError(
                f"{self.folder}: holds no run. Make one with: interplay run --workspace {self.folder} "
                "(or name another with --workspace)."
            )
        return run

    def toolset(self) -> Toolset:
        """Return the tools of the run.

        Raises:
            StoreError: the file is missing or broken.
        """
        toolset = _read(self.toolset_file, Toolset)
        if toolset is None:
            raise StoreError(f"{self.toolset_file}: is missing. Write it again with: interplay run")
        return toolset

    def told(self, toolset: Toolset | None) -> str:
        """Tell how a toolset differs from the one that the run began with, as the end of a sentence."""
        if toolset is None or not self.toolset_file.exists():
            return ""
        difference = compare(self.toolset(), toolset)
        return "" if difference.is_empty else f" ({difference.summary()})"

    def graph(self) -> GraphFile | None:
        """Return the edges of the tool graph, or none when they were not found yet."""
        return _read(self.graph_file, GraphFile)

    def parents(self, evolution: Evolution) -> tuple[Blueprint, ...]:
        """Return the tasks that the run evolves.

        Raises:
            ConfigError: the file is missing, or holds others than the run began with.
        """
        path, remedy = self.parents_file, "Evolve into a new folder."
        parents = _read_lines(path, Blueprint, remedy)
        if digest([parent.id for parent in parents]) != evolution.parents:
            raise ConfigError(f"{path}: holds other tasks than the run began with. {remedy}")
        return parents

    def _is_blank(self) -> bool:
        """Tell whether a run was noted here and nothing came of it so far, so that another one may take its place."""
        kept = (self.starts_file, self.parents_file, self.branched_file, self.store_file)
        return not any(path.exists() for path in kept) and not any(self.shard(0).parent.glob("*"))

    def begin(self, run: RunFile, toolset: Toolset | None = None) -> RunFile:
        """Note what the workspace is for, or check that it is for the same; return what is noted.

        With the `toolset` of the run, the check can tell which tools are others than before. What was noted and never made,
        as when a key was missing, is replaced.

        Raises:
            ConfigError: it was made with other settings, tools or another version.
        """
        known = self.run()
        if known is not None and known.run != run.run and self._is_blank():
            self.toolset_file.unlink(missing_ok=True)
            known = None
        if known is not None:
            _require_same(self, known, run, toolset)
            records = max(known.config.records, run.config.records)
            run = run.model_copy(update={"config": run.config.model_copy(update={"records": records})})
        elif self.shard(0).exists():
            from interplay.outputs.shards import read_shard  # noqa: PLC0415 - Arrow, which few runs begin with

            first = next(read_shard(self.shard(0)))
            if first.run != run.run:
                raise ConfigError(
                    f"{self.folder}: holds shards of another run, and no run.json. Use another --workspace."
                )
        if run != known:
            write_text(self.run_file, run.model_dump_json(indent=2) + "\n")
        return run


def _require_same(workspace: Workspace, known: RunFile, asked: RunFile, toolset: Toolset | None) -> None:
    """Compare what a workspace was made for with what is asked for.

    Raises:
        ConfigError: they differ; it tells in what, and what to do.
    """
    if known.run == asked.run:
        return
    folder, remedy = workspace.folder, "Ask for the same again, or use another --workspace."
    changes = difference(known.config.identity(), asked.config.identity())
    if changes:
        told = [f"{change.path[1:]}: {_short(change.before)} -> {_short(change.after)}" for change in changes[:SHOWN]]
        told += [f"{len(changes) - SHOWN} more"] if len(changes) > SHOWN else []
        raise ConfigError(f"{folder}: was made with other settings ({', '.join(told)}). {remedy}")
    if known.toolset != asked.toolset:
        sources = ", ".join(asked.config.identity()["toolset"])
        raise ConfigError(f"{folder}: the tools of {sources} have changed since{workspace.told(toolset)}. {remedy}")
    raise ConfigError(f"{folder}: was made with interplay {known.version}, this is {asked.version}. {remedy}")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def journal_beside(file: Path) -> Path:
    """Return where the model's answers are kept from which a file is made: `tools.json` -> `tools.json.journal.sqlite`."""
    return file.with_name(f"{file.name}.journal.sqlite")


def choose_config(
    config: Path | None, toolset: tuple[str, ...], workspace: Workspace, folder: Path
) -> tuple[RunConfig, Path | None]:
    """Return the configuration to run, and the file that it is from.

    In this order: the file given; the toolset given; interplay.yaml in the workspace or in `folder`, unless the
    workspace was made from something else; what the workspace was made with; the clinic.

    Raises:
        ConfigError: the file cannot be read.
    """
    placed = tuple(place_spec(spec, Path.cwd()) for spec in toolset)
    if config is not None:
        loaded = load_config(config)
        return (loaded.model_copy(update={"toolset": placed}), None) if toolset else (loaded, config.absolute())
    if toolset:
        return RunConfig(toolset=placed), None
    known = workspace.run()
    for place in (workspace.folder / CONFIG_NAME, folder / CONFIG_NAME):
        if place.exists():
            loaded, source = load_config(place), place.absolute()
            if known is None or known.source == str(source) or known.fingerprint == loaded.fingerprint():
                return loaded, source
    if known is not None:
        return known.config, Path(known.source) if known.source else None
    return RunConfig(), None


def config_here(config: Path | None, folder: Path) -> RunConfig:
    """Return the configuration of a file, or of interplay.yaml in `folder`.

    Raises:
        ConfigError: there is none, or it cannot be read.
    """
    return load_config(config or folder / CONFIG_NAME)


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, unless it is there.

    Raises:
        StoreError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be made ({error.strerror}). Name another folder.") from error


def read_prose(path: Path) -> str:
    """Return a text that somebody wrote.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise ConfigError(f"{path}: cannot be read ({why}). Name a text file.") from error


def require_free(path: Path, force: bool, other: str = "name another file") -> None:
    """Check that nothing is at a path that is to be written, or that it may be replaced.

    Raises:
        ConfigError: something is; it tells to use --force or to do the `other`.
    """
    if path.exists() and not force:
        raise ConfigError(f"{path}: is there already. Replace it with --force, or {other}.")


def write_text(path: Path, text: str) -> None:
    """Write a file in one step: it is there complete, or as it was.

    Raises:
        StoreError: it cannot be written.
    """
    partial = path.with_name(f"{path.name}.partial")
    make_folder(path.parent)
    try:
        with partial.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise StoreError(f"{path}: cannot be written ({error.strerror}). Put this right and run again.") from error


def _read_lines(path: Path, record: type[_R], remedy: str) -> tuple[_R, ...]:
    """Read one record a line.

    Raises:
        ConfigError: the file is missing, or holds something else.
    """
    try:
        return tuple(record.model_validate_json(line) for line in path.read_bytes().splitlines())
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}). {remedy}") from error
    except ValidationError as error:
        raise ConfigError(f"{path}: does not hold one {record.__name__} a line. {remedy}") from error


def _read(path: Path, record: type[_R]) -> _R | None:
    try:
        return record.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise StoreError(f"{path.parent}: is a file. Name a folder with --workspace.") from error
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror}).") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = "/".join(str(part) for part in first["loc"]) or "the file"
        raise StoreError(
            f"{path}: is broken, or of another version ({where}: {first['msg']}). Delete it and run again with the same "
            "settings, or use another --workspace."
        ) from error
