"""A described domain and the composer's model -> a file of tool definitions that import, and the report of their import."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interplay.flows.roles.cast import open_composer
from interplay.flows.settings.config import RunConfig
from interplay.generators.importers.definitions.importer import import_tool_json
from interplay.generators.importers.definitions.invention import definitions_of, tools_request
from interplay.outputs.store.scratch import scratch_folder
from interplay.schemas.protocols import ChatModel
from interplay.schemas.records.tool import ImportReport

ROUNDS = 2
"""The most times that a model is asked: tools rejected the first time are asked for once more."""


@dataclass(frozen=True)
class InventedTools:
    """Tool definitions, and the report of their import."""

    definitions: tuple[dict[str, Any], ...]
    report: ImportReport

    def text(self) -> str:
        """Return the content of the file of definitions."""
        return json.dumps({"tools": list(self.definitions)}, ensure_ascii=False, indent=2) + "\n"


async def invent_for(config: RunConfig, journal: Path, description: str, count: int) -> InventedTools:
    """Call `invent` with the composer's model of a configuration; its answers are kept in `journal` and reused.

    Raises:
        ConfigError, StoreError: see `open_composer`.
    """
    async with open_composer(config, journal) as model:
        return await invent(description, count, model)


async def invent(description: str, count: int, model: ChatModel) -> InventedTools:
    """Ask a model for `count` tools of a domain; tools that do not import are asked for once more, then left out.

    Raises:
        ModelError, ModelUnavailable, BudgetExceeded: see `ChatModel.complete`.
        ImportFailure: none of them imports.
    """
    request, kept = tools_request(description, count), list[dict[str, Any]]()
    for round_ in range(ROUNDS):
        reply = await model.complete(request)
        names = {tool["name"] for tool in kept}
        answered, rejected = definitions_of(reply.value)
        fresh = [tool for tool in answered if tool["name"] not in names]
        rejected += [item for item in _imported([*kept, *fresh]).reports if item.outcome == "rejected"]
        bad = {item.name for item in rejected}
        kept = [tool for tool in [*kept, *fresh] if tool["name"] not in bad][:count]
        if not rejected or round_ == ROUNDS - 1:
            break
        request = tools_request(description, count, kept, rejected)
    return InventedTools(tuple(kept), _imported(kept))


def _imported(definitions: list[dict[str, Any]]) -> ImportReport:
    with scratch_folder() as folder:
        path = folder / "tools.json"
        path.write_text(json.dumps({"tools": definitions}), encoding="utf-8")
        return import_tool_json(path)
