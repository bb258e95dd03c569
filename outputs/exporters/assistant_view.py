"""Turns a trajectory into what the assistant sees of it: the messages that every export format is made of."""

from functools import cached_property
from typing import Any, Protocol

from interplay.outputs.store.stored_dialogue import AnyRecord
from interplay.schemas.json.canonical import json_text
from interplay.schemas.records.dialogue import Trajectory, assistant_view
from interplay.schemas.records.tool import Tool


class Dialogue(Protocol):
    """What a row is made of that tells a dialogue and nothing else: a record, or what the store keeps of it for exports."""

    @property
    def id(self) -> str:
        """The id of the record."""
        ...

    @property
    def language(self) -> str:
        """The code of the language in which it is held; empty where nobody knows it."""
        ...

    @property
    def trajectory(self) -> Trajectory | None:
        """What was said and done."""
        ...


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


def without_reasoning(record: AnyRecord) -> AnyRecord:
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
