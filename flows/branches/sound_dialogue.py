"""A sound dialogue and the world in which it was played: its calls, the values known at each message, which calls matter."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from interplay.flows.worlds.assembly import OpenedWorld
from interplay.schemas.json.canonical import canonical_json, last_name, leaves
from interplay.schemas.json.json_text import read_result
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.dialogue import Message, ToolCall, Trajectory
from interplay.schemas.records.tool import SEARCH_TOOL, Tool, is_write
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.mentions import said
from interplay.schemas.words.text import normalised
from interplay.validators.findings.alignment import MadeCall, match_calls

Messages = list[Message]


class SoundDialogue:
    """A dialogue that passed all checks, its blueprint, and the world in which it was played."""

    def __init__(self, trajectory: Trajectory, blueprint: Blueprint, world: OpenedWorld, rng: Random) -> None:
        self.trajectory, self.blueprint, self.world, self.rng = trajectory, blueprint, world, rng
        self.tools = world.toolset.by_name
        self.messages = list(trajectory.messages)
        self.places: Mapping[str, MadeCall] = match_calls(trajectory, blueprint, self.tools).places

    def done(self, writes: bool | None = None) -> list[tuple[Action, MadeCall]]:
        """Return the assistant's successful actions with their calls, except of tools with faults.

        `writes` selects only writes, or only reads.
        """
        found = [(action, self.places[action.id]) for action in self.blueprint.calls if action.id in self.places]
        faulty = {fault.tool for fault in self.blueprint.faults}
        return [
            (action, made)
            for action, made in found
            if action.requestor == "assistant" and not made.failed and action.tool not in faulty
            and (writes is None or is_write(self.tools, action.tool) == writes)
        ]  # fmt: skip

    def needed(self) -> list[tuple[Action, MadeCall]]:
        """Return the calls that cannot be left out: writes, and reads whose result must be told."""
        told = {output.action for output in self.blueprint.expected.outputs}
        return [pair for pair in self.done() if is_write(self.tools, pair[0].tool) or pair[0].id in told]

    def values(self, before: int, name: str) -> list[Any]:
        """Return the distinct values passed or returned under a name like `name` before message `before`."""
        found: dict[str, Any] = {}
        searches = {call.id for call in self.trajectory.calls() if call.name == SEARCH_TOOL}
        for made in self.messages[:before]:
            held = [call.arguments for call in made.tool_calls if call.name != SEARCH_TOOL]
            if made.role == "tool" and not made.failed and made.tool_call_id not in searches:
                held.append(read_result(made.content))
            for pointer, value in (leaf for item in held for leaf in leaves(item)):
                if _alike(last_name(pointer), name):
                    found.setdefault(canonical_json(value), value)
        return list(found.values())

    def after_results(self, index: int) -> int:
        """Return the index after the results of the calls in message `index`."""
        place = index + 1
        while place < len(self.messages) and self.messages[place].role == "tool":
            place += 1
        return place

    def arguments_for(self, tool: Tool, before: int, fixed: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the required arguments of a tool, chosen from the values known before message `before`; None if one is missing.

        `fixed` values are kept where they are valid.
        """
        made: dict[str, Any] = {}
        for name in tool.required:
            if name in fixed and is_valid(fixed[name], tool.properties.get(name, {})):
                made[name] = fixed[name]
                continue
            fitting = [
                value
                for value in self.values(before, name)
                if value not in ("", None) and is_valid(value, tool.properties.get(name, {}))
            ]
            if not fitting:
                return None
            made[name] = self.rng.choice(fitting)
        return made if is_valid(made, tool.parameters) else None


def _alike(name: str, other: str) -> bool:
    """Tell whether two field names are the same, or one is the other with a prefix: `id` and `pet_id`."""
    shorter, longer = sorted((name_tokens(name), name_tokens(other)), key=len)
    return bool(shorter) and tuple(longer[-len(shorter) :]) == tuple(shorter)


def with_call(message: Message, old: str, new: Sequence[ToolCall]) -> Message:
    """Return a message in which the call with the id `old` is replaced by the calls `new`."""
    calls = tuple(made for call in message.tool_calls for made in (new if call.id == old else (call,)))
    return message.model_copy(update={"tool_calls": calls})


def without_call(messages: Messages, made: MadeCall) -> Messages:
    """Return the messages without a call and its result; a message without any other call is dropped as a whole."""
    kept: Messages = []
    for index, message in enumerate(messages):
        if message.tool_call_id == made.call.id:
            continue
        if index == made.index:
            message = with_call(message, made.call.id, ())
            if not message.tool_calls:
                continue
        kept.append(message)
    return kept


def result_of(call: ToolCall) -> Message:
    """Return an empty result message for a call; the content is filled in when all calls are run again."""
    return Message(role="tool", tool_call_id=call.id)


def new_call(name: str, arguments: dict[str, Any], rng: Random) -> ToolCall:
    """Return a call with a new id."""
    identifier = "".join(rng.choice("abcdefghijkmnpqrstuvwxyz23456789") for _ in range(9))
    return ToolCall(id=identifier, name=name, arguments=arguments)


def known(played: SoundDialogue, value: Any, before: int) -> bool:
    """Tell whether a value was said by the user or returned by a tool before message `before`, or is in the system prompt."""
    searches = {call.id for call in played.trajectory.calls() if call.name == SEARCH_TOOL}
    texts = [
        normalised(message.content)
        for message in played.messages[:before]
        if message.role != "assistant" and message.tool_call_id not in searches
    ]
    texts.append(normalised(played.trajectory.system_prompt))
    return said(texts, value)


def strange(value: Any, rng: Random) -> list[Any]:
    """Return invented values of the same shape: `"P-12"` -> `["P-52", "P-19"]`."""
    if isinstance(value, str):
        digits = [place for place, character in enumerate(value) if character.isdigit()]
        made = []
        for place in digits:
            changed = str((int(value[place]) + rng.randrange(1, 9)) % 10)
            made.append(value[:place] + changed + value[place + 1 :])
        return made or [f"{value} Quorvex"]
    return [value + rng.randrange(11, 997)] if isinstance(value, (int, float)) else []


def outcome_told(messages: Messages, begin: int) -> int | None:
    """Return the index of the first message from `begin` on that reports an outcome."""
    later = range(begin, len(messages))
    return next((index for index in later if messages[index].act == "response"), None)


def busy(played: SoundDialogue, action: Action, made: MadeCall) -> bool:
    """Tell whether other writes are made in the same turn and reported in the same message."""
    told = outcome_told(played.messages, made.index) or len(played.messages)
    begin = max((index for index in range(made.index) if played.messages[index].role == "user"), default=0)
    return any(other.id != action.id and begin < place.index < told for other, place in played.done(writes=True))
