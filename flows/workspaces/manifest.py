"""The records in the small files of a workspace."""

from pathlib import Path
from typing import Any

from pydantic import Field

from interplay.flows.settings.config import RunConfig
from interplay.generators.blueprints.recipes.aims import Aim
from interplay.outputs.exporters.export_formats import FormatName, Shape
from interplay.outputs.exporters.export_settings import ExportSettings
from interplay.schemas.json.canonical import digest
from interplay.schemas.json.record import Record
from interplay.schemas.records.dialogue import Start
from interplay.schemas.records.phrases import ToolPhrases
from interplay.schemas.records.recipe import Persona
from interplay.schemas.records.tool_graph import Edge
from interplay.schemas.versions import WORKSPACE

TOP_UP_FROM = 4
"""The first shard that may aim at holes; from then on they are determined again whenever the number of shards has doubled."""


class RunFile(Record):
    """What a workspace was made for; `run` is the digest of everything that decides a record's bytes.

    `format` is the version of the workspace's files, `version` that of the program that made the records. `source` is the
    configuration file, if the command line changed nothing in it; `merged` tells that the records come from other workspaces;
    `code` holds digests of tools that are code, by module, if they were noted.
    """

    format: int = WORKSPACE.version
    run: str
    config: RunConfig
    fingerprint: str
    toolset: str
    version: str
    source: str | None = None
    merged: bool = False
    code: dict[str, str] = Field(default_factory=dict)


class GraphFile(Record):
    """The edges of a tool graph, and the run that they are for."""

    run: str
    edges: tuple[Edge, ...]


class PhrasesFile(Record):
    """The composer's phrases for tools, its example rows by resource, and why others were left out."""

    run: str
    phrases: dict[str, ToolPhrases]
    rows: dict[str, tuple[dict[str, Any], ...]] = Field(default_factory=dict)
    left_out: dict[str, str] = Field(default_factory=dict)


class AimsFile(Record):
    """What the accepted tasks of all earlier shards do not cover."""

    aims: tuple[Aim, ...]


def decided_at(number: int) -> int | None:
    """Return the shard before which the aims of a shard are decided: the last power of two; None for the first shards."""
    return 1 << (number.bit_length() - 1) if number >= TOP_UP_FROM else None


def identify(config: RunConfig, toolset: str, version: str, source: Path | None = None) -> RunFile:
    """Return the identity of a run, which depends on no time, place or chance."""
    fingerprint = config.fingerprint()
    return RunFile(
        run=digest([fingerprint, toolset, version]),
        config=config,
        fingerprint=fingerprint,
        toolset=toolset,
        version=version,
        source=str(source) if source else None,
    )


class MadeExport(Record):
    """An export of a workspace: its options, so that it can be made again, and the folder of the workspace at the time."""

    folder: str
    workspace: str = ""
    format: FormatName
    shape: Shape
    reasoning: bool = True
    labels: str | None = None
    settings: ExportSettings = ExportSettings()


class DialogueStart(Record):
    """Where a dialogue continues, and the persona of its user so far, if known."""

    start: Start
    persona: Persona | None = None
