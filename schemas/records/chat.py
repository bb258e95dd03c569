"""Requests to a model and its replies, in one shape for every provider."""

import json
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, field_validator

from interplay.schemas.json.record import Record
from interplay.schemas.records.dialogue import Usage

ModelRole = Literal["user", "assistant", "tool", "reviewer", "composer", "interpreter"]
"""The purposes of requests; budgets, weights and statistics are kept by role."""

Stop = Literal["end", "tool_calls", "length", "refusal", "filtered", "other"]


class ChatCall(Record):
    """A tool call as a model wrote it; `arguments` is its text, to the letter, which may be no JSON at all."""

    id: str
    name: str
    arguments: str


class Thoughts(Record):
    """Reasoning as the model that had it wants it back between its calls: signed or encrypted, and never looked at."""

    model: str
    endpoint: str
    blocks: tuple[dict[str, Any], ...]


class ChatMessage(Record):
    """One message of a prompt. `tool_call_id` and `failed` belong to tool messages."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str = ""
    reasoning: str = ""
    thoughts: Thoughts | None = None
    tool_calls: tuple[ChatCall, ...] = ()
    tool_call_id: str | None = None
    failed: bool = False


class ChatTool(Record):
    """A tool as it is given to a model; `parameters` is a JSON Schema."""

    name: str
    description: str = ""
    parameters: dict[str, Any]


def closed_object(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object that requires all of `properties` and allows no others."""
    return {
        "type": "object", "properties": dict(properties), "required": list(properties), "additionalProperties": False
    }  # fmt: skip


class OutputSchema(Record):
    """The JSON Schema that an answer must satisfy, under a name of letters, digits, `_` and `-`; its root is an object."""

    name: str = Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")
    json_schema: dict[str, Any]

    @field_validator("json_schema")
    @classmethod
    def _object(cls, schema: dict[str, Any]) -> dict[str, Any]:
        if schema.get("type") != "object":
            raise ValueError(
                'providers take objects alone: say "type": "object", and put other answers into a property'
            )
        return schema


class Sampling(Record):
    """How an answer is drawn; none leaves a setting to the provider. `max_tokens` counts the answer's tokens."""

    temperature: float | None = Field(None, description="Randomness of the answer.")
    top_p: float | None = Field(None, description="Share of the probability that tokens are sampled from.")
    max_tokens: int | None = Field(None, description="Tokens of the answer at most.")
    seed: int | None = Field(None, description="Seed of the sampling, where the API takes one.")
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high"] | None = Field(
        None, description="How much the model thinks before it answers."
    )
    stop: tuple[str, ...] = Field((), description="Texts at which the answer ends.")
    extra: dict[str, Any] = Field(
        default_factory=dict, description="Further fields of the request's body, as they are."
    )

    def __hash__(self) -> int:
        """Hash most fields; without a hash, pydantic copies the default deeply for each request that omits the setting."""
        return hash((self.temperature, self.top_p, self.max_tokens, self.seed, self.reasoning_effort, self.stop))

    def given(self) -> dict[str, Any]:
        """Return the settings that differ from the defaults; `model_fields_set` does not survive a file."""
        silent = Sampling()
        return {name: value for name, value in self if value != getattr(silent, name)}

    def over(self, other: "Sampling") -> "Sampling":
        """Return these settings, with those left to the provider taken from `other`."""
        return other.model_copy(update=self.given())


class ChatRequest(Record):
    """One question. `sample` numbers answers to the same question; `role` is the role that asks."""

    messages: tuple[ChatMessage, ...]
    tools: tuple[ChatTool, ...] = ()
    tool_choice: str = Field("auto", description="`auto`, `none`, `required`, or the name of the one tool to call.")
    parallel: bool = Field(True, description="Several calls in one answer are allowed.")
    output: OutputSchema | None = None
    sampling: Sampling = Sampling()
    sample: int = 0
    role: ModelRole = "assistant"


def composer_request(instructions: str, told: Mapping[str, Any], answer: OutputSchema) -> ChatRequest:
    """Return a request of the composer: instructions, then the input `told` as JSON with sorted keys."""
    text = json.dumps(told, ensure_ascii=False, sort_keys=True)
    messages = (ChatMessage(role="system", content=instructions), ChatMessage(role="user", content=text))
    return ChatRequest(messages=messages, output=answer, role="composer")


class ChatReply(Record):
    """One answer. `value` is the parsed answer where an output schema was asked for; `model` is who answered."""

    content: str = ""
    reasoning: str = ""
    thoughts: Thoughts | None = None
    tool_calls: tuple[ChatCall, ...] = ()
    value: Any = None
    refusal: str = ""
    stop: Stop = "end"
    usage: Usage = Usage()
    model: str = ""
    speaker: str = Field(
        "", description="What the configuration calls the model, and its place among those of its role."
    )
    endpoint: str = Field("", description="The base URL, without credentials.")
