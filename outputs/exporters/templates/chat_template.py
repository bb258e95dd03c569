"""A chat template and rows of messages -> which rows it renders, and what it leaves out of them.

A template is rendered as `transformers` does it, in a process of its own. Every text, call and argument of a row gets a unique
mark: if the rendered text lacks the mark, a model trained with the template never sees that part.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field

from interplay.outputs.exporters.message_lists import SIDES, words_apart
from interplay.outputs.exporters.templates.template_process import Objects, Refusal, TemplateProcess, to_json
from interplay.schemas.json.record import Record

LONGEST_REASON = 200
LOSSES = {
    "system": "the system prompt",
    "tools": "the tools",
    "user": "words of the user",
    "words": "words of the assistant",
    "words_beside_calls": "words beside calls",
    "reasoning": "what the assistant thought",
    "calls": "calls",
    "parallel_calls": "all but the first of several calls at once",
    "arguments": "arguments of calls",
    "results": "results of calls",
}
"""What a template can lose: code -> words."""

HELD = Path(__file__).with_name("chat_template.yaml")
"""What the templates of common models lose, as measured by `bench/chat_templates.py`."""


@cache
def common_losses() -> Mapping[str, Sequence[str]]:
    """Return loss (see `LOSSES`) -> the models whose templates have it, or refuse the dialogue."""
    found: dict[str, list[str]] = yaml.safe_load(HELD.read_text(encoding="utf-8"))
    return found


class TemplateReport(Record):
    """The result of trying a template on rows: how many it renders and refuses, and how often it loses what."""

    file: str
    rows: int = 0
    whole: int = Field(0, description="Rows of which nothing is lost.")
    whole_apart: int = Field(0, description="Rows of which nothing more is lost where words stand apart from calls.")
    refused: dict[str, int] = Field(default_factory=dict, description="By the template's or the renderer's own words.")
    lost: dict[str, int] = Field(default_factory=dict, description="By what is lost, see `LOSSES`.")
    text_arguments: bool = Field(
        False, description="Some rows were rendered with arguments as JSON text, not as objects."
    )

    def summary(self) -> str:
        """Return the result in one line."""
        told = [f"{self.file}: {self.whole} of {self.rows} dialogues are rendered with nothing lost"]
        told += [f"{self.whole_apart} more with --words-apart"] if self.whole_apart else []
        told += [f"loses {LOSSES[kind]} ({count})" for kind, count in self.lost.items()]
        told += [f"refuses {count}: {reason}" for reason, count in self.refused.items()]
        return "; ".join(told)


def try_template(template: TemplateProcess, file: str, rows: Iterable[dict[str, Any]]) -> TemplateReport:
    """Render rows of format `trl`, `preference` or `kto` one at a time, both sides of a pair, and report what is lost.

    Raises:
        ConfigError: the template takes too long or too much memory.
    """
    count, whole, whole_apart, text_arguments = 0, 0, 0, False
    refused: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for messages, tools in (each for row in rows for each in _dialogues(row)):
        count += 1
        missing, as_text = _lost(template, messages, tools)
        text_arguments |= as_text
        if isinstance(missing, Refusal):
            refused[" ".join(missing.why.split())[:LONGEST_REASON]] += 1
            continue
        whole += not missing
        whole_apart += "words_beside_calls" in missing and not _lost(template, words_apart(messages), tools)[0]
        lost.update(missing)
    return TemplateReport(
        file=file, rows=count, whole=whole, whole_apart=whole_apart, refused=dict(refused.most_common(20)),
        lost=dict(sorted(lost.items())), text_arguments=text_arguments,
    )  # fmt: skip


def _dialogues(row: dict[str, Any]) -> Iterator[tuple[Objects, Objects]]:
    """Yield (messages, tools) of a row; one for each side if it has sides."""
    if "messages" in row:
        yield row["messages"], row["tools"]
    for side in SIDES:
        if side in row:
            yield row["prompt"] + row[side], row["tools"]


def _lost(template: TemplateProcess, messages: Objects, tools: Objects) -> tuple[set[str] | Refusal, bool]:
    """Return what the rendered dialogue lacks or why it was refused, and whether arguments had to be passed as text."""
    marks, marked, marked_tools = _marked(messages, tools)
    found = template.render(marked, marked_tools)
    missing = found if isinstance(found, Refusal) else _missing(found, marks)
    if isinstance(missing, set) and not missing & {"calls", "arguments"}:
        return missing, False
    again = template.render(list(_as_text(marked)), marked_tools)
    if isinstance(again, Refusal):
        return missing, False
    other = _missing(again, marks)
    return (other, True) if isinstance(missing, Refusal) or len(other) < len(missing) else (missing, False)


def _marked(said: Objects, offered: Objects) -> tuple[dict[str, str], Objects, Objects]:
    """Return mark -> what it stands for, and the messages and tools with the marks in them."""
    marks: dict[str, str] = {}

    def mark(kind: str) -> str:
        made = f"zq{len(marks)}qz"
        marks[made] = kind
        return made

    messages = []
    for message in said:
        copy = dict(message)
        calls = copy.get("tool_calls") or []
        kind = {"system": "system", "user": "user", "tool": "results"}.get(copy["role"], "words")
        if copy["content"]:
            copy["content"] += " " + mark("words_beside_calls" if calls else kind)
        if copy.get("reasoning_content"):
            copy["reasoning_content"] += " " + mark("reasoning")
        if calls:
            copy["tool_calls"] = [
                {**call, "function": {
                    "name": call["function"]["name"] + mark("parallel_calls" if number else "calls"),
                    "arguments": {**call["function"]["arguments"], mark("arguments"): ""},
                }} for number, call in enumerate(calls)
            ]  # fmt: skip
        messages.append(copy)
    tools = [{**tool, "function": {**tool["function"], "description": mark("tools")}} for tool in offered]
    return marks, messages, tools


def _as_text(messages: Objects) -> Iterator[dict[str, Any]]:
    for message in messages:
        calls = [
            {**call, "function": {**call["function"], "arguments": to_json(call["function"]["arguments"])}}
            for call in message.get("tool_calls", ())
        ]
        yield {**message, "tool_calls": calls} if calls else message


def _missing(text: str, marks: dict[str, str]) -> set[str]:
    missing = {kind for mark, kind in marks.items() if mark not in text}
    return missing - {"arguments"} if missing & {"calls", "parallel_calls"} else missing
