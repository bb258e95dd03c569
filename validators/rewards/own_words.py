"""A dialogue whose agent passed on dictated text in other words -> the same with the user's own words.

Free text such as a reason, a message or a note is not compared literally. A text that says something else, or much more, is left
unchanged and judged as it is.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from interplay.schemas.json.canonical import Change, leaves
from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.dialogue import Message, ToolCall, Trajectory
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.free_text import is_free_text
from interplay.validators.findings.conformance import prescribed, same

SHARED = 0.6
"""Minimum share of a dictated text's words that another text must have to count as the same."""

LONGER = 2
"""Maximum length of that text, as a multiple of the dictated text's number of words."""

_STEM = 4
_WORD = re.compile(r"[^\W\d_]{3,}|\d+")


def dictated(
    trajectory: Trajectory, blueprint: Blueprint, changes: tuple[Change, ...], tools: Mapping[str, Tool]
) -> tuple[Trajectory, tuple[Change, ...]]:
    """Return a dialogue and its state changes with paraphrases of dictated texts replaced by the dictated texts."""
    words: dict[str, str] = {}
    for call in trajectory.calls():
        for action in blueprint.calls:
            if call.name == action.tool and call.name in tools and call.arguments != action.arguments:
                words |= _paraphrases(call, action, tools[call.name])
    if not words:
        return trajectory, changes
    messages = tuple(_reworded(message, words) for message in trajectory.messages)
    made = tuple(
        change.model_copy(update={"before": replaced(change.before, words), "after": replaced(change.after, words)})
        for change in changes
    )
    digest = blueprint.expected.digest if made == blueprint.expected.difference else trajectory.final_digest
    return trajectory.model_copy(update={"messages": messages, "final_digest": digest}), made


def _paraphrases(call: ToolCall, action: Action, tool: Tool) -> dict[str, str]:
    """Return paraphrase -> dictated text if a call differs from an action only in paraphrased free text; empty otherwise."""
    given, wanted = dict(leaves(call.arguments)), dict(leaves(action.arguments))
    if given.keys() != wanted.keys():
        return {}
    apart = [path for path in wanted if not same(given[path], wanted[path])]
    free = all(is_free_text(wanted[path], prescribed(tool.parameters, path).schemas) for path in apart)
    if not free or not all(_says_the_same(given[path], wanted[path]) for path in apart):
        return {}
    return {given[path]: wanted[path] for path in apart}


def _says_the_same(given: Any, wanted: str) -> bool:
    if not isinstance(given, str):
        return False
    said, due = _stems(given), _stems(wanted)
    if {word for word in said if word.isdigit()} != {word for word in due if word.isdigit()}:
        return False
    longer = len(_WORD.findall(given)) > LONGER * len(_WORD.findall(wanted))
    return bool(due) and not longer and len(due & said) >= SHARED * len(due)


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in _WORD.findall(text.casefold()))


def _reworded(message: Message, words: Mapping[str, str]) -> Message:
    if message.role == "tool":
        content = message.content
        for given, wanted in words.items():
            for escaped in (False, True):
                content = content.replace(
                    json.dumps(given, ensure_ascii=escaped), json.dumps(wanted, ensure_ascii=escaped)
                )
        return message.model_copy(update={"content": content})
    calls = tuple(call.model_copy(update={"arguments": replaced(call.arguments, words)}) for call in message.tool_calls)
    return message.model_copy(update={"tool_calls": calls}) if calls else message


def replaced(value: Any, words: Mapping[str, str]) -> Any:
    """Return a JSON value with texts replaced by `words` at any depth."""
    if isinstance(value, str):
        return words.get(value, value)
    if isinstance(value, Mapping):
        return {key: replaced(item, words) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [replaced(item, words) for item in value]
    return value
