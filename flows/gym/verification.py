"""A finished transcript of a task -> the session replayed, and the same reward.

The agent's words and calls are taken from the transcript; the results of tools and the user's words are produced again and
must be the same: a transcript in which they were changed gets no reward.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from interplay.flows.gym.catalogue import Catalogue, GymTask
from interplay.flows.gym.session import AgentCall, Session, open_session
from interplay.schemas.records.dialogue import assistant_view
from interplay.schemas.records.verdict import Reward

SHOWN = 80
"""The most characters shown of a difference."""


class TranscriptError(Exception):
    """A transcript does not match its task."""


async def verify(catalogue: Catalogue, task: GymTask, messages: Sequence[Mapping[str, Any]], seed: int = 0) -> Reward:
    """Return the reward of a transcript in messages of OpenAI's chat API; an invalid one gets none, with the reason.

    The system prompt, messages from before the task, and the user's last message may be left out.
    """
    session = await open_session(catalogue, task, seed)
    try:
        await _replay(session, messages)
    except TranscriptError as error:
        return Reward(task=task.blueprint.id, seed=seed, reward=0.0, standing="invalid", reason=str(error))
    return await session.close()


async def _replay(session: Session, messages: Sequence[Mapping[str, Any]]) -> None:
    known = _plain(session.transcript(before=False))
    before = _plain(session.transcript())[1 : -len(known) or None]
    given = [message for message in messages if _read(message, "role") != "system"]
    first = len(messages) - len(given)
    if before and [_seen(message) for message in _plain(given[: len(before)])] == [_seen(each) for each in before]:
        given, first = given[len(before) :], first + len(before)
    told = len(session.messages)
    place = 0
    waiting = known
    while place < len(given):
        message, at = given[place], first + place
        role = _read(message, "role")
        if role in ("user", "tool"):
            if not waiting:
                raise TranscriptError(f"/messages/{at}: nothing of the {role} comes here.")
            due = waiting.pop(0)
            if _seen(_plain([message])[0]) != _seen(due):
                text = str(message.get("content"))[:SHOWN]
                raise TranscriptError(
                    f"/messages/{at}: the {role} says otherwise here: {str(due['content'])[:SHOWN]!r}, not {text!r}."
                )
        elif role == "assistant":
            if session.done:
                if message.get("tool_calls"):
                    raise TranscriptError(f"/messages/{at}: the dialogue had ended before ({session.ended}).")
                return
            if waiting:
                raise TranscriptError(f"/messages/{at}: a message of the {waiting[0]['role']} is missing before it.")
            told = len(session.messages)
            await _act(session, message, at)
            waiting = _plain(session.transcript(before=False))[_visible(session, told) :]
        else:
            raise TranscriptError(f"/messages/{at}: role {role[:SHOWN]!r}; it is system, user, assistant or tool.")
        place += 1


def _visible(session: Session, told: int) -> int:
    """Return how many messages of the agent's view there are up to message number `told` of the session."""
    return len(assistant_view(session.messages[session.blueprint.begins : told + 1]))


async def _act(session: Session, message: Mapping[str, Any], at: int) -> None:
    text, calls = _text(message), message.get("tool_calls") or ()
    if not calls:
        await session.say(text)
        return
    if not isinstance(calls, Sequence):
        raise TranscriptError(f"/messages/{at}/tool_calls: a list is expected.")
    made = []
    for place, call in enumerate(calls):
        function = call.get("function", call) if isinstance(call, Mapping) else None
        arguments = function.get("arguments", {}) if isinstance(function, Mapping) else None
        if not isinstance(function, Mapping) or not isinstance(arguments, (str, dict)):
            raise TranscriptError(f"/messages/{at}/tool_calls/{place}: name and arguments are expected.")
        made.append(AgentCall(tool=str(function.get("name", "")), arguments=arguments))
    await session.call(made, text)


def _plain(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{"role": _read(message, "role"), "content": _text(message)} for message in messages]


def _seen(message: Mapping[str, Any]) -> tuple[str, str]:
    return message["role"], message["content"].strip()


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, Sequence) and not isinstance(content, str):  # parts, as some clients write them
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return "" if content is None else str(content)


def _read(message: Any, key: str) -> str:
    return str(message.get(key, "")) if isinstance(message, Mapping) else ""
