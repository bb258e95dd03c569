"""Policy, tools and dialogue, and a model -> the assistant, which never sees the blueprint.

asked      system: the system prompt with the policy; the tools that are offered now; the dialogue
answered   words, or tool calls, which are used as written
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from interplay.schemas.json.canonical import digest
from interplay.schemas.json.json_text import read_json
from interplay.schemas.protocols import ChatModel
from interplay.schemas.records.chat import ChatCall, ChatMessage, ChatReply, ChatRequest, ChatTool, Thoughts
from interplay.schemas.records.dialogue import Message, ToolCall, Usage, assistant_view, offered_after
from interplay.schemas.records.tool import Requestor, Toolset


class ModelAssistant:
    """Answers through a model; `tools` holds all tools by name, `start` those offered at first, `usage` the cost so far."""

    def __init__(
        self, model: ChatModel, tools: Mapping[str, ChatTool], start: tuple[str, ...], system_prompt: str
    ) -> None:
        self._tools = tools
        self._start = start
        self._prompt = ChatMessage(role="system", content=system_prompt)
        self._told = PromptHistory(as_chat)
        self._model = model
        self._thoughts: dict[str, Thoughts] = {}
        self.usage = Usage()

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        """Return the next message; see `Assistant.respond`.

        Raises:
            ModelError, ModelUnavailable, BudgetExceeded: see `ChatModel.complete`.
        """
        request = ChatRequest(
            messages=(self._prompt, *self._thinking(self._told.of(assistant_view(messages)))),
            tools=tuple(self._tools[name] for name in offered_after(self._start, messages) if name in self._tools),
            role="assistant",
        )
        reply = await self._model.complete(request)
        self.usage = self.usage.plus(reply.usage)
        calls = tuple(as_call(call, len(messages), place) for place, call in enumerate(reply.tool_calls))
        if calls and reply.thoughts is not None:
            self._thoughts[calls[0].id] = reply.thoughts
        return Message(
            role="assistant", content=reply.content or reply.refusal, reasoning=reply.reasoning, tool_calls=calls,
            act="system_bye" if _is_goodbye(messages, reply) else None, model=reply.model,
            speaker=reply.speaker,
        )  # fmt: skip

    def _thinking(self, messages: Sequence[ChatMessage]) -> Iterator[ChatMessage]:
        """Yield the messages; calls made since the user's last message carry the reasoning that led to them."""
        spoke = max((place for place, message in enumerate(messages) if message.role == "user"), default=-1)
        for place, message in enumerate(messages):
            thoughts = self._thoughts.get(message.tool_calls[0].id) if place > spoke and message.tool_calls else None
            yield message if thoughts is None else message.model_copy(update={"thoughts": thoughts})


def _is_goodbye(messages: Sequence[Message], reply: ChatReply) -> bool:
    """Tell whether the user has said goodbye and the reply makes no call."""
    last = next((message for message in reversed(messages) if message.role == "user"), None)
    return last is not None and last.act == "user_bye" and not reply.tool_calls


def as_call(call: ChatCall, index: int, place: int, requestor: Requestor = "assistant") -> ToolCall:
    """Return a model's call with an id of nine characters that is derived from its position in the dialogue."""
    arguments, malformed = _arguments(call.arguments)
    identifier = digest([index, place])[:9]
    return ToolCall(id=identifier, name=call.name, arguments=arguments, requestor=requestor, malformed=malformed)


def _arguments(text: str) -> tuple[dict[str, Any], str]:
    """Return the arguments, and their text if it is no JSON object; an empty text means no arguments."""
    try:
        value = read_json(text or "{}")
    except (ValueError, RecursionError):
        return {}, text
    return (value, "") if isinstance(value, dict) else ({}, text)


def chat_tools(toolset: Toolset) -> dict[str, ChatTool]:
    """Return the tools by name in the model's format; all dialogues share them, so that each is encoded once."""
    return {
        tool.name: ChatTool(name=tool.name, description=tool.description or tool.summary, parameters=tool.parameters)
        for tool in toolset.tools
    }


def as_chat(message: Message) -> ChatMessage:
    """Return a message as the assistant's model sees it; malformed arguments stay as written."""
    calls = tuple(
        ChatCall(id=call.id, name=call.name, arguments=call.malformed or json.dumps(call.arguments, ensure_ascii=False))
        for call in message.tool_calls
    )
    return ChatMessage(
        role=message.role,
        content=message.content,
        reasoning=message.reasoning if message.role == "assistant" else "",
        tool_calls=calls,
        tool_call_id=message.tool_call_id,
        failed=message.failed,
    )


class PromptHistory:
    """A growing dialogue in a model's message format; each message is converted once."""

    def __init__(self, put: Callable[[Message], ChatMessage]) -> None:
        """Set the function that converts a message."""
        self._put = put
        self._messages: list[Message] = []
        self._told: list[ChatMessage] = []

    def of(self, messages: Sequence[Message]) -> tuple[ChatMessage, ...]:
        """Return the messages in the model's format."""
        known = zip(self._messages, messages, strict=False)
        same = next((place for place, (before, now) in enumerate(known) if before is not now), None)
        same = min(len(self._messages), len(messages)) if same is None else same
        self._messages[same:] = messages[same:]
        self._told[same:] = map(self._put, messages[same:])
        return tuple(self._told)
