"""The settings of where dialogues begin -> the starts: imported conversations, and dialogues of a workspace."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from interplay.flows.generation.continuation import is_waiting, start_after, without_goodbyes
from interplay.flows.generation.workshop import Workshop
from interplay.flows.settings.dialogue_settings import StartSettings
from interplay.flows.workspaces.manifest import DialogueStart
from interplay.flows.workspaces.record_lookup import find_record
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.flows.worlds.assembly import OpenedWorld, open_graph, open_world
from interplay.generators.importers.conversations.recorded_dialogues import Conversation, read_conversations
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.canonical import at_pointer
from interplay.schemas.json.record import Record
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Start
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import DatasetRecord


def gather_starts(settings: StartSettings, world: OpenedWorld) -> tuple[DialogueStart, ...]:
    """Return all starts that the settings name, in order.

    Raises:
        ConfigError: none of them calls the tools of the world.
        ImportFailure, StoreError: a file or a workspace cannot be read.
    """
    toolset = world.toolset
    found = [*_conversations(settings, toolset), *_records(settings, world)]
    if not found:
        raise ConfigError(
            f"start: no conversation makes a call of {toolset.name}. Name the tools that they were had with, or other files."
        )
    return tuple(found)


def _conversations(settings: StartSettings, toolset: Toolset) -> Iterator[DialogueStart]:
    for path in settings.conversations:
        starts = [start_after_conversation(conversation, toolset) for conversation in read_conversations(path)]
        fitting = [start for start in starts if start is not None]
        if any(start.tools for start in fitting) or len(fitting) == len(starts):
            yield from (DialogueStart(start=start) for start in fitting)


class ConversationReport(Record):
    """The outcome of one conversation: how much of it is kept, and where its calls now return other results."""

    name: str
    messages: int
    left_out: int
    calls: int = 0
    foreign: bool = False
    differs: tuple[str, ...] = ()


async def replay_conversations(specs: Sequence[str], file: Path) -> tuple[ConversationReport, ...]:
    """Make the calls of all conversations in a file, each from a blank state, and report where results differ.

    Raises:
        ConfigError, ImportFailure: a specification is not understood, or a file cannot be read.
    """
    world = open_world(specs)
    place = Workshop(world, await open_graph(world, verify=False))
    found: list[ConversationReport] = []
    for conversation in read_conversations(file):
        start = start_after_conversation(conversation, world.toolset)
        told = ConversationReport(
            name=conversation.name,
            messages=len(conversation.messages),
            left_out=conversation.left_out,
            foreign=start is None,
        )
        if start is not None:
            _, differences = await place.after(start)
            calls = sum(1 for _ in start.calls_with_results())
            told = told.model_copy(update={"calls": calls, "differs": tuple(issue.message for issue in differences)})
        found.append(told)
    return tuple(found)


def start_after_conversation(conversation: Conversation, toolset: Toolset) -> Start | None:
    """Return the start after a conversation; None if it only calls tools that the toolset does not have."""
    names = {tool.name for tool in toolset.tools} | {tool.original_name: tool.name for tool in toolset.tools}.keys()
    called = [call.name for message in conversation.messages for call in message.tool_calls]
    if called and not any(name in names for name in called):
        return None
    renamed = {tool.original_name: tool.name for tool in toolset.tools}
    messages = tuple(
        message.model_copy(
            update={
                "tool_calls": tuple(
                    call.model_copy(update={"name": renamed.get(call.name, call.name)}) for call in message.tool_calls
                )
            }
        )
        for message in without_goodbyes(conversation.messages)
    )
    known = {tool.name for tool in toolset.tools}
    used = (call.name for message in messages for call in message.tool_calls if call.name in known)
    return Start(
        origin="conversation", source=conversation.name, imported=len(messages), messages=messages, tools=tuple(dict.fromkeys(used)),
        unsettled=is_waiting(messages),
    )  # fmt: skip


def _records(settings: StartSettings, world: OpenedWorld) -> Iterator[DialogueStart]:
    if settings.workspace is None:
        return
    for record in _chosen(Workspace(Path(settings.workspace)), settings):
        if record.blueprint is None or record.trajectory is None:
            continue
        if record.trajectory.toolset != world.toolset.digest():
            raise ConfigError(
                f"{settings.workspace}: was made with other tools than {world.toolset.name}. Name the same ones."
            )
        start = start_after(record, "record", settings.turn)
        if start.messages:
            known = start.model_copy(update={"user": user_of(record.blueprint, world)})
            yield DialogueStart(start=known, persona=record.blueprint.scenario.persona)


def user_of(blueprint: Blueprint, world: OpenedWorld) -> str:
    """Return the identity of a task's user, if all its calls are about the same one; else ""."""
    roles = {role.tool: role for role in world.environment.resources.roles}
    found: set[str] = set()
    for action in blueprint.actions:
        for pointer, resource in roles[action.tool].references.items() if action.tool in roles else ():
            if resource == world.toolset.user_resource:
                with suppress(LookupError):
                    found.add(str(at_pointer(action.arguments, pointer)))
    return found.pop() if len(found) == 1 else ""


def _chosen(workspace: Workspace, settings: StartSettings) -> list[DatasetRecord]:
    if settings.records:
        return [find_record(workspace, name) for name in settings.records]
    with loaded_store(workspace) as store:
        found = list(store.accepted(workspace.existing_run().run))
    if settings.turn is None:
        return found
    return [
        record
        for record in found
        if record.trajectory and sum(m.role == "user" for m in record.trajectory.messages) >= settings.turn
    ]
