"""ChatRequest -> the body of Anthropic's Messages API, and its answer -> ChatReply.

    {"model": "m", "max_tokens": 4096, "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello."}]}]}

Turns alternate and begin with the user's: see `anthropic_turns`. Tools and system prompt are marked for the cache, since
Anthropic caches nothing otherwise. The API has no seed. Thinking blocks are sent back with their signatures, to the model that
wrote them, until the user speaks again.

Source: platform.claude.com/docs/en/api/messages
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from interplay.generators.models.providers.anthropic_turns import legal_name, turns_of
from interplay.generators.models.providers.claude_generations import (
    enforces,
    thinks_by_itself,
    thought_tokens,
    without_thinking,
)
from interplay.generators.models.providers.strict_schema import strict_schema
from interplay.generators.models.providers.usage import read_usage
from interplay.generators.models.providers.wire import (
    Wire,
    arguments_text,
    complete_reply,
    output_mode,
    own_thoughts,
    parameters_of,
    stop_of,
    text_of,
    thoughts_of,
    with_output,
)
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.generators.models.transport.json_body import Tools
from interplay.schemas.records.chat import ChatCall, ChatReply, ChatRequest, ChatTool, Sampling, Stop
from interplay.schemas.records.dialogue import Usage

STOPS: dict[str, Stop] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
THOUGHTS = ("thinking", "redacted_thinking")
CACHED = {"type": "ephemeral"}
REFUSED = "The model refused, and said no more."
EFFORTS = {"minimal": "low", "low": "low", "medium": "medium", "high": "high"}
LEAST = "low"
"""The effort for a model that always thinks, if no thinking is wanted."""


def payload(settings: EndpointSettings, request: ChatRequest, tools: Tools) -> dict[str, Any]:
    """Return the body to send."""
    mode, native = _output(settings, request)
    said = with_output(request, mode)
    body: dict[str, Any] = {
        "model": settings.model,
        "max_tokens": request.sampling.max_tokens or settings.max_tokens,
        "messages": turns_of(said.messages, partial(own_thoughts, settings)),
    }
    system = "\n\n".join(message.content for message in said.messages if message.role == "system" and message.content)
    if system:
        body["system"] = [{"type": "text", "text": system}]
    body |= _tools(said, tools)
    last = next((name for name in ("system", "tools") if name in body), None)
    if settings.cache and last is not None:
        body[last] = [*body[last][:-1], {**body[last][-1], "cache_control": CACHED}]
    config = {"format": {"type": "json_schema", "schema": native}} if native else {}
    body |= _sampling(request.sampling) | _thinking(settings.model, request.sampling, body["max_tokens"], config)
    return body | request.sampling.extra


def _output(settings: EndpointSettings, request: ChatRequest) -> tuple[str, dict[str, Any] | None]:
    """Return the output mode, and for native mode the schema to enforce.

    A model that thinks cannot be forced to call a tool, so that the fallback is then `instructed`.
    """
    model = settings.model
    thinks = request.sampling.reasoning_effort not in (None, "none") or thinks_by_itself(model)
    otherwise = "instructed" if thinks else "tool"
    mode = output_mode(settings, request, automatic="native" if enforces(model, thinks) else otherwise)
    if request.output is None or mode != "native":
        return mode, None
    native = strict_schema(request.output.json_schema, bounds=False)
    return ("native", native) if native else (otherwise, None)


def _tools(request: ChatRequest, known: Tools) -> dict[str, Any]:
    """Return the tools and the tool choice; if none are offered, the tools of earlier calls are declared, as the API demands."""
    choice: dict[str, Any] = {"type": {"required": "any"}.get(request.tool_choice, request.tool_choice)}
    if choice["type"] not in ("auto", "any", "none"):
        choice = {"type": "tool", "name": request.tool_choice}
    tools = known.told(request.tools)
    if not tools:
        called = {call.name: None for message in request.messages for call in message.tool_calls}
        tools = [tool_body(ChatTool(name=name, parameters={})) for name in called]
        choice = {"type": "none"}
    if not request.parallel and choice["type"] != "none":
        choice["disable_parallel_tool_use"] = True
    return {"tools": tools} | ({} if choice == {"type": "auto"} else {"tool_choice": choice}) if tools else {}


def tool_body(tool: ChatTool) -> dict[str, Any]:
    """Return one tool; parameter names that the API refuses, such as `$filter`, are replaced by legal ones."""
    told = parameters_of(tool)
    if _own_names(tool):
        properties = {legal_name(name): value for name, value in told["properties"].items()}
        told = {**told, "properties": properties, "required": [legal_name(name) for name in told.get("required", ())]}
    return {"name": tool.name, "description": tool.description, "input_schema": told}


def _own_names(tool: ChatTool) -> dict[str, str]:
    """Return the original names of the parameters that were renamed, by their new names."""
    names = parameters_of(tool).get("properties") or {}
    return {legal: name for name in names if (legal := legal_name(name)) != name}


def _thinking(model: str, sampling: Sampling, most: int, config: dict[str, Any]) -> dict[str, Any]:
    """Return the settings for thinking and output."""
    effort, told = EFFORTS.get(sampling.reasoning_effort or ""), dict[str, Any]()
    tokens = None if effort is None else thought_tokens(model, effort, most)
    if tokens is not None:
        told = {"type": "enabled", "budget_tokens": tokens}
    elif effort is not None:
        told, config = {"type": "adaptive"}, config | {"effort": effort}
    elif sampling.reasoning_effort == "none" and thinks_by_itself(model):
        way = without_thinking(model)
        told, config = ({"type": way}, config) if way else ({}, config | {"effort": LEAST})
    return ({"thinking": told} if told else {}) | ({"output_config": config} if config else {})


def _sampling(sampling: Sampling) -> dict[str, Any]:
    body = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "stop_sequences": [stop for stop in sampling.stop if stop.strip()] or None,
    }
    return {key: value for key, value in body.items() if value is not None}


def parse(settings: EndpointSettings, request: ChatRequest, body: Mapping[str, Any]) -> ChatReply:
    """Parse an answer.

    Raises:
        ModelError: the answer is empty.
    """
    blocks = body["content"] or ()
    text = "".join(text_of(block.get("text")) for block in blocks if block["type"] == "text")
    stop = stop_of(body.get("stop_reason"), STOPS)
    reply = ChatReply(
        content="" if stop == "refusal" else text,
        reasoning="\n".join(text_of(block.get("thinking")) for block in blocks if block["type"] == "thinking"),
        thoughts=thoughts_of(settings, (block for block in blocks if block["type"] in THOUGHTS and _sealed(block))),
        tool_calls=tuple(_call(block, request) for block in blocks if block["type"] == "tool_use"),
        refusal=(text or REFUSED) if stop == "refusal" else "",
        stop=stop,
        usage=read_usage(body.get("usage")) or Usage(),
        model=body.get("model") or settings.model,
    )
    return complete_reply(settings, request, reply, body)


def _sealed(block: Mapping[str, Any]) -> bool:
    return bool(block.get("signature") or block.get("data"))


def _call(block: Mapping[str, Any], request: ChatRequest) -> ChatCall:
    given = block.get("input") or {}
    tool = next((tool for tool in request.tools if tool.name == block["name"]), None)
    if tool is not None and isinstance(given, dict):
        own = _own_names(tool)
        given = {own.get(name, name): value for name, value in given.items()}
    return ChatCall(id=str(block.get("id") or ""), name=block["name"], arguments=arguments_text(given))


MESSAGES = Wire("/v1/messages", payload, parse, tool_body)
