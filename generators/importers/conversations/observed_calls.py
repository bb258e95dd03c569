"""A JSON or JSON Lines file with recorded calls -> the calls of each recording, and result schemas for their tools.

    {"name": "get_pet", "arguments": {"id": 7}, "observation": "{\\"id\\": 7, \\"tag\\": \\"cat\\"}", "error": false}
    {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "get_pet", "arguments": "{\\"id\\": 7}"}}]},
    {"role": "tool", "tool_call_id": "c1", "content": "{\\"id\\": 7, \\"tag\\": \\"cat\\"}"}
    ->  ObservedCall(name="get_pet", arguments={"id": 7}, value={"id": 7, "tag": "cat"})

Calls may be nested anywhere, under the usual keys, or be part of dialogues in the formats of OpenAI, Anthropic and MCP.
All calls in one list entry (a task, a conversation, a line) make up one recording.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interplay.generators.importers.conversations.message_formats import calls_in, results_in
from interplay.generators.importers.documents.document_reader import parse_document, read_document
from interplay.generators.importers.normalisation.observed_schemas import says_nothing, schema_of_values
from interplay.schemas.errors import ImportFailure
from interplay.schemas.json.validation import errors
from interplay.schemas.records.tool import Source, Tool, ToolReport, Toolset
from interplay.schemas.words.lists import beside, word_set

NAMES = ("name", "tool", "tool_name", "function", "function_name")
ARGUMENTS = ("arguments", "kwargs", "parameters", "args", "input", "params")
RESULTS = ("observation", "result", "response", "output", "content", "value", "return", "returns")
STEPS = word_set(beside(__file__), "steps")
"""Keys of lists whose entries all belong to one recording."""

SEEN = 400
"""Most results of one tool that are used."""

MAX_CALLS = 200_000
MAX_DEPTH = 40
MAX_TEXT = 500_000
"""Most characters of a text that is parsed as JSON; a longer one stays text."""


@dataclass(frozen=True)
class ObservedCall:
    """One recorded call; `value` is its result, parsed if it was JSON text."""

    name: str
    arguments: Mapping[str, Any]
    value: Any
    failed: bool = False


@dataclass(frozen=True)
class Observations:
    """The calls of each recording, and the name of the file that holds them."""

    file: str
    recordings: tuple[tuple[ObservedCall, ...], ...]

    def calls(self) -> Iterator[ObservedCall]:
        """Yield the calls of all recordings."""
        for recording in self.recordings:
            yield from recording


def read_observations(path: Path) -> Observations:
    """Read the recorded calls in a file.

    Raises:
        ImportFailure: the file cannot be read, or holds no recorded call.
    """
    recordings, left = [], MAX_CALLS
    for root in read_roots(path):
        for calls in _recordings(root):
            recordings.append(tuple(calls[:left]))
            left -= len(recordings[-1])
    if not any(recordings):
        raise ImportFailure(
            f"{path.name}: holds no recorded calls. Give a file with objects that hold a name, arguments and a result, "
            "or with dialogues that hold tool calls and their results."
        )
    return Observations(path.name, tuple(calls for calls in recordings if calls))


def with_observations(toolset: Toolset, observations: Observations) -> tuple[Toolset, tuple[ToolReport, ...]]:
    """Infer result schemas from recorded results for tools that have none, and report on each tool.

    An existing result schema is kept; recorded results that contradict it are reported.
    """
    seen: dict[str, list[Any]] = {}
    for call in observations.calls():
        values = seen.setdefault(call.name, [])
        if not call.failed and len(values) < SEEN:
            values.append(call.value)
    tools, reports = [], []
    for tool in toolset.tools:
        names = (tool.name, tool.original_name)
        values = next((seen[name] for name in names if name in seen), [])
        found, report = _described(tool, values)
        tools.append(found)
        reports.append(report)
    known = {name for tool in toolset.tools for name in (tool.name, tool.original_name)}
    reports += [
        ToolReport(name=name, outcome="rejected", reasons=("it was called, but is no tool of the toolset",),
                   source=Source(file=observations.file))
        for name in sorted(seen.keys() - known)
    ]  # fmt: skip
    return toolset.model_copy(update={"tools": tuple(tools)}), tuple(reports)


def _described(tool: Tool, values: list[Any]) -> tuple[Tool, ToolReport]:
    if not values:
        return tool, ToolReport(name=tool.name, outcome="imported", source=tool.source)
    if says_nothing(tool.returns):
        why = f"its result schema was inferred from {len(values)} recorded results"
        described = tool.model_copy(update={"returns": schema_of_values(values)})
        return described, ToolReport(name=tool.name, outcome="repaired", reasons=(why,), source=tool.source)
    problems = [found[0] for value in values if (found := errors(value, tool.returns or {}, 1))]
    reasons: tuple[str, ...] = ()
    if problems:
        path, message = problems[0]
        place = "".join(f"/{part}" for part in path) or "the whole result"
        reasons = (
            f"{len(problems)} of {len(values)} recorded results contradict its schema, first at {place}: {message}",
        )
    return tool, ToolReport(name=tool.name, outcome="imported", reasons=reasons, source=tool.source)


def read_roots(path: Path) -> list[Any]:
    """Read a file of one JSON value, or of one per line; lines are returned as one list."""
    try:
        return [read_document(path)]
    except ImportFailure:
        lines = [line for line in path.read_bytes().splitlines() if line.strip()] if path.is_file() else []
        if len(lines) < 2 or not all(line.lstrip()[:1] in (b"{", b"[") for line in lines):
            raise
    return [[parse_document(line, f"{path.name}, line {number}") for number, line in enumerate(lines, 1)]]


def _recordings(value: Any, depth: int = 0) -> Iterator[list[ObservedCall]]:
    """Yield the calls of each recording nested in `value`."""
    if depth > MAX_DEPTH or not isinstance(value, (dict, list)):
        return
    if _is_recording(value):
        yield list(_calls(value, depth))
        return
    for item in value.values() if isinstance(value, dict) else value:
        yield from _recordings(item, depth + 1)


def _is_recording(value: Any) -> bool:
    """Tell whether a value directly holds calls or messages, or a list of steps that do."""
    if isinstance(value, list):
        return any(_is_step(item) for item in value)
    return any(
        isinstance(item, list)
        and (any(_is_step(entry) for entry in item) or (key in STEPS and any(True for _ in _calls(item, 0))))
        for key, item in value.items()
    )


def _is_step(value: Any) -> bool:
    return isinstance(value, dict) and (_read_call(value) is not None or isinstance(value.get("role"), str))


def _calls(value: Any, depth: int) -> Iterator[ObservedCall]:
    """Yield all calls nested in `value`, in document order."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, list) and any(isinstance(item, dict) and isinstance(item.get("role"), str) for item in value):
        yield from _dialogue(value)
    elif isinstance(value, dict) and (call := _read_call(value)) is not None:
        yield call
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            if isinstance(item, (dict, list)):
                yield from _calls(item, depth + 1)


def _read_call(value: Mapping[str, Any]) -> ObservedCall | None:
    """Read a record of one call and its result; None for any other value, such as a tool definition."""
    inner = value["function"] if isinstance(value.get("function"), dict) else value
    name = next((inner[key] for key in NAMES if isinstance(inner.get(key), str)), None)
    arguments = next((found for key in ARGUMENTS if (found := _arguments(inner.get(key))) is not None), None)
    result = next((key for key in RESULTS if key in value), None)
    if name is None or arguments is None or result is None or isinstance(arguments.get("properties"), dict):
        return None
    failed = value.get("error") not in (None, False, "") or value.get("failed") is True
    return _observed(name, arguments, value[result], failed)


def _arguments(value: Any) -> dict[str, Any] | None:
    """Return arguments given as an object or as JSON text; None for anything else."""
    value = _parsed(value) if isinstance(value, str) and value.lstrip().startswith("{") else value
    return value if isinstance(value, dict) else None


def _dialogue(messages: list[Any]) -> Iterator[ObservedCall]:
    """Yield the calls of a dialogue that have a result, in the order of their results."""
    asked: dict[str, tuple[str, dict[str, Any]]] = {}
    for message in messages:
        if not isinstance(message, dict):
            continue
        for key, name, given in calls_in(message):
            arguments = _arguments(given)
            if arguments is not None:
                asked[str(key)] = (name, arguments)
        for key, result, failed in _answered(message):
            if str(key) in asked:
                yield _observed(*asked.pop(str(key)), result, failed)


def _answered(message: Mapping[str, Any]) -> Iterator[tuple[Any, Any, bool]]:
    """Yield the call id, content and failure flag of each result in a message."""
    content, failed = message.get("content"), message.get("failed") is True or message.get("error") is True
    if message.get("role") == "tool":
        yield message.get("tool_call_id"), content, failed
    elif message.get("role") == "function":
        yield f"function {message.get('name')}", content, failed
    yield from results_in(message)


def _observed(name: str, arguments: dict[str, Any], result: Any, failed: bool) -> ObservedCall:
    if isinstance(result, dict) and ("isError" in result or "structuredContent" in result):
        failed = failed or result.get("isError") is True
        structured = result.get("structuredContent")
        result = structured if structured is not None else result.get("content")
    if isinstance(result, list) and result and all(isinstance(block, dict) and "text" in block for block in result):
        result = "".join(str(block["text"]) for block in result)
    value = _parsed(result) if isinstance(result, str) else result
    if isinstance(value, str):
        failed = failed or value.lstrip()[:5].lower() == "error"
    if isinstance(value, dict) and value.get("error") not in (None, False, "") and len(value) <= 2:
        failed = True
    return ObservedCall(name, arguments, value, failed)


def _parsed(text: str) -> Any:
    """Parse a text as JSON; return the text if it is not JSON, or too long."""
    if len(text) > MAX_TEXT or text.strip()[:1] not in ("{", "[", "n", "N"):
        return text
    try:
        return None if text.strip() == "None" else json.loads(text)
    except (ValueError, RecursionError):
        return text
