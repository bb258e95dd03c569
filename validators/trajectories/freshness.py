"""Lists that a write has changed since they were read -> an issue where the assistant, by its act, still offers their old rows.

list bookings, delete one of them, "I see 9 bookings: Ann, Bob, ... Which one?"   ->   `stale_list`: there are 8 by then
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
"""How deep a result is searched for lists, how many rows of a list are read, and the fewest letters of a name."""

_FEWEST = 2
"""The fewest rows that a message names when it offers a choice."""


class FreshnessCheck:
    """Finds statements about a list that a write has changed since: rows to choose from, and their number."""

    name = "freshness"
    codes = ("stale_list",)
    faults: Mapping[str, FailureKind] = {"stale_list": "missed_goal"}

    def __init__(self, replays: Replays, toolset: Toolset) -> None:
        self._replays = replays
        self._tools = toolset.by_name

    async def check(self, trajectory: Trajectory, blueprint: Blueprint) -> Verdict:
        """Return an issue for each message that reports an outdated list; the list is read again at that place."""
        issues = []
        for index, told in groupby(_tellings(trajectory, self._tools), key=lambda one: one.index):
            found = [(one, await self._replays.again(blueprint, one.before, one.listed.call)) for one in told]
            gone = [one for one, now in found if now != MISSING and one.is_gone(now)]
            miscounted = [one for one, now in found if one.counts and now != MISSING and one.is_longer_or_shorter(now)]
            if len(miscounted) < sum(one.counts for one, _ in found):
                miscounted = []  # it is the number of another list, one that is as it was
            for one in [*gone, *miscounted][:1]:
                text = f"{one.listed.call.name} was called before a write that changes its answer, and is told of as it was."
                issues.append(Issue.of("stale_list", text, f"/messages/{index}/content"))
        return Verdict(check=self.name, issues=tuple(issues))


@dataclass(frozen=True)
class _Listed:
    """A list in the result of a call: the place of that among all calls, where in the result it stands, and its rows."""

    call: ToolCall
    place: int
    pointer: str
    rows: tuple[Any, ...]


@dataclass(frozen=True)
class _Telling:
    """A message after a write that reports a list read before it: the rows that it offers, by their names.

    `counts` tells that it says how many rows there are, or offers all; `before` are the calls made until then.
    """

    index: int
    listed: _Listed
    offered: tuple[frozenset[str], ...]
    counts: bool
    before: tuple[ToolCall, ...]

    def is_gone(self, now: Any) -> bool:
        """Tell whether a row that is offered is in the list no longer, going by what it is called."""
        held = {name for row in self._rows(now) for name in _names(row)}
        return any(map(held.isdisjoint, self.offered))

    def is_longer_or_shorter(self, now: Any) -> bool:
        """Tell whether the list has another number of rows by now."""
        return len(self._rows(now)) != len(self.listed.rows)

    def _rows(self, now: Any) -> Sequence[Any]:
        found = value_at(now, self.listed.pointer)
        return found if isinstance(found, list) else []


def _tellings(trajectory: Trajectory, tools: Mapping[str, Tool]) -> Iterator[_Telling]:
    """Yield the messages in which the assistant, by its act, offers rows after a write that was made since they were read."""
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
    """What came before a message: all calls, the lists read before the last write, the reads since, with their places.

    `writes` are the places of writes among the calls; `heard` is what the user has said since the last one.
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
        """Take note that the last call is a write."""
        self.old += self.fresh()
        self.writes.append(len(self.made))
        self.reads.clear()
        self.heard.clear()


def _told(index: int, message: Message, then: _Then) -> Iterator[_Telling]:
    """Yield what a message says of lists read before the last write, except what was read or said since.

    Where as many writes were made as there are rows, their number is that of what was done.
    """
    text = _plain(message.content)
    fresh = then.fresh()
    known = {name for one in fresh for row in one.rows for name in _names(row)}
    heard, rest = [_plain(said) for said in then.heard], text
    for name in sorted(known, key=len, reverse=True):  # an old name may be a part of a new one
        rest = rest.replace(name, "  ")
    named = [_named(one, text) for one in (*then.old, *fresh)]
    most = max(_FEWEST, *map(len, named))  # the list that is offered, where names of others stand in it by chance
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
    """Tell whether the number of rows of a list is said before the first of them is named, whatever it calls them."""
    first = min((text.index(name) for names in offered for name in names), default=0)
    return len(listed.rows) in read_numbers(text[:first])


def _named(listed: _Listed, text: str) -> list[frozenset[str]]:
    """Return what the rows of a list are called in a text, of those that are named in it: what no other row is called."""
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
    """Yield what a row may be called by: its texts, as `_plain` has them."""
    for _, value in leaves(row):
        if isinstance(value, str) and len(value) >= _LETTERS:
            yield _plain(value)


def _plain(text: str) -> str:
    """Return the words of a text with a space around each, so that whole words are found in it."""
    return f" {' '.join(words(fold(text)))} "
