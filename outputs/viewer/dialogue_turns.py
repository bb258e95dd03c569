"""A record -> its dialogue as people read chats: turns with their calls and results, where arguments come from, what was held
against each message.
"""

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
"""Messages that one page of a dialogue shows."""
LONGEST = 4_000
"""Characters of one text that a page shows; the rest is loaded when it is asked for."""
VALUES = 100
"""Values of the arguments of one call whose sources are told."""


@dataclass(frozen=True)
class Source:
    """Where one value of a call's arguments comes from, in words, and the message that tells it."""

    pointer: str
    value: str
    told: str
    message: int | None = None


@dataclass(frozen=True)
class Objection:
    """What a check or a reviewer holds against a message."""

    who: str
    told: str
    quote: str = ""


Offered = tuple[tuple[str, ...], tuple[str, ...]]
"""Names of tools that a message brings, and of those that it takes away."""


@dataclass(frozen=True)
class ShownCall:
    """A call with what came of it: its `number` in the dialogue, from 0, the `action` of the task that it makes, what it
    changed as far as the record tells, and what its result offers and is reproached with."""

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
    """One message of user or assistant, its place, its calls, and what is held against it."""

    place: int
    message: Message
    calls: tuple[ShownCall, ...]
    objections: tuple[Objection, ...]
    before: bool = False
    offered: Offered | None = None

    @property
    def end(self) -> int:
        """The place of the last message that it shows: its own, or that of a result."""
        return max([self.place, *(call.answer for call in self.calls if call.answer is not None)])

    @property
    def is_masked(self) -> bool:
        """Whether it is not to be learnt."""
        return self.message.role == "assistant" and not self.message.train


def turns_of(
    record: DatasetRecord, begin: int = 0, end: int | None = None, writes: Set[str] = frozenset()
) -> tuple[Turn, ...]:
    """Return the turns from one message on, up to another; `writes` are the names of tools that write."""
    trajectory = record.trajectory
    if trajectory is None:
        return ()
    against, offers = objections(record), _offers(trajectory)
    calls = _calls(trajectory, record.blueprint, recorded_changes(record, writes), offers, against)
    answers = {call.answer for made in calls.values() for call in made}
    turns = (
        Turn(place, message, calls.get(place, ()), against.get(place, ()), place < trajectory.kept, offers.get(place))
        for place, message in enumerate(trajectory.messages[:end])
        if place not in answers  # those stand in their calls
    )
    return tuple(turn for turn in turns if turn.end >= begin)


def _offers(trajectory: Trajectory) -> dict[int, Offered]:
    """Return which tools come and go, by the places of the messages after which they do."""
    offered, found = trajectory.tools, {}
    for place, message in enumerate(trajectory.messages):
        if message.offered is not None:
            added = tuple(name for name in message.offered if name not in offered)
            found[place] = added, tuple(name for name in offered if name not in message.offered)
            offered = message.offered
    return found


@dataclass(frozen=True)
class Parting:
    """The places of the first messages in which two dialogues say something in other `words`, and in which something else is
    `done` or found; none where they never do."""

    words: int | None = None
    done: int | None = None


def parting(one: DatasetRecord, other: DatasetRecord) -> Parting:
    """Return where two dialogues part: attempts at one task begin in other words, and may do the same for long."""
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
    """Return turns without what checks, reviewers and labels make of them, where arguments come from, and where a branch begins."""
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
    """Return what checks and reviewers hold against messages, by the places of these."""
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
    """Return the calls of each message, with what came of them and where their arguments come from."""
    places = {
        message.tool_call_id: place for place, message in enumerate(trajectory.messages) if message.role == "tool"
    }
    begins = blueprint.begins if blueprint else 0
    left = list(blueprint.calls) if blueprint else []
    made: dict[str, int] = {}  # action -> the message with its result
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
    """Return the action of the task that a call makes: the first one left with the same tool, better with the same arguments."""
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
        if origin is not None and action is not None and _planned(action, pointer) == value and blueprint is not None:
            yield Source(pointer, shown, *_told(origin, blueprint, trajectory, place, made))
        else:
            yield Source(pointer, shown, *_seen(value, trajectory, place))


def _planned(action: Action, pointer: str) -> Any:
    try:
        return value_at(action.arguments, pointer)
    except (LookupError, TypeError, ValueError):
        return None


def _told(
    origin: Origin, blueprint: Blueprint, trajectory: Trajectory, place: int, made: dict[str, int]
) -> tuple[str, int | None]:
    """Return where a value comes from, as the task has it, and the message that tells it."""
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
    """Return the last message before a call that tells a value to the letter."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if len(text) > 1:
        for number in range(place - 1, -1, -1):
            message = trajectory.messages[number]
            if text in message.content:
                return ("the user tells it" if message.role == "user" else f"message {number} tells it"), number
    return "nothing before it tells it to the letter", None


def recorded_changes(record: DatasetRecord, writes: Set[str]) -> dict[int, tuple[Change, ...]]:
    """Return the differences by the number of the call, from 0 in the dialogue; `writes` are the names of tools that write.

    A difference stands at the last call that names most of it: the steps of its path, and its new values. Of none that names
    any of it, nothing is told.
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
