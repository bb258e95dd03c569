"""ChatRequest -> the body of OpenAI's chat completions, for all compatible servers, and its answer -> ChatReply.

    {"model": "m", "messages": [{"role": "user", "content": "Hello."}], "temperature": 0.7}

Source: platform.openai.com/docs/api-reference/chat; `reasoning_content` is vLLM's, llama.cpp's and DeepSeek's field,
`reasoning` that of Ollama and of gateways.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from interplay.generators.models.providers.strict_schema import strict_schema
from interplay.generators.models.providers.usage import read_usage
from interplay.generators.models.providers.wire import (
    Wire,
    arguments_text,
    complete_reply,
    output_mode,
    own_thoughts,
    parameters_of,
    shown_text,
    split_reasoning,
    stop_of,
    text_of,
    thoughts_of,
    with_output,
)
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.generators.models.transport.json_body import Tools
from interplay.schemas.errors import ModelError
from interplay.schemas.records.chat import ChatCall, ChatMessage, ChatReply, ChatRequest, ChatTool, Sampling, Stop
from interplay.schemas.records.dialogue import Usage

STOPS: dict[str, Stop] = {
    "stop": "end",
    "end_turn": "end",
    "eos": "end",
    "eos_token": "end",
    "length": "length",
    "max_tokens": "length",
    "tool_calls": "tool_calls",
    "tool_call": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "filtered",
    "safety": "filtered",
    "refusal": "refusal",
}
"""The finish reasons of various servers, in lower case."""


GIVEN_BACK = ("extra_content", "provider_specific_fields", "reasoning_details")
"""Fields of Gemini's API, LiteLLM and OpenRouter with signed or encrypted thoughts, which later requests must send back."""

MISTRAL = re.compile(r"(?i)istral|mixtral|devstral|codestral|pixtral|voxtral")
_SHORT = re.compile(r"[A-Za-z0-9]{9}")


def payload(settings: EndpointSettings, request: ChatRequest, tools: Tools) -> dict[str, Any]:
    """Return the body to send."""
    mode = output_mode(settings, request)
    said = with_output(request, mode)
    body: dict[str, Any] = {
        "model": settings.model,
        "messages": [message_body(message, settings) for message in said.messages],
    }
    if said.tools:
        body["tools"] = tools.told(said.tools)
        body |= _choice(said)
    if request.output is not None and mode == "native":
        strict = strict_schema(request.output.json_schema)
        schema = {"name": request.output.name, "schema": strict or request.output.json_schema}
        body["response_format"] = {"type": "json_schema", "json_schema": {**schema, "strict": strict is not None}}
    return body | _sampling(settings, request.sampling)


def message_body(message: ChatMessage, settings: EndpointSettings) -> dict[str, Any]:
    """Return one message; the content is never null, since many chat templates break on it."""
    body: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.role == "tool":
        body["tool_call_id"] = sent_id(settings.model, message.tool_call_id or "")
    if message.tool_calls:
        body["tool_calls"] = [
            {
                "id": sent_id(settings.model, call.id),
                "type": "function",
                "function": {"name": call.name, "arguments": shown_text(call.arguments)},
            }
            for call in message.tool_calls
        ]
    if settings.send_reasoning and message.reasoning:
        body["reasoning_content"] = message.reasoning
    for block in own_thoughts(settings, message):
        call = block.get("call")
        part = body if call is None else body["tool_calls"][call] if call < len(message.tool_calls) else {}
        part.update(block["told"])
    return body


@lru_cache(maxsize=4096)
def sent_id(model: str, name: str) -> str:
    """Return a call's id in a form that the model accepts; Mistral's accept only ids of nine letters or digits."""
    if _SHORT.fullmatch(name) or not MISTRAL.search(model):
        return name
    return hashlib.blake2b(name.encode(), digest_size=5).hexdigest()[:9]


def tool_body(tool: ChatTool) -> dict[str, Any]:
    """Return one tool."""
    function = {"name": tool.name, "description": tool.description, "parameters": parameters_of(tool)}
    return {"type": "function", "function": function}


def _choice(request: ChatRequest) -> dict[str, Any]:
    """Return the tool choice, only as far as it differs from the default, since some servers know no more."""
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
    """Parse an answer.

    Raises:
        ModelError: it has no choice, failed, or is empty.
    """
    if not body["choices"]:
        raise ModelError(f"{settings.model} at {settings.address} answered without a choice.")
    choice = body["choices"][0]
    if choice.get("finish_reason") == "error":
        raise ModelError(f"{settings.model} at {settings.address} failed while it answered.")
    message = choice["message"]
    thought, content = split_reasoning(_text(message.get("content")))
    reply = ChatReply(
        content=content,
        reasoning=_reasoning(message) or thought,
        thoughts=thoughts_of(settings, _sealed(message)),
        tool_calls=tuple(_call(call) for call in message.get("tool_calls") or _old_call(message)),
        refusal=_text(message.get("refusal")) or _parts(message, "refusal"),
        stop=stop_of(choice.get("finish_reason"), STOPS),
        usage=read_usage(body.get("usage")) or Usage(),
        model=body.get("model") or settings.model,
    )
    return complete_reply(settings, request, reply, body)


def _text(content: Any) -> str:
    """Return the text of a content, which Mistral splits into parts."""
    if isinstance(content, list):
        return "".join(part if isinstance(part, str) else text_of(part.get("text")) for part in content)
    return text_of(content.get("text") if isinstance(content, dict) else content)


def _sealed(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the `GIVEN_BACK` fields of the message and of each of its calls, to be sent back unchanged."""
    for call, part in enumerate((message, *(message.get("tool_calls") or ())), -1):
        told = {name: part[name] for name in GIVEN_BACK if part.get(name)}
        if told:
            yield {"told": told} if call < 0 else {"call": call, "told": told}


def _reasoning(message: Mapping[str, Any]) -> str:
    """Return the reasoning, from a field of its own, or as Mistral gives it, from the parts of the content."""
    told = message.get("reasoning_content") or message.get("reasoning") or message.get("thinking")
    return _text(told) or _parts(message, "thinking")


def _parts(message: Mapping[str, Any], name: str) -> str:
    """Return the joined texts under `name` in the parts of the content."""
    content = message.get("content")
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    return "".join(_text(part.get(name)) for part in parts)


def _old_call(message: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """Return the call under the deprecated `function_call`, which has no id, if there is one."""
    call = message.get("function_call")
    return (call,) if isinstance(call, dict) and call.get("name") else ()


def _call(call: Mapping[str, Any]) -> ChatCall:
    function = call.get("function") or call  # some servers omit the wrapper
    return ChatCall(
        id=str(call.get("id") or ""), name=function["name"], arguments=arguments_text(function.get("arguments"))
    )


CHAT_COMPLETIONS = Wire("/chat/completions", payload, parse, tool_body)
