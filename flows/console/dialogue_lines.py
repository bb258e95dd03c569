"""A dialogue -> coloured paragraphs: the speaker, and what is said, called or returned."""

import json
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from interplay.flows.console.hanging_text import Hanging
from interplay.schemas.records.dialogue import Message, Trajectory

RESULT_LENGTH, CALL_LENGTH = 240, 600
"""The most characters shown of a result or an argument, and of a call."""
STYLES = {"user": "bold cyan", "assistant": "bold green", "call": "yellow", "tool": "dim", "failed": "red"}


def dialogue_lines(trajectory: Trajectory, objections: Mapping[int, Sequence[str]] | None = None) -> Iterator[Hanging]:
    """Yield a dialogue as coloured paragraphs, with messages numbered from 0 as in labels and issues.

    Calls and results are shortened; tools that come or go are listed. `objections` are what reviewers object to, by the
    number of the message that they are shown below.
    """
    offered = trajectory.tools
    for position, message in enumerate(trajectory.messages):
        if trajectory.kept and position == trajectory.kept:
            yield Hanging(Text(" " * 14), Text("── what is above was there before ──", style="dim"))
        for place, (who, text) in enumerate(_message_parts(message)):
            number = Text(f"{position if place == 0 else '':>3} ", style="dim")
            yield Hanging(Text.assemble(number, who), text)
        for told in (objections or {}).get(position, ()):
            yield Hanging(Text(f"{'✗':>14}  ", style="red"), Text(told, style="red"))
        if message.role == "assistant" and not message.train and objections:
            yield Hanging(Text(" " * 14), Text("not to be learnt", style="dim red"))
        if message.offered is not None:
            changes = [f"+{name}" for name in message.offered if name not in offered] + [
                f"-{name}" for name in offered if name not in message.offered
            ]
            yield Hanging(Text(f"{'tools':>14}  ", style="dim magenta"), Text(" ".join(changes), style="dim magenta"))
            offered = message.offered


def print_message(console: Console, message: Message) -> None:
    """Print one message as it is said."""
    for who, text in _message_parts(message):
        console.print(Hanging(who, text))


def _message_parts(message: Message) -> Iterator[tuple[Text, Text]]:
    """Yield the speaker with each thing that is said, called or returned in a message."""
    if message.role == "tool":
        style = STYLES["failed" if message.failed else "tool"]
        yield Text(f"{'result':>10}  ", style=style), Text(_shortened(message.content), style=style)
        return
    if message.content:
        yield Text(f"{message.role:>10}  ", style=STYLES[message.role]), Text(message.content)
    for call in message.tool_calls:
        arguments = ", ".join(f"{name}={_shortened(json.dumps(value))}" for name, value in call.arguments.items())
        who = "call" if call.requestor == "assistant" else "own call"
        told = _shortened(f"{call.name}({arguments})", CALL_LENGTH)
        yield Text(f"{who:>10}  ", style=STYLES["call"]), Text(told, style=STYLES["call"])


def _shortened(text: str, length: int = RESULT_LENGTH) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[:length]} … ({len(line):,} characters)"
