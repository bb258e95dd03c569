"""ChatRequest -> the body of OpenAI's Responses API, and its answer -> ChatReply.

    {"model": "m", "input": [{"role": "user", "content": "Hello."}], "store": false}

Nothing is stored with the provider: each request holds the whole dialogue. The API has no seed and no stop sequences.
With `reasoning_effort`, reasoning comes encrypted too, and is sent back to the model until the user speaks again.

Source: platform.openai.com/docs/api-reference/responses
"""

from collections.abc import Iterable, Iterator, Mapping
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

INCOMPLETE: dict[str, Stop] = {"max_output_tokens": "length", "content_filter": "filtered"}


def payload(settings: EndpointSettings, request: ChatRequest, tools: Tools) -> dict[str, Any]:
    """Return the body to send."""
    mode = output_mode(settings, request)
    said = with_output(request, mode)
    items = [item for message in said.messages for item in (*own_thoughts(settings, message), *_items(message))]
    body: dict[str, Any] = {"model": settings.model, "input": items, "store": False}
    if said.tools:
        body["tools"] = tools.told(said.tools)
        body |= _choice(said)
    if request.output is not None and mode == "native":
        strict = strict_schema(request.output.json_schema)
        form = {"type": "json_schema", "name": request.output.name, "schema": strict or request.output.json_schema}
        body["text"] = {"format": {**form, "strict": strict is not None}}
    if request.sampling.reasoning_effort not in (None, "none"):
        body["include"] = ["reasoning.encrypted_content"]
    return body | _sampling(request.sampling)


def tool_body(tool: ChatTool) -> dict[str, Any]:
    """Return one tool; `strict`, the API's default, is off, since most tools have optional parameters."""
    function = {"type": "function", "name": tool.name, "description": tool.description}
    return {**function, "parameters": parameters_of(tool), "strict": False}


def _items(message: ChatMessage) -> Iterator[dict[str, Any]]:
    if message.role == "tool":
        yield {"type": "function_call_output", "call_id": message.tool_call_id, "output": message.content}
        return
    if message.content or not message.tool_calls:
        yield {"role": message.role, "content": message.content}
    for call in message.tool_calls:
        yield {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": shown_text(call.arguments)}


def _choice(request: ChatRequest) -> dict[str, Any]:
    body: dict[str, Any] = {} if request.parallel else {"parallel_tool_calls": False}
    if request.tool_choice in ("none", "required"):
        body["tool_choice"] = request.tool_choice
    elif request.tool_choice != "auto":
        body["tool_choice"] = {"type": "function", "name": request.tool_choice}
    return body


def _sampling(sampling: Sampling) -> dict[str, Any]:
    body = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_output_tokens": sampling.max_tokens,
        "reasoning": {"effort": sampling.reasoning_effort, "summary": "auto"} if sampling.reasoning_effort else None,
    }
    return {key: value for key, value in body.items() if value is not None} | sampling.extra


def parse(settings: EndpointSettings, request: ChatRequest, body: Mapping[str, Any]) -> ChatReply:
    """Parse an answer.

    Raises:
        ModelError: the provider failed while it answered, or the answer is empty.
    """
    if body.get("status") == "failed":
        raise ModelError(f"{settings.model} at {settings.address} failed: {str(body.get('error'))[:200]}")
    items = body["output"] or ()
    parts = [part for item in items if item["type"] == "message" for part in item["content"] or ()]
    reply = ChatReply(
        content="".join(text_of(part.get("text")) for part in parts if part["type"] == "output_text"),
        reasoning="\n".join(_thoughts(items)),
        thoughts=thoughts_of(settings, (_sealed(item) for item in items if item.get("encrypted_content"))),
        tool_calls=tuple(
            ChatCall(id=item.get("call_id") or "", name=item["name"], arguments=arguments_text(item.get("arguments")))
            for item in items
            if item["type"] == "function_call"
        ),
        refusal="".join(text_of(part.get("refusal")) for part in parts if part["type"] == "refusal"),
        stop=_stop(body),
        usage=read_usage(body.get("usage")) or Usage(),
        model=body.get("model") or settings.model,
    )
    return complete_reply(settings, request, reply, body)


def _sealed(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return a reasoning item in the form in which it is sent back."""
    return {key: item[key] for key in ("type", "id", "summary", "encrypted_content") if key in item}


def _thoughts(items: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for item in items:
        if item["type"] == "reasoning":
            for part in (*(item.get("summary") or ()), *(item.get("content") or ())):
                yield text_of(part.get("text"))


def _stop(body: Mapping[str, Any]) -> Stop:
    if body.get("status") != "incomplete":
        return "end"
    return stop_of((body.get("incomplete_details") or {}).get("reason"), INCOMPLETE)


RESPONSES = Wire("/responses", payload, parse, tool_body)
