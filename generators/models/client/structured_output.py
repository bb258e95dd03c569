"""A request with an output schema -> a reply whose `value` satisfies it, after one repair turn at most.

    ```json
    {"passed": true}        ->  {"passed": true}
    ```

The text may have fences and prose around the value. Arguments of tool calls are never repaired: the model is judged by
its calls.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interplay.schemas.errors import ModelError
from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.json.json_text import values_in
from interplay.schemas.json.validation import errors
from interplay.schemas.protocols import ChatModel
from interplay.schemas.records.chat import ChatMessage, ChatReply, ChatRequest, OutputSchema

SHOWN = 8_000
"""Most characters of an invalid answer that are shown to the model again."""


NOTHING = "(no answer)"
"""Replaces an empty answer in the repair turn, since some servers refuse empty messages."""


class OutputInvalid(ModelError):
    """A model's answer does not satisfy the output schema, even after one repair; `problems` says why."""

    def __init__(self, message: str, problems: tuple[str, ...]) -> None:
        super().__init__(message)
        self.problems = problems


@dataclass(frozen=True)
class Structured:
    """A model whose answers satisfy the output schema of the request."""

    model: ChatModel

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Return an answer with its `value`; one that calls offered tools instead is returned unchanged.

        After a repair, the usage is that of both turns.

        Raises:
            OutputInvalid: the answer does not satisfy the schema, twice.
            ModelError: the answer was refused or filtered; and what `ChatModel.complete` raises.
        """
        output = request.output
        reply = await self.model.complete(request)
        if output is None or (request.tools and reply.tool_calls):
            return reply
        value, problems = _judged(output, reply)
        if problems:
            repaired = await self.model.complete(repair(request, reply, problems))
            reply = repaired.model_copy(update={"usage": reply.usage.plus(repaired.usage)})
            value, problems = _judged(output, reply)
        if problems:
            text = f"{_who(reply)} gave no valid {output.name}, twice: {'; '.join(problems)[:300]}"
            raise OutputInvalid(text, problems)
        return reply.model_copy(update={"value": value})


def problems_in(request: ChatRequest, reply: ChatReply) -> tuple[str, ...]:
    """Return why an answer does not satisfy the request's output schema; empty if it does, or there is none."""
    if request.output is None or (request.tools and reply.tool_calls):
        return ()
    if _is_refusal(reply):
        return (reply.refusal[:200] or "filtered out",)
    return _judged(request.output, reply)[1]


def _is_refusal(reply: ChatReply) -> bool:
    return bool(reply.refusal or reply.stop in ("refusal", "filtered"))


def _judged(output: OutputSchema, reply: ChatReply) -> tuple[Any, tuple[str, ...]]:
    """Return (value, problems) of a reply.

    Raises:
        ModelError: it was refused or filtered.
    """
    if _is_refusal(reply):
        what = f"refused: {reply.refusal[:200]}" if reply.refusal else "let its answer be filtered out."
        raise ModelError(f"{_who(reply)} {what}")
    value, problems = read_value(reply.content, output.json_schema)
    if problems and reply.stop == "length":
        problems = ("the answer was cut off before its end: answer more briefly", *problems)
    return value, problems


def _who(reply: ChatReply) -> str:
    return f"{reply.model} at {reply.endpoint}" if reply.endpoint else reply.model or "The model"


def repair(request: ChatRequest, reply: ChatReply, problems: tuple[str, ...]) -> ChatRequest:
    """Return a request that shows the model its answer and the problems in it."""
    listed = "\n".join(f"- {problem}" for problem in problems)
    text = (
        f"This answer does not satisfy the JSON Schema of {request.output.name if request.output else 'the output'}:\n"
        f"{listed}\nAnswer again with the whole corrected JSON value, and with nothing else."
    )
    shown = ChatMessage(role="assistant", content=reply.content[:SHOWN] or NOTHING)
    return request.model_copy(update={"messages": (*request.messages, shown, ChatMessage(role="user", content=text))})


def read_value(text: str, schema: Mapping[str, Any]) -> tuple[Any, tuple[str, ...]]:
    """Return (value, ()) for the first JSON value in `text` that satisfies `schema`, else (None, problems of the first one)."""
    first: tuple[str, ...] = ()
    for value in values_in(text):
        problems = _problems(value, schema)
        if not problems:
            return value, ()
        first = first or problems
    return None, first or ("there is no JSON value in it",)


def _problems(value: Any, schema: Mapping[str, Any]) -> tuple[str, ...]:
    try:
        return tuple(f"{join_pointer(*path) or 'the value'}: {message}" for path, message in errors(value, schema))
    except RecursionError:
        return ("it is nested too deeply",)
