"""Records -> ShareGPT rows as LLaMA-Factory reads them: human, gpt, function_call and observation.

    {"id": "9a31...",
     "conversations": [
       {"from": "human", "value": "I need to see Dr. Okafor on Monday."},
       {"from": "function_call", "value": "{\\"name\\": \\"find_doctor\\", \\"arguments\\": {\\"name\\": \\"Okafor\\"}}"},
       {"from": "observation", "value": "{\\"doctor_id\\": 7}"},
       {"from": "gpt", "value": "Dr. Okafor is in on Monday. Shall I book 9:00?"}],
     "system": "You help guests of a clinic. ...",
     "tools": "[{\\"name\\": \\"find_doctor\\", \\"description\\": \\"...\\", \\"parameters\\": {...}}]"}

LLaMA-Factory requires turns to alternate, human or observation first and gpt or function_call last, and skips a dialogue
that does not. So several calls of one message are one function_call whose value is a JSON list, as its formatter reads
parallel calls; their results are one observation, a JSON list in the order of the calls (its own joiner writes the tags
of one model family into the text, which suit no other template). A reasoning becomes `<think>...</think>` before the
value. Words of the same message, or right before a call, are put before `<tool_call>...</tool_call>`, which its formatter takes
for the call (from 0.9.4 on, for all templates but that of LFM 2). The format cannot hold ids of calls, an opening of the
assistant, a last word of the user, a mark for messages not to be learnt, or which tools are offered when: these are left out, and
`losses_of` tells which. `tools` are all tools offered at any time, in order of appearance.
Source: LLaMA-Factory, data/README.md and the converter and formatter in src/llamafactory/data.
"""

import json
from typing import Any

from interplay.outputs.exporters.exported_dialogue import Dialogue, Offered
from interplay.outputs.exporters.row_format import TEXT, Format, texts, tool_changes_lost
from interplay.schemas.json.canonical import json_text
from interplay.schemas.records.dialogue import Message, assistant_view
from interplay.schemas.records.tool import Tool

_FIRST = ("human", "observation")
_THOUGHT = ("<think>\n", "\n</think>\n\n")
_CALL = ("<tool_call>", "</tool_call>")
"""The tags around a call that has words before it."""

_Turn = dict[str, str]


def to_sharegpt(record: Dialogue, tools: tuple[Tool, ...]) -> dict[str, Any]:
    """Return one row; `tools` are all tools offered at any time, in order. The record must have a trajectory."""
    assert record.trajectory is not None, record.id
    return {
        "id": record.id,
        "conversations": _conversation(assistant_view(record.trajectory.messages))[0],
        "system": record.trajectory.system_prompt,
        "tools": f"[{', '.join(Offered.of(tools).texts())}]",
        "language": record.language,
    }


def losses_of(record: Dialogue) -> tuple[str, ...]:
    """Name what the row of this record cannot hold."""
    if record.trajectory is None:
        return ()
    return (*_conversation(assistant_view(record.trajectory.messages))[1], *tool_changes_lost(record))


def _conversation(messages: tuple[Message, ...]) -> tuple[list[_Turn], tuple[str, ...]]:
    """Return the alternating turns, and the codes of what was left out to make them alternate."""
    lost = {"unlearnt_mark" for message in messages if not message.train}
    turns: list[_Turn] = []
    for turn in _turns(messages):
        if not turns or _leads(turns[-1]) != _leads(turn):
            turns.append(turn)
        elif turns[-1]["from"] == turn["from"]:
            turns[-1] = {"from": turn["from"], "value": f"{turns[-1]['value']}\n{turn['value']}"}
        elif turn["from"] == "function_call":
            turns[-1] = {"from": "function_call", "value": _with_words(turns[-1]["value"], turn["value"])}
        else:
            turns.append(turn)
            lost.add("alternation")
    while turns and not _leads(turns[0]):
        turns.pop(0)
        lost.add("opening_of_assistant")
    while turns and _leads(turns[-1]):
        turns.pop()
        lost.add("last_word_of_user")
    return turns, tuple(sorted(lost))


def _turns(messages: tuple[Message, ...]) -> list[_Turn]:
    """Return one turn per message, with the results of one message's calls in a single turn."""
    turns: list[_Turn] = []
    results: list[str] = []
    for message in messages:
        if message.role == "tool":
            results.append(message.content)
            continue
        if results:
            turns.append(_observation(results))
            results = []
        if message.role == "user":
            turns.append({"from": "human", "value": message.content})
        else:
            turns.append(_assistant_turn(message))
    return [*turns, _observation(results)] if results else turns


def _assistant_turn(message: Message) -> _Turn:
    thought = f"{_THOUGHT[0]}{message.reasoning}{_THOUGHT[1]}" if message.reasoning else ""
    if not message.tool_calls:
        return {"from": "gpt", "value": thought + message.content}
    calls = [{"name": call.name, "arguments": call.arguments} for call in message.tool_calls]
    called = json_text(calls[0] if len(calls) == 1 else calls)
    said = _with_words(message.content, called) if message.content else called
    return {"from": "function_call", "value": thought + said}


def _with_words(words: str, called: str) -> str:
    """Return a call with words before it; tags in the words are removed, so that they are not read as a call."""
    for tag in _CALL:
        words = words.replace(tag, "")
    if _CALL[0] in called:
        return f"{words}\n{called}"
    thought, mark, call = called.rpartition(_THOUGHT[1])
    return f"{words}\n{thought}{mark}{_CALL[0]}{call}{_CALL[1]}"


def _observation(results: list[str]) -> _Turn:
    value = results[0] if len(results) == 1 else f"[{', '.join(_as_json(result) for result in results)}]"
    return {"from": "observation", "value": value}


def _as_json(text: str) -> str:
    """Return `text` if it is JSON, else as a JSON string."""
    try:
        json.loads(text)
    except ValueError:
        return json_text(text)
    return text


def _leads(turn: _Turn) -> bool:
    return turn["from"] in _FIRST


FORMAT = Format(
    note="Conversations as LLaMA-Factory reads them; several calls at once are one JSON list, and so are their results.",
    columns={"id": TEXT, "conversations": [texts("from", "value")], **texts("system", "tools", "language")},
    to_row=to_sharegpt,
    losses_of=losses_of,
    loss_words={
        "alternation": "turns that do not alternate between the two sides",
        "last_word_of_user": "what the user says last, after the assistant's last message",
        "opening_of_assistant": "what the assistant says before the user speaks",
    },
    tools_at_once=True,
)
