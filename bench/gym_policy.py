"""A scripted model at an OpenAI-compatible endpoint that replays given dialogues, to run trainers without a model.

It recognises the dialogue by what the user and the tools have said so far.
"""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LOST = {"role": "assistant", "content": ""}
"""The empty answer in a dialogue that is not known."""

Heard = tuple[str, ...]


def learned(dialogues: Sequence[Sequence[Mapping[str, Any]]]) -> dict[Heard, Mapping[str, Any]]:
    """Return the assistant's message after each sequence of user and tool messages, in OpenAI's chat format."""
    found: dict[Heard, Mapping[str, Any]] = {}
    for messages in dialogues:
        for place, message in enumerate(messages):
            if message["role"] == "assistant":
                found.setdefault(heard(messages[:place]), message)
    return found


def heard(messages: Sequence[Mapping[str, Any]]) -> Heard:
    """Return the texts of the user and of the tools."""
    return tuple(_text(message.get("content")).strip() for message in messages if message["role"] in ("user", "tool"))


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content)
    return str(content or "")


def _chat(items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Convert items of the Responses API to messages, as far as `heard` needs them."""
    found = []
    for item in items:
        if item.get("type") == "function_call_output":
            found.append({"role": "tool", "content": item["output"]})
        elif "role" in item:
            found.append({"role": item["role"], "content": item.get("content")})
    return found


def _output(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    calls = [
        {"type": "function_call", "id": f"fc_{call['id']}", "call_id": call["id"], "status": "completed",
         **call["function"]}
        for call in message.get("tool_calls") or ()
    ]  # fmt: skip
    if calls:
        return calls
    part = {"type": "output_text", "text": message["content"], "annotations": []}
    return [{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}]


@contextmanager
def serving_policy(dialogues: Sequence[Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    """Serve the scripted model, and yield its address."""
    known = learned(dialogues)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if self.path.endswith("/responses"):
                message = known.get(heard(_chat(asked["input"])), LOST)
                answer = {
                    "id": "resp_1", "object": "response", "created_at": 0, "model": "scripted", "status": "completed",
                    "output": _output(message), "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
                }  # fmt: skip
                self._send("application/json", json.dumps(answer))
                return
            message = known.get(heard(asked["messages"]), LOST)
            named = {"id": "chat_1", "created": 0, "model": "scripted"}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            ends = "tool_calls" if message.get("tool_calls") else "stop"
            if not asked.get("stream"):
                choice = {"index": 0, "message": message, "finish_reason": ends}
                told = {**named, "object": "chat.completion", "choices": [choice], "usage": usage}
                self._send("application/json", json.dumps(told))
                return
            calls = [{"index": place, **call} for place, call in enumerate(message.get("tool_calls") or ())]
            delta = {"role": "assistant", "content": message.get("content")} | ({"tool_calls": calls} if calls else {})
            parts = (
                {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
                {"choices": [{"index": 0, "delta": {}, "finish_reason": ends}]},
                {"choices": [], "usage": usage},
            )
            lines = [json.dumps({**named, "object": "chat.completion.chunk", **part}) for part in parts]
            self._send("text/event-stream", "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]))

        def _send(self, kind: str, text: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: Any) -> None:
            """Log no requests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
