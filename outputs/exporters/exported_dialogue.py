"""A trajectory -> what the assistant sees of it: the messages that every export format starts from."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Protocol

from interplay.outputs.store.stored_dialogue import AnyRecord
from interplay.schemas.json.canonical import json_text
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory, assistant_view
from interplay.schemas.records.tool import Tool


class Dialogue(Protocol):
    """A dialogue to make rows of: a record, or the stored dialogue that exports read."""

    @property
    def id(self) -> str:
        """The id of the record."""
        ...

    @property
    def language(self) -> str:
        """The code of the dialogue's language; "" if unknown."""
        ...

    @property
    def world(self) -> str:
        """The name of the made-up world in which it takes place; "" if there is none."""
        ...

    @property
    def blueprint(self) -> Blueprint | None:
        """The task; None if it is unknown or was not loaded."""
        ...

    @property
    def trajectory(self) -> Trajectory | None:
        """The dialogue as it was played."""
        ...


def system_message(trajectory: Trajectory) -> list[dict[str, Any]]:
    """Return the system prompt as a list of one message; empty if there is no system prompt."""
    return [{"role": "system", "content": trajectory.system_prompt}] if trajectory.system_prompt else []


def tool_changes(trajectory: Trajectory, tools: tuple[Tool, ...], opening: int) -> str:
    """Return, as JSON text, after which message of a row which tools are added to the offer and which removed.

        [{"message": 3, "added": ["find_hotel", "book_hotel"], "removed": []}]

    `tools` are all tools offered at any time, in order of appearance. Those that no change adds before any change removes them
    are offered from the start. `opening` is the number of messages that the row has before the dialogue's first.
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
    """Return a record without the assistant's reasoning."""
    if record.trajectory is None:
        return record
    messages = tuple(message.model_copy(update={"reasoning": ""}) for message in record.trajectory.messages)
    return record.model_copy(update={"trajectory": record.trajectory.model_copy(update={"messages": messages})})


class Offered(tuple[Tool, ...]):
    """Tools offered together, in order; the JSON form of each tool is made once and shared by all subsets."""

    _made: dict[str, tuple[dict[str, Any], str]]

    @classmethod
    def of(cls, tools: Iterable[Tool]) -> "Offered":
        """Return an `Offered` with tools of one toolset; `tools` itself if it is one already."""
        if isinstance(tools, cls):
            return tools
        offered = cls(tools)
        offered._made = {}
        return offered

    def those(self, names: Iterable[str]) -> "Offered":
        """Return the tools whose names are among `names`, in the present order."""
        wanted = frozenset(names)
        return self._sharing(tool for tool in self if tool.name in wanted)

    def ordered(self, names: Iterable[str]) -> "Offered":
        """Return the tools with these names, in the order of `names`.

        Raises:
            KeyError: there is no tool with one of the names.
        """
        return self._sharing(map(self._by_name.__getitem__, names))

    def functions(self) -> list[dict[str, Any]]:
        """Return the assistant's tools in the form of OpenAI's `tools` parameter."""
        return [{"type": "function", "function": function} for function, _ in self._forms()]

    def texts(self) -> list[str]:
        """Return the JSON text of each of the assistant's tools: name, description and parameters."""
        return [text for _, text in self._forms()]

    @cached_property
    def _by_name(self) -> dict[str, Tool]:
        return {tool.name: tool for tool in self}

    def _sharing(self, tools: Iterable[Tool]) -> "Offered":
        offered = type(self)(tools)
        offered._made = self._made
        return offered

    def _forms(self) -> Iterator[tuple[dict[str, Any], str]]:
        for tool in self:
            if tool.requestor == "assistant":
                if (found := self._made.get(tool.name)) is None:
                    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
                    found = self._made[tool.name] = function, json_text(function)
                yield found


def function_schemas(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    """Return the assistant's tools in the form of OpenAI's `tools` parameter.

    Source: OpenAI API reference, chat completions, `tools`.
    """
    return Offered.of(tools).functions()


def function_lines(tools: Iterable[Tool]) -> list[str]:
    """Return the entries of `function_schemas`, each as JSON text."""
    return [f'{{"type": "function", "function": {text}}}' for text in Offered.of(tools).texts()]


def function_text(tools: Iterable[Tool]) -> str:
    """Return `function_schemas` as one JSON text."""
    return f"[{', '.join(function_lines(tools))}]"
