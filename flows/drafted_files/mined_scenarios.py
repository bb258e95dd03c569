"""A toolset, texts and the composer's model -> a file of scenarios for the setting `inspirations`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from interplay.flows.roles.cast import open_composer
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.run_files import read_prose
from interplay.flows.worlds.assembly import open_world
from interplay.generators.blueprints.by_model.inspirations import Variation, scenarios_request, unlike
from interplay.schemas.protocols import ChatModel
from interplay.schemas.records.tool import Toolset

TURNS: tuple[Variation, ...] = ("", "action", "subject")
"""What is asked for in turn: new scenarios, and variations of known ones."""

IN_VAIN = 3
"""Answers in a row without anything new after which the search ends."""


@dataclass(frozen=True)
class MinedScenarios:
    """Scenarios, and how many others were left out because they were alike."""

    scenarios: tuple[str, ...]
    alike: int

    def text(self) -> str:
        """Return the content of the file of scenarios."""
        return yaml.safe_dump(list(self.scenarios), allow_unicode=True, width=120)


async def mine(toolset: Toolset, model: ChatModel, count: int, texts: Sequence[str] = ()) -> MinedScenarios:
    """Ask a model for scenarios until there are `count`, or nothing new comes.

    Raises:
        ModelError, ModelUnavailable, BudgetExceeded: see `ChatModel.complete`.
    """
    found: list[str] = []
    alike, vain, turn = 0, 0, 0
    while len(found) < count and vain < IN_VAIN:
        varied = TURNS[turn % len(TURNS)] if found else ""
        reply = await model.complete(scenarios_request(toolset, count - len(found), texts, found, varied))
        fresh = unlike(reply.value["scenarios"], found)
        alike += len(reply.value["scenarios"]) - len(fresh)
        vain, turn = 0 if fresh else vain + 1, turn + 1
        found += fresh
    return MinedScenarios(tuple(found[:count]), alike)


async def mine_for(config: RunConfig, journal: Path, count: int, files: Sequence[Path] = ()) -> MinedScenarios:
    """Call `mine` with the toolset and the composer's model of a configuration; see `invent_for`.

    Raises:
        ConfigError, StoreError: a text cannot be read; see also `open_composer`.
    """
    texts = [read_prose(path) for path in files]
    async with open_composer(config, journal) as model:
        return await mine(open_world(config.toolset).toolset, model, count, texts)
