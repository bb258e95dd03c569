"""A long dialogue -> overlapping windows, each with a summary of the messages before it.

[0] user: ...                  messages as numbered lines
[57] assistant: ...            the last ones of a window are repeated at the beginning of the next
"""

from collections.abc import Sequence
from dataclasses import dataclass

from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.review import message_text

OVERLAP, OVERLAP_SHARE = 8, 0.25
"""Maximum number of messages that two windows share, and maximum share of a window that these take."""
LINE, RECALLED = 0.5, 110
"""Maximum share of a window for one message, and maximum characters of a recalled message."""


@dataclass(frozen=True)
class Window:
    """Messages from `begin` up to `end` of a dialogue, as lines; `recalled` holds shortened lines of earlier messages."""

    begin: int
    end: int
    lines: tuple[str, ...]
    recalled: tuple[str, ...] = ()


def size(text: str) -> int:
    """Return the number of bytes of a text, from which tokens are estimated in any script."""
    return len(text.encode())


def windows_of(messages: Sequence[Message], begins: int, room: int, recall: int) -> tuple[Window, ...]:
    """Return the windows of a dialogue from message `begins` on.

    `room` is the maximum of bytes for the messages of a window, `recall` that for the earlier ones.
    """
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
    """Return the beginning of the next window: some messages before the end of this one, but after its beginning."""
    again, used = end, 0
    while again - 1 > begin and end - again < OVERLAP and used + sizes[again - 1] <= room * OVERLAP_SHARE:
        again -= 1
        used += sizes[again]
    return again


def _line(place: int, message: Message) -> str:
    text = message_text(message)
    who = ("error" if message.failed else "result") if message.role == "tool" else message.role
    return f"[{place}] {who}: {text}".replace(
        "\n", "\n  "
    )  # so that no line within a message looks like another message


def _recalled(before: Sequence[Message], room: int) -> tuple[str, ...]:
    """Return the latest earlier messages, shortened, as many as there is room for; words of the assistant are left out.

    Those are no facts, unlike what the user told and what tools returned.
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
    """Return a text cut to `room` bytes, with a note on how much was left out."""
    if size(text) <= room:
        return text
    kept = text.encode()[: max(room - 40, 0)].decode(errors="ignore")
    return f"{kept}… ({len(text) - len(kept)} characters left out)"
