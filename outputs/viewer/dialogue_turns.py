"""A record -> its dialogue for display as a chat: turns with calls and results, origins of arguments, and objections."""

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from interplay.schemas.json.canonical import Change, leaves, value_at
from interplay.schemas.records.blueprint import Action, Blueprint, Origin
from interplay.schemas.records.dialogue import Message, ToolCall, ToolResult, Trajectory
from interplay.schemas.records.verdict import DatasetRecord

MESSAGES = 100
"""Maximum number of messages on one page of a dialogue."""
LONGEST = 4_000
"""Maximum number of characters shown of one text; the rest is loaded on request."""
VALUES = 100
"""Maximum number of argument values per call whose sources are shown."""


@dataclass(frozen=True)
class Source:
    """Where one argument value of a call comes from, in words, and the message that tells it."""

    pointer: str
    value: str
    told: str
    message: int | None = None


@dataclass(frozen=True)
class Objection:
    """An objection of a check or a reviewer to a message."""

    who: str
    told: str
    quote: str = ""


Offered = tuple[tuple[str, ...], tuple[str, ...]]
"""(names of tools that a message adds to the offer, names of those that it removes)."""


@dataclass(frozen=True)
class ShownCall:
    """A call with its outcome: `number` in the dialogue from 0, the task's `action` that it performs, the recorded `changes` of
    the state, and for its result the change of the offer and the objections."""

    name: str
    arguments: str
    requestor: str
    sources: tuple[Source, ...]
    result: str | None = None
    answer: int | None = None
    failed: bool = False
    fault: str = ""
    action: Action | None = None
    number: int | None = None
    changes: tuple[Change, ...] = ()
    offered: Offered | None = None
    objections: tuple[Objection, ...] = ()


@dataclass(frozen=True)
class Turn:
    """One message of user or assistant with its position, its calls, and the objections to it."""

    place: int
    message: Message
    calls: tuple[ShownCall, ...]
    objections: tuple[Objection, ...]
    before: bool = False
    offered: Offered | None = None

    @property
    def end(self) -> int:
        """The position of the last message shown in this turn: its own, or that of a call's result."""
        return max([self.place, *(call.answer for call in self.calls if call.answer is not None)])

    @property
    def is_masked(self) -> bool:
        """Whether it must not be learnt."""
        return self.message.role == "assistant" and not self.message.train


def turns_of(
    record: DatasetRecord, begin: int = 0, end: int | None = None, writes: Set[str] = frozenset()
) -> tuple[Turn, ...]:
    """Return the turns that show messages from `begin` to `end`; `writes` are the names of tools that write."""
    trajectory = record.trajectory
    if trajectory is None:
        return ()
    against, offers = objections(record), _offers(trajectory)
    calls = _calls(trajectory, record.blueprint, recorded_changes(record, writes), offers, against)
    answers = {call.answer for made in calls.values() for call in made}
    turns = (
        Turn(place, message, calls.get(place, ()), against.get(place, ()), place < trajectory.kept, offers.get(place))
        for place, message in enumerate(trajectory.messages[:end])
        if place not in answers  # results are shown with their calls
    )
    return tuple(turn for turn in turns if turn.end >= begin)


def _offers(trajectory: Trajectory) -> dict[int, Offered]:
    """Return message position -> the tools added and removed after it."""
    offered, found = trajectory.tools, {}
    for place, message in enumerate(trajectory.messages):
        if message.offered is not None:
            added = tuple(name for name in message.offered if name not in offered)
            found[place] = added, tuple(name for name in offered if name not in message.offered)
            offered = message.offered
    return found


@dataclass(frozen=True)
class Parting:
    """Positions of the first messages where two dialogues differ: in `words`, and in what is `done` or returned; None if
    they never do."""

    words: int | None = None
    done: int | None = None


def parting(one: DatasetRecord, other: DatasetRecord) -> Parting:
    """Return where two dialogues part; attempts at one task often begin in other words but do the same for long."""
    if one.trajectory is None or other.trajectory is None:
        return Parting()
    pairs = list(zip_longest(one.trajectory.messages, other.trajectory.messages))
    done = next((place for place, pair in enumerate(pairs) if _done(pair[0]) != _done(pair[1])), None)
    worded = (place for place, pair in enumerate(pairs) if place == done or _said(pair[0]) != _said(pair[1]))
    return Parting(next(worded, None), done)


def _said(message: Message | None) -> str | None:
    return None if message is None else message.content


def _done(message: Message | None) -> Any:
    if message is None:
        return None
    found = message.content if message.role == "tool" else ""
    return message.role, message.act, found, [(call.name, call.arguments) for call in message.tool_calls]


def blind(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """Return turns for unbiased labelling: without objections, labels, origins of arguments and the place of a branch."""
    return tuple(
        replace(
            turn,
            message=turn.message.model_copy(update={"act": None, "behaviours": (), "train": True, "speaker": ""}),
            objections=(),
            before=False,
            calls=tuple(
                replace(call, action=None, sources=(), fault="", number=None, objections=()) for call in turn.calls
            ),
        )
        for turn in turns
    )


def objections(record: DatasetRecord) -> dict[int, tuple[Objection, ...]]:
    """Return message position -> objections of checks and reviewers."""
    found: dict[int, list[Objection]] = {}
    for verdict in record.verdicts:
        for issue in verdict.issues:
            place = issue.pointer.removeprefix("/messages/").partition("/")[0]
            if issue.pointer.startswith("/messages/") and place.isdecimal():
                found.setdefault(int(place), []).append(Objection(verdict.check, f"{issue.code}: {issue.message}"))
        for review in verdict.reviews:
            for answer in review.answers:
                if answer.answer == "no" and answer.message is not None:
                    told = f"{answer.item}: {answer.reason}"
                    found.setdefault(answer.message, []).append(Objection(review.reviewer, told, answer.quote))
    failure = record.failure
    if failure is not None and failure.message is not None:
        found.setdefault(failure.message, []).insert(0, Objection("went wrong here", f"{failure.fault}. {failure.why}"))
    return {place: tuple(told) for place, told in found.items()}


def _calls(
    trajectory: Trajectory,
    blueprint: Blueprint | None,
    changes: Mapping[int, tuple[Change, ...]],
    offers: Mapping[int, Offered],
    against: Mapping[int, tuple[Objection, ...]],
) -> dict[int, tuple[ShownCall, ...]]:
    """Return message position -> its calls, with their outcomes and the sources of their arguments."""
    places = {
        message.tool_call_id: place for place, message in enumerate(trajectory.messages) if message.role == "tool"
    }
    begins = blueprint.begins if blueprint else 0
    left = list(blueprint.calls) if blueprint else []
    made: dict[str, int] = {}  # action id -> position of its result
    found: dict[int, list[ShownCall]] = {}
    for number, (place, call, answer) in enumerate(trajectory.calls_with_results()):
        action = _action(call, left) if place >= begins else None
        if action is not None:
            left.remove(action)
            if call.id in places:
                made[action.id] = places[call.id]
        at = places.get(call.id, -1)
        sources = tuple(_sources(call, action, blueprint, trajectory, place, made))
        found.setdefault(place, []).append(
            ShownCall(
                name=call.name,
                arguments=call.malformed or json.dumps(call.arguments, ensure_ascii=False, indent=1),
                requestor=call.requestor,
                sources=sources,
                result=answer.content if answer else None,
                answer=places.get(call.id),
                offered=offers.get(at),
                objections=against.get(at, ()),
                failed=bool(answer and answer.failed),
                fault=(answer.fault or "") if answer else "",
                action=action,
                number=number,
                changes=changes.get(number, ()),
            )
        )
    return {place: tuple(calls) for place, calls in found.items()}


def _action(call: ToolCall, left: Sequence[Action]) -> Action | None:
    """Return the action that a call performs: of those left with its tool, one with equal arguments, else the first."""
    alike = [action for action in left if action.tool == call.name]
    same = [action for action in alike if action.arguments == call.arguments]
    return next(iter(same or alike), None)


def _sources(
    call: ToolCall,
    action: Action | None,
    blueprint: Blueprint | None,
    trajectory: Trajectory,
    place: int,
    made: dict[str, int],
) -> Iterator[Source]:
    for number, (pointer, value) in enumerate(leaves(call.arguments)):
        if number >= VALUES:
            return
        shown = json.dumps(value, ensure_ascii=False)
        origin = action.origins.get(pointer) if action is not None else None
        planned = value_at(action.arguments, pointer) if action is not None else None
        if origin is not None and planned == value and blueprint is not None:
            yield Source(pointer, shown, *_told(origin, blueprint, trajectory, place, made))
        else:
            yield Source(pointer, shown, *_seen(value, trajectory, place))


def _told(
    origin: Origin, blueprint: Blueprint, trajectory: Trajectory, place: int, made: dict[str, int]
) -> tuple[str, int | None]:
    """Return the planned origin of a value in words, and the position of the message that tells it."""
    if origin.kind == "user":
        fact = next((fact for fact in blueprint.scenario.facts if fact.id == origin.fact), None)
        told = next(
            (
                number
                for number in range(min(place, len(trajectory.messages)) - 1, -1, -1)
                if (state := trajectory.messages[number].state) is not None and origin.fact in state.told
            ),
            None,
        )
        return f"the user tells it: {fact.label if fact else origin.fact}", told
    if origin.kind == "output" and origin.action is not None:
        tool = next((action.tool for action in blueprint.actions if action.id == origin.action), origin.action)
        return f"the result of {tool}, at {origin.pointer or 'the root'}", made.get(origin.action)
    plain = {
        "default": "the default of the schema",
        "constant": "the only value that the schema allows",
        "policy": f"rule {origin.rule} of the policy",
        "given": "the system prompt tells it",
        "past": "it came up before the task began",
        "needed": "an action that depends on this one needs it",
    }
    return plain.get(origin.kind, origin.kind), None


def _seen(value: Any, trajectory: Trajectory, place: int) -> tuple[str, int | None]:
    """Return the last message before a call that contains a value literally, in words and as a position."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if len(text) > 1:
        for number in range(place - 1, -1, -1):
            message = trajectory.messages[number]
            if text in message.content:
                return ("the user tells it" if message.role == "user" else f"message {number} tells it"), number
    return "nothing before it tells it to the letter", None


def recorded_changes(record: DatasetRecord, writes: Set[str]) -> dict[int, tuple[Change, ...]]:
    """Return call number (from 0 in the dialogue) -> state differences made by it; `writes` are the tools that write.

    Each difference is assigned to the last of the calls that mention most of it: the steps of its path and its new values.
    Differences that no call mentions are left out.
    """
    if record.trajectory is None or record.blueprint is None:
        return {}
    calls = [
        (number, {*_texts(call.arguments), *_texts(ToolResult.read(call, answer.content).value)})
        for number, (_, call, answer) in enumerate(record.trajectory.calls_with_results())
        if call.name in writes and answer is not None and not answer.failed
    ]
    found: dict[int, list[Change]] = {}
    for change in record.blueprint.expected.difference:
        about = {*change.path.split("/"), *_texts(change.after)} - {""}
        named = [(len(about & names), number) for number, names in calls]
        if named and max(named)[0]:
            found.setdefault(max(named)[1], []).append(change)
    return {number: tuple(changes) for number, changes in found.items()}


def _texts(value: Any) -> set[str]:
    return {str(leaf) for _, leaf in leaves(value) if not isinstance(leaf, (bool, type(None)))}
