"""A call, as the words before it may have told of it: what it does, and the values and names of what it does that to."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interplay.schemas.json.canonical import last_name, leaves
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import ToolCall, Trajectory
from interplay.schemas.records.tool import Tool, Toolset
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.numbers import COMMON
from interplay.schemas.words.text import fold, words
from interplay.validators.findings.alignment import call_key
from interplay.validators.findings.conformance import prescribed, same
from interplay.validators.language.paraphrase import SaidBefore, content_words, says_deed, shares_stem

_LONGEST = 80
"""Letters of a text that is said as it stands."""
_SHORT = 4
"""Words of what may be called by one of them."""
_DEEP, _ROWS, _MOST = 4, 12, 500
"""How deep rows are looked for in a result, how many of one thing are read, and how many values of a result."""
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)")


@dataclass(frozen=True)
class AnnouncedCall:
    """A call with what may be said of it: `ways` are the telling words of each way to ask for it, the verb first.

    `passed` are the values of its arguments, `known` those of the things that they identify, by the names of their fields;
    `returned` is all that came of it.
    """

    key: str
    tool: str
    ways: tuple[tuple[str, ...], ...]
    passed: tuple[tuple[str, Any], ...]
    known: tuple[tuple[str, Any], ...]
    returned: tuple[Any, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The words of all that is said to ask for it, and of what is passed, with the names."""
        texts = [text for name, value in (*self.passed, *self.known) for text in (" ".join(name_tokens(name)), value)]
        said = (word for text in texts if isinstance(text, str) for word in words(fold(text)))
        return (*(word for way in self.ways for word in way), *said)

    def named(self, asked: SaidBefore) -> bool:
        """Tell whether words name what the call does."""
        return self._deed(asked, ())

    def told(self, asked: SaidBefore) -> bool:
        """Tell whether words tell of the call at all, by what it does or to what."""
        return self._deed(asked, ()) or self._thing(asked, ())

    def told_beside(self, asked: SaidBefore, steps: Sequence["AnnouncedCall"]) -> bool:
        """Tell whether words tell of the call by what the other ones among `steps` are not: another deed, or another value.

        Where they name the deed of none, as in a language that nobody here knows, every other deed may be in them.
        """
        others = [other for other in steps if other.key != self.key]
        if not others:
            return self.told(asked)
        if self._thing(asked, others):
            return True
        if any(other.tool == self.tool for other in others):
            return asked.several([word for way in self.ways for word in way])
        return self._deed(asked, others) or not any(step.named(asked) for step in steps)

    def _deed(self, asked: SaidBefore, others: Sequence["AnnouncedCall"]) -> bool:
        elsewhere = [word for other in others for word in other.words]
        for way in self.ways:
            own = [word for word in way if not shares_stem(word, elsewhere)]
            heard = [word for word in own if says_deed(asked, word, elsewhere)]
            if len(heard) * 2 > len(own) or way[0] in heard:
                return True
        return False

    def _thing(self, asked: SaidBefore, others: Sequence["AnnouncedCall"]) -> bool:
        passed = [value for other in others for _, value in other.passed]
        known = passed + [value for other in others for _, value in other.known]
        known += [value for other in others for value in other.returned]
        own = [pair for pair in self.passed if not _holds(passed, pair[1])]
        own += [pair for pair in self.known if not _holds(known, pair[1])]
        if any(asked.says(value, name) for name, value in own):
            return True
        elsewhere = [word for other in others for word in other.words]
        parts = [
            word
            for _, value in own
            if _is_name(value)
            for word in content_words(value)
            if not shares_stem(word, elsewhere)
        ]
        return any(asked.has(word) for word in parts)


class AnnouncedCalls:
    """Makes steps of calls; knows how people ask for the tools of a toolset, in all its languages."""

    def __init__(self, toolset: Toolset) -> None:
        self._tools = {tool.name: tool for tool in toolset.tools}
        self._translations = tuple(toolset.translations.values())

    def of(
        self, blueprint: Blueprint, trajectory: Trajectory, calls: Sequence[tuple[int, ToolCall]]
    ) -> list[AnnouncedCall]:
        """Return the steps of some calls, each with the message that makes it."""
        results = _Results(trajectory)
        return [self._step(blueprint, call, index, results) for index, call in calls]

    def _step(self, blueprint: Blueprint, call: ToolCall, index: int, results: "_Results") -> AnnouncedCall:
        tool = self._tools[call.name]
        wishes = [*tool.phrases, tool.original_name, tool.summary]
        wishes += [goal.intent for goal in blueprint.goals if goal.tool == call.name]
        infinitives = [told.infinitive(wish) for told in self._translations for wish in wishes]
        ways = dict.fromkeys([*map(content_words, wishes), *(content_words(wish)[::-1] for wish in infinitives)])
        passed = list(_passed(call, tool))
        known = [pair for _, value in passed for pair in results.called(value, index)]
        return AnnouncedCall(
            key=call_key(call.name, call.arguments, self._tools),
            tool=call.name,
            ways=tuple(filter(None, ways)),
            passed=tuple(part for pair in passed for part in _parts(*pair)),
            known=tuple(part for pair in known for part in _parts(*pair)),
            returned=tuple(part for pair in results.of(call.id)[:_MOST] for _, part in _parts(*pair)),
        )


class _Results:
    """What calls returned in a dialogue, in order."""

    def __init__(self, trajectory: Trajectory) -> None:
        self._found: list[tuple[int, str, Any]] = []
        for index, message in enumerate(trajectory.messages):
            if message.role == "tool" and not message.failed:
                try:
                    self._found.append((index, message.tool_call_id or "", json.loads(message.content)))
                except ValueError:
                    continue

    def of(self, call: str) -> list[tuple[str, Any]]:
        """Return the values that a call returned, with the names of their fields."""
        return [
            (last_name(path), leaf) for _, made, value in self._found if made == call for path, leaf in leaves(value)
        ]

    def called(self, identity: Any, before: int) -> list[tuple[str, Any]]:
        """Return what is known of the things that a value identifies, from results before a message."""
        if not isinstance(identity, (str, int)) or isinstance(identity, bool) or str(identity) == "":
            return []
        rows = [row for index, _, value in self._found if index < before for row in _rows(value)]
        naming = [row for row in rows if _identity(row) == identity]
        return [
            (last_name(path), leaf)
            for row in naming[-_ROWS:]
            for path, leaf in leaves(row)
            if leaf != identity and _is_naming(leaf)
        ]


def _identity(row: Mapping[str, Any]) -> Any:
    """Return what a row is identified by: its id, else what stands first in it."""
    return row["id"] if "id" in row else next(iter(row.values()), None)


def _rows(value: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    if depth > _DEEP:
        return
    if isinstance(value, Mapping):
        yield value
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    for item in inner:
        if isinstance(item, (Mapping, list)):
            yield from _rows(item, depth + 1)


def _is_naming(value: Any) -> bool:
    """Tell whether a value of a row tells it from others where it is said: no plain word such as a status."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, str):
        return 2 < len(value) <= _LONGEST and (not value.isalpha() or not (value.islower() or len(value) == 3))
    return isinstance(value, (int, float)) and abs(value) >= COMMON


def _is_name(value: Any) -> bool:
    """Tell whether a value may be called by one of its words."""
    return isinstance(value, str) and 1 < len(value.split()) <= _SHORT


def _passed(call: ToolCall, tool: Tool) -> Iterator[tuple[str, Any]]:
    """Yield the arguments that somebody has to have said, with their names."""
    for path, value in leaves(call.arguments):
        says = prescribed(tool.parameters, path)
        if any(same(value, other) for other in (*says.defaults, *says.constants)):
            continue
        for item in value if isinstance(value, list) else [value]:
            if (isinstance(item, str) and item) or _is_naming(item):
                yield last_name(path), item


def _parts(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield a value, of a moment its day and its time."""
    moment = _MOMENT.match(value) if isinstance(value, str) else None
    if moment is None:
        yield name, value
    else:
        yield name, moment[1]
        yield name, moment[2]


def _holds(values: Sequence[Any], value: Any) -> bool:
    return any(same(value, other) for other in values)
