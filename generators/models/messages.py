"""ChatRequest -> the body of Anthropic's Messages API, and its answer -> ChatReply.

    {"model": "m", "max_tokens": 4096, "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello."}]}]}

Turns alternate and begin with the user's: see `turns`. The tools and the system prompt are marked for the cache, which
Anthropic does not do by itself. The API knows no seed. Thinking blocks go back with their signatures, to the model that
wrote them, until the user speaks again.

Source: platform.claude.com/docs/en/api/messages
"""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from interplay.generators.models.encoding import Tools
from interplay.generators.models.settings import EndpointSettings
from interplay.generators.models.strict import strict_schema
from interplay.generators.models.turns import turns_of
from interplay.generators.models.usage import told_usage
from interplay.generators.models.wire import (
    Wire,
    asked,
    finished,
    output_mode,
    own_thoughts,
    parameters_of,
    stop_of,
    thoughts_of,
)
from interplay.schemas.chat import ChatCall, ChatReply, ChatRequest, ChatTool, Sampling, Stop
from interplay.schemas.dialogue import Usage

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


def payload(settings: EndpointSettings, request: ChatRequest, tools: Tools) -> dict[str, Any]:
    """Return the body to send."""
    mode, native = _output(settings, request)
    said = asked(request, mode)
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
    return body | _sampling(request.sampling, config)


def _output(settings: EndpointSettings, request: ChatRequest) -> tuple[str, dict[str, Any] | None]:
    """Return how the output is asked for, and the schema to enforce where that is native.

    A model that thinks cannot be forced to call a tool.
    """
    thinks = request.sampling.reasoning_effort not in (None, "none")
    mode = output_mode(settings, request, automatic="native" if thinks else "tool")
    if request.output is None or mode != "native":
        return mode, None
    native = strict_schema(request.output.json_schema, bounds=False)
    return ("native", native) if native else ("instructed" if thinks else "tool", None)


def _tools(request: ChatRequest, known: Tools) -> dict[str, Any]:
    """Return the tools and the choice; a dialogue with calls needs tools even where none are offered any more."""
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
    """Return one tool."""
    return {"name": tool.name, "description": tool.description, "input_schema": parameters_of(tool)}


def _sampling(sampling: Sampling, config: dict[str, Any]) -> dict[str, Any]:
    effort = EFFORTS.get(sampling.reasoning_effort or "")
    body = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "stop_sequences": [stop for stop in sampling.stop if stop.strip()] or None,
        "thinking": {"type": "adaptive"} if effort else None,
        "output_config": (config | ({"effort": effort} if effort else {})) or None,
    }
    return {key: value for key, value in body.items() if value is not None} | sampling.extra


def parse(settings: EndpointSettings, request: ChatRequest, body: Mapping[str, Any]) -> ChatReply:
    """Read an answer.

    Raises:
        ModelError: it is empty.
    """
    blocks = body["content"]
    text = "".join(block["text"] for block in blocks if block["type"] == "text")
    stop = stop_of(body.get("stop_reason"), STOPS)
    reply = ChatReply(
        content="" if stop == "refusal" else text,
        reasoning="\n".join(block["thinking"] for block in blocks if block["type"] == "thinking"),
        thoughts=thoughts_of(settings, (block for block in blocks if block["type"] in THOUGHTS and _sealed(block))),
        tool_calls=tuple(_call(block) for block in blocks if block["type"] == "tool_use"),
        refusal=(text or REFUSED) if stop == "refusal" else "",
        stop=stop,
        usage=told_usage(body.get("usage")) or Usage(),
        model=body.get("model") or settings.model,
    )
    return finished(settings, request, reply, body)


def _sealed(block: Mapping[str, Any]) -> bool:
    return bool(block.get("signature") or block.get("data"))


def _call(block: Mapping[str, Any]) -> ChatCall:
    return ChatCall(
        id=block["id"], name=block["name"], arguments=json.dumps(block.get("input") or {}, ensure_ascii=False)
    )


MESSAGES = Wire("/v1/messages", payload, parse, tool_body)
