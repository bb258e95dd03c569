"""A played dialogue -> where it branches, and continuations from there: in other words, by other models, or with a mistake.

All branches of a dialogue share its beginning, up to a message of the user or a result after which the assistant
speaks. They are attempts at its task, each played or replayed to its end, checked, and labelled if it fails.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from interplay.flows.branches.mistakes import MISTAKES, replayed
from interplay.flows.branches.sound_dialogue import SoundDialogue
from interplay.flows.settings.dialogue_settings import BranchSettings
from interplay.flows.worlds.assembly import OpenedWorld
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.verdict import DatasetRecord
from interplay.validators.findings.excerpt import excerpt

DRAWS = 4
"""Attempts to draw a mistake of one kind that lies after the shared beginning."""

COMMON: tuple[FailureKind, ...] = ("early_stop", "loop")
"""Mistakes that fit into nearly any dialogue; they are tried last."""


@dataclass(frozen=True)
class BranchStart:
    """What a continuation keeps of a dialogue: its messages since the task began, and the blueprint in the wording used there."""

    kept: tuple[Message, ...]
    worded: Blueprint


def branches_at(record: DatasetRecord, settings: BranchSettings) -> int | None:
    """Return the number of messages that the branches of a dialogue share; None if it cannot branch.

    With `settings.turn`, it branches after that message of the user; else a failed dialogue branches right before the
    assistant's fault, and any other one after a random message of the user that a call follows.
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
    """Return the index of the assistant's first message after message `index`, past the user's own calls."""
    later = (place for place in range(index + 1, len(messages)) if messages[place].role == "assistant")
    return next(later, len(messages))


def branch_of(record: DatasetRecord, place: int, worded: Blueprint) -> BranchStart:
    """Return what the continuations of a record keep of its first `place` messages."""
    assert record.trajectory is not None
    return BranchStart(record.trajectory.messages[worded.begins : place], worded)


async def with_mistakes(record: DatasetRecord, place: int, world: OpenedWorld, wanted: int) -> list[Trajectory]:
    """Return up to `wanted` copies of a record's dialogue, each with one mistake, all of different kinds.

    The mistakes come after the first `place` messages. The environment must be in the state that the task begins in, and is
    left in that state.
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
    """Return the messages of a branch, with those that it shares with the dialogue excluded from training."""
    shared = (message.model_copy(update={"train": False}) for message in messages[:place])
    return {"messages": (*shared, *messages[place:]), "kept": place}


def _kinds(blueprint: Blueprint) -> Iterator[FailureKind]:
    kinds = list(MISTAKES)
    Random(f"{blueprint.recipe.seed}/{blueprint.id}/mistakes").shuffle(kinds)
    yield from (kind for kind in kinds if kind not in COMMON)
    yield from (kind for kind in kinds if kind in COMMON)


def _parting(messages: Sequence[Message], others: Sequence[Message]) -> int:
    """Return the index of the first message in which two dialogues differ."""
    pairs = zip(messages, others, strict=False)
    return next((index for index, (one, other) in enumerate(pairs) if one != other), min(len(messages), len(others)))
