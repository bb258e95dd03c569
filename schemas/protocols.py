"""The protocols by which the rooms work together: environment, players, policy, checks, reviewers and models."""

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
        """The resources that the tools act on, and the role of each tool."""
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
    """One call about to be made, with everything that a rule may look at.

    `history` holds the earlier calls with their results. `confirmed` tells whether the user agreed to this very call;
    None if that is unknown, which breaks no rule.
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
        """Return the user's next message; a `user_bye` without words means that the user leaves silently."""
        ...


class Assistant(Protocol):
    """Plays the assistant's side."""

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        """Return the assistant's next message: words, or tool calls."""
        ...


class BlueprintCheck(Protocol):
    """A check that judges a blueprint before it is played."""

    name: str

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of its issues, besides ids of policy rules and reasons for which dialogues end."""
        ...

    async def check(self, blueprint: Blueprint) -> Verdict:
        """Return what is wrong with `blueprint`."""
        ...


class Reviewer(Protocol):
    """Scores blueprints: a model, or rules."""

    name: str

    async def review(self, blueprint: Blueprint) -> Review:
        """Return scores with reasons, or why the reviewer abstains.

        Raises:
            ModelUnavailable, BudgetExceeded: a model cannot be asked now.
        """
        ...


class DialogueReviewer(Protocol):
    """Answers the checklist of a dialogue: a model, or a stand-in for one."""

    name: str

    async def review(self, case: ReviewCase) -> Review:
        """Return an answer to each item and scores, or why the reviewer abstains.

        Raises:
            ModelUnavailable, BudgetExceeded: a model cannot be asked now.
        """
        ...


class TrajectoryCheck(Protocol):
    """A check that judges a played trajectory against its blueprint."""

    name: str

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of its issues, besides ids of policy rules and reasons for which dialogues end."""
        ...

    @property
    def faults(self) -> Mapping[str, FailureKind]:
        """Code -> the fault of the assistant that it always means, whatever else happened."""
        ...

    async def check(self, trajectory: Trajectory, blueprint: Blueprint) -> Verdict:
        """Return what is wrong with `trajectory`."""
        ...


class ChatModel(Protocol):
    """A chat model; journal, budget and limits are chat models that wrap another one."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Return the answer to `request`.

        Raises:
            ModelError: the model stayed silent, refused where an answer was needed, or was unparsable after one repair.
            ModelUnavailable: the endpoint did not answer after retries.
            BudgetExceeded: the budget is spent.
        """
        ...


class Endpoint(Protocol):
    """One model behind one address, asked in three steps, so that an answer can be stored before it is parsed.

    `ChatModel.complete` composes them; journal, budget, limits and retries come between `payload` and `parse`.
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
        """The path of requests below the base URL: `/chat/completions`."""
        ...

    def payload(self, request: ChatRequest) -> dict[str, Any]:
        """Return the exact request body, without keys; it depends on the settings and the request alone."""
        ...

    async def send(self, payload: Mapping[str, Any]) -> bytes:
        """Send the body once, and return the raw body of the answer.

        Raises:
            ModelUnavailable: no answer; the subclass tells why and whether to try again.
            ModelError: the endpoint refuses to take this request.
        """
        ...

    def parse(self, request: ChatRequest, body: bytes) -> ChatReply:
        """Parse the body of an answer.

        Raises:
            ModelError: it is not a valid answer.
        """
        ...

    async def aclose(self) -> None:
        """Close the connections."""
        ...


class EmbeddingModel(Protocol):
    """A model that turns texts into vectors of equal length."""

    async def embed(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        """Return one vector for each text, in order.

        Raises:
            ModelError, ModelUnavailable, BudgetExceeded: see `ChatModel.complete`.
        """
        ...
