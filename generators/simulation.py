"""Blueprint + participants + environment -> trajectory, turn by turn."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from interplay.generators.dialogue_limits import Counter, Limits, Meter
from interplay.schemas.calls.offer import Offer, names_found
from interplay.schemas.errors import EnvironmentFailure, Misunderstood, ModelError, ModelUnavailable
from interplay.schemas.protocols import Assistant, Environment, User
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, Termination, ToolCall, ToolResult, Trajectory
from interplay.schemas.records.tool import SEARCH_TOOL


class Offering:
    """Follows what is offered: what a blueprint plans for each request, and what searches find."""

    def __init__(self, blueprint: Blueprint) -> None:
        self._blueprint = blueprint
        self._offer = Offer(names=blueprint.tools)
        self._request = 0
        self._tried_early = False

    def heard(self, message: Message) -> Message:
        """Return a user's message, with what is offered from then on if it brings up a request that changes it."""
        reached = self._reached(message)
        if reached > self._request and self._comes_early(message):
            self._tried_early = True
            return message
        offer = self._offer
        for change in self._blueprint.changes:
            if self._request <= change.request < reached and not change.query:
                offer = offer.after_change(change.added, change.removed)
        self._request = max(self._request, reached)
        return self._told(message, offer)

    def follow(self, messages: Sequence[Message]) -> None:
        """Catch up with a dialogue that is under way."""
        calls = {call.id: call for message in messages for call in message.tool_calls}
        for message in messages:
            if message.role == "user":
                self.heard(message.model_copy(update={"offered": None}))
            for call in message.tool_calls:
                self.called(call)
            if message.role != "tool" or message.failed:
                continue
            name = calls[str(message.tool_call_id)].name
            if name == SEARCH_TOOL:
                self._offer = self._offer.after_search(names_found(message.content))

    def called(self, call: ToolCall) -> None:
        """Take note of a call."""
        self._offer = self._offer.after_call(call.name)

    def answered(self, call: ToolCall, result: ToolResult) -> Message:
        """Return the message that answers a call; the tools that a search found are offered from then on."""
        message = Message(
            role="tool",
            content=result.text,
            tool_call_id=call.id,
            failed=result.error is not None,
            fault=result.fault,
        )
        if call.name != SEARCH_TOOL or message.failed:
            return message
        return self._told(message, self._offer.after_search(names_found(result.text)))

    def _told(self, message: Message, offer: Offer) -> Message:
        changed = offer.names != self._offer.names
        self._offer = offer
        return message.model_copy(update={"offered": offer.names}) if changed else message

    def _comes_early(self, message: Message) -> bool:
        """Tell whether a message that brings up a request is the one that does so in vain."""
        early = self._blueprint.scenario.early
        if early is None or early.before != self._request:
            return False
        if message.about is None or early.request == early.before:
            return not self._tried_early and message.about in (None, early.request + 1)
        return message.about == early.request + 1  # in vain again, until the one before it was brought up

    def _reached(self, message: Message) -> int:
        """Return how many requests have been brought up with a message; a model says which one it is at."""
        scenario = self._blueprint.scenario
        if message.about is not None:
            return message.about
        if message.state is None or self._request >= len(scenario.requests):
            return self._request
        early = scenario.early
        waits = early is not None and early.before == self._request and not self._tried_early
        wanted = scenario.requests[early.request if waits and early is not None else self._request]
        brings = str(message.act).startswith("inform_intent") or "changes_mind_late" in message.behaviours
        return self._request + (message.state.goal in wanted and brings)


async def simulate(
    blueprint: Blueprint,
    user: User,
    assistant: Assistant,
    environment: Environment,
    limits: Limits,
    system_prompt: str = "",
    models: Mapping[str, str] | None = None,
    version: str = "",
    meter: Meter | None = None,
    hear: Callable[[Message], None] = lambda _: None,
    kept: Sequence[Message] = (),
) -> Trajectory:
    """Play a blueprint out, turn by turn; running into a limit, or a model that gives no answer, is recorded, not raised.

    The environment must be in the state that the blueprint begins in, or that the messages `kept` of an earlier dialogue
    about it lead to; it is left as the dialogue leaves it. `hear` is told each message as it is said.

    Raises:
        ModelUnavailable, BudgetExceeded: the endpoint of a model is silent, or nothing more may be spent.
    """
    before = blueprint.start.messages if blueprint.start else ()
    offering = Offering(blueprint)
    offering.follow(kept)
    counter = Counter(limits, environment.toolset.tools, meter)
    taken_over = [message.model_copy(update={"train": False}) for message in kept]
    play = _Play(user, assistant, environment, offering, counter, hear, len(before), [*before, *taken_over])
    termination, reason = await play.to_the_end()
    return Trajectory.model_validate(
        {
            "blueprint_id": blueprint.id,
            "toolset": blueprint.toolset,
            "tools": blueprint.tools,
            "system_prompt": system_prompt,
            "messages": play.messages,
            "kept": len(before) + len(kept),
            "final_digest": environment.digest(),
            "termination": termination,
            "reason": reason,
            "models": dict(models or {}),
            "seed": blueprint.recipe.seed,
            "version": version,
        }
    )


@dataclass
class _Play:
    """A dialogue under way, of which the first messages are another one's that this goes on from."""

    user: User
    assistant: Assistant
    environment: Environment
    offering: Offering
    counter: Counter
    hear: Callable[[Message], None]
    begins: int
    messages: list[Message]

    async def to_the_end(self) -> tuple[Termination, str]:
        """Play turn after turn; return what ended it, and why where that is not said by its name."""
        try:
            while (ended := await self._turn()) is None:
                pass
        except EnvironmentFailure as failure:
            return "environment_failure", str(failure)
        except Misunderstood as failure:
            return "unclear", str(failure)
        except ModelUnavailable:
            raise
        except ModelError as failure:
            return "model_failed", str(failure)
        return ended, ""

    async def _turn(self) -> Termination | None:
        """Let whose turn it is speak, and make the calls; return what ends the dialogue, if something does."""
        length = len(self.messages) - self.begins
        if length > 0 and self.messages[-1].act == "system_bye":
            return "user_ended"
        of_user = length <= 0 or _is_users_turn(self.messages)
        ended = self.counter.beyond(length, ends=of_user)
        if ended is not None:
            return ended
        if of_user:
            spoken = self.offering.heard(await self.user.respond(tuple(self.messages)))
            if spoken.act == "user_bye" and not spoken.content:
                return "user_ended"
            if not spoken.tool_calls:
                self.counter.heard()
        else:
            spoken = await self.assistant.respond(tuple(self.messages))
        cut = self.counter.cut(spoken)
        self._say(cut or spoken)
        if cut is not None:
            return "length_limit"
        ended = self.counter.beyond(0, asked=len(spoken.tool_calls))
        if ended is not None:
            return ended
        for call in spoken.tool_calls:
            self.offering.called(call)
            result = await answer_call(self.environment, call)
            self.counter.called(call, result)
            self._say(self.offering.answered(call, result))
        return None

    def _say(self, message: Message) -> None:
        self.messages.append(message)
        self.hear(message)


def _is_users_turn(messages: Sequence[Message]) -> bool:
    """Tell whether the user speaks next: at first, after words of the assistant, and after the results of its own calls."""
    for message in reversed(messages):
        if message.role != "tool":
            return (message.role == "user") == bool(message.tool_calls)
    return True


async def answer_call(environment: Environment, call: ToolCall) -> ToolResult:
    """Make a call; one whose arguments are no JSON object never reaches the environment."""
    if call.malformed:
        return ToolResult.failed(call, f"400 Bad Request: the arguments of {call.name} are not a JSON object.")
    return await environment.call(call)
