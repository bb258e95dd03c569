"""A model server in its own process, requests to send to it, and its statistics: for the benchmarks of models."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent

SHORT = {
    "patterns": {"sequential": 1}, "difficulty": {"easy": 1}, "vague": 0.6, "behaviours": {}, "faults": 0, "evolved": 0,
    "tool_search": 0, "tool_changes": 0, "out_of_scope": 0, "asks_unknown": 0, "described": 0, "late": 0,
}  # fmt: skip
"""Recipe settings for short dialogues, most of which take 6 to 12 sequential requests."""

TOOL = {
    "type": "object",
    "properties": {
        name: {"type": "string", "description": f"The {name} of the reservation, as the guest said it."}
        for name in ("guest", "room", "arrival", "departure")
    },
    "required": ["guest", "room"],
}
SYSTEM = "You are the assistant of a small hotel. Confirm before you change anything. " * 6
TOOLS = [(f"tool_{number}", "Change one thing of one reservation.", TOOL) for number in range(8)]


@contextmanager
def serving(*arguments: str) -> Iterator[int]:
    """Run the server; yield its port."""
    command = [sys.executable, "-m", "tests.model_server", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


def control(port: int, path: str, settings: dict[str, Any] | None = None) -> dict[str, Any]:
    """Ask a server for `/stats`, or `/reset` it to other settings; return its statistics."""
    url = f"http://127.0.0.1:{port}{path}"
    data = json.dumps(settings or {}).encode() if path == "/reset" else None
    with urllib.request.urlopen(urllib.request.Request(url, data=data), timeout=30) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def child(script: str, *arguments: object) -> dict[str, Any]:
    """Run a script of bench/ in its own process; return the JSON that it prints."""
    command = [sys.executable, str(ROOT / "bench" / script), *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def wire_payload(number: int, size: int = 0) -> dict[str, Any]:
    """Return a question as a body of OpenAI's chat completions: a system prompt, eight tools, three messages.

    With `size`, the system prompt is padded until the body has about that many bytes.
    """
    tools = [
        {"type": "function", "function": {"name": name, "description": text, "parameters": schema}}
        for name, text, schema in TOOLS
    ]
    said = [f"Question {number}: may I keep my room?", "Of course. For how long?", f"For {number} nights, please."]
    roles = ("user", "assistant", "user")
    messages = [{"role": role, "content": text} for role, text in zip(roles, said, strict=True)]
    body: dict[str, Any] = {
        "model": "bench",
        "messages": [{"role": "system", "content": SYSTEM}, *messages],
        "tools": tools,
    }
    if size:
        body["messages"][0]["content"] += "." * (size - len(json.dumps(body)))
    return body
