"""A record -> what the rows of its dialogue are made of: the dialogue as it was said, and the columns by which rows are chosen.

It is a third of the record and read in a fourth of the time: exports of dialogues alone need nothing else.
"""

from typing import Any, Literal, TypeVar

from interplay.outputs.store.splits import place_of, place_of_family
from interplay.schemas.json.canonical import json_text
from interplay.schemas.json.record import Record
from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.verdict import DatasetRecord


class StoredDialogue(Record):
    """A dialogue without what its sentences were made of, and what was looked up in its record.

    `columns` are those of an export that are the same in all exports; the others follow from what is said, from the
    toolset, or from what is asked of an export. `place` is where its task lies among all, from 0 to 1, for its split. The
    task `begins` with the message of this number, and is `about` these tools. `marked`: turns that were had here are not to
    be learnt. `characters` counts all that is said, thought, called and returned, the system prompt too. The messages up to
    `until` hold no tools that the assistant denied; none where all do. The `blueprint` is there where it was asked for; the
    store keeps it with the record alone.
    """

    id: str
    status: Literal["accepted", "rejected"]
    stage: str | None = None
    language: str = ""
    place: float
    begins: int = 0
    about: tuple[str, ...] = ()
    marked: bool = False
    characters: int = 0
    until: int | None = None
    columns: dict[str, Any]
    trajectory: Trajectory | None = None
    blueprint: Blueprint | None = None

    @property
    def world(self) -> str:
        """The name of the made-up world in which it plays; empty where there is none."""
        return str(self.columns["world"])


_NOT_SAID = {"trajectory": {"messages": {"__all__": {"act", "state", "spoken", "about"}}}}


def dialogue_text(record: DatasetRecord) -> str:
    """Return the JSON of the dialogue of a record, without what rows never show."""
    return stored_dialogue(record).model_dump_json(exclude=_NOT_SAID, exclude_defaults=True)


def stored_dialogue(record: DatasetRecord) -> StoredDialogue:
    """Return the dialogue of a record, and what was looked up for it."""
    blueprint, trajectory = record.blueprint, record.trajectory
    return StoredDialogue(
        id=record.id,
        status=record.status,
        stage=record.stage,
        language=record.language,
        place=place_of(blueprint) if blueprint else place_of_family(record.id),
        begins=blueprint.begins if blueprint else 0,
        about=tuple(sorted({action.tool for action in blueprint.actions})) if blueprint else (),
        marked=is_marked(record),
        characters=sum(map(len, said_texts(trajectory))) if trajectory else 0,
        until=_until_denied(blueprint, trajectory) if blueprint and trajectory else None,
        columns=_columns(record),
        trajectory=trajectory,
    )


AnyRecord = TypeVar("AnyRecord", DatasetRecord, StoredDialogue)


def ended_at(record: AnyRecord, until: int | None) -> AnyRecord:
    """Return a record, or what is stored of it, whose dialogue ends after so many messages; the same where all stay.

    Who sees all tools of a row at each of its messages would learn to deny what is there: see `StoredDialogue.until`.
    """
    if until is None or record.trajectory is None:
        return record
    shown = record.trajectory.model_copy(update={"messages": record.trajectory.messages[:until]})
    changes: dict[str, Any] = {"trajectory": shown}
    if isinstance(record, StoredDialogue):
        changes["characters"] = sum(map(len, said_texts(shown)))
    return record.model_copy(update=changes)


def is_marked(record: DatasetRecord) -> bool:
    """Tell whether turns of a dialogue that was had here are not to be learnt; imported ones never are, and hold no fault."""
    if record.trajectory is None:
        return False
    start = record.blueprint.start if record.blueprint else None
    own = record.trajectory.messages[start.imported if start else 0 :]
    return any(message.role == "assistant" and not message.train for message in own)


def said_texts(trajectory: Trajectory) -> list[str]:
    """Return all that the assistant is told and tells: the system prompt, and the text of each message."""
    return [trajectory.system_prompt, *map(_text, trajectory.messages)]


def said_columns(trajectory: Trajectory, begins: int) -> dict[str, Any]:
    """Return the columns that follow from what is said in a dialogue, from the message with which its task begins."""
    own = trajectory.messages[begins:]
    return {
        "behaviours": sorted({kind for message in own for kind in message.behaviours}),
        "faults": sorted({message.fault for message in own if message.fault}),
        "turns": turns(trajectory, begins),
        "calls": sum(len(message.tool_calls) for message in own),
    }


def turns(trajectory: Trajectory, begins: int = 0) -> int:
    """Count the messages of user and assistant that carry text or tool calls, from the one with which the task begins."""
    return sum(
        message.role != "tool" and bool(message.content or message.tool_calls)
        for message in trajectory.messages[begins:]
    )


def _until_denied(blueprint: Blueprint, trajectory: Trajectory) -> int | None:
    """Return how many messages are said before tools appear that the assistant said were not there, if any do."""
    early = blueprint.scenario.early
    if early is None:
        return None
    changes = [change for change in blueprint.changes if change.request == early.request and not change.query]
    denied = {name for change in changes for name in change.added}
    return next((at for at, said in enumerate(trajectory.messages) if denied & set(said.offered or ())), None)


def _columns(record: DatasetRecord) -> dict[str, Any]:
    blueprint, trajectory = record.blueprint, record.trajectory
    difficulty = blueprint.difficulty if blueprint else None
    solving = next((verdict.scores for verdict in record.verdicts if verdict.check == "solver"), {})
    safety = blueprint.safety if blueprint else None
    return {
        "run": record.run,
        "index": record.index,
        "attempt": record.attempt,
        "status": record.status,
        "fault": record.failure.fault if record.failure else "",
        "pattern": blueprint.pattern if blueprint else "",
        "task": blueprint.signature() if blueprint else "",
        "toolset": trajectory.toolset if trajectory else "",
        "language": record.language,
        "world": record.world,
        "difficulty": difficulty.score if difficulty else None,
        "difficulty_parts": json_text(difficulty.model_dump(mode="json") if difficulty else {}),
        "pass_rate": solving.get("pass_rate"),
        "sense": blueprint.sense.score if blueprint and blueprint.sense else None,
        "scores": json_text({v.check: v.scores for v in record.verdicts if v.scores and v.check != "solver"}),
        "reviewed": record.reviewed,
        "safety": f"{safety.scenario}/{safety.twin}" if safety else "",
        "rules": list(blueprint.rules) if blueprint else [],
        "models": json_text(dict(sorted(trajectory.models.items()))) if trajectory else "",
        "gold_actions": json_text([_action(action) for action in blueprint.actions] if blueprint else []),
        "state_difference": json_text(
            [change.model_dump(mode="json") for change in blueprint.expected.difference] if blueprint else []
        ),
    }


def _action(action: Action) -> dict[str, Any]:
    told = {"tool": action.tool, "requestor": action.requestor, "arguments": action.arguments, "failed": action.failed}
    return {**told, "withheld": action.withheld.reason if action.withheld else None}


def _text(message: Message) -> str:
    calls = "".join(call.name + json_text(call.arguments) for call in message.tool_calls)
    return message.content + message.reasoning + calls
