"""The writes of a recorded dialogue beside those of its gold: missing, added, made with other arguments."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from interplay.schemas.json.canonical import canonical_json, leaves
from interplay.schemas.json.json_text import json_value
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.recorded import GoldCall, RecordedDialogue
from interplay.schemas.records.tool import Tool
from interplay.schemas.records.verdict import Issue
from interplay.schemas.words.free_text import is_free_text
from interplay.validators.findings.conformance import prescribed, same
from interplay.validators.recorded.left_writes import omission

_TELLING = 4
"""Number of letters from which on a value hardly occurs by chance."""

_EMPTY: tuple[Any, ...] = (None, False, "", [], {})


@dataclass(frozen=True)
class MadeWrite:
    """A write of a dialogue: the message that makes it, and whether it failed."""

    index: int
    call: ToolCall
    failed: bool
    result: str = ""


def made_writes(dialogue: RecordedDialogue) -> list[MadeWrite]:
    """Return the calls that write: calls of tools that the gold names, and of tools that write according to their source.

    A call that only passes on words, and returns nothing that could be referred to, is no write unless the gold names its tool.
    """
    wanted = {call.name for call in dialogue.gold.writes} if dialogue.gold else set()
    tools = dialogue.toolset.by_name
    found = []
    for index, call, answer in dialogue.trajectory().calls_with_results():
        tool = tools.get(call.name)
        result = answer.content if answer else ""
        writes = tool is not None and tool.effect == "write" and not _says_only(call, tool, result)
        if call.name in wanted or writes:
            found.append(MadeWrite(index, call, answer is not None and answer.failed, result))
    return found


def _says_only(call: ToolCall, tool: Tool, result: str) -> bool:
    said = [is_free_text(value, prescribed(tool.parameters, path).schemas) for path, value in leaves(call.arguments)]
    return bool(said) and all(said) and result.lstrip()[:1] not in ("{", "[")


def write_issues(dialogue: RecordedDialogue) -> Iterator[Issue]:
    """Yield an issue for each write of the gold that is missing, and for each that is made otherwise or beyond it."""
    if dialogue.gold is None:
        return
    tools = dialogue.toolset.by_name
    made = made_writes(dialogue)
    wanted = list(dialogue.gold.writes)
    open_made: list[MadeWrite] = []
    for write in sorted(made, key=lambda one: one.failed):
        right = next((gold for gold in wanted if not differences(gold, write.call, tools.get(gold.name))), None)
        if right is not None:
            wanted.remove(right)
        elif not write.failed:
            open_made.append(write)
    for gold in list(wanted):
        near = [write for write in open_made if write.call.name == gold.name]
        if near:
            write = min(near, key=lambda one: len(differences(gold, one.call, tools.get(gold.name))))
            open_made.remove(write)
            wanted.remove(gold)
            paths = ", ".join(differences(gold, write.call, tools.get(gold.name)))
            text = f"{gold.name} is called with another {paths} than wanted: {canonical_json(write.call.arguments)}"
            yield Issue.of("wrong_argument", text[:300], f"/messages/{write.index}")
    later = [canonical_json(gold.arguments) for gold in dialogue.gold.writes]
    for write in open_made:
        if not _is_step(write, dialogue, later):
            text = f"Not asked for: {write.call.name} {canonical_json(write.call.arguments)}"
            yield Issue.of("extra_write", text[:300], f"/messages/{write.index}")
    for gold in wanted:
        code, index = omission(dialogue, gold)
        yield Issue.of(code, f"Never done: {gold.name} {canonical_json(gold.arguments)}"[:300], f"/messages/{index}")


def differences(gold: GoldCall, call: ToolCall, tool: Tool | None) -> list[str]:
    """Return the places at which the arguments of a call are others than those of the gold; its name, where that is another."""
    if gold.name != call.name:
        return [gold.name]
    schema = tool.parameters if tool is not None else {}
    wanted, given = _told(gold.arguments, schema), _told(call.arguments, schema)
    return [
        path.strip("/") or "argument"
        for path in sorted(wanted.keys() | given.keys())
        if not _alike(wanted.get(path), given.get(path), path, schema)
    ]


def _told(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the leaves of arguments that say something: the schema knows them, and they are neither empty nor its default."""
    return {
        path: value
        for path, value in leaves(arguments)
        if value not in _EMPTY
        and (not schema.get("properties") or prescribed(schema, path).schemas)
        and not any(same(value, default) for default in prescribed(schema, path).defaults)
    }


def _alike(wanted: Any, given: Any, path: str, schema: Mapping[str, Any]) -> bool:
    if same(wanted, given):
        return True
    if wanted is None or given is None:
        return False
    if isinstance(wanted, str) and isinstance(given, str):
        schemas = prescribed(schema, path).schemas
        if is_free_text(wanted, schemas) or is_free_text(given, schemas):
            return True
    return str(wanted).strip().casefold() == str(given).strip().casefold()


def _is_step(write: MadeWrite, dialogue: RecordedDialogue, wanted: list[str]) -> bool:
    """Tell whether a write first gives a value that a write of the gold needs, which it was made for: a quote to book."""
    result = json_value(write.result)
    before = " ".join(message.content for message in dialogue.messages[: write.index])
    values = {value for _, value in leaves(result) if isinstance(value, str) and len(value) >= _TELLING}
    fresh = {value for value in values if value not in before and value not in canonical_json(write.call.arguments)}
    return any(canonical_json(value) in text for value in fresh for text in wanted)
