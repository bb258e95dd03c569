"""A request with an output schema -> a reply whose `value` satisfies it, after one repair turn at most.

    ```json
    {"passed": true}        ->  {"passed": true}
    ```

The text may hold fences and prose around the value. Arguments of tool calls are never looked at here: what a model
calls is part of what it is judged by.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from interplay.schemas.errors import ModelError
from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.json.json_text import values_in
from interplay.schemas.json.validation import errors
from interplay.schemas.protocols import ChatModel
from interplay.schemas.records.chat import ChatMessage, ChatReply, ChatRequest, OutputSchema

SHOWN = 8_000
"""Characters of a bad answer that are shown to the model again."""


NOTHING = "(no answer)"
"""What is shown in place of an empty answer, since some servers take no empty message."""


class OutputInvalid(ModelError):
    """A model's answer does not satisfy the output schema, after one repair; `problems` says why."""

    def __init__(self, message: str, problems: tuple[str, ...]) -> None:
        super().__init__(message)
        self.problems = problems


@dataclass(frozen=True)
class Structured:
    """A model whose answers satisfy the output schemas that they are asked for."""

    model: ChatModel

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Return what `complete_structured` does."""
        return await complete_structured(self.model, request)


async def complete_structured(model: ChatModel, request: ChatRequest) -> ChatReply:
    """Return an answer with its `value`; an answer that calls offered tools instead is returned as it is.

    Usage is that of both turns where there was a repair.

    Raises:
        OutputInvalid: it does not satisfy the schema, twice.
        ModelError: refused or filtered; and what `ChatModel.complete` raises.
    """
    output = request.output
    if output is None:
        return await model.complete(request)
    reply = await model.complete(request)
    if _calls_instead(request, reply):
        return reply
    value, problems = _judged(output, reply)
    if problems:
        repaired = await model.complete(repair(request, reply, problems))
        reply = repaired.model_copy(update={"usage": reply.usage.plus(repaired.usage)})
        value, problems = _judged(output, reply)
    if problems:
        raise OutputInvalid(f"{_who(reply)} gave no valid {output.name}, twice: {'; '.join(problems)[:300]}", problems)
    return reply.model_copy(update={"value": value})


def _calls_instead(request: ChatRequest, reply: ChatReply) -> bool:
    return bool(request.tools and reply.tool_calls)


def problems_in(request: ChatRequest, reply: ChatReply) -> tuple[str, ...]:
    """Return why an answer is not the one that was asked for: nothing where no output schema asks for one."""
    if request.output is None or _calls_instead(request, reply):
        return ()
    if _is_refusal(reply):
        return (reply.refusal[:200] or "filtered out",)
    return _judged(request.output, reply)[1]


def _is_refusal(reply: ChatReply) -> bool:
    return bool(reply.refusal or reply.stop in ("refusal", "filtered"))


def _judged(output: OutputSchema, reply: ChatReply) -> tuple[Any, tuple[str, ...]]:
    """Return (value, problems) of a reply."""
    if _is_refusal(reply):
        _refused(reply)
    value, problems = read_value(reply.content, output.json_schema)
    if problems and reply.stop == "length":
        problems = ("the answer was cut off before its end: answer more briefly", *problems)
    return value, problems


def _refused(reply: ChatReply) -> NoReturn:
    what = f"refused: {reply.refusal[:200]}" if reply.refusal else "let its answer be filtered out."
    raise ModelError(f"{_who(reply)} {what}")


def _who(reply: ChatReply) -> str:
    return f"{reply.model} at {reply.endpoint}" if reply.endpoint else reply.model or "The model"


def repair(request: ChatRequest, reply: ChatReply, problems: tuple[str, ...]) -> ChatRequest:
    """Return the request that shows a model its answer and what is wrong with it."""
    listed = "\n".join(f"- {problem}" for problem in problems)
    text = (
        f"This answer does not satisfy the JSON Schema of {request.output.name if request.output else 'the output'}:\n"
        f"{listed}\nAnswer again with the whole corrected JSON value, and with nothing else."
    )
    shown = ChatMessage(role="assistant", content=reply.content[:SHOWN] or NOTHING)
    return request.model_copy(update={"messages": (*request.messages, shown, ChatMessage(role="user", content=text))})


def read_value(text: str, schema: Mapping[str, Any]) -> tuple[Any, tuple[str, ...]]:
    """Return the first value in `text` that satisfies `schema` and no problems, or none and the first one's problems."""
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
