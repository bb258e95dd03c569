"""A request's body -> what a model might say to it, the same on every wire: by a script, or by simple rules.

The rules: values that satisfy the schema where an output schema or a tool call is asked for, else an echo. Tools are
called where they must be, or where the last message of the user names them.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Call:
    """A tool call; `arguments` is its text, which a script may leave broken. Without an id it gets one."""

    name: str
    arguments: str = "{}"
    id: str = ""


@dataclass(frozen=True)
class Answer:
    """What the model says. `stop` is end, tool_calls, length, filtered or refusal; by default what follows."""

    text: str | None = ""
    calls: tuple[Call, ...] = ()
    reasoning: str = ""
    refusal: str = ""
    stop: str = ""
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    empty: bool = False

    @property
    def why(self) -> str:
        """Why the answer ends."""
        return self.stop or ("refusal" if self.refusal else "tool_calls" if self.calls else "end")


@dataclass(frozen=True)
class Ask:
    """A question as the wire's own body, and what the wires have in common."""

    index: int
    path: str
    body: Mapping[str, Any]
    text: str
    last_role: str
    tools: tuple[tuple[str, dict[str, Any]], ...] = ()
    choice: str = "auto"
    parallel: bool = True
    output: dict[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    size: int = 0


Script = Callable[[Ask], Answer | None]
"""Returns the answer, or none to leave it to the rules."""


def respond(ask: Ask, reply_size: int = 0) -> Answer:
    """Answer by the rules; an echo is filled up to `reply_size` characters."""
    names = _tools_to_call(ask)
    if names:
        schemas = dict(ask.tools)
        calls = tuple(Call(name, json.dumps(example(schemas.get(name, {})))) for name in names)
        return Answer(calls=calls)
    if ask.output is not None:
        return Answer(text=json.dumps(example(ask.output)))
    text = f"You said: {ask.text[:200]}"
    return Answer(text=text + "." * (reply_size - len(text)))


def _tools_to_call(ask: Ask) -> list[str]:
    if not ask.tools or ask.choice == "none":
        return []
    if ask.choice not in ("auto", "required"):
        return [ask.choice]
    named = [name for name, _ in ask.tools if name in ask.text] if ask.last_role == "user" else []
    if ask.choice == "required" and not named:
        named = [ask.tools[0][0]]
    return named if ask.parallel else named[:1]


def example(schema: Any, root: Any = None) -> Any:
    """Return a small value that satisfies an ordinary JSON Schema."""
    root = schema if root is None else root
    if not isinstance(schema, Mapping):
        return "value"
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    if schema.get("enum"):
        return schema["enum"][0]
    if "$ref" in schema:
        return example(_follow(root, schema["$ref"]), root)
    for key in ("anyOf", "oneOf", "allOf"):
        if schema.get(key):
            return example(schema[key][0], root)
    return _example_of_type(schema, root)


def _example_of_type(schema: Mapping[str, Any], root: Any) -> Any:
    kind = schema.get("type", "object" if "properties" in schema else "string")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        properties = schema.get("properties", {})
        return {name: example(properties.get(name, {}), root) for name in schema.get("required", ())}
    if kind == "array":
        return [example(schema.get("items", {}), root) for _ in range(schema.get("minItems", 0))]
    if kind in ("integer", "number"):
        return schema.get("minimum", 1)
    if kind == "string":
        formats = {"date": "2026-01-31", "date-time": "2026-01-31T10:00:00Z", "email": "a@example.com"}
        return formats.get(schema.get("format", ""), "value".ljust(schema.get("minLength", 0), "e"))
    return kind == "boolean" or None


def _follow(root: Any, reference: str) -> Any:
    for part in reference.lstrip("#/").split("/"):
        root = root[part]
    return root
