"""A record -> the part of it that export rows need: the dialogue, and the columns to filter rows by.

It has a third of the record's size and is read in a quarter of the time; exports of dialogues need nothing else.
"""

from typing import Any, Literal, TypeVar

from interplay.outputs.store.splits import place_of, place_of_family
from interplay.schemas.json.canonical import json_text
from interplay.schemas.json.record import Record
from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.verdict import DatasetRecord


class StoredDialogue(Record):
    """A dialogue without the details of how its sentences were made, and with what was derived from its record.

    `columns` are those that are the same in all exports; the others depend on the text, the toolset, or the export's settings.
    `place` is the position of its task from 0 to 1, which decides its split. The task `begins` with the message of this number
    and is `about` these tools. `marked`: some turns played here must not be learnt. `characters` counts everything said,
    thought, called and returned, with the system prompt. The first `until` messages come before any tool appears that the
    assistant denied having; None if all do. `blueprint` is set only on request; the store keeps it with the record.
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
        """The name of the made-up world in which the task takes place; "" if there is none."""
        return str(self.columns["world"])


_NOT_SAID = {"trajectory": {"messages": {"__all__": {"act", "state", "spoken", "about"}}}}


def dialogue_text(record: DatasetRecord) -> str:
    """Return the stored dialogue of a record as JSON, without what rows never show."""
    return stored_dialogue(record).model_dump_json(exclude=_NOT_SAID, exclude_defaults=True)


def stored_dialogue(record: DatasetRecord) -> StoredDialogue:
    """Return the stored dialogue of a record."""
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
    """Return a record or stored dialogue cut after `until` messages; unchanged if `until` is None.

    Formats that show all tools of a row at every message would otherwise teach to deny tools that are there: see
    `StoredDialogue.until`.
    """
    if until is None or record.trajectory is None:
        return record
    shown = record.trajectory.model_copy(update={"messages": record.trajectory.messages[:until]})
    changes: dict[str, Any] = {"trajectory": shown}
    if isinstance(record, StoredDialogue):
        changes["characters"] = sum(map(len, said_texts(shown)))
    return record.model_copy(update=changes)


def is_marked(record: DatasetRecord) -> bool:
    """Tell whether an assistant turn played here must not be learnt; imported turns never are learnt, and do not count."""
    if record.trajectory is None:
        return False
    start = record.blueprint.start if record.blueprint else None
    own = record.trajectory.messages[start.imported if start else 0 :]
    return any(message.role == "assistant" and not message.train for message in own)


def said_texts(trajectory: Trajectory) -> list[str]:
    """Return everything in the assistant's context: the system prompt, and the text of each message with its calls."""
    return [trajectory.system_prompt, *map(_text, trajectory.messages)]


def said_columns(trajectory: Trajectory, begins: int) -> dict[str, Any]:
    """Return the columns that follow from the dialogue itself, from message `begins` on, where its task begins."""
    own = trajectory.messages[begins:]
    return {
        "behaviours": sorted({kind for message in own for kind in message.behaviours}),
        "faults": sorted({message.fault for message in own if message.fault}),
        "turns": turns(trajectory, begins),
        "calls": sum(len(message.tool_calls) for message in own),
    }


def turns(trajectory: Trajectory, begins: int = 0) -> int:
    """Count the user and assistant messages with text or tool calls, from message `begins` on."""
    return sum(
        message.role != "tool" and bool(message.content or message.tool_calls)
        for message in trajectory.messages[begins:]
    )


def _until_denied(blueprint: Blueprint, trajectory: Trajectory) -> int | None:
    """Return the number of messages before tools appear that the assistant denied having; None if none do."""
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
