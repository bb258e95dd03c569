"""A played dialogue -> where it branches, and continuations from there: in other words, by other models, or with a mistake.

All branches of a dialogue have its beginning in common, up to a message of the user or a result after which the assistant
speaks. They are attempts at its task, each played or run to its end, checked, and labelled where it fails.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from interplay.flows.branches.sound_dialogue import Messages, SoundDialogue
from interplay.flows.branches.wrong_calls import extra_write, loop, wrong_argument, wrong_tool
from interplay.flows.branches.wrong_steps import (
    early_stop,
    false_claim,
    missed_goal,
    missing_confirmation,
    policy_broken,
)
from interplay.flows.settings.dialogue_settings import BranchSettings
from interplay.flows.worlds.assembly import OpenedWorld
from interplay.generators.environments.wrappers.faulty_calls import with_faults
from interplay.schemas.protocols import PolicyEvent
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, ToolResult, Trajectory
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.verdict import DatasetRecord
from interplay.validators.findings.excerpt import excerpt

DRAWS = 4
"""Places that are drawn for a mistake, until one lies behind the common beginning."""

COMMON: tuple[FailureKind, ...] = ("early_stop", "loop")
"""Mistakes for which there is room in any dialogue: they are made where there is none for another."""


@dataclass(frozen=True)
class BranchStart:
    """What a continuation keeps of a dialogue: its messages since the task began, and the blueprint as it was worded there."""

    kept: tuple[Message, ...]
    worded: Blueprint


def branches_at(record: DatasetRecord, settings: BranchSettings) -> int | None:
    """Return the number of messages that the branches of a dialogue share; none where it cannot branch.

    One that failed branches right before the assistant's fault, others after a message of the user: the one that was asked
    for, else one after which something is called.
    """
    blueprint, trajectory = record.blueprint, record.trajectory
    if blueprint is None or trajectory is None or trajectory.kept > blueprint.begins:
        return None
    messages, begins = trajectory.messages, blueprint.begins
    users = [index for index, message in enumerate(messages) if message.role == "user" and message.content]
    if settings.turn is not None:
        place = _answer(messages, users[settings.turn - 1]) if settings.turn <= len(users) else 0
        return place if begins < place < len(messages) else None
    if record.failure is not None:
        place = record.failure.message or 0
        return place if begins < place < len(messages) and messages[place].role == "assistant" else None
    last = max((index for index, message in enumerate(messages) if message.tool_calls), default=-1)
    places = [_answer(messages, index) for index in users if begins <= index < last]
    if not places:
        return None
    return Random(f"{blueprint.recipe.seed}/{blueprint.id}/branch").choice(places)


def _answer(messages: Sequence[Message], index: int) -> int:
    """Return the message with which the assistant answers one, after what the user does on its own device."""
    later = (place for place in range(index + 1, len(messages)) if messages[place].role == "assistant")
    return next(later, len(messages))


def branch_of(record: DatasetRecord, place: int, worded: Blueprint) -> BranchStart:
    """Return what the continuations of a record keep."""
    assert record.trajectory is not None
    return BranchStart(record.trajectory.messages[worded.begins : place], worded)


async def with_mistakes(record: DatasetRecord, place: int, world: OpenedWorld, wanted: int) -> list[Trajectory]:
    """Return the dialogue of a record with one mistake each, of different kinds, which come after the first `place` messages.

    The environment must be in the state that the task begins in, and is left so.
    """
    blueprint, trajectory = record.blueprint, record.trajectory
    assert blueprint is not None
    assert trajectory is not None
    found: list[Trajectory] = []
    for kind in _kinds(blueprint):
        if len(found) == wanted:
            break
        for draw in range(DRAWS):
            rng = Random(f"{blueprint.recipe.seed}/{blueprint.id}/{kind}/{draw}")
            played = SoundDialogue(excerpt(trajectory, blueprint), blueprint, world, rng)
            messages = MISTAKES[kind](played)
            if messages is None or _parting(played.messages, messages) + blueprint.begins < place:
                continue
            made = await replayed(messages, played, kind)
            if made is not None:
                whole = (*trajectory.messages[: blueprint.begins], *made.messages)
                found.append(
                    trajectory.model_copy(update={**made.model_dump(include={"final_digest"}), **_kept(whole, place)})
                )
                break
    return found


def _kept(messages: Sequence[Message], place: int) -> dict[str, object]:
    """Return the messages of a branch, those that it shares not to be learnt again."""
    shared = (message.model_copy(update={"train": False}) for message in messages[:place])
    return {"messages": (*shared, *messages[place:]), "kept": place}


def _kinds(blueprint: Blueprint) -> Iterator[FailureKind]:
    kinds = list(MISTAKES)
    Random(f"{blueprint.recipe.seed}/{blueprint.id}/mistakes").shuffle(kinds)
    yield from (kind for kind in kinds if kind not in COMMON)
    yield from (kind for kind in kinds if kind in COMMON)


def _parting(messages: Sequence[Message], others: Sequence[Message]) -> int:
    """Return the first message in which two dialogues differ."""
    pairs = zip(messages, others, strict=False)
    return next((index for index, (one, other) in enumerate(pairs) if one != other), min(len(messages), len(others)))


MISTAKES: Mapping[FailureKind, Callable[[SoundDialogue], Messages | None]] = {
    "wrong_tool": wrong_tool,
    "wrong_argument": partial(wrong_argument, grounded=True),
    "ungrounded_argument": partial(wrong_argument, grounded=False),
    "missed_goal": missed_goal,
    "extra_write": extra_write,
    "early_stop": early_stop,
    "missing_confirmation": missing_confirmation,
    "policy_broken": policy_broken,
    "false_claim": false_claim,
    "loop": loop,
}
"""The messages of a dialogue that went wrong in one way alone; each returns none where there is no place for it."""


async def replayed(messages: Messages, played: SoundDialogue, name: str) -> Trajectory | None:
    """Run all calls again from the start; return the dialogue with what they return now; none if that undoes the fault."""
    environment = played.world.environment
    faulty = with_faults(environment, played.blueprint.faults)
    start = environment.snapshot()
    results: dict[str, ToolResult] = {}
    history = played.blueprint.start.history() if played.blueprint.start else ()
    unasked, broken = _unasked(messages, played), False
    for message in messages:
        for call in message.tool_calls:
            event = PolicyEvent(call, history, environment.state(), call.id not in unasked)
            broken = broken or (played.world.policy is not None and bool(played.world.policy.violations(event)))
            results[call.id] = await faulty.call(call)
            history = (*history, (call, results[call.id]))
    filled = []
    for message in messages:
        if message.role == "tool":
            result = results[message.tool_call_id or ""]
            told = {"content": result.text, "failed": result.error is not None, "fault": result.fault}
            message = message.model_copy(update=told)
        filled.append(message)
    final = environment.digest()
    environment.restore(start)
    own = {call.id for call in played.trajectory.calls()}
    if name in ("missing_confirmation", "policy_broken") and not broken:
        return None
    if name == "extra_write" and any(result.error is not None for call, result in results.items() if call not in own):
        return None
    return played.trajectory.model_copy(update={"messages": tuple(filled), "final_digest": final})


def _unasked(messages: Messages, played: SoundDialogue) -> set[str]:
    """Return the calls that came after a confirmation which is left out."""
    kept = {id(message) for message in messages}
    found: set[str] = set()
    gone = False
    for message in played.messages:
        gone = id(message) not in kept if message.role == "user" else gone
        found |= {call.id for call in message.tool_calls if gone}
    return found
