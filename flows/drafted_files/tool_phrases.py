"""A toolset, and the composer's model if there is one -> phrases for its tools, shown or saved in a file of overrides."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import Any

import yaml

from interplay.flows.roles.cast import open_composer
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import OpenedWorld, open_world
from interplay.flows.worlds.proposed_phrases import propose_phrases
from interplay.flows.worlds.proposed_rows import ProposedRows, propose_rows
from interplay.generators.environments.overrides.override_file import load_overrides
from interplay.generators.phrases.intents import why_unasked
from interplay.generators.phrases.phrase_proposals import Proposed
from interplay.generators.phrases.plain_phrases import plain_phrases
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.record import Record
from interplay.schemas.records.phrases import ToolPhrases
from interplay.schemas.records.tool import SEARCH_TOOL, Tool


class PhrasedTool(Record):
    """One tool: its phrases, who made them (`author`, `model` or `rules`), and why no task is about it, if so."""

    tool: str
    by: str
    phrases: ToolPhrases
    unasked: str = ""
    left_out: str = ""


@dataclass(frozen=True)
class PhrasedToolset:
    """The phrases of all tools of a toolset, and example rows by resource."""

    tools: tuple[PhrasedTool, ...]
    rows: Mapping[str, tuple[dict[str, Any], ...]]


async def phrases_for(config: RunConfig, journal: Path) -> PhrasedToolset:
    """Return the phrases of a configuration's tools: from their author, else from the composer's model, else by rules.

    Example rows come from the model, if there is one.

    Raises:
        ConfigError, ImportFailure, StoreError: a toolset is not understood, or the journal cannot be opened.
        ModelUnavailable, BudgetExceeded: the model cannot be asked now.
    """
    world, made, rows = open_world(config.toolset), Proposed({}, {}), ProposedRows({}, {})
    if "composer" in config.roles:
        async with open_composer(config, journal) as model:
            made, rows = await propose_phrases(world, model), await propose_rows(world, model)
    tools = (tool for tool in world.toolset.tools if tool.name != SEARCH_TOOL)
    return PhrasedToolset(tuple(_phrased(world, tool, made) for tool in tools), rows.rows)


def _phrased(world: OpenedWorld, tool: Tool, made: Proposed) -> PhrasedTool:
    own = made.phrases.get(tool.name)
    by = "author" if tool.phrases.wishes else "model" if own else "rules"
    known = tool.model_copy(update={"phrases": tool.phrases.over(own)}) if own else tool
    role = world.environment.resources.role(tool.name)
    return PhrasedTool(
        tool=tool.name,
        by=by,
        phrases=known.phrases
        if known.phrases.unasked
        else known.phrases.over(plain_phrases(known, role, world.toolset.spoken_nouns)),
        unasked=why_unasked(known),
        left_out=made.left_out.get(tool.name, ""),
    )


def saved_phrases(path: Path, told: PhrasedToolset) -> str:
    """Return the text of a file of overrides with phrases and example rows added; existing entries stay as they are.

    Phrases of the author are not repeated, and those that nobody would use become comments.

    Raises:
        ConfigError: the file is no file of overrides, or its layout does not allow additions.
    """
    before = path.read_text(encoding="utf-8") if path.is_file() else HEADER
    held = yaml.safe_load(before) or {}
    if path.is_file():
        load_overrides(path)  # raises if it is no file of overrides
    made = {item.tool: item for item in told.tools if item.by != "author"}
    said = {
        name: {"phrases": _plain(item.phrases)}
        for name, item in made.items()
        if item.phrases.unasked or not item.unasked
    }
    fresh = {name: own for name, own in said.items() if name not in (held.get("tools") or {})}
    doubts = "".join(
        f"  # {item.tool}: {item.unasked}: {item.phrases.wishes[0]}\n"
        for item in made.values()
        if item.tool not in said
    )
    rows = {
        name: {"examples": list(own)} for name, own in told.rows.items() if name not in (held.get("resources") or {})
    }
    if not fresh and not rows:
        return before
    text = _with_block(before, "tools", doubts + _block(fresh)) if fresh else before
    text = _with_block(text, "resources", _block(rows)) if rows else text
    added: dict[str, dict[str, Any]] = {"tools": fresh, "resources": rows}
    expected = {**held, **{key: {**(held.get(key) or {}), **new} for key, new in added.items() if new}}
    try:
        same = yaml.safe_load(text) == expected
    except yaml.YAMLError:
        same = False
    if not same:
        raise ConfigError(
            f"{path}: `tools:` or `resources:` is not written as a block, one a line. Save to another file."
        )
    return text


def _block(said: Mapping[str, Any]) -> str:
    """Return YAML indented to be placed below a key."""
    return indent(yaml.safe_dump(dict(said), sort_keys=False, allow_unicode=True, width=110), "  ") if said else ""


def _with_block(text: str, key: str, block: str) -> str:
    """Return a file with a block inserted right below a key, or with key and block appended."""
    at = re.search(rf"^{key}:[ ]*(?:#.*)?$\n?", text, re.MULTILINE)
    if at is None:
        return f"{text.rstrip()}\n\n{key}:\n{block}"
    return text[: at.end()] + block + text[at.end() :]


def _plain(phrases: ToolPhrases) -> dict[str, Any]:
    """Return phrases as an author would write them, without empty parts."""
    told = phrases.model_dump(mode="json", exclude_defaults=True)
    if "arguments" in told:
        told["arguments"] = {
            name: {key: own for key, own in item.items() if own} for name, item in told["arguments"].items()
        }
    return told


HEADER = """\
# What people call the tools. Look it over; the file stands beside the source, or is named so:
# openapi:your_api.yaml?overrides=THIS_FILE
"""
