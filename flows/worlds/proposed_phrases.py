"""A world and a model -> phrases for tools that have none."""

import asyncio
from collections.abc import Mapping, Sequence

from interplay.flows.worlds.assembly import OpenedWorld
from interplay.generators.phrases.escalation import hands_over
from interplay.generators.phrases.phrase_proposals import Proposed, batches, phrases_request, proposed
from interplay.schemas.errors import ModelError, ModelUnavailable
from interplay.schemas.protocols import ChatModel
from interplay.schemas.records.tool import SEARCH_TOOL, Tool

_NOTHING: Mapping[str, str] = {}

REASON = 200
"""The most characters of why the phrases of a tool were left out."""


def unphrased(world: OpenedWorld) -> list[Tool]:
    """Return the tools without wishes, except those that hand over to a person."""
    tools = (tool for tool in world.toolset.tools if tool.name != SEARCH_TOOL)
    return [tool for tool in tools if not tool.phrases.wishes and not hands_over(tool)]


async def propose_phrases(world: OpenedWorld, model: ChatModel) -> Proposed:
    """Ask a model for phrases of all tools that have none, in batches; rejected ones are asked for once more.

    If the model fails on a batch, its tools get no phrases.

    Raises:
        ModelUnavailable, BudgetExceeded: the model cannot be asked now.
    """
    made = await asyncio.gather(*(_asked(world, tools, model) for tools in batches(unphrased(world))))
    phrases = {name: said for part in made for name, said in part.phrases.items()}
    left_out = {name: why for part in made for name, why in part.left_out.items()}
    answered = [tool for tool in unphrased(world) if tool.name in left_out and any(part.phrases for part in made)]
    anew = await asyncio.gather(*(_asked(world, tools, model, left_out) for tools in batches(answered)))
    phrases |= {name: said for part in anew for name, said in part.phrases.items()}
    return Proposed(phrases, {name: why for name, why in left_out.items() if name not in phrases})


async def _asked(
    world: OpenedWorld, tools: Sequence[Tool], model: ChatModel, refused: Mapping[str, str] = _NOTHING
) -> Proposed:
    try:
        reply = await model.complete(phrases_request(world.toolset, tools, refused))
    except ModelUnavailable:
        raise
    except ModelError as failure:
        return Proposed({}, dict.fromkeys((tool.name for tool in tools), str(failure)[:REASON]))
    return proposed(reply.value, tools)
