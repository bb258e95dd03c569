"""Compares what a user says with what it can know: its scenario, and what was said before."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interplay.schemas.json.canonical import leaves
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.schemas.words.dates import Day
from interplay.schemas.words.numbers import COMMON, has_digits
from interplay.schemas.words.text import Text, fold, normalised, words

_TOKEN = re.compile(r"(?:[^\s,;!?()\[\]\"“”„«»]|(?<=\d),(?=\d))+")
_ADDRESS = re.compile(r"@[\w-]+\.\w|://|\bwww\.", re.IGNORECASE)
_DIALLED = 7
"""Minimum number of digits that may be a phone number in any grouping."""


class KnowledgeCheck:
    """Checks for each user message not written by rules whether the user can know the values that it says."""

    name = "knowledge"
    codes = ("invented_fact",)
    faults: Mapping[str, FailureKind] = {"invented_fact": "user_fault"}

    async def check(self, trajectory: Trajectory, blueprint: Blueprint) -> Verdict:
        """Return an issue for each message in which the user makes something up."""
        heard = [message for message in trajectory.messages if message.role == "user" and message.certain_act is None]
        if not any(_telling(message.content) for message in heard):
            return Verdict(check=self.name)
        issues: list[Issue] = []
        known = _Known(blueprint)
        own = {call.id for call in trajectory.calls() if call.requestor == "user"}
        for index, message in enumerate(trajectory.messages):
            if message.role == "user" and message.certain_act is None and _telling(message.content):
                made_up = next(known.strange(message.content), None)
                if made_up is not None:
                    text = f"The user says {made_up[:80]!r}, which neither its scenario nor anybody before it does."
                    issues.append(Issue.of("invented_fact", text, f"/messages/{index}"))
            if message.role != "tool" or message.tool_call_id in own:
                known.hear(message.content)
        return Verdict(check=self.name, issues=tuple(issues))


class _Known:
    """Everything that a user can know at a point of a dialogue, in the forms in which it may be said."""

    def __init__(self, blueprint: Blueprint) -> None:
        self._words = ""
        self._digits = " "
        self._days: set[Day] = set()
        self._times: set[tuple[int, int]] = set()
        self._numbers: set[float] = set()
        for text in _told(blueprint):
            self.hear(text)

    def hear(self, text: str) -> None:
        """Add what a text says."""
        said = normalised(text)
        self._words += " " + _joined(said.folded)
        if has_digits(text):
            self._digits += re.sub(r"\D", "", text) + " " + " ".join(re.findall(r"\d+", text)) + " "
        self._days |= said.moments.days
        self._times |= _on_the_dial(said)
        self._numbers |= said.all_numbers

    def strange(self, text: str) -> Iterator[str]:
        """Yield the values in a text that the user cannot know."""
        said = normalised(text)
        for day in sorted(said.moments.days, key=str):
            if not any(_same_day(day, known) for known in self._days):
                yield "-".join(f"{part:02d}" for part in day if part is not None)
        for start, end in said.moments.spans:
            moment = Text(said.folded[start:end])
            if not moment.moments.days and moment.moments.times and not _on_the_dial(moment) & self._times:
                yield moment.folded
        dialled = [
            run
            for run, _ in said.digit_runs
            if len(run) >= _DIALLED and run.lstrip("0") in self._digits.replace(" ", "")
        ]
        spans = said.moments.spans
        for found in _TOKEN.finditer(said.folded):
            token = found[0].strip(".:'’…-–*_~")
            if not _telling(token) or any(start < found.end() and found.start() < end for start, end in spans):
                continue
            digits = re.sub(r"\D", "", token)
            if not self._holds(token) and not (digits and any(digits in run for run in dialled)):
                yield token

    def _holds(self, token: str) -> bool:
        digits, letters = re.sub(r"\D", "", token), re.sub(r"[\W\d_]", "", token)
        if letters and _joined(token) in self._words:
            return True
        if not digits or _ADDRESS.search(token):
            return False
        said = Text(token)
        if _on_the_dial(said) & self._times:
            return True
        if len(letters) <= 2 and len(digits) <= 2 and int(digits) < COMMON:
            return True
        heard = f" {digits} " in self._digits or bool(said.numbers & self._numbers)
        return heard and (not letters or bool(said.numbers))


def _on_the_dial(text: Text) -> set[tuple[int, int]]:
    """Return the times that a text names as (hour mod 12, minute)."""
    return {(hour % 12, minute) for hour, minute, _ in text.moments.times}


def _same_day(day: Day, known: Day) -> bool:
    """Tell whether two dates may be the same: the year may be missing or have two digits, and day and month may be swapped."""
    years = {year % 100 for year in (day[0], known[0]) if year is not None}
    return len(years) < 2 and day[1:] in (known[1:], known[:0:-1])


def _telling(text: str) -> bool:
    return has_digits(text) or _ADDRESS.search(text) is not None


def _joined(text: str) -> str:
    return "".join(words(fold(text)))


def _told(blueprint: Blueprint) -> Iterator[str]:
    """Yield everything that the scenario and the earlier dialogue tell the user, as texts."""
    scenario = blueprint.scenario
    values: list[Any] = [fact.value for fact in scenario.facts if fact.reveal != "never"]
    values += [done.value for done in scenario.behaviours] + [sight.value for sight in scenario.sights]
    values += [fact.description.month for fact in scenario.facts if fact.description is not None]
    for goal in blueprint.goals:
        yield from (goal.intent, goal.topic, goal.purpose, goal.again)
        values += [held.value for held in (goal.condition, goal.amiss) if held is not None]
    yield from (fact.label for fact in scenario.facts)
    yield from (scenario.motive, scenario.out_of_scope, scenario.persona.name, scenario.persona.age)
    yield from _as_texts(values)
    if blueprint.start is not None:
        yield from _as_texts(list(blueprint.start.told))
        yield from (message.content for message in blueprint.start.messages)


def _as_texts(values: Sequence[Any]) -> Iterator[str]:
    for value in values:
        for _, leaf in leaves(value):
            if leaf is not None and not isinstance(leaf, bool):
                yield f"{leaf:g}" if isinstance(leaf, float) else str(leaf)
