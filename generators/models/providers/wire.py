"""What the protocols of all providers share: how structured output is requested, reasoning split off, call ids made unique.

A `Wire` is a path and three functions: from a request to a body, from a body to a reply, from a tool to its part of a body.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.generators.models.transport.json_body import Tools
from interplay.schemas.errors import ModelError
from interplay.schemas.json.json_text import read_json
from interplay.schemas.records.chat import (
    ChatCall,
    ChatMessage,
    ChatReply,
    ChatRequest,
    ChatTool,
    OutputSchema,
    Stop,
    Thoughts,
)

THINKING = (("<think>", "</think>"), ("<thinking>", "</thinking>"), ("[THINK]", "[/THINK]"))
"""How models without a reasoning field mark reasoning in their text."""

BRANCHES = ("allOf", "anyOf", "oneOf")
BEYOND = (*BRANCHES, "not", "enum", "const", "if", "then", "else")
"""Keywords that OpenAI and Anthropic refuse at the top of a tool's parameters."""

ANYTHING: dict[str, Any] = {"type": "object", "properties": {}}


@dataclass(frozen=True)
class Wire:
    """One provider's protocol; `tool` returns one tool as it is sent."""

    path: str
    payload: Callable[[EndpointSettings, ChatRequest, Tools], dict[str, Any]]
    parse: Callable[[EndpointSettings, ChatRequest, Mapping[str, Any]], ChatReply]
    tool: Callable[[ChatTool], dict[str, Any]] = ChatTool.model_dump


def output_mode(settings: EndpointSettings, request: ChatRequest, automatic: str = "native") -> str:
    """Return how the request's output schema is requested: native, tool or instructed; empty without a schema."""
    if request.output is None:
        return ""
    return automatic if settings.structured == "auto" else settings.structured


def with_instructions(request: ChatRequest, output: OutputSchema) -> tuple[ChatMessage, ...]:
    """Return the messages with the schema at the end of the system prompt, so that its prefix stays cacheable."""
    text = "Answer with one JSON value that satisfies this JSON Schema, and with nothing else:\n" + json.dumps(
        output.json_schema, ensure_ascii=False
    )
    first, rest = request.messages[:1], request.messages[1:]
    if first and first[0].role == "system":
        return (first[0].model_copy(update={"content": f"{first[0].content}\n\n{text}"}), *rest)
    return (ChatMessage(role="system", content=text), *request.messages)


def with_output(request: ChatRequest, mode: str) -> ChatRequest:
    """Return the request with its output schema as an instruction or a tool, unless the mode is native."""
    if request.output is None or mode == "native":
        return request
    if mode == "instructed":
        return request.model_copy(update={"messages": with_instructions(request, request.output)})
    offered = () if request.tool_choice == "none" else request.tools
    choice = "required" if offered else request.output.name
    answer = ChatTool(name=request.output.name, description="Gives the answer.", parameters=request.output.json_schema)
    tools = (*offered, answer)
    return request.model_copy(update={"tools": tools, "tool_choice": choice, "parallel": bool(offered)})


def parameters_of(tool: ChatTool) -> dict[str, Any]:
    """Return a tool's parameters in a form that providers accept: an object with all its properties at the top.

    Other constraints, such as a choice between two parameters, are moved to the description as JSON.
    """
    given = tool.parameters
    told = given if given.get("type") == "object" else {**ANYTHING, **given, "type": "object"}
    beyond = {key: given[key] for key in BEYOND if key in given}
    if not beyond:
        return told
    branches = [branch for key in BRANCHES for branch in beyond.get(key) or () if isinstance(branch, dict)]
    properties = {name: value for branch in branches for name, value in (branch.get("properties") or {}).items()}
    needed = f"Arguments must satisfy {json.dumps(beyond, ensure_ascii=False)} too."
    return {
        **{key: value for key, value in told.items() if key not in BEYOND},
        "properties": {**properties, **(told.get("properties") or {})},
        "description": f"{given.get('description', '')} {needed}".strip(),
    }


def thoughts_of(settings: EndpointSettings, blocks: Iterable[dict[str, Any]]) -> Thoughts | None:
    """Return the blocks as thoughts to send back to this model alone; None if there are none."""
    found = tuple(blocks)
    return Thoughts(model=settings.model, endpoint=settings.address, blocks=found) if found else None


def own_thoughts(settings: EndpointSettings, message: ChatMessage) -> tuple[dict[str, Any], ...]:
    """Return the blocks of a message's thoughts if they are this model's, since no other model can read them."""
    thoughts = message.thoughts
    if thoughts is None or (thoughts.model, thoughts.endpoint) != (settings.model, settings.address):
        return ()
    return thoughts.blocks


def split_reasoning(text: str) -> tuple[str, str]:
    """Split a model's text into (reasoning, answer); an unclosed block is all reasoning."""
    for opening, closing in THINKING:
        start = text.lstrip()
        opened = start.startswith(opening)
        if opened or closing in text:
            thought, closed, said = (start.removeprefix(opening)).partition(closing)
            if opened or opening not in thought:
                return thought.strip(), said.strip() if closed else ""
    return "", text


def with_unique_ids(calls: tuple[ChatCall, ...], body: Any) -> tuple[ChatCall, ...]:
    """Return the calls with unique ids, since some models leave ids empty or repeat them."""
    seen: set[str] = set()
    found = []
    for number, call in enumerate(calls):
        name = call.id
        if not name or name in seen:
            mark = hashlib.blake2b(repr((body, number)).encode(), digest_size=6).hexdigest()
            name = f"call_{mark}"
        seen.add(name)
        found.append(call if name == call.id else call.model_copy(update={"id": name}))
    return tuple(found)


def complete_reply(settings: EndpointSettings, request: ChatRequest, reply: ChatReply, body: Any) -> ChatReply:
    """Complete a parsed reply: unique call ids, the output tool's call as content, an empty answer as an error.

    If an output schema was requested, an empty answer is no error here: it does not satisfy the schema.

    Raises:
        ModelError: the answer has no text, call or refusal, and its stop reason does not explain why.
    """
    calls = with_unique_ids(reply.tool_calls, body)
    content, stop = reply.content, reply.stop
    answer = next((call for call in calls if request.output and call.name == request.output.name), None)
    if answer is not None and answer.name not in (tool.name for tool in request.tools):
        content, calls = answer.arguments, tuple(call for call in calls if call is not answer)
        stop = "end" if stop == "tool_calls" and not calls else stop
    stop = "refusal" if reply.refusal else "tool_calls" if calls and stop in ("end", "other") else stop
    if not (content.strip() or calls or reply.refusal) and stop in ("end", "tool_calls", "other"):
        if request.output is None:
            raise ModelError(f"{settings.model} at {settings.address} answered with nothing.")
        content = _misplaced(reply.reasoning)
        reply = reply.model_copy(update={"reasoning": ""}) if content else reply
    return reply.model_copy(
        update={"content": content, "tool_calls": calls, "stop": stop, "endpoint": settings.address}
    )


def _misplaced(reasoning: str) -> str:
    """Return a JSON object that the server took for reasoning, as happens with enforced output of a model that did not think."""
    text = reasoning.strip()
    return text if text.startswith("{") and text.endswith("}") else ""


def stop_of(reason: Any, known: Mapping[str, Stop]) -> Stop:
    """Return the `Stop` for a provider's stop reason; other for an unknown one."""
    return known.get(reason.lower(), "other") if isinstance(reason, str) else "other"


def text_of(told: Any) -> str:
    """Return a field's text; empty if it holds none."""
    return told if isinstance(told, str) else ""


def arguments_text(arguments: Any) -> str:
    """Return a call's arguments as JSON text, since some servers give an object."""
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def shown_arguments(text: str) -> dict[str, Any]:
    """Return an earlier call's arguments as an object; malformed ones as text under `arguments`."""
    value = _object(text)
    return {"arguments": text} if value is None else value


@lru_cache(maxsize=4096)
def shown_text(text: str) -> str:
    """Return an earlier call's arguments unchanged; malformed ones as text in an object.

    Servers that parse them for their chat templates, such as llama.cpp and vLLM, fail at malformed ones.
    """
    return text if _object(text) is not None else json.dumps({"arguments": text}, ensure_ascii=False)


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = read_json(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
