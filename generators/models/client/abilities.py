"""A model -> its abilities: one tiny question for each, and a fix for each that fails."""

import asyncio
import json

from interplay.generators.models.client.structured_output import read_value
from interplay.generators.models.transport.failures import ADVICE
from interplay.generators.models.transport.transport_errors import (
    Dropped,
    RateLimited,
    Rejected,
    ServerFailed,
    TimedOut,
)
from interplay.schemas.errors import ModelError
from interplay.schemas.json.record import Record
from interplay.schemas.json.validation import is_valid
from interplay.schemas.protocols import ChatModel
from interplay.schemas.records.chat import (
    ChatMessage,
    ChatReply,
    ChatRequest,
    ChatTool,
    OutputSchema,
    Sampling,
    closed_object,
)

ABILITIES = ("text", "tools", "parallel tools", "structured output", "usage")

FIXES = {
    "text": "Set sampling.max_tokens higher: a model that reasons first may have used it up.",
    "tools": "Start the server with tool calls on (vLLM: --enable-auto-tool-choice and --tool-call-parser; llama.cpp: "
    "--jinja), take a model that was trained for tools, or use this one only as user or reviewer.",
    "parallel tools": "Take another model, or have recipes ask for one call at a time.",
    "structured output": "Set structured: tool, or structured: instructed.",
    "usage": "Costs and token budgets rest on estimates here; have the gateway pass `usage` on.",
}
TROUBLES: dict[type[ModelError], str] = {
    Dropped: "Start the server, or correct base_url.",
    TimedOut: "Raise timeout, or give the server fewer requests at a time.",
    RateLimited: "Wait, or lower the requests a minute.",
    ServerFailed: "Look at the server's log; ask again later.",
}
UNKNOWN_FIELD_STATUSES = {400, 422}
"""Statuses of a request with a field that the server does not know."""

NOT_ASKED = "not asked, since it answered nothing before"

_PLACE = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = (
    ChatTool(name="get_weather", description="The weather in a city.", parameters=_PLACE),
    ChatTool(name="get_local_time", description="The time of day in a city.", parameters=_PLACE),
)
CAPITAL = OutputSchema(
    name="capital",
    json_schema=closed_object(
        {"country": {"type": "string"}, "capital": {"type": "string"}, "sure": {"type": "boolean"}}
    ),
)


class Ability(Record):
    """The test of one ability; `seen` is what the model did, `fix` is empty if it passed."""

    name: str
    ok: bool
    seen: str
    fix: str = ""


async def probe(model: ChatModel, sampling: Sampling) -> tuple[Ability, ...]:
    """Ask one tiny question for each ability, with the sampling of dialogues; an error is a failed test with its own fix."""
    text = await _ask(model, sampling, "Answer with the single word: ready")
    if isinstance(text, ModelError):
        failed = _error("text", text)
        others = (Ability(name=name, ok=False, seen=NOT_ASKED, fix=failed.fix) for name in ABILITIES[1:])
        return (failed, *others)
    one, two, value = await asyncio.gather(
        _ask(model, sampling, "What is the weather in Paris? Call get_weather.", tools=TOOLS[:1]),
        _ask(model, sampling, "Call get_weather and get_local_time for Paris, both in one answer.", tools=TOOLS),
        _ask(model, sampling, "What is the capital of France?", output=CAPITAL),
    )
    usage = text.usage
    seen = f"{usage.prompt} in ({usage.cached} cached), {usage.completion} out ({usage.reasoning} reasoning)"
    return (
        _ability("text", bool(text.content.strip()), text.content or f"no words, stop: {text.stop}"),
        _tools(one, 1),
        _tools(two, 2),
        _structured(value),
        _ability("usage", usage.prompt > 0 and usage.completion > 0, seen),
    )


async def _ask(
    model: ChatModel,
    sampling: Sampling,
    text: str,
    tools: tuple[ChatTool, ...] = (),
    output: OutputSchema | None = None,
) -> ChatReply | ModelError:
    messages = (ChatMessage(role="user", content=text),)
    request = ChatRequest(messages=messages, tools=tools, output=output, sampling=sampling)
    try:
        return await model.complete(request)
    except ModelError as error:
        return error


def _ability(name: str, ok: bool, seen: str) -> Ability:
    return Ability(name=name, ok=ok, seen=" ".join(seen.split())[:200], fix="" if ok else FIXES[name])


def _error(name: str, error: ModelError) -> Ability:
    fix = TROUBLES.get(type(error), "")
    if isinstance(error, Rejected) and (name == "text" or error.status not in UNKNOWN_FIELD_STATUSES):
        fix = ADVICE.get(error.status, "")
    return Ability(name=name, ok=False, seen=" ".join(str(error).split())[:400], fix=fix or FIXES[name])


def _tools(reply: ChatReply | ModelError, count: int) -> Ability:
    name = "tools" if count == 1 else "parallel tools"
    if isinstance(reply, ModelError):
        return _error(name, reply)
    offered = {tool.name for tool in TOOLS[:count]}
    good = [call for call in reply.tool_calls if call.name in offered and _is_place(call.arguments)]
    seen = ", ".join(f"{call.name}({call.arguments})" for call in reply.tool_calls) or f"words: {reply.content}"
    return _ability(name, len(good) >= count, seen)


def _is_place(arguments: str) -> bool:
    try:
        return is_valid(json.loads(arguments), _PLACE)
    except (ValueError, RecursionError):
        return False


def _structured(reply: ChatReply | ModelError) -> Ability:
    if isinstance(reply, ModelError):
        return _error("structured output", reply)
    value, problems = read_value(reply.content, CAPITAL.json_schema)
    ok = not problems and is_valid(value, CAPITAL.json_schema)
    return _ability("structured output", ok, reply.content if ok else f"{'; '.join(problems)}: {reply.content}")
