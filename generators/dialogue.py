"""Blueprint + participants + environment -> trajectory, turn by turn."""

from collections.abc import Callable, Mapping, Sequence

from interplay.generators.limits import Counter, Limits, Meter
from interplay.schemas.blueprint import Blueprint
from interplay.schemas.dialogue import Message, Termination, ToolCall, ToolResult, Trajectory
from interplay.schemas.errors import EnvironmentFailure, Misunderstood, ModelError, ModelUnavailable
from interplay.schemas.offering import Offer, names_found
from interplay.schemas.protocols import Assistant, Environment, User
from interplay.schemas.tools import SEARCH_TOOL


class Offering:
    """Follows what is offered: what a blueprint plans for each request, and what searches find."""

    def __init__(self, blueprint: Blueprint) -> None:
        self._blueprint = blueprint
        self._offer = Offer(names=blueprint.tools)
        self._request = 0
        self._tried_early = False
        self._called: set[str] = set()

    def heard(self, message: Message) -> Message:
        """Return a user's message, with what is offered from then on if it brings up a request that changes it."""
        if message.tool_calls or not self._brings_up_next(message):
            return message
        early = self._blueprint.scenario.early
        if early is not None and early.before == self._request and not self._tried_early:
            self._tried_early = True
            return message
        offer = self._offer
        for change in self._blueprint.changes:
            if change.request == self._request and not change.query:
                offer = offer.after_change(change.added, change.removed)
        self._request += 1
        return self._told(message, offer)

    def follow(self, messages: Sequence[Message]) -> None:
        """Catch up with a dialogue that is under way."""
        calls = {call.id: call for message in messages for call in message.tool_calls}
        for message in messages:
            if message.role == "user":
                self.heard(message.model_copy(update={"offered": None}))
            for call in message.tool_calls:
                self.called(call)
            if message.role == "tool" and not message.failed and calls[str(message.tool_call_id)].name == SEARCH_TOOL:
                self._offer = self._offer.after_search(names_found(message.content))

    def called(self, call: ToolCall) -> None:
        """Take note of a call."""
        self._called.add(call.name)
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

    def _brings_up_next(self, message: Message) -> bool:
        """Tell whether a message brings up the next request, or makes the early one.

        A user without a state is taken to go on once the tools of all earlier requests have been called.
        """
        scenario = self._blueprint.scenario
        if self._request >= len(scenario.requests):
            return False
        if message.state is None:
            earlier = {goal for request in scenario.requests[: self._request] for goal in request}
            return self._called >= {action.tool for action in self._blueprint.calls if action.goal in earlier}
        early = scenario.early
        waits = early is not None and early.before == self._request and not self._tried_early
        wanted = scenario.requests[early.request if waits and early is not None else self._request]
        brings = str(message.act).startswith("inform_intent") or "changes_mind_late" in message.behaviours
        return message.state.goal in wanted and brings


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
    messages: list[Message] = [*before, *(message.model_copy(update={"train": False}) for message in kept)]
    offering = Offering(blueprint)
    offering.follow(kept)

    def say(message: Message) -> None:
        messages.append(message)
        hear(message)

    counter = Counter(limits, environment.toolset.tools, meter)
    termination: Termination | None = None
    reason = ""
    try:
        while termination is None:
            last = messages[-1] if messages else None
            going_on = len(messages) > len(before)
            if going_on and last is not None and last.act == "system_bye":
                termination = "user_ended"
                break
            of_user = not going_on or _is_users_turn(messages)
            termination = counter.beyond(len(messages) - len(before), ends=of_user)
            if termination is not None:
                break
            if of_user:
                spoken = offering.heard(await user.respond(tuple(messages)))
                if not spoken.tool_calls:
                    counter.heard()
            else:
                spoken = await assistant.respond(tuple(messages))
            say(spoken)
            termination = counter.beyond(0, asked=len(spoken.tool_calls))
            if termination is not None:
                break
            for call in spoken.tool_calls:
                offering.called(call)
                result = await _answer(environment, call)
                counter.called(call, result)
                say(offering.answered(call, result))
    except EnvironmentFailure as failure:
        termination, reason = "environment_failure", str(failure)
    except Misunderstood as failure:
        termination, reason = "stuck", str(failure)
    except ModelUnavailable:
        raise
    except ModelError as failure:
        termination, reason = "model_failed", str(failure)
    return Trajectory.model_validate(
        {
            "blueprint_id": blueprint.id,
            "toolset": blueprint.toolset,
            "tools": blueprint.tools,
            "system_prompt": system_prompt,
            "messages": messages,
            "kept": len(before) + len(kept),
            "final_digest": environment.digest(),
            "termination": termination,
            "reason": reason,
            "models": dict(models or {}),
            "seed": blueprint.recipe.seed,
            "version": version,
        }
    )


def _is_users_turn(messages: Sequence[Message]) -> bool:
    """Tell whether the user speaks next: at first, after words of the assistant, and after the results of its own calls."""
    spoken = next((message for message in reversed(messages) if message.role != "tool"), None)
    return spoken is None or (spoken.role == "user") == bool(spoken.tool_calls)


async def _answer(environment: Environment, call: ToolCall) -> ToolResult:
    """Make a call; one whose arguments are no JSON object never reaches the environment."""
    if call.malformed:
        return ToolResult.failed(call, f"400 Bad Request: the arguments of {call.name} are not a JSON object.")
    return await environment.call(call)
