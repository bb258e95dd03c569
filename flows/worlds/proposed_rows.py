"""A world and a model -> example rows for the resources of its sandboxes."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interplay.flows.worlds.assembly import OpenedWorld, WorldPart
from interplay.generators.environments.overrides.row_proposals import open_resources, proposed_rows, rows_request
from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.schemas.errors import ModelError, ModelUnavailable
from interplay.schemas.protocols import ChatModel

REASON = 200
"""The most characters of why the rows of a resource were left out."""


@dataclass(frozen=True)
class ProposedRows:
    """Example rows by resource, and why those of other resources were left out."""

    rows: Mapping[str, tuple[dict[str, Any], ...]]
    left_out: Mapping[str, str]


async def propose_rows(world: OpenedWorld, model: ChatModel) -> ProposedRows:
    """Ask a model for example rows of each made-up resource; once more if an answer is rejected.

    Raises:
        ModelUnavailable, BudgetExceeded: the model cannot be asked now.
    """
    asked = [(part, name) for part in world.parts if isinstance(part.environment, Sandbox) for name in _named(part)]
    made = await asyncio.gather(*(_rows(part, name, model) for part, name in asked))
    found = [(name, rows) for (_, name), rows in zip(asked, made, strict=True)]
    return ProposedRows(
        {name: rows for name, rows in found if not isinstance(rows, str)},
        {name: why for name, why in found if isinstance(why, str)},
    )


def _named(part: WorldPart) -> list[str]:
    return open_resources(part.plan) if part.plan is not None else []


async def _rows(part: WorldPart, name: str, model: ChatModel) -> tuple[dict[str, Any], ...] | str:
    assert part.plan is not None
    why = ""
    for _ in range(2):
        try:
            reply = await model.complete(rows_request(part.environment.toolset, part.plan, name, why))
        except ModelUnavailable:
            raise
        except ModelError as failure:
            return str(failure)[:REASON]
        rows = proposed_rows(reply.value, part.plan.resources[name])
        if not isinstance(rows, str):
            return rows
        why = rows[:REASON]
    return why
