"""Tasks of an interplay gym as environments of TRL's GRPOTrainer; speaks to the server of `interplay serve` alone.

    gym = "http://127.0.0.1:8765"
    trainer = GRPOTrainer(model=..., train_dataset=tasks(gym, split="train"), environment_factory=environment(gym))

Each tool is a method of the environment, `say` speaks with the user, and the server gives the reward. Source: TRL 1.16,
`GRPOTrainer`, `environment_factory`.
"""

import inspect
import json
import keyword
import os
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlencode

TYPES = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list, "object": dict}
SECONDS = 120
SAY = "say"


class GymError(Exception):
    """The server refuses something; the message says why."""


def tasks(url: str, token: str = "", limit: int = 1000, seed: int = 0, **filters: str) -> Any:
    """Return a `datasets.Dataset` with a row for each task: its prompt, and what `reset` opens it by.

    `filters` are those of the server: split, pattern, difficulty and pass_rate (as "0.2,0.8").

    Raises:
        GymError: the server does not answer, or refuses.
    """
    from datasets import Dataset  # noqa: PLC0415 - slow to import

    listed = _ask(url, f"/tasks?{urlencode({**filters, 'limit': limit})}", token=token)["tasks"]
    rows = []
    for task in listed:
        opened = _ask(url, f"/tasks/{quote(task['id'])}?seed={seed}", token=token)
        prompt = [{"role": message["role"], "content": message["content"]} for message in opened["prompt"]]
        rows.append({"prompt": prompt, "task": task["id"], "seed": seed, "difficulty": task["difficulty"]})
    return Dataset.from_list(rows)


def environment(url: str, token: str = "") -> Callable[[], Any]:
    """Return what makes environments of the server's tools, for `environment_factory`.

    Raises:
        GymError: the server does not answer, or refuses.
    """
    tools = [tool["function"] for tool in _ask(url, "/tools", token=token)["tools"]]
    return type("InterplayGym", (_Session,), {**_methods(tools), "_url": url, "_token": token})


class _Session:
    """One task under way."""

    _url = ""
    _token = ""

    def __init__(self) -> None:
        self._name = ""
        self._closed: dict[str, Any] = {}

    def reset(self, task: str = "", seed: int = 0, **_: Any) -> None:
        """Open a task; what the user says first stands in the prompt already."""
        if self._name and not self._closed:
            self.get_reward()
        opened = _ask(self._url, "/sessions", {"task": task, "seed": seed}, self._token)
        self._name, self._closed = opened["session"], {}

    def get_reward(self) -> float:
        """Close the task, and return its reward."""
        if not self._closed:
            self._closed = _ask(self._url, f"/sessions/{self._name}/close", {}, self._token)
        return float(self._closed["reward"])

    def say(self, text: str) -> str:
        """
        Say something to the user, and hear what the user answers.

        Args:
            text: What to say, in plain words.

        Returns:
            What the user says next.
        """
        step = _ask(self._url, f"/sessions/{self._name}/say", {"text": text}, self._token)
        return str(step["message"]) or f"[{step['ended']}]"

    def _call(self, tool: str, arguments: dict[str, Any]) -> str:
        given = {name: value for name, value in arguments.items() if value is not None}
        step = _ask(self._url, f"/sessions/{self._name}/call", {"tool": tool, "arguments": given}, self._token)
        return "\n".join(str(result["text"]) for result in step["results"]) or f"[{step['ended']}]"


def _methods(tools: list[dict[str, Any]]) -> dict[str, Callable[..., str]]:
    """Return a method for each tool, with a signature and a docstring from which trainers read its schema."""
    made: dict[str, Callable[..., str]] = {}
    for tool in tools:
        name = _identifier(tool["name"])
        while name in made or name in (SAY, "reset", "get_reward"):
            name += "_"
        made[name] = _method(tool, name)
    return made


def _method(tool: dict[str, Any], name: str) -> Callable[..., str]:
    schema = tool.get("parameters") or {}
    required = set(schema.get("required", ()))
    named = {_identifier(key): key for key in schema.get("properties", {})}

    def method(self: _Session, *values: Any, **given: Any) -> str:
        bound = signature.bind(self, *values, **given).arguments
        bound.pop("self")
        return self._call(tool["name"], {named[key]: value for key, value in bound.items()})

    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    told = []
    for key, plain in sorted(named.items(), key=lambda pair: pair[1] not in required):
        own = schema["properties"][plain] if isinstance(schema["properties"][plain], dict) else {}
        kind = own.get("type")
        hint: Any = TYPES.get(kind, str) if isinstance(kind, str) else str
        default = inspect.Parameter.empty if plain in required else None
        hint = hint if plain in required else hint | None
        parameters.append(inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint))
        values = f" One of {json.dumps(own['enum'])}." if own.get("enum") else ""
        told.append(f"    {key}: {_line(own.get('description')) or plain}{values}")
    method.__name__ = method.__qualname__ = name
    signature = inspect.Signature(parameters, return_annotation=str)
    method.__signature__ = signature  # type: ignore[attr-defined]
    method.__annotations__ = {each.name: each.annotation for each in parameters[1:]} | {"return": str}
    lines = [
        _line(tool.get("description")) or name,
        *(["", "Args:", *told] if told else []),
        "",
        "Returns:",
        "    The result.",
    ]
    method.__doc__ = "\n".join(lines)
    return method


def _identifier(name: str) -> str:
    plain = re.sub(r"\W", "_", name) or "tool"
    return f"{plain}_" if keyword.iskeyword(plain) or plain[0].isdigit() or plain.startswith("_") else plain


def _line(text: Any) -> str:
    return " ".join(str(text or "").split())[:500]


def _ask(url: str, path: str, body: dict[str, Any] | None = None, token: str = "") -> Any:
    """Ask the server; a body is posted."""
    token = token or os.environ.get("INTERPLAY_GYM_TOKEN", "")
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url.rstrip("/") + path, data=data, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        told = error.read(2000).decode(errors="replace")
        raise GymError(f"{path}: {told}") from error
    except urllib.error.URLError as error:
        raise GymError(f"{url}: no answer ({error.reason}). Start it: interplay serve WORKSPACE") from error
