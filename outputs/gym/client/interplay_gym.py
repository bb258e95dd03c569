"""Client of the server that `interplay serve` runs, used by every trainer adapter; standard library only.

    gym = Gym("http://127.0.0.1:8765")
    opened = gym.open(gym.tasks(split="train")[0]["id"])
    gym.call(opened["session"], "find_patient", {"name": "Ann Abbot"})   # -> {"results": [...], "done": false, ...}
    gym.say(opened["session"], "May I have your date of birth?")         # -> {"message": "...", "done": false, ...}
    gym.close(opened["session"])["reward"]                               # -> 0.0 to 1.0

The token is the server's; it defaults to the environment variable INTERPLAY_GYM_TOKEN.
"""

import json
import os
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

SECONDS = 120
READ = 2000
"""Maximum number of characters quoted from an error response that is not JSON."""


class GymError(Exception):
    """The server refused a request or does not answer; the message says why, and `kind` is the server's name for it."""

    def __init__(self, message: str, kind: str = "") -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True)
class Gym:
    """A gym server; all methods raise `GymError`."""

    url: str
    token: str = ""

    def tasks(self, limit: int = 1000, **filters: str) -> list[dict[str, Any]]:
        """Return the listed tasks; `filters` are split, pattern, difficulty and pass_rate (as "0.2,0.8")."""
        given = {key: value for key, value in filters.items() if value}
        return list(self._ask(f"/tasks?{urlencode({**given, 'limit': limit})}")["tasks"])

    def task(self, name: str, seed: int = 0) -> dict[str, Any]:
        """Return a task with its prompt (messages) and its tools."""
        return dict(self._ask(f"/tasks/{quote(name, safe='')}?seed={seed}"))

    def tools(self) -> list[dict[str, Any]]:
        """Return all tools of the toolset, in the shape of OpenAI's `tools`."""
        return list(self._ask("/tools")["tools"])

    def open(self, task: str, seed: int = 0) -> dict[str, Any]:
        """Open a task; return session, system_prompt, tools, messages and message (what the user says first)."""
        return dict(self._ask("/sessions", {"task": task, "seed": seed}))

    def session(self, session: str) -> dict[str, Any]:
        """Return the messages of a session and the tools that it offers now."""
        return dict(self._ask(f"/sessions/{session}"))

    def call(self, session: str, tool: str, arguments: dict[str, Any] | str) -> dict[str, Any]:
        """Call a tool; return results and done."""
        return dict(self._ask(f"/sessions/{session}/call", {"tool": tool, "arguments": arguments}))

    def say(self, session: str, text: str) -> dict[str, Any]:
        """Say something to the user; return message (the user's answer) and done."""
        return dict(self._ask(f"/sessions/{session}/say", {"text": text}))

    def close(self, session: str) -> dict[str, Any]:
        """End a session; return reward, parts and steps."""
        return dict(self._ask(f"/sessions/{session}/close", {}))

    def verify(self, task: str, messages: Sequence[dict[str, Any]], seed: int = 0) -> dict[str, Any]:
        """Return the reward of a finished transcript, given as messages of OpenAI's chat API."""
        return dict(self._ask("/verify", {"task": task, "messages": list(messages), "seed": seed}))

    def _ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Send a GET request, or a POST request if there is a body; return the parsed answer."""
        token = self.token or os.environ.get("INTERPLAY_GYM_TOKEN", "")
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url.rstrip("/") + path, data=data, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise _refused(path, error.read().decode(errors="replace")) from error
        except (urllib.error.URLError, TimeoutError) as error:
            reason = getattr(error, "reason", error)
            raise GymError(f"{self.url}: no answer ({reason}). Start it: interplay serve WORKSPACE") from error


def result_of(step: dict[str, Any]) -> str:
    """Return the results of a call as one text; the reason for which the session ended if there are none."""
    return "\n".join(str(result["text"]) for result in step["results"]) or f"[{step['ended']}]"


def _refused(path: str, text: str) -> GymError:
    try:
        told = json.loads(text)["error"]
        return GymError(f"{path}: {told['message']}", str(told["kind"]))
    except (ValueError, LookupError, TypeError):
        return GymError(f"{path}: {text[:READ]}")
