"""The form of a dialogue -> issues: who speaks when, how calls and results pair, and whether values satisfy their schemas."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.dialogue import STEP, Message, ToolCall, Trajectory
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.tool import Tool, Toolset
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.findings.alignment import match_calls
from interplay.validators.findings.conformance import violations
from interplay.validators.findings.loops import loop_issues
from interplay.validators.trajectories.availability import call_issues, change_issues

_CALL_ID = re.compile(r"[A-Za-z0-9]{9}")
_JSON = re.compile(r"[{\[]\s*[\"'][^\"'\n]{0,80}[\"']\s*:|\{\"|\[\s*\{")
_RAW = re.compile(
    r"(?P<uuid>\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b)"
    r"|(?<![\w@./:#-])(?P<name>[a-z][a-z0-9]*(?:_[a-z0-9]+)+|[a-z]+[A-Z][A-Za-z0-9]*)(?![\w@/]|\.\w)"
)
_MARKED = re.compile(r"[a-z0-9][A-Z_]")
"""Occurs in each name that `_RAW` finds, but in few sentences: a quick test that takes a tenth of the time."""

_DASHES = 4
"""Number of dashes in a UUID."""

_NESTING = 6


class StructureCheck:
    """Judges the form of the messages; needs no environment."""

    name = "structure"
    codes = (
        "bad_call_id", "changes_not_kept", "claimed_not_done", "duplicate_call_id", "duplicate_tool",
        "empty_message", "first_not_user", "illegal_order", "invalid_arguments", "invalid_result",
        "last_not_assistant", "machine_speech", "malformed_arguments", "misplaced_call", "misplaced_change",
        "misplaced_result", "no_messages", "not_the_users_tool", "repeated_call", "repeated_text",
        "result_not_json", "tool_from_nowhere", "tool_lost", "tool_not_available", "tool_not_offered",
        "unanswered_call", "unknown_tool", "unusable_schema", "users_own_tool",
    )  # fmt: skip
    faults: Mapping[str, FailureKind] = {
        "malformed_arguments": "wrong_argument",
        "invalid_arguments": "wrong_argument",
        "unknown_tool": "wrong_tool",
        "tool_not_offered": "wrong_tool",
        "tool_not_available": "wrong_tool",
        "users_own_tool": "wrong_tool",
        "not_the_users_tool": "user_fault",
        "claimed_not_done": "user_fault",
        "machine_speech": "unnatural",
        "repeated_call": "loop",
        "repeated_text": "loop",
    }

    def __init__(self, toolset: Toolset) -> None:
        self._tools = toolset.by_name
        self._parameters = frozenset(_camel_names(tool.parameters for tool in toolset.tools))

    async def check(self, trajectory: Trajectory, blueprint: Blueprint) -> Verdict:
        """Return everything that is wrong with the form of `trajectory`."""
        issues = [
            *_ending(trajectory),
            *_order(trajectory.messages),
            *_pairing(trajectory.messages),
            *call_issues(trajectory),
            *change_issues(trajectory, blueprint),
            *self._calls(trajectory),
            *step_issues(trajectory, blueprint, self._tools),
            *loop_issues(trajectory, self._tools),
            *self._results(trajectory),
            *_contents(trajectory.messages),
            *self._speech(trajectory.messages),
        ]
        return Verdict(check=self.name, issues=tuple(issues))

    def _calls(self, trajectory: Trajectory) -> Iterator[Issue]:
        own = (name for name, tool in self._tools.items() if tool.requestor == "user")
        offered = frozenset([*trajectory.all_tools(), *own])
        for pointer, call in _calls(trajectory.messages):
            if call.malformed:
                text = f"The arguments of {call.name[:64]} are not a JSON object: {call.malformed[:80]}"
                yield Issue.of("malformed_arguments", text, f"{pointer}/arguments")
            elif call.name in offered and call.name not in self._tools:
                yield Issue.of("unknown_tool", f"The toolset has no {call.name}.", f"{pointer}/name")
            elif call.name in offered:
                schema = self._tools[call.name].parameters
                yield from violations(call.arguments, schema, "invalid_arguments", f"{pointer}/arguments")

    def _results(self, trajectory: Trajectory) -> Iterator[Issue]:
        called = {call.id: call.name for _, call in _calls(trajectory.messages)}
        for index, message in enumerate(trajectory.messages):
            if message.role == "tool" and not message.failed and message.fault is None:
                tool = self._tools.get(called.get(message.tool_call_id or "", ""))
                if tool is not None and tool.returns:
                    yield from _result(message.content, tool, f"/messages/{index}/content")

    def _speech(self, messages: tuple[Message, ...]) -> Iterator[Issue]:
        for index, message in enumerate(messages):
            if message.role == "tool" or not message.content:
                continue
            pointer = f"/messages/{index}/content"
            json_like = _JSON.search(message.content)
            if json_like is not None:
                yield Issue.of("machine_speech", f"JSON in prose: {json_like.group()[:40]}", pointer)
            if _MARKED.search(message.content) is None and message.content.count("-") < _DASHES:
                continue
            for found in _RAW.finditer(message.content):
                name = found["name"]
                if name is None or "_" in name or name in self._parameters:
                    text = f"{found.group()[:60]} is no human speech."
                    yield Issue.of("machine_speech", text, pointer, severity="warning")


def _calls(messages: tuple[Message, ...]) -> Iterator[tuple[str, ToolCall]]:
    for index, message in enumerate(messages):
        for place, call in enumerate(message.tool_calls):
            yield f"/messages/{index}/tool_calls/{place}", call


def _ending(trajectory: Trajectory) -> Iterator[Issue]:
    """Yield an issue with the termination as its code if the dialogue was cut short: the most telling fact about its form."""
    if trajectory.termination != "user_ended":
        why = f": {trajectory.reason[:200]}" if trajectory.reason else ""
        yield Issue.of(trajectory.termination, f"The dialogue ended by {trajectory.termination}{why}.", "/termination")


def _order(messages: tuple[Message, ...]) -> Iterator[Issue]:
    if not messages:
        yield Issue.of("no_messages", "The dialogue is empty.", "/messages")
        return
    if messages[0].role != "user":
        yield Issue.of("first_not_user", "The user must speak first.", "/messages/0")
    last = len(messages) - 1
    if messages[last].role != "assistant" or messages[last].tool_calls:
        yield Issue.of("last_not_assistant", "The assistant must have the last word.", f"/messages/{last}")
    for index in range(1, len(messages)):
        before, now = messages[index - 1], messages[index]
        if now.role == "tool":
            continue
        caller = next((other for other in reversed(messages[:index]) if other.role != "tool"), before)
        if caller.role == "user" and caller.tool_calls:
            if now.role != "user":
                yield Issue.of(
                    "illegal_order", "The user has not told yet what its calls came to.", f"/messages/{index}"
                )
            continue
        expected = "user" if before.role == "assistant" else "assistant"
        if now.role != expected and not before.tool_calls:
            text = f"After the {before.role} it is the {expected}'s turn, not the {now.role}'s."
            yield Issue.of("illegal_order", text, f"/messages/{index}")


def _pairing(messages: tuple[Message, ...]) -> Iterator[Issue]:
    """Check that each call is answered at once and in order, and that call ids are well formed and unique."""
    waiting: list[str] = []
    seen: set[str] = set()
    for index, message in enumerate(messages):
        pointer = f"/messages/{index}"
        if message.role == "tool":
            if waiting and message.tool_call_id == waiting[0]:
                waiting.pop(0)
            else:
                yield Issue.of("misplaced_result", "This result answers no call that waits for it.", pointer)
                waiting = [call for call in waiting if call != message.tool_call_id]
            continue
        if waiting:
            yield Issue.of("unanswered_call", f"{len(waiting)} calls were not answered before this message.", pointer)
        waiting = [call.id for call in message.tool_calls]
        for place, call in enumerate(message.tool_calls):
            if call.requestor != message.role:
                text = f"{call.name} is called by the {message.role} as if it were the {call.requestor}."
                yield Issue.of("misplaced_call", text, f"{pointer}/tool_calls/{place}")
            yield from _identity(call.id, seen, f"{pointer}/tool_calls/{place}/id")
    if waiting:
        yield Issue.of(
            "unanswered_call", f"{len(waiting)} calls were never answered.", f"/messages/{len(messages) - 1}"
        )


def _identity(identifier: str, seen: set[str], pointer: str) -> Iterator[Issue]:
    if _CALL_ID.fullmatch(identifier) is None:
        yield Issue.of("bad_call_id", f"{identifier[:40]!r} is not nine letters and digits.", pointer)
    if identifier in seen:
        yield Issue.of("duplicate_call_id", f"{identifier[:40]!r} was used before.", pointer)
    seen.add(identifier)


def _contents(messages: tuple[Message, ...]) -> Iterator[Issue]:
    said = None
    for index, message in enumerate(messages):
        if message.role == "tool":
            continue
        text = message.content.strip()
        pointer = f"/messages/{index}/content"
        if not text and not message.tool_calls:
            yield Issue.of("empty_message", f"The {message.role} says nothing.", pointer)
        if message.role == "assistant" and text:
            if text == said:
                yield Issue.of("repeated_text", "The assistant says the same as in its last message.", pointer)
            said = text


def _result(content: str, tool: Tool, pointer: str) -> list[Issue]:
    """Check a result against its schema: as JSON, or as plain text if the schema allows a string."""
    schema = tool.returns or {}
    kind = schema.get("type")
    textual = kind is None or kind == "string" or (isinstance(kind, list) and "string" in kind)
    if kind == "string":
        return violations(content, schema, "invalid_result", pointer)
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        if not textual:
            return [Issue.of("result_not_json", f"{tool.name} answered something that is not JSON.", pointer)]
        return violations(content, schema, "invalid_result", pointer)
    found = violations(value, schema, "invalid_result", pointer)
    return [] if found and textual and not isinstance(value, (dict, list)) and is_valid(content, schema) else found


def _camel_names(schemas: Iterable[Any], depth: int = 0) -> Iterator[str]:
    """Yield property names in camel case, which nobody would say."""
    for schema in schemas:
        if not isinstance(schema, Mapping) or depth > _NESTING:
            continue
        properties = schema.get("properties")
        if isinstance(properties, Mapping):
            yield from (name for name in properties if name[:1].islower() and not name.islower())
            yield from _camel_names(properties.values(), depth + 1)
        yield from _camel_names([schema.get("items")], depth + 1)


def step_issues(trajectory: Trajectory, blueprint: Blueprint, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield an issue for each call of the other side's tool, and each step that the user claims to have done and has not."""
    for index, message in enumerate(trajectory.messages):
        for place, call in enumerate(message.tool_calls):
            tool, pointer = tools.get(call.name), f"/messages/{index}/tool_calls/{place}/name"
            if tool is not None and tool.requestor != message.role:
                code = "users_own_tool" if message.role == "assistant" else "not_the_users_tool"
                yield Issue.of(code, f"{call.name} is not for the {message.role} to call.", pointer)
    yield from _claimed(trajectory, blueprint, tools)


def _asks_for(message: Message, action: Action) -> bool:
    """Tell whether a rule-based assistant asks in this message for a step on the user's device."""
    asked = message.state.asked if message.state is not None else ()
    return message.role == "assistant" and message.certain_act == "guide" and STEP + action.id in asked


def _claimed(trajectory: Trajectory, blueprint: Blueprint, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    own = [action for action in blueprint.calls if action.requestor == "user" and action.tool in tools]
    if not own:
        return
    missing = {action.id for action in match_calls(trajectory, blueprint, tools).missing}
    for action in own:
        index = _first_claim(trajectory.messages, action) if action.id in missing else None
        if index is not None:
            text = f"The user says that it has done what {action.tool} does, and has not."
            yield Issue.of("claimed_not_done", text, f"/messages/{index}")


def _first_claim(messages: Sequence[Message], action: Action) -> int | None:
    """Return the index of the first message in which the user reports a step as done without having made the call."""
    for index in range(1, len(messages)):
        message, before = messages[index], messages[index - 1]
        if message.certain_act == "report" and not message.tool_calls and _asks_for(before, action):
            return index
    return None
