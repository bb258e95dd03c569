"""ChatRequest -> the body of OpenAI's chat completions, as every compatible server takes it, and its answer -> ChatReply.

    {"model": "m", "messages": [{"role": "user", "content": "Hello."}], "temperature": 0.7}

Source: platform.openai.com/docs/api-reference/chat; `reasoning_content` is vLLM's, llama.cpp's and DeepSeek's field,
`reasoning` that of Ollama and of gateways.
"""

from collections.abc import Mapping
from typing import Any

from interplay.generators.models.encoding import Tools
from interplay.generators.models.settings import EndpointSettings
from interplay.generators.models.strict import strict_schema
from interplay.generators.models.usage import told_usage
from interplay.generators.models.wire import (
    Wire,
    arguments_text,
    asked,
    finished,
    output_mode,
    parameters_of,
    part_reasoning,
    shown_text,
    stop_of,
)
from interplay.schemas.chat import ChatCall, ChatMessage, ChatReply, ChatRequest, ChatTool, Sampling, Stop
from interplay.schemas.dialogue import Usage
from interplay.schemas.errors import ModelError

STOPS: dict[str, Stop] = {
    "stop": "end",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "filtered",
}


def payload(settings: EndpointSettings, request: ChatRequest, tools: Tools) -> dict[str, Any]:
    """Return the body to send."""
    mode = output_mode(settings, request)
    said = asked(request, mode)
    body: dict[str, Any] = {
        "model": settings.model,
        "messages": [message_body(message, settings.send_reasoning) for message in said.messages],
    }
    if said.tools:
        body["tools"] = tools.told(said.tools)
        body |= _choice(said)
    if request.output is not None and mode == "native":
        strict = strict_schema(request.output.json_schema)
        schema = {"name": request.output.name, "schema": strict or request.output.json_schema}
        body["response_format"] = {"type": "json_schema", "json_schema": {**schema, "strict": strict is not None}}
    return body | _sampling(settings, request.sampling)


def message_body(message: ChatMessage, with_reasoning: bool) -> dict[str, Any]:
    """Return one message; the content is never null, since many chat templates break on it."""
    body: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.role == "tool":
        body["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        body["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": shown_text(call.arguments)},
            }
            for call in message.tool_calls
        ]
    if with_reasoning and message.reasoning:
        body["reasoning_content"] = message.reasoning
    return body


def tool_body(tool: ChatTool) -> dict[str, Any]:
    """Return one tool."""
    function = {"name": tool.name, "description": tool.description, "parameters": parameters_of(tool)}
    return {"type": "function", "function": function}


def _choice(request: ChatRequest) -> dict[str, Any]:
    """Say only what differs from the default: some servers know no more."""
    body: dict[str, Any] = {}
    if request.tool_choice in ("none", "required"):
        body["tool_choice"] = request.tool_choice
    elif request.tool_choice != "auto":
        body["tool_choice"] = {"type": "function", "function": {"name": request.tool_choice}}
    if not request.parallel:
        body["parallel_tool_calls"] = False
    return body


def _sampling(settings: EndpointSettings, sampling: Sampling) -> dict[str, Any]:
    limit = settings.max_tokens_field
    if limit == "auto":
        limit = "max_completion_tokens" if settings.at_home else "max_tokens"
    body = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        limit: sampling.max_tokens,
        "seed": sampling.seed,
        "reasoning_effort": sampling.reasoning_effort,
        "stop": list(sampling.stop) or None,
    }
    return {key: value for key, value in body.items() if value is not None} | sampling.extra


def parse(settings: EndpointSettings, request: ChatRequest, body: Mapping[str, Any]) -> ChatReply:
    """Read an answer.

    Raises:
        ModelError: it holds no choice, or nothing in it.
    """
    if not body["choices"]:
        raise ModelError(f"{settings.model} at {settings.address} answered without a choice.")
    choice = body["choices"][0]
    message = choice["message"]
    thought, content = part_reasoning(_text(message.get("content")))
    reply = ChatReply(
        content=content,
        reasoning=_text(message.get("reasoning_content") or message.get("reasoning")) or _thinking(message) or thought,
        tool_calls=tuple(_call(call) for call in message.get("tool_calls") or ()),
        refusal=message.get("refusal") or "",
        stop=stop_of(choice.get("finish_reason"), STOPS),
        usage=told_usage(body.get("usage")) or Usage(),
        model=body.get("model") or settings.model,
    )
    return finished(settings, request, reply, body)


def _text(content: Any) -> str:
    """Return the text of a content, which Mistral gives in parts."""
    if isinstance(content, list):
        return "".join(part if isinstance(part, str) else str(part.get("text", "")) for part in content)
    return content or ""


def _thinking(message: Mapping[str, Any]) -> str:
    """Return the reasoning that stands among the parts of a content, as Mistral gives it."""
    content = message.get("content")
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    return "".join(_text(part.get("thinking")) for part in parts)


def _call(call: Mapping[str, Any]) -> ChatCall:
    function = call["function"]
    return ChatCall(
        id=str(call.get("id") or ""), name=function["name"], arguments=arguments_text(function.get("arguments"))
    )


CHAT_COMPLETIONS = Wire("/chat/completions", payload, parse, tool_body)
