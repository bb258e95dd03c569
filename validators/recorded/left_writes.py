"""A write of the gold that was never made -> the message at which it was given up, and what this message told the user.

claimed_write   the assistant asked about it, was answered, did not make it, and went on as if it were done
ended_early     the same, but the assistant said nothing more after that message
missed_write    the assistant never asked about it, or was never answered
"""

from collections.abc import Iterator
from typing import Any

from interplay.schemas.json.canonical import leaves
from interplay.schemas.json.json_text import json_value
from interplay.schemas.records.recorded import GoldCall, RecordedDialogue
from interplay.schemas.words.mentions import mentions
from interplay.schemas.words.text import normalised
from interplay.validators.findings.shown_rows import rows_in
from interplay.validators.trajectories.statements import CLOSING, QUESTIONS, sentences

_TELLING = 3
_BRIEF = 4
"""The most words of a question that asks about the sentences before it."""

MISSED, CLAIMED, ENDED = "missed_write", "claimed_write", "ended_early"


def omission(dialogue: RecordedDialogue, gold: GoldCall) -> tuple[str, int]:
    """Return the code for a write that was left undone, and the index of the message that leaves it."""
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
    """Tell whether the user spoke between the last question about it and a message."""
    last = max(i for i in asking if i < index)
    return any(last < i < index for i in heard)


def _asks_about(dialogue: RecordedDialogue, index: int, values: list[Any]) -> bool:
    told = sentences(dialogue.messages[index].content)
    reports = dialogue.messages[index - 1].role == "tool" and _follows_write(dialogue, index)
    for place, sentence in enumerate(told):
        if not sentence.raw.rstrip(CLOSING).endswith(QUESTIONS):
            continue
        about = told  # where nothing was written just before, all of it leads to the question
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
    """Yield the values by which a message mentions a write: its arguments, and the rows that these name."""
    given = [value for _, value in leaves(gold.arguments) if isinstance(value, (str, int, float))]
    given = [value for value in given if len(str(value)) >= _TELLING and not isinstance(value, bool)]
    yield from given
    named = {value for value in given if isinstance(value, str)}
    for message in dialogue.messages:
        if message.role != "tool":
            continue
        for row in rows_in(json_value(message.content)):
            own = [leaf for _, leaf in leaves(row) if isinstance(leaf, str)]
            if own[:1] and own[0] in named:
                yield from (leaf for leaf in own if len(leaf) >= _TELLING and normalised(leaf).words)
