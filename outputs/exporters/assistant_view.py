"""Turns a trajectory into what the assistant sees of it: the messages that every export format is made of."""

import json
from functools import cached_property
from typing import Any

from interplay.schemas.records.dialogue import Trajectory, assistant_view
from interplay.schemas.records.tool import Tool
from interplay.schemas.records.verdict import DatasetRecord


def tool_changes(trajectory: Trajectory, tools: tuple[Tool, ...], opening: int) -> str:
    """Return, as JSON text, after which message of a row which tools are added to what is offered, and which removed.

        [{"message": 3, "added": ["find_hotel", "book_hotel"], "removed": []}]

    `tools` are the columns' own, in order of appearance: all that are ever offered. Those that no change adds before any
    removes them are there from the start. `opening` counts the messages before the first of the dialogue.
    """
    callable_ones = {tool.name for tool in tools if tool.requestor == "assistant"}
    offered = trajectory.tools
    changes = []
    for position, message in enumerate(assistant_view(trajectory.messages)):
        if message.offered is None:
            continue
        added = [name for name in message.offered if name not in offered and name in callable_ones]
        removed = [name for name in offered if name not in message.offered and name in callable_ones]
        if added or removed:
            changes.append({"message": position + opening, "added": added, "removed": removed})
        offered = message.offered
    return json_text(changes)


def until_denied(record: DatasetRecord) -> DatasetRecord:
    """Return a record whose dialogue ends before tools appear that the assistant said were not there, or the record itself.

    Who sees all tools of a row at each of its messages would learn to deny what is there.
    """
    early = record.blueprint.scenario.early if record.blueprint else None
    if record.blueprint is None or record.trajectory is None or early is None:
        return record
    denied = {
        name
        for change in record.blueprint.changes
        if change.request == early.request and not change.query
        for name in change.added
    }
    messages = record.trajectory.messages
    appear = next((at for at, message in enumerate(messages) if denied & set(message.offered or ())), None)
    if appear is None:
        return record
    return record.model_copy(
        update={"trajectory": record.trajectory.model_copy(update={"messages": messages[:appear]})}
    )


def without_reasoning(record: DatasetRecord) -> DatasetRecord:
    """Return a record whose assistant says the same and is not seen to think."""
    if record.trajectory is None:
        return record
    messages = tuple(message.model_copy(update={"reasoning": ""}) for message in record.trajectory.messages)
    return record.model_copy(update={"trajectory": record.trajectory.model_copy(update={"messages": messages})})


class Offered(tuple[Tool, ...]):
    """Tools that are offered together, in order; what every row says of them is made once, and shared by the rows."""

    @cached_property
    def functions(self) -> list[dict[str, Any]]:
        """The tools that the assistant can call in the form of OpenAI's `tools` parameter."""
        return [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
            }
            for tool in self
            if tool.requestor == "assistant"
        ]

    @cached_property
    def text(self) -> str:
        """The same as JSON text."""
        return json_text(self.functions)


def function_schemas(tools: tuple[Tool, ...]) -> list[dict[str, Any]]:
    """Return the tools that the assistant can call in the form of OpenAI's `tools` parameter.

    Source: OpenAI API reference, chat completions, `tools`.
    """
    return (tools if isinstance(tools, Offered) else Offered(tools)).functions


def function_text(tools: tuple[Tool, ...]) -> str:
    """Return the same as JSON text."""
    return (tools if isinstance(tools, Offered) else Offered(tools)).text


def language_of(record: DatasetRecord) -> str:
    """Return the language in which the dialogue of a record is held, as a code."""
    return record.blueprint.recipe.language if record.blueprint else ""


json_text = json.JSONEncoder(ensure_ascii=False).encode
"""Turns a value into JSON on one line, keys in their own order; made once, for `json.dumps` makes an encoder for each value."""
