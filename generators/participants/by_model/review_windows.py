"""A long dialogue -> windows that overlap, each with what its reviewer needs to know of the messages before it.

[0] user: ...                  messages as numbered lines
[57] assistant: ...            the last ones of a window stand again at the beginning of the next
"""

from collections.abc import Sequence
from dataclasses import dataclass

from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.review import message_text

OVERLAP, OVERLAP_SHARE = 8, 0.25
"""Messages that two windows share at most, and the part of a window that they may take."""
LINE, RECALLED = 0.5, 110
"""The part of a window that one message may take, and characters of a message that is only recalled."""


@dataclass(frozen=True)
class Window:
    """Messages from `begin` up to `end` of a dialogue, as lines; `recalled` are lines of what was before."""

    begin: int
    end: int
    lines: tuple[str, ...]
    recalled: tuple[str, ...] = ()


def size(text: str) -> int:
    """Return the bytes of a text, by which tokens are estimated in any script."""
    return len(text.encode())


def windows_of(messages: Sequence[Message], begins: int, room: int, recall: int) -> tuple[Window, ...]:
    """Return the windows of a dialogue from message `begins` on; `room` and `recall` are bytes of messages, old and new."""
    lines = [shortened(_line(place, message), int(room * LINE)) for place, message in enumerate(messages)]
    sizes = [size(line) + 1 for line in lines]
    made: list[Window] = []
    begin = begins
    while begin < len(lines) or not made:
        end, used = begin, 0
        while end < len(lines) and (used + sizes[end] <= room or end == begin):
            used += sizes[end]
            end += 1
        made.append(Window(begin, end, tuple(lines[begin:end]), _recalled(messages[:begin], recall)))
        if end >= len(lines):
            break
        begin = _next_begin(sizes, begin, end, room)
    return tuple(made)


def _next_begin(sizes: Sequence[int], begin: int, end: int, room: int) -> int:
    """Return where the window after one begins: some messages before its end, and later than it began."""
    again, used = end, 0
    while again - 1 > begin and end - again < OVERLAP and used + sizes[again - 1] <= room * OVERLAP_SHARE:
        again -= 1
        used += sizes[again]
    return again


def _line(place: int, message: Message) -> str:
    text = message_text(message)
    who = ("error" if message.failed else "result") if message.role == "tool" else message.role
    return f"[{place}] {who}: {text}".replace("\n", "\n  ")  # no line of a message looks like another message


def _recalled(before: Sequence[Message], room: int) -> tuple[str, ...]:
    """Return the last of the earlier messages in short, as many as there is room for; words of the assistant are left out.

    What it said is no fact: what the user told and what tools returned is.
    """
    kept: list[str] = []
    for place in range(len(before) - 1, -1, -1):
        message = before[place]
        if message.role == "assistant" and not message.tool_calls:
            continue
        line = shortened(_line(place, message), RECALLED)
        room -= size(line) + 1
        if room < 0:
            break
        kept.append(line)
    return tuple(reversed(kept))


def shortened(text: str, room: int) -> str:
    """Return a text cut to `room` bytes, which says how much is left out."""
    if size(text) <= room:
        return text
    kept = text.encode()[: max(room - 40, 0)].decode(errors="ignore")
    return f"{kept}… ({len(text) - len(kept)} characters left out)"
