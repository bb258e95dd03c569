"""OpenAI's bodies -> questions, and answers -> OpenAI's bodies: chat completions, responses, embeddings."""

import json
from collections.abc import Mapping
from typing import Any

from tests.model_server.answers import Answer, Ask, Call
from tests.model_server.misbehaviour import chance

CHAT, RESPONSES, EMBEDDINGS = "/v1/chat/completions", "/v1/responses", "/v1/embeddings"
FINISH = {"end": "stop", "tool_calls": "tool_calls", "length": "length", "filtered": "content_filter"}


def text_of(content: Any) -> str:
    """Return the text of a message's content, whether a string or parts."""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def read_chat(index: int, body: Mapping[str, Any]) -> Ask:
    last = body["messages"][-1]
    choice = body.get("tool_choice", "auto")
    output = body.get("response_format") or {}
    return Ask(
        index=index,
        path=CHAT,
        body=body,
        text=text_of(last.get("content")),
        last_role=last["role"],
        tools=tuple((tool["function"]["name"], tool["function"]["parameters"]) for tool in body.get("tools", ())),
        choice=choice if isinstance(choice, str) else choice["function"]["name"],
        parallel=body.get("parallel_tool_calls", True),
        output=output["json_schema"]["schema"] if output.get("type") == "json_schema" else None,
    )


def write_chat(ask: Ask, answer: Answer) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text, "refusal": answer.refusal or None}
    if answer.reasoning:
        message["reasoning_content"] = answer.reasoning
    if answer.calls:
        message["content"] = answer.text or None
        message["tool_calls"] = [
            {
                "id": _call_id(ask, call, n),
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for n, call in enumerate(answer.calls)
        ]
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": FINISH.get(answer.why, "stop")}
    return {
        "id": f"chatcmpl-{ask.index}",
        "object": "chat.completion",
        "created": 0,
        "model": ask.body["model"],
        "choices": [] if answer.empty else [choice],
        "usage": _chat_usage(ask, answer),
    }


def tokens(ask: Ask, answer: Answer) -> tuple[int, int]:
    """Return the prompt's and the answer's tokens, by length where the answer does not say."""
    written = len(answer.text or "") + sum(len(call.arguments) + len(call.name) for call in answer.calls)
    return answer.prompt_tokens or max(1, ask.size // 4), answer.completion_tokens or 1 + written // 4


def _call_id(ask: Ask, call: Call, number: int) -> str:
    return call.id or f"call_{ask.index}_{number}"


def _chat_usage(ask: Ask, answer: Answer) -> dict[str, Any]:
    prompt, completion = tokens(ask, answer)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": answer.cached_tokens},
        "completion_tokens_details": {"reasoning_tokens": answer.reasoning_tokens},
    }


def read_responses(index: int, body: Mapping[str, Any]) -> Ask:
    items = body["input"] if isinstance(body["input"], list) else [{"role": "user", "content": body["input"]}]
    last = items[-1]
    choice = body.get("tool_choice", "auto")
    form = body.get("text", {}).get("format", {})
    return Ask(
        index=index,
        path=RESPONSES,
        body=body,
        text=text_of(last.get("content", last.get("output"))),
        last_role=last.get("role", "tool"),
        tools=tuple((tool["name"], tool["parameters"]) for tool in body.get("tools", ())),
        choice=choice if isinstance(choice, str) else choice["name"],
        parallel=body.get("parallel_tool_calls", True),
        output=form["schema"] if form.get("type") == "json_schema" else None,
    )


def write_responses(ask: Ask, answer: Answer) -> dict[str, Any]:
    prompt, completion = tokens(ask, answer)
    reasons = {"length": "max_output_tokens", "filtered": "content_filter"}
    reason = reasons.get(answer.why)
    return {
        "id": f"resp_{ask.index}",
        "object": "response",
        "created_at": 0,
        "model": ask.body["model"],
        "status": "incomplete" if reason else "completed",
        "incomplete_details": {"reason": reason} if reason else None,
        "error": None,
        "output": [] if answer.empty else _response_items(ask, answer),
        "parallel_tool_calls": ask.parallel,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": prompt,
            "input_tokens_details": {"cached_tokens": answer.cached_tokens},
            "output_tokens": completion,
            "output_tokens_details": {"reasoning_tokens": answer.reasoning_tokens},
            "total_tokens": prompt + completion,
        },
    }


def _response_items(ask: Ask, answer: Answer) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    if answer.reasoning:
        summary = [{"type": "summary_text", "text": answer.reasoning}]
        items.append({"type": "reasoning", "id": f"rs_{ask.index}", "summary": summary})
    if answer.refusal or answer.text:
        said = {"type": "output_text", "text": answer.text, "annotations": []}
        part = {"type": "refusal", "refusal": answer.refusal} if answer.refusal else said
        items.append(
            {"type": "message", "id": f"msg_{ask.index}", "role": "assistant", "status": "completed", "content": [part]}
        )
    for number, call in enumerate(answer.calls):
        call_id = _call_id(ask, call, number)
        names = {"id": f"fc_{ask.index}_{number}", "call_id": call_id, "name": call.name, "arguments": call.arguments}
        items.append({"type": "function_call", "status": "completed", **names})
    return items


def write_embeddings(body: Mapping[str, Any], size: int = 8) -> dict[str, Any]:
    """Return vectors that are a pure function of each text."""
    texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
    data = [
        {"object": "embedding", "index": n, "embedding": [chance(0, text, axis) - 0.5 for axis in range(size)]}
        for n, text in enumerate(texts)
    ]
    count = sum(len(text) // 4 + 1 for text in texts)
    usage = {"prompt_tokens": count, "total_tokens": count}
    return {"object": "list", "data": data, "model": body["model"], "usage": usage}


def error_body(status: int, message: str) -> bytes:
    """Return the body of an error."""
    kinds = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error"}
    kind = kinds.get(status, "server_error" if status >= 500 else "invalid_request_error")
    return json.dumps({"error": {"message": message, "type": kind, "param": None, "code": None}}).encode()
