"""A chat template and rows of messages -> which rows it renders, and what of them its text lacks.

A template is rendered as `transformers` does it, in a sandbox. Every text, call and argument of a row carries a mark of its own
for that: a mark that is not in the rendered text is something that a model trained with the template never sees.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field

from interplay.outputs.exporters.message_lists import SIDES, words_apart
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.record import Record

LARGEST = 1_000_000
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
"""What a template can lose, in words."""

HELD = Path(__file__).with_name("chat_template.yaml")
"""What the templates of common models lose, as `bench/chat_templates.py` found."""


@cache
def common_losses() -> Mapping[str, Sequence[str]]:
    """Return by what is lost (see `LOSSES`) the models whose templates lose it, or refuse the dialogue."""
    found: dict[str, list[str]] = yaml.safe_load(HELD.read_text(encoding="utf-8"))
    return found


class TemplateReport(Record):
    """What a template makes of rows: how many it renders, why it refuses others, and in how many it loses what."""

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
        """Return what it makes of the rows in one line."""
        told = [f"{self.file}: {self.whole} of {self.rows} dialogues are rendered with nothing lost"]
        told += [f"{self.whole_apart} more with --words-apart"] if self.whole_apart else []
        told += [f"loses {LOSSES[kind]} ({count})" for kind, count in self.lost.items()]
        told += [f"refuses {count}: {reason}" for reason, count in self.refused.items()]
        return "; ".join(told)


def read_template(path: Path) -> Any:
    """Return the template of a file.

    Raises:
        ConfigError: it cannot be read, is too large, or does not parse.
    """
    from jinja2 import TemplateError  # noqa: PLC0415  (needed at the edge only)

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"--template {path}: cannot be read ({error}). Give a Jinja file, as models have it."
        ) from error
    if len(text) > LARGEST:
        raise ConfigError(f"--template {path}: has more than {LARGEST:,} characters. Give the chat template alone.")
    try:
        return _environment().from_string(text)
    except (TemplateError, RecursionError) as error:
        raise ConfigError(f"--template {path}: does not parse ({error}).") from error


def try_template(template: Any, file: str, rows: Iterable[dict[str, Any]]) -> TemplateReport:
    """Render rows of format `trl`, `preference` or `kto`, one at a time, and tell what is lost; both sides of a pair are rendered."""
    count, whole, whole_apart, text_arguments = 0, 0, 0, False
    refused: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for messages, tools in (each for row in rows for each in _dialogues(row)):
        count += 1
        missing, as_text = _lost(template, messages, tools)
        text_arguments |= as_text
        if isinstance(missing, Exception):
            refused[" ".join(str(missing).split())[:LONGEST_REASON] or type(missing).__name__] += 1
            continue
        whole += not missing
        whole_apart += "words_beside_calls" in missing and not _lost(template, words_apart(messages), tools)[0]
        lost.update(missing)
    return TemplateReport(
        file=file, rows=count, whole=whole, whole_apart=whole_apart, refused=dict(refused.most_common(20)),
        lost=dict(sorted(lost.items())), text_arguments=text_arguments,
    )  # fmt: skip


_Objects = list[dict[str, Any]]


def _dialogues(row: dict[str, Any]) -> Iterator[tuple[_Objects, _Objects]]:
    """Yield the messages and tools of a row: of each side, where it has some."""
    if "messages" in row:
        yield row["messages"], row["tools"]
    for side in SIDES:
        if side in row:
            yield row["prompt"] + row[side], row["tools"]


def _lost(template: Any, messages: _Objects, tools: _Objects) -> tuple[set[str] | Exception, bool]:
    """Return what the text of a dialogue lacks, or why there is none, and whether arguments had to be given as text."""
    marks, marked, marked_tools = _marked(messages, tools)
    found = _render(template, marked, marked_tools)
    missing = found if isinstance(found, Exception) else _missing(found, marks)
    if isinstance(missing, set) and not missing & {"calls", "arguments"}:
        return missing, False
    again = _render(template, list(_as_text(marked)), marked_tools)
    if isinstance(again, Exception):
        return missing, False
    other = _missing(again, marks)
    return (other, True) if isinstance(missing, Exception) or len(other) < len(missing) else (missing, False)


def _environment() -> Any:
    from jinja2 import nodes  # noqa: PLC0415
    from jinja2.ext import Extension, loopcontrols  # noqa: PLC0415
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415

    class Generation(Extension):
        """Reads the block that marks what is to be learnt, and renders what it holds."""

        tags = {"generation"}  # noqa: RUF012  (as the library declares it)

        def parse(self, parser: Any) -> Any:
            line = next(parser.stream).lineno
            body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
            return nodes.Scope(body).set_lineno(line)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    environment.filters["tojson"] = _to_json
    environment.globals["raise_exception"] = _refuse
    environment.globals["strftime_now"] = lambda _: "2026-01-01"  # the same text on any day
    return environment


def _to_json(value: Any, ensure_ascii: bool = False, indent: int | None = None, **options: Any) -> str:
    separators = options.get("separators")
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators and tuple(separators),
        sort_keys=bool(options.get("sort_keys")),
    )  # fmt: skip


def _refuse(reason: str) -> None:
    from jinja2 import TemplateError  # noqa: PLC0415

    raise TemplateError(reason)


def _render(template: Any, messages: _Objects, tools: _Objects) -> str | Exception:
    tokens = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
    try:
        return str(template.render(messages=messages, tools=tools or None, add_generation_prompt=False, **tokens))
    except Exception as error:  # a template is a program of somebody else's
        return error


def _marked(said: _Objects, offered: _Objects) -> tuple[dict[str, str], _Objects, _Objects]:
    """Return what each mark stands for, and messages and tools with the marks in them."""
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


def _as_text(messages: _Objects) -> Iterator[dict[str, Any]]:
    for message in messages:
        calls = [
            {**call, "function": {**call["function"], "arguments": _to_json(call["function"]["arguments"])}}
            for call in message.get("tool_calls", ())
        ]
        yield {**message, "tool_calls": calls} if calls else message


def _missing(text: str, marks: dict[str, str]) -> set[str]:
    missing = {kind for mark, kind in marks.items() if mark not in text}
    return missing - {"arguments"} if missing & {"calls", "parallel_calls"} else missing
