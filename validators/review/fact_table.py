"""An executed dialogue -> lines of facts that reviewers need not work out: writes, changes, and what is due.

write [9] pay_invoice({"invoice_id": "IN-7"}): done
due write cancel_booking({"booking_id": "BK-1"}): missing
changed /invoices/IN-7/status: "open" -> "paid"
asked for: total 194.0
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from interplay.schemas.json.canonical import digest
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, ToolCall
from interplay.schemas.records.recorded import GoldCall, RecordedDialogue
from interplay.schemas.records.tool import Toolset

LINES, TEXT = 60, 200
"""Maximum number of lines in a table, and maximum length of a value."""


def facts_of_blueprint(blueprint: Blueprint, messages: Sequence[Message], toolset: Toolset) -> tuple[str, ...]:
    """Return the facts of a dialogue that passed the checks by execution."""
    lines = [*_writes(messages, blueprint.begins, toolset), *_offers(blueprint, messages), *_changes(blueprint)]
    lines += _asked_for(blueprint)
    return tuple(lines[:LINES])


def facts_of_recorded(dialogue: RecordedDialogue) -> tuple[str, ...]:
    """Return the facts of a recorded dialogue: its writes, compared with the gold's if there is one."""
    lines = [*_writes(dialogue.messages, 0, dialogue.toolset)]
    if dialogue.gold is not None:
        lines += _due(
            dialogue.gold.writes, [call for _, call, done in _written(dialogue.messages, 0, dialogue.toolset) if done]
        )
    return tuple(lines[:LINES])


def _written(messages: Sequence[Message], begins: int, toolset: Toolset) -> Iterator[tuple[int, ToolCall, bool]]:
    """Yield (index of the message, call, whether it succeeded) for each write."""
    effects = {tool.name: tool.effect for tool in toolset.tools}
    answers = {message.tool_call_id: message for message in messages if message.role == "tool"}
    for place, message in enumerate(messages):
        for call in message.tool_calls if place >= begins else ():
            answer = answers.get(call.id)
            if effects.get(call.name) == "write":
                yield place, call, answer is not None and not answer.failed


def _writes(messages: Sequence[Message], begins: int, toolset: Toolset) -> Iterator[str]:
    written = list(_written(messages, begins, toolset))
    for place, call, done in written:
        yield f"write [{place}] {call.name}: {'done' if done else 'failed'}"
    if not written:
        yield "no write was made"


def _due(due: Sequence[GoldCall], made: Sequence[ToolCall]) -> Iterator[str]:
    """Yield lines that compare the writes made with those of the gold."""
    left = list(made)
    for wanted in due:
        same = [call for call in left if call.name == wanted.name]
        exact = next((call for call in same if digest(call.arguments) == digest(wanted.arguments)), None)
        call = exact or next(iter(same), None)
        if call is not None:
            left.remove(call)
        told = "missing" if call is None else "made" if exact else f"made with other {_differing(call, wanted)}"
        yield f"due write {wanted.name}({_short(wanted.arguments)}): {told}"
    for call in left:
        yield f"not due: {call.name}"
    if not due:
        yield "no write is due"


def _differing(call: ToolCall, wanted: GoldCall) -> str:
    names = [
        name
        for name in sorted({*call.arguments, *wanted.arguments})
        if digest([call.arguments.get(name)]) != digest([wanted.arguments.get(name)])
    ]
    return ", ".join(names)


def _offers(blueprint: Blueprint, messages: Sequence[Message]) -> Iterator[str]:
    """Yield a line for each change of the tools on offer."""
    offered = blueprint.start.tools if blueprint.start else blueprint.tools
    for place, message in enumerate(messages):
        if message.offered is not None:
            added = [f"+{name}" for name in message.offered if name not in offered]
            removed = [f"-{name}" for name in offered if name not in message.offered]
            if place >= blueprint.begins and (added or removed):
                yield f"tools from [{place}] on: {' '.join([*added, *removed])}"
            offered = message.offered


def _changes(blueprint: Blueprint) -> Iterator[str]:
    for change in blueprint.expected.difference:
        yield f"changed {change.path}: {_short(change.before)} -> {_short(change.after)}"


def _asked_for(blueprint: Blueprint) -> Iterator[str]:
    asking = {action.id for action in blueprint.actions if blueprint.goals[action.goal].asks}
    for output in blueprint.expected.outputs:
        if output.action in asking:
            yield f"asked for: {output.label} {_short(output.value)}"
    for action in blueprint.actions:
        if action.withheld is not None:
            yield f"not to be done: {action.tool} ({action.withheld.rule or action.withheld.reason})"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= TEXT else f"{text[:TEXT]}…"
