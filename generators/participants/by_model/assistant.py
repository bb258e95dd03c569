"""Policy, tools and dialogue, and a model -> the assistant, which never sees the blueprint.

asked      system: the system prompt with the policy; the tools that are offered now; the dialogue
answered   words, or tool calls, which are taken as they were written
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
    """Answers through a model, with `tools` by name, of which `start` are offered at first; `usage` is what it cost so far."""

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
        """Yield the messages, those that called something since the user spoke with what the model thought before it."""
        spoke = max((place for place, message in enumerate(messages) if message.role == "user"), default=-1)
        for place, message in enumerate(messages):
            thoughts = self._thoughts.get(message.tool_calls[0].id) if place > spoke and message.tool_calls else None
            yield message if thoughts is None else message.model_copy(update={"thoughts": thoughts})


def _is_goodbye(messages: Sequence[Message], reply: ChatReply) -> bool:
    """Tell whether the user has said goodbye and nothing is left to be called."""
    last = next((message for message in reversed(messages) if message.role == "user"), None)
    return last is not None and last.act == "user_bye" and not reply.tool_calls


def as_call(call: ChatCall, index: int, place: int, requestor: Requestor = "assistant") -> ToolCall:
    """Return a model's call under an id of nine characters that its place in the dialogue decides."""
    arguments, malformed = _arguments(call.arguments)
    identifier = digest([index, place])[:9]
    return ToolCall(id=identifier, name=call.name, arguments=arguments, requestor=requestor, malformed=malformed)


def _arguments(text: str) -> tuple[dict[str, Any], str]:
    """Return arguments, and their text where it is no JSON object; nothing at all stands for no arguments."""
    try:
        value = read_json(text or "{}")
    except (ValueError, RecursionError):
        return {}, text
    return (value, "") if isinstance(value, dict) else ({}, text)


def chat_tools(toolset: Toolset) -> dict[str, ChatTool]:
    """Return tools as a model is told of them, by name: the same ones for all dialogues, for they are encoded once each."""
    return {
        tool.name: ChatTool(name=tool.name, description=tool.description or tool.summary, parameters=tool.parameters)
        for tool in toolset.tools
    }


def as_chat(message: Message) -> ChatMessage:
    """Return a message as the assistant's model sees it; malformed arguments stay as they were written."""
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
    """A growing dialogue as a model is told of it: what it was told of before is not put into its terms again."""

    def __init__(self, put: Callable[[Message], ChatMessage]) -> None:
        """Note how a message is put into the model's terms."""
        self._put = put
        self._messages: list[Message] = []
        self._told: list[ChatMessage] = []

    def of(self, messages: Sequence[Message]) -> tuple[ChatMessage, ...]:
        """Return the messages as the model is told of them."""
        known = zip(self._messages, messages, strict=False)
        same = next((place for place, (before, now) in enumerate(known) if before is not now), None)
        same = min(len(self._messages), len(messages)) if same is None else same
        self._messages[same:] = messages[same:]
        self._told[same:] = map(self._put, messages[same:])
        return tuple(self._told)
