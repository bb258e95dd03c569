"""Anthropic's bodies -> questions, and answers -> Anthropic's bodies; what the real API refuses is refused."""

import json
from collections.abc import Mapping
from typing import Any

from tests.model_server.answers import Answer, Ask
from tests.model_server.openai_wire import text_of, tokens

MESSAGES = "/v1/messages"
STOPS = {"end": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "filtered": "refusal"}


def read_messages(index: int, body: Mapping[str, Any]) -> Ask:
    last = body["messages"][-1]
    choice = body.get("tool_choice", {"type": "auto"})
    names = {"auto": "auto", "none": "none", "any": "required", "tool": choice.get("name", "")}
    content = last["content"]
    returns = isinstance(content, list) and any(block["type"] == "tool_result" for block in content)
    form = (body.get("output_config") or {}).get("format") or {}
    return Ask(
        index=index,
        path=MESSAGES,
        body=body,
        text=text_of(content),
        last_role="tool" if returns else last["role"],
        tools=tuple((tool["name"], tool["input_schema"]) for tool in body.get("tools", ())),
        choice=names[choice["type"]],
        parallel=not choice.get("disable_parallel_tool_use", False),
        output=form.get("schema") if form.get("type") == "json_schema" else None,
    )


def write_message(ask: Ask, answer: Answer) -> dict[str, Any]:
    prompt, completion = tokens(ask, answer)
    return {
        "id": f"msg_{ask.index}",
        "type": "message",
        "role": "assistant",
        "model": ask.body["model"],
        "content": [] if answer.empty else _blocks(ask, answer),
        "stop_reason": "refusal" if answer.refusal else STOPS.get(answer.why, "end_turn"),
        "stop_sequence": None,
        "usage": {
            "input_tokens": prompt,
            "cache_read_input_tokens": answer.cached_tokens,
            "cache_creation_input_tokens": 0,
            "output_tokens": completion,
        },
    }


def _blocks(ask: Ask, answer: Answer) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    if answer.reasoning:
        blocks.append({"type": "thinking", "thinking": answer.reasoning, "signature": "c2lnbmVk"})
    if answer.text or answer.refusal:
        blocks.append({"type": "text", "text": answer.refusal or answer.text})
    for number, call in enumerate(answer.calls):
        call_id = call.id or f"toolu_{ask.index}_{number}"
        blocks.append({"type": "tool_use", "id": call_id, "name": call.name, "input": _input(call.arguments)})
    return blocks


def _input(arguments: str) -> Any:
    """Anthropic sends arguments as values; broken ones arrive as the API gives them, a partial object."""
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return {}


def complaint(body: Mapping[str, Any]) -> str:
    """Return why the real API would answer 400, empty where it would not."""
    if "max_tokens" not in body:
        return "max_tokens: Field required"
    previous, open_calls = "", set[str]()
    for number, message in enumerate(body["messages"]):
        content = message["content"]
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        if message["role"] not in ("user", "assistant") or message["role"] == previous:
            return f"messages.{number}: roles must alternate"
        if not blocks or any(block["type"] == "text" and not block["text"].strip() for block in blocks):
            return f"messages.{number}: text content blocks must be non-empty"
        answered = {block["tool_use_id"] for block in blocks if block["type"] == "tool_result"}
        if answered != open_calls:
            return f"messages.{number}: tool_use ids were found without tool_result blocks immediately after"
        open_calls = {block["id"] for block in blocks if block["type"] == "tool_use"}
        previous = message["role"]
    return "messages: first message must use the user role" if body["messages"][0]["role"] != "user" else ""


def error_body(status: int, message: str) -> bytes:
    """Return the body of an error."""
    kinds = {401: "authentication_error", 404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error"}
    kind = kinds.get(status, "invalid_request_error")
    if status >= 500:
        kind = "overloaded_error" if status == 529 else "api_error"
    return json.dumps({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}).encode()
