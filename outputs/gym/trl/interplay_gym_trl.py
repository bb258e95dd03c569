"""Tasks of an interplay gym as environments for TRL's GRPOTrainer; talks only to `interplay serve`.

    gym = "http://127.0.0.1:8765"
    trainer = GRPOTrainer(model=..., train_dataset=tasks(gym, split="train"), environment_factory=environment(gym))

Each tool is a method of the environment, `say` talks to the user, and the reward is the server's. Source: TRL 1.16,
`GRPOTrainer`, `environment_factory`.
"""

import inspect
import json
import keyword
import re
from collections.abc import Callable
from typing import Any

from interplay_gym import Gym, GymError, result_of

TYPES = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list, "object": dict}
SAY = "say"


def tasks(url: str, token: str = "", limit: int = 1000, seed: int = 0, **filters: str) -> Any:
    """Return a `datasets.Dataset` with a row for each task: its prompt, and the arguments with which `reset` opens it.

    `filters` are those of the server: split, pattern, difficulty and pass_rate (as "0.2,0.8").

    Raises:
        GymError: the server does not answer, or refuses.
    """
    from datasets import Dataset  # noqa: PLC0415 - slow to import

    gym, rows = Gym(url, token), []
    for task in gym.tasks(limit, **filters):
        opened = gym.task(task["id"], seed)
        prompt = [{"role": message["role"], "content": message["content"]} for message in opened["prompt"]]
        rows.append({"prompt": prompt, "task": task["id"], "seed": seed, "difficulty": task["difficulty"]})
    return Dataset.from_list(rows)


def environment(url: str, token: str = "") -> Callable[[], Any]:
    """Return a factory of environments with the server's tools as methods, for `environment_factory`.

    Raises:
        GymError: the server does not answer, or refuses.
    """
    gym = Gym(url, token)
    return type("InterplayGym", (_Session,), {**_methods([tool["function"] for tool in gym.tools()]), "_gym": gym})


class _Session:
    """An environment that plays one task at a time."""

    _gym = Gym("")

    def __init__(self) -> None:
        self._name = ""
        self._closed: dict[str, Any] = {}

    def reset(self, task: str = "", seed: int = 0, **_: Any) -> None:
        """Open a task; the user's first message is already part of the prompt."""
        if self._name and not self._closed:
            self.get_reward()
        self._name, self._closed = self._gym.open(task, seed)["session"], {}

    def get_reward(self) -> float:
        """Close the task and return its reward."""
        if not self._closed:
            self._closed = self._gym.close(self._name)
        return float(self._closed["reward"])

    def say(self, text: str) -> str:
        """
        Say something to the user, and hear what the user answers.

        Args:
            text: What to say, in plain words.

        Returns:
            What the user says next.
        """
        try:
            step = self._gym.say(self._name, text)
        except GymError as error:
            return str(error)
        return str(step["message"]) or f"[{step['ended']}]"

    def _call(self, tool: str, arguments: dict[str, Any]) -> str:
        given = {name: value for name, value in arguments.items() if value is not None}
        try:
            return result_of(self._gym.call(self._name, tool, given))
        except GymError as error:
            return str(error)


def _methods(tools: list[dict[str, Any]]) -> dict[str, Callable[..., str]]:
    """Return a method for each tool, with the signature and docstring from which trainers derive its schema."""
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
