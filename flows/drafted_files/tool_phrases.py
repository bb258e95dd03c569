"""A toolset, and the composer's model where there is one -> phrases for its tools, shown and saved in a file of overrides."""

import re
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent
from typing import Any

import yaml

from interplay.flows.roles.cast import open_composer
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import OpenedWorld, open_world
from interplay.flows.worlds.proposed_phrases import propose_phrases
from interplay.generators.environments.overrides.override_file import load_overrides
from interplay.generators.phrases.intents import why_unasked
from interplay.generators.phrases.phrase_proposals import Proposed
from interplay.generators.phrases.plain_phrases import plain_phrases
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.record import Record
from interplay.schemas.records.phrases import ToolPhrases
from interplay.schemas.records.tool import SEARCH_TOOL, Tool


class PhrasedTool(Record):
    """One tool, what people call it, where that is from, and why no task is about it, if none is."""

    tool: str
    by: str
    phrases: ToolPhrases
    unasked: str = ""
    left_out: str = ""


async def phrases_for(config: RunConfig, journal: Path) -> tuple[PhrasedTool, ...]:
    """Return what people call the tools of a configuration: by their authors, by its composer's model, else in a plain form.

    Raises:
        ConfigError, ImportFailure, StoreError: a toolset is not understood, or the journal cannot be opened.
        ModelUnavailable, BudgetExceeded: the model cannot be asked now.
    """
    world, made = open_world(config.toolset), Proposed({}, {})
    if "composer" in config.roles:
        async with open_composer(config, journal) as model:
            made = await propose_phrases(world, model)
    return tuple(_phrased(world, tool, made) for tool in world.toolset.tools if tool.name != SEARCH_TOOL)


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


def saved_phrases(path: Path, tools: Sequence[PhrasedTool]) -> str:
    """Return the text of a file of overrides with the phrases of tools added; what it says already stays as it is.

    Those that the author gave are left as they are, and those for which nobody would ask are in comments.

    Raises:
        ConfigError: what stands there is no file of overrides, or is written such that only its author can add to it.
    """
    before = path.read_text(encoding="utf-8") if path.is_file() else HEADER
    held = yaml.safe_load(before) or {}
    if path.is_file():
        load_overrides(path)  # tells what is wrong with it
    made = {item.tool: item for item in tools if item.by != "author"}
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
    block = doubts + (
        indent(yaml.safe_dump(fresh, sort_keys=False, allow_unicode=True, width=110), "  ") if fresh else ""
    )
    text = _with_block(before, block)
    expected = {**held, "tools": {**(held.get("tools") or {}), **fresh}}
    if not fresh:
        return before
    try:
        same = yaml.safe_load(text) == expected
    except yaml.YAMLError:
        same = False
    if not same:
        raise ConfigError(f"{path}: `tools:` is not written as a block, one tool a line. Save to another file.")
    return text


def _with_block(text: str, block: str) -> str:
    """Return a file with more tools: right below `tools:` where that is there, else at its end."""
    at = re.search(r"^tools:[ ]*(?:#.*)?$\n?", text, re.MULTILINE)
    if at is None:
        return f"{text.rstrip()}\n\ntools:\n{block}"
    return text[: at.end()] + block + text[at.end() :]


def _plain(phrases: ToolPhrases) -> dict[str, Any]:
    """Return phrases as an author would write them: without what is empty."""
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
