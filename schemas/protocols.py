"""The seams between the rooms: what an environment, a participant, a policy and a check must do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from interplay.schemas.json.canonical import Change
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.chat import ChatReply, ChatRequest
from interplay.schemas.records.dialogue import Message, ToolCall, ToolResult, Trajectory
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.review import ReviewCase
from interplay.schemas.records.tool import ResourceModel, Toolset
from interplay.schemas.records.verdict import Issue, Review, Verdict


class Environment(Protocol):
    """Something that executes tool calls and holds a state.

    Snapshot and restore cost in proportion to what changed since the environment was opened.
    """

    @property
    def toolset(self) -> Toolset:
        """The tools that can be called, with their policy."""
        ...

    @property
    def resources(self) -> ResourceModel:
        """What is known of the resources that the tools act on."""
        ...

    async def call(self, call: ToolCall) -> ToolResult:
        """Execute one call; a call that cannot be served gives an error result, never an exception.

        Raises:
            EnvironmentFailure: the environment itself broke.
        """
        ...

    def state(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the live state as tables of rows; to be read, never changed."""
        ...

    def snapshot(self) -> Any:
        """Return an opaque token for the present state."""
        ...

    def restore(self, snapshot: Any) -> None:
        """Bring back the state of a snapshot of this environment."""
        ...

    def digest(self) -> str:
        """Return the digest of the canonical state."""
        ...

    def changes(self) -> tuple[Change, ...]:
        """Return the difference from the state in which the environment was opened."""
        ...


@dataclass(frozen=True)
class PolicyEvent:
    """One call about to be made, with all that a rule may look at.

    `history` holds the earlier calls with their results; `confirmed` tells whether the user agreed to this very step,
    none where it is unknown, which breaks no rule.
    """

    call: ToolCall
    history: tuple[tuple[ToolCall, ToolResult], ...]
    state: Mapping[str, Mapping[str, Any]]
    confirmed: bool | None


class Policy(Protocol):
    """The executable side of a toolset's policy rules."""

    def violations(self, event: PolicyEvent) -> tuple[Issue, ...]:
        """Return an issue, with the rule's id as its code, for each rule that the call would break."""
        ...

    def confirms(self, tool: str) -> bool:
        """Tell whether a call of `tool` needs the user's confirmation first."""
        ...


class User(Protocol):
    """Plays the user's side; sees the dialogue, never the tools."""

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        """Return the user's next message; a `user_bye` without words is that of one who leaves."""
        ...


class Assistant(Protocol):
    """Plays the assistant's side."""

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        """Return the assistant's next message: words, or tool calls."""
        ...


class BlueprintCheck(Protocol):
    """Judges a blueprint before it is played."""

    name: str

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of its issues, beside ids of policy rules and ends of dialogues."""
        ...

    async def check(self, blueprint: Blueprint) -> Verdict:
        """Return what is wrong with `blueprint`."""
        ...


class Reviewer(Protocol):
    """Scores blueprints; a model, or rules."""

    name: str

    async def review(self, blueprint: Blueprint) -> Review:
        """Return scores with reasons, or why there are none.

        Raises:
            ModelUnavailable, BudgetExceeded: a model cannot be asked now.
        """
        ...


class DialogueReviewer(Protocol):
    """Answers the checklist of a dialogue; a model, or a stand-in for one."""

    name: str

    async def review(self, case: ReviewCase) -> Review:
        """Return an answer to each item with scores, or why there are none.

        Raises:
            ModelUnavailable, BudgetExceeded: a model cannot be asked now.
        """
        ...


class TrajectoryCheck(Protocol):
    """Judges a played trajectory against its blueprint."""

    name: str

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of its issues, beside ids of policy rules and ends of dialogues."""
        ...

    @property
    def faults(self) -> Mapping[str, FailureKind]:
        """Codes that mean one fault of the assistant, whatever else happened."""
        ...

    async def check(self, trajectory: Trajectory, blueprint: Blueprint) -> Verdict:
        """Return what is wrong with `trajectory`."""
        ...


class ChatModel(Protocol):
    """A model that answers; journal, budget and limits wrap one and are one themselves."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Return the answer.

        Raises:
            ModelError: silent, refused where an answer was needed, or unparsable after one repair.
            ModelUnavailable: the endpoint did not answer after retries.
            BudgetExceeded: the budget is spent.
        """
        ...


class Endpoint(Protocol):
    """One model behind one address, as three steps, so that an answer can be kept before it is looked at.

    `complete` is their composition; journal, budget, limits and retries stand between `payload` and `parse`.
    """

    @property
    def model(self) -> str:
        """The model's name, as the provider knows it."""
        ...

    @property
    def base_url(self) -> str:
        """The address, without credentials."""
        ...

    @property
    def path(self) -> str:
        """What is asked there, after the base URL: `/chat/completions`."""
        ...

    def payload(self, request: ChatRequest) -> dict[str, Any]:
        """Return the exact body to send: a pure function of the settings and the request, without keys."""
        ...

    async def send(self, payload: Mapping[str, Any]) -> bytes:
        """Ask once, and return the answer's body as it came.

        Raises:
            ModelUnavailable: no answer; the subclass says why and whether to ask again.
            ModelError: the endpoint refuses to take this request.
        """
        ...

    def parse(self, request: ChatRequest, body: bytes) -> ChatReply:
        """Read an answer's body.

        Raises:
            ModelError: it is not an answer.
        """
        ...

    async def aclose(self) -> None:
        """Close the connections."""
        ...


class EmbeddingModel(Protocol):
    """A model that turns texts into vectors of one length."""

    async def embed(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        """Return one vector for each text, in order.

        Raises:
            ModelError, ModelUnavailable, BudgetExceeded: see `ChatModel.complete`.
        """
        ...
