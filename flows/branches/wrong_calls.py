"""A sound dialogue -> a copy with one wrong call: another tool, other arguments, an extra write, the same call repeated."""

from typing import Any

from interplay.flows.branches.sound_dialogue import (
    Messages,
    SoundDialogue,
    known,
    new_call,
    result_of,
    strange,
    with_call,
)
from interplay.schemas.json.canonical import last_name, leaves, set_leaf
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.dialogue import Message
from interplay.validators.findings.alignment import MadeCall


def wrong_tool(played: SoundDialogue) -> Messages | None:
    """Replace a write by a call of another writing tool, with arguments that are known."""
    options = []
    for action, made in played.done(writes=True):
        offered = played.trajectory.offered_at(made.index)
        wanted = {other.tool for other in played.blueprint.actions}
        for name in offered:
            tool = played.tools.get(name)
            if tool is not None and tool.effect == "write" and name not in wanted and tool.requestor == "assistant":
                arguments = played.arguments_for(tool, made.index, action.arguments)
                if arguments is not None:
                    options.append((made, name, arguments))
    if not options:
        return None
    made, name, arguments = played.rng.choice(options)
    call = made.call.model_copy(update={"name": name, "arguments": arguments})
    messages = list(played.messages)
    messages[made.index] = with_call(messages[made.index], made.call.id, (call,))
    return messages


def wrong_argument(played: SoundDialogue, grounded: bool) -> Messages | None:
    """Replace an argument by another value of the same kind: if `grounded`, a known one, else an invented one."""
    options = _other_values(played, grounded)
    if not options:
        return None
    made, pointer, value = played.rng.choice(options)
    arguments = set_leaf(made.call.arguments, pointer, value)
    call = made.call.model_copy(update={"arguments": arguments})
    messages = list(played.messages)
    messages[made.index] = with_call(messages[made.index], made.call.id, (call,))
    return messages


def _other_values(played: SoundDialogue, grounded: bool) -> list[tuple[MadeCall, str, Any]]:
    """Return candidates for `wrong_argument`: a needed call, the pointer of an argument, and another valid value for it."""
    options: list[tuple[MadeCall, str, Any]] = []
    for action, made in played.needed():
        schema = played.tools[action.tool].parameters
        others = [other.arguments for other in played.blueprint.actions if other.tool == action.tool]
        for pointer, value in leaves(action.arguments):
            origin = action.origins.get(pointer)
            if (
                origin is None
                or origin.kind not in ("user", "output")
                or isinstance(value, bool)
                or value in ("", None)
            ):
                continue
            pool = played.values(made.index, last_name(pointer)) if grounded else strange(value, played.rng)
            for other in pool:
                arguments = set_leaf(action.arguments, pointer, other)
                if (
                    type(other) is type(value) and other != value and _akin(value, other)
                    and is_valid(arguments, schema) and arguments not in others
                    and grounded == known(played, other, made.index)
                ):  # fmt: skip
                    options.append((made, pointer, other))
    return options


def _akin(value: Any, other: Any) -> bool:
    """Tell whether two values have the same pattern of digits and signs, as values of one column have."""
    if not isinstance(value, str):
        return True
    shape = [character.isdigit() for character in value if not character.isalpha()]
    return shape == [character.isdigit() for character in other if not character.isalpha()]


def extra_write(played: SoundDialogue) -> Messages | None:
    """Add a write that nobody asked for."""
    options: list[tuple[int, str, dict[str, Any]]] = []
    wanted = {other.tool for other in played.blueprint.actions if other.withheld}
    for _, made in played.done():
        place = played.after_results(made.index)
        for name in played.trajectory.offered_at(made.index):
            tool = played.tools.get(name)
            if tool is None or tool.effect != "write" or name in wanted or tool.requestor != "assistant":
                continue
            arguments = played.arguments_for(tool, place, {})
            if not arguments and tool.properties:
                continue
            if arguments is not None and not all(known(played, value, place) for _, value in leaves(arguments)):
                continue
            if arguments is not None and not any(
                action.tool == name and action.arguments == arguments for action in played.blueprint.actions
            ):
                options.append((place, name, arguments))
    if not options:
        return None
    place, name, arguments = played.rng.choice(options)
    call = new_call(name, arguments, played.rng)
    more = Message(role="assistant", tool_calls=(call,), act="call", state=played.messages[place - 1].state)
    return [*played.messages[:place], more, result_of(call), *played.messages[place:]]


def loop(played: SoundDialogue) -> Messages | None:
    """Repeat a read several times."""
    options = [made for _, made in played.done(writes=False)]
    if not options:
        return None
    made = played.rng.choice(options)
    place = played.after_results(made.index)
    again: Messages = []
    for _ in range(played.rng.randrange(3, 7)):
        call = new_call(made.call.name, dict(made.call.arguments), played.rng)
        again += [
            Message(role="assistant", tool_calls=(call,), act="call", state=played.messages[made.index].state),
            result_of(call),
        ]
    return [*played.messages[:place], *again, *played.messages[place:]]
