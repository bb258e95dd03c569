"""The writes of a recorded dialogue compared with its gold: missing, added, made with other arguments."""

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
from interplay.schemas.words.mentions import mentions
from interplay.schemas.words.text import normalised
from interplay.validators.findings.conformance import prescribed, same
from interplay.validators.findings.shown_rows import rows_in
from interplay.validators.trajectories.statements import CLOSING, QUESTIONS, sentences

_TELLING = 4
"""Minimum length of a text that hardly occurs by chance, in characters."""

_EMPTY: tuple[Any, ...] = (None, False, "", [], {})


@dataclass(frozen=True)
class MadeWrite:
    """A write of a dialogue, with the index of its message, whether it failed, and the text of its result."""

    index: int
    call: ToolCall
    failed: bool
    result: str = ""


def made_writes(dialogue: RecordedDialogue) -> list[MadeWrite]:
    """Return the calls of tools that the gold names or whose effect is `write`.

    A call with nothing but free text and without a JSON result does not count unless the gold names its tool.
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
    """Yield an issue for each gold write that is missing or made with other arguments, and for each write beyond the gold."""
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
    """Return the argument paths at which a call differs from a gold call; the gold's tool name if that differs."""
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
    """Return the argument leaves that carry information: known to the schema, not empty, and not its default."""
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
    """Tell whether a write first returns a value that a gold write needs, such as a quote to book."""
    result = json_value(write.result)
    before = " ".join(message.content for message in dialogue.messages[: write.index])
    values = {value for _, value in leaves(result) if isinstance(value, str) and len(value) >= _TELLING}
    fresh = {value for value in values if value not in before and value not in canonical_json(write.call.arguments)}
    return any(canonical_json(value) in text for value in fresh for text in wanted)


_LEAST = 3
_BRIEF = 4
"""Maximum number of words of a question that, right after a write, does not refer to the sentence before it: "Anything else?"."""

MISSED, CLAIMED, ENDED = "missed_write", "claimed_write", "ended_early"


def omission(dialogue: RecordedDialogue, gold: GoldCall) -> tuple[str, int]:
    """Return the issue code for a gold write that was not made, and the index of the message that leaves it undone.

    claimed_write   the assistant asked about it, was answered, did not make it, and went on as if it were done
    ended_early     the same, but the assistant said nothing more after that message
    missed_write    the assistant never asked about it, or was never answered
    """
    said = [i for i, message in enumerate(dialogue.messages) if message.role == "assistant" and message.content]
    heard = [i for i, message in enumerate(dialogue.messages) if message.role == "user"]
    if not said:
        return MISSED, max(0, len(dialogue.messages) - 1)
    values = list(_values_of(dialogue, gold))
    asking = [i for i in said if not dialogue.messages[i].tool_calls and _asks_about(dialogue, i, values)]
    left = next((i for i in said if asking and i > asking[0] and i not in asking and _answered(heard, asking, i)), None)
    if left is not None:
        return (CLAIMED if said[-1] > left else ENDED), left
    answered = [i for i in said if heard and i < heard[-1]]
    return MISSED, answered[-1] if answered else said[-1]


def _answered(heard: list[int], asking: list[int], index: int) -> bool:
    """Tell whether the user spoke between the last question about the write and message `index`."""
    last = max(i for i in asking if i < index)
    return any(last < i < index for i in heard)


def _asks_about(dialogue: RecordedDialogue, index: int, values: list[Any]) -> bool:
    told = sentences(dialogue.messages[index].content)
    reports = dialogue.messages[index - 1].role == "tool" and _follows_write(dialogue, index)
    for place, sentence in enumerate(told):
        if not sentence.raw.rstrip(CLOSING).endswith(QUESTIONS):
            continue
        about = told  # with no write just before, the whole message leads to the question
        if reports:
            about = [sentence] if len(sentence.words) <= _BRIEF else told[max(0, place - 1) : place + 1]
        if any(mentions(text, value) for text in about for value in values):
            return True
    return False


def _follows_write(dialogue: RecordedDialogue, index: int) -> bool:
    effects = {tool.name: tool.effect for tool in dialogue.toolset.tools}
    caller = next((m for m in reversed(dialogue.messages[:index]) if m.role != "tool"), None)
    return caller is not None and any(effects.get(call.name) == "write" for call in caller.tool_calls)


def _values_of(dialogue: RecordedDialogue, gold: GoldCall) -> Iterator[Any]:
    """Yield the values by which a message may mention a write: its arguments, and texts of the rows that these name."""
    given = [value for _, value in leaves(gold.arguments) if isinstance(value, (str, int, float))]
    given = [value for value in given if len(str(value)) >= _LEAST and not isinstance(value, bool)]
    yield from given
    named = {value for value in given if isinstance(value, str)}
    for message in dialogue.messages:
        if message.role != "tool":
            continue
        for row in rows_in(json_value(message.content)):
            own = [leaf for _, leaf in leaves(row) if isinstance(leaf, str)]
            if own[:1] and own[0] in named:
                yield from (leaf for leaf in own if len(leaf) >= _LEAST and normalised(leaf).words)
