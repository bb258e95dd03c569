"""A dialogue -> where the next one begins: the kept messages, the known facts, and the state that its calls lead to."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from interplay.generators.participants.hearing.word_overlap import asks
from interplay.generators.participants.wording.languages import heard_as
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.json.json_text import read_result
from interplay.schemas.protocols import Environment
from interplay.schemas.records.dialogue import Message, Start, ToolCall, ToolResult
from interplay.schemas.records.verdict import DatasetRecord, Issue

WAITING = ("request", "clarify", "suggest", "confirm_request", "ask_again")
"""Acts of the assistant that ask for something; the user may go on to another task without answering."""

Learn = Callable[[ToolCall, Any], bool]
"""Adds the rows of a recorded result to the environment, if it can; returns whether it did."""

SHOWN = 160
"""The most characters shown of a result that differs."""


def start_after(record: DatasetRecord, origin: Literal["session", "record"], turns: int | None = None) -> Start:
    """Return the start after a record: after everything but the goodbyes, or after its first `turns` turns.

    A turn is a message of the user with everything up to the next one. In a session, earlier messages are trained on; those
    of a stored record are not.

    Raises:
        ConfigError: the record has no dialogue, or not as many turns.
    """
    trajectory = record.trajectory
    if trajectory is None:
        raise ConfigError(f"{record.id}: has no dialogue to begin after. Name a record that was played.")
    messages = (
        without_goodbyes(trajectory.messages) if turns is None else first_turns(trajectory.messages, turns, record.id)
    )
    kept = tuple(message.model_copy(update={"offered": None}) for message in messages)
    if origin == "record":
        kept = tuple(message.model_copy(update={"train": False}) for message in kept)
    return Start(
        origin=origin,
        source=record.id,
        imported=min(record.blueprint.start.imported, len(kept)) if record.blueprint and record.blueprint.start else 0,
        messages=kept,
        tools=trajectory.all_tools(),
        unsettled=is_waiting(kept),
        left=_wanted_last(record, kept),
        told=_told(record, kept),
        world=record.blueprint.world if record.blueprint else None,
    )


def _told(record: DatasetRecord, messages: Sequence[Message]) -> tuple[Any, ...]:
    """Return the values of the facts that the user has told, except those that are asked about again."""
    if record.blueprint is None:
        return ()
    before = record.blueprint.start.told if record.blueprint.start else ()
    states = [message.state for message in messages if message.state is not None]
    names = {name for state in states for name in state.told} - set(states[-1].asked if states else ())
    facts = (fact for fact in record.blueprint.scenario.facts if fact.id in names and fact.choice is None)
    values = [*before, *(fact.value for fact in facts if isinstance(fact.value, (str, int)) and fact.value != "")]
    return tuple({canonical_json(value): value for value in values}.values())


def _wanted_last(record: DatasetRecord, messages: Sequence[Message]) -> tuple[str, ...]:
    """Return the tools of the user's last request in `messages`."""
    states = [message.state for message in messages if message.role == "user" and message.state is not None]
    goal = states[-1].goal if states else None
    if record.blueprint is None or goal is None:
        return ()
    request = next((goals for goals in record.blueprint.scenario.requests if goal in goals), ())
    return tuple(record.blueprint.goals[number].tool for number in request)


def without_goodbyes(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return a dialogue up to the assistant's last message before the user says goodbye."""
    for end in range(len(messages), 0, -1):
        last, before = messages[end - 1], messages[end - 2] if end > 1 else None
        answers = last.role == "assistant" and not last.tool_calls and last.act != "system_bye"
        if answers and (before is None or before.act != "user_bye"):
            return tuple(messages[:end])
    return ()


def first_turns(messages: Sequence[Message], turns: int, name: str) -> tuple[Message, ...]:
    """Return the first `turns` turns of a dialogue.

    Raises:
        ConfigError: there are not as many.
    """
    opened = [index for index, message in enumerate(messages) if message.role == "user"]
    if not 0 <= turns <= len(opened):
        raise ConfigError(f"{name}: has {len(opened)} turns; turn {turns} was asked for.")
    end = len(messages) if turns == len(opened) else opened[turns]
    return without_goodbyes(messages[:end])


def is_waiting(messages: Sequence[Message]) -> bool:
    """Tell whether the assistant's last message asks for something, other than what else it can do."""
    last = next((message for message in reversed(messages) if message.role != "tool"), None)
    if last is None or last.role != "assistant":
        return False
    if last.act is not None:
        return last.act in WAITING
    return asks(last.content) and not heard_as("anything").search(last.content.lower())


async def rebuild(environment: Environment, start: Start, learn: Learn = lambda *_: False) -> list[Issue]:
    """Make the calls of a start in order, and return where results differ from the recorded ones.

    Calls that failed by a fault were not executed, and are skipped. Results of imported messages may differ, which is a
    warning; `learn` may add the rows seen there to the environment. Any other difference is an error.
    """
    found: list[Issue] = []
    tools = environment.toolset.by_name
    answers = {message.tool_call_id: message for message in start.messages if message.role == "tool"}
    for index, message in enumerate(start.messages):
        for call in message.tool_calls:
            answer = answers.get(call.id)
            if call.name not in tools:
                found.append(_issue("unknown_tool", f"The toolset has no {call.name[:64]}.", start, index))
            elif not call.malformed and answer is not None and not (answer.failed and answer.fault is not None):
                reads = tools[call.name].effect == "read"
                found += await made_again(environment, start, index, call, answer, reads, learn)
    return found


async def made_again(
    environment: Environment, start: Start, index: int, call: ToolCall, answer: Message, reads: bool, learn: Learn
) -> list[Issue]:
    """Make one call again, and return an issue if its result differs from the recorded `answer`.

    For an imported call, `learn` may adopt the recorded result.
    """
    before = environment.snapshot()
    result = await environment.call(call)
    if answer.fault is not None or same_result(result, answer):
        return []
    if index < start.imported:
        environment.restore(before)
        taken = not answer.failed and learn(call, read_result(answer.content))
        if taken and not reads:
            text = f"{call.name} would answer {_shown(result.text)}; the state follows what was recorded."
            return [_issue("start_taken_over", text, start, index)]
        if not answer.failed:
            result = await environment.call(call)
        if same_result(result, answer):
            return []
    text = f"{call.name} answers {_shown(result.text)}; it was {_shown(answer.content)}."
    return [_issue("start_differs", text, start, index)]


def _issue(code: str, message: str, start: Start, index: int) -> Issue:
    pointer = f"/blueprint/start/messages/{index}"
    severity: Literal["error", "warning"] = "warning" if index < start.imported else "error"
    return Issue(code=code, message=message, pointer=pointer, severity=severity)


def same_result(result: ToolResult, answer: Message) -> bool:
    """Tell whether a result equals a recorded one, as text or as JSON."""
    if result.text == answer.content:
        return True
    if (result.error is not None) != answer.failed:
        return False
    return result.error is None and read_result(result.text) == read_result(answer.content)


def _shown(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."
