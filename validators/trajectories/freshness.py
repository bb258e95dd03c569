"""Lists changed by a write after they were read -> an issue if the assistant, by its act, still offers their old rows.

list bookings, delete one of them, "I see 9 bookings: Ann, Bob, ... Which one?"   ->   `stale_list`: there are 8 now
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from interplay.schemas.json.canonical import MISSING, join_pointer, leaves, value_at
from interplay.schemas.json.json_text import json_value
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, ToolCall, Trajectory
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.tool import Tool, Toolset
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.schemas.words.numbers import read_numbers
from interplay.schemas.words.text import fold, words
from interplay.validators.findings.replay import Replays

_DEEP, _ROWS, _LETTERS = 3, 200, 3
"""Maximum depth of lists in a result, maximum rows of a list, and minimum length of a row's name."""

_FEWEST = 2
"""Minimum number of rows that a message must name to be offering a choice."""


class FreshnessCheck:
    """Finds offers from a list that a write has changed since it was read: rows that are gone, and outdated counts."""

    name = "freshness"
    codes = ("stale_list",)
    faults: Mapping[str, FailureKind] = {"stale_list": "missed_goal"}

    def __init__(self, replays: Replays, toolset: Toolset) -> None:
        self._replays = replays
        self._tools = toolset.by_name

    async def check(self, trajectory: Trajectory, blueprint: Blueprint) -> Verdict:
        """Return an issue for each message that offers rows of an outdated list; the list is read again at that point."""
        issues = []
        for index, told in groupby(_tellings(trajectory, self._tools), key=lambda one: one.index):
            found = [(one, await self._replays.again(blueprint, one.before, one.listed.call)) for one in told]
            gone = [one for one, now in found if now != MISSING and one.is_gone(now)]
            miscounted = [one for one, now in found if one.counts and now != MISSING and one.is_longer_or_shorter(now)]
            if len(miscounted) < sum(one.counts for one, _ in found):
                miscounted = []  # the count is that of another list, which has not changed
            for one in [*gone, *miscounted][:1]:
                text = f"{one.listed.call.name} was called before a write that changes its answer, and is told of as it was."
                issues.append(Issue.of("stale_list", text, f"/messages/{index}/content"))
        return Verdict(check=self.name, issues=tuple(issues))


@dataclass(frozen=True)
class _Listed:
    """A list in a result: the call, its position among all calls, the list's pointer in the result, and its rows."""

    call: ToolCall
    place: int
    pointer: str
    rows: tuple[Any, ...]


@dataclass(frozen=True)
class _Telling:
    """A message that offers rows of a list read before the last write: the rows it names, by their names.

    `counts`: it tells the number of rows, or offers all of them. `before` are the calls made up to this message.
    """

    index: int
    listed: _Listed
    offered: tuple[frozenset[str], ...]
    counts: bool
    before: tuple[ToolCall, ...]

    def is_gone(self, now: Any) -> bool:
        """Tell whether an offered row is no longer in the list, judged by its names."""
        held = {name for row in self._rows(now) for name in _names(row)}
        return any(map(held.isdisjoint, self.offered))

    def is_longer_or_shorter(self, now: Any) -> bool:
        """Tell whether the list has a different number of rows now."""
        return len(self._rows(now)) != len(self.listed.rows)

    def _rows(self, now: Any) -> Sequence[Any]:
        found = value_at(now, self.listed.pointer)
        return found if isinstance(found, list) else []


def _tellings(trajectory: Trajectory, tools: Mapping[str, Tool]) -> Iterator[_Telling]:
    """Yield the messages in which the assistant, by its act, offers rows that were read before the last write."""
    answers = {message.tool_call_id: message for message in trajectory.messages if message.role == "tool"}
    then = _Then()
    for index, message in enumerate(trajectory.messages):
        if message.role == "user":
            then.heard.append(message.content)
        elif message.certain_act == "suggest" and then.old:
            yield from _told(index, message, then)
        for call in message.tool_calls:
            then.made.append(call)
            answer = answers.get(call.id)
            if answer is None or call.name not in tools:
                continue
            if tools[call.name].effect == "write":
                then.write()
            elif not answer.failed and answer.fault is None:
                then.reads.append((len(then.made), call, answer))


@dataclass
class _Then:
    """What came before a message: all calls, the lists read before the last write, and the reads since then.

    `writes` are the positions of writes among the calls; `heard` is what the user has said since the last write.
    """

    made: list[ToolCall] = field(default_factory=list)
    old: list[_Listed] = field(default_factory=list)
    reads: list[tuple[int, ToolCall, Message]] = field(default_factory=list)
    writes: list[int] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)

    def fresh(self) -> list[_Listed]:
        """Return the lists read since the last write."""
        return [one for read in self.reads for one in _lists(*read)]

    def write(self) -> None:
        """Record that the last call was a write."""
        self.old += self.fresh()
        self.writes.append(len(self.made))
        self.reads.clear()
        self.heard.clear()


def _told(index: int, message: Message, then: _Then) -> Iterator[_Telling]:
    """Yield what a message tells of lists read before the last write, except for what was read or said since.

    If as many writes as rows followed a read, the number of rows is taken for the number of things done.
    """
    text = _plain(message.content)
    fresh = then.fresh()
    known = {name for one in fresh for row in one.rows for name in _names(row)}
    heard, rest = [_plain(said) for said in then.heard], text
    for name in sorted(known, key=len, reverse=True):  # old names may be parts of new ones
        rest = rest.replace(name, "  ")
    named = [_named(one, text) for one in (*then.old, *fresh)]
    most = max(_FEWEST, *map(len, named))  # the list being offered: names of other lists may occur by chance
    for one, names in zip(then.old, named, strict=False):
        offered = names if len(names) == most else []
        counts = len(offered) == len(one.rows) or (bool(offered) and _leads(text, offered, one))
        counts = counts and sum(place > one.place for place in then.writes) < len(one.rows)
        counts = counts and not any(len(other.rows) == len(one.rows) for other in fresh)
        gone = [
            own
            for own in offered
            if known.isdisjoint(own) and any(name in rest for name in own)
            if not any(name in said for said in heard for name in own)
        ]
        if counts or gone:
            yield _Telling(index, one, tuple(gone), counts, tuple(then.made))


def _leads(text: str, offered: Sequence[frozenset[str]], listed: _Listed) -> bool:
    """Tell whether the number of a list's rows is said before the first row is named."""
    first = min((text.index(name) for names in offered for name in names), default=0)
    return len(listed.rows) in read_numbers(text[:first])


def _named(listed: _Listed, text: str) -> list[frozenset[str]]:
    """Return, for each row of a list that a text names, the names found that no other row has."""
    names = [frozenset(name for name in _names(row) if name in text) for row in listed.rows]
    common = Counter(name for own in names for name in own)
    apart = (frozenset(name for name in own if common[name] == 1) for own in names)
    return [own for own in apart if own]


def _lists(place: int, call: ToolCall, answer: Message) -> Iterator[_Listed]:
    """Yield the lists of rows in a result."""
    for pointer, rows in _rows_in(json_value(answer.content), "", _DEEP):
        yield _Listed(call, place, pointer, tuple(rows))


def _rows_in(value: Any, pointer: str, depth: int) -> Iterator[tuple[str, list[Any]]]:
    if isinstance(value, list):
        if _FEWEST <= len(value) <= _ROWS:
            yield pointer, value
    elif isinstance(value, Mapping) and depth > 0:
        for key, item in value.items():
            yield from _rows_in(item, pointer + join_pointer(key), depth - 1)


def _names(row: Any) -> Iterator[str]:
    """Yield the names of a row: its texts, normalised by `_plain`."""
    for _, value in leaves(row):
        if isinstance(value, str) and len(value) >= _LETTERS:
            yield _plain(value)


def _plain(text: str) -> str:
    """Return a text's folded words with a space around each, so that whole words can be found in it."""
    return f" {' '.join(words(fold(text)))} "
