"""One task under way between an agent and a user; its dialogue is rewarded when it is closed."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from interplay.flows.generation.attempts import VERSION, numbered
from interplay.flows.generation.workshop import Workshop
from interplay.flows.gym.catalogue import Catalogue, GymTask
from interplay.flows.roles.players import seat_user
from interplay.flows.roles.system_prompt import system_prompt
from interplay.flows.settings.gym_settings import GymSettings
from interplay.generators.dialogue_limits import Counter
from interplay.generators.environments.wrappers.faulty_calls import with_faults
from interplay.generators.environments.wrappers.isolated_state import isolated
from interplay.generators.participants.by_model.unclear_words import Interpreter
from interplay.generators.participants.hearing.forthcoming_user import forthcoming
from interplay.generators.participants.hearing.state_tracker import StateTracker
from interplay.generators.simulation import Offering, answer_call
from interplay.outputs.exporters.exported_dialogue import function_schemas
from interplay.outputs.exporters.formats.openai import chat_message
from interplay.schemas.errors import BudgetExceeded, EnvironmentFailure, InterplayError, Misunderstood, ModelError
from interplay.schemas.json.canonical import Change, since
from interplay.schemas.json.record import Record
from interplay.schemas.protocols import Environment, User
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, ToolCall, ToolResult, Trajectory, assistant_view, offered_after
from interplay.schemas.records.verdict import Reward, Standing
from interplay.validators.rewards.reward import reward_of

POLICY = "policy"
"""Stands for the model of the agent's messages: their acts are unknown and are read from the words."""

CLOSED = "closed"


class SessionOver(InterplayError):
    """The session has ended; it can only be closed."""


class AgentCall(Record):
    """A call as an agent makes it: the arguments are an object, or the text that the agent wrote."""

    tool: str
    arguments: dict[str, Any] | str = Field(default_factory=dict)


class Result(Record):
    """The result of a call; `text` is what the agent sees."""

    tool: str
    text: str
    failed: bool = False


class Step(Record):
    """What follows an action of the agent: results of its calls, or the user's answer; `tools` if other ones are offered now."""

    results: tuple[Result, ...] = ()
    message: str = ""
    tools: tuple[dict[str, Any], ...] | None = None
    done: bool = False
    ended: str = ""


@dataclass
class Session:
    """A task under way; see `open_session`. It is a function of the task, the seed and the agent's actions."""

    task: GymTask
    seed: int
    blueprint: Blueprint
    place: Workshop
    settings: GymSettings
    system_prompt: str
    environment: Environment
    began: tuple[Change, ...]
    user: User
    listener: StateTracker
    interpreter: Interpreter | None
    offering: Offering
    counter: Counter
    messages: list[Message]
    ended: str = ""
    reason: str = ""
    calls: int = 0

    @property
    def done(self) -> bool:
        """Whether the session has ended."""
        return bool(self.ended)

    @property
    def tools(self) -> tuple[dict[str, Any], ...]:
        """The tools offered now, as OpenAI's `tools`."""
        known = self.place.world.toolset.by_name
        return tuple(function_schemas(tuple(known[name] for name in self._offered() if name in known)))

    def transcript(self, before: bool = True) -> list[dict[str, Any]]:
        """Return the assistant's view of the dialogue as messages of OpenAI's chat API.

        Without `before`, the system prompt and messages from before the task are left out.
        """
        begins = 0 if before else self.blueprint.begins
        opening = [{"role": "system", "content": self.system_prompt}] if before else []
        return opening + [chat_message(message) for message in assistant_view(self.messages[begins:])]

    async def call(self, calls: Sequence[AgentCall], text: str = "") -> Step:
        """Make calls, with optional words beside them, and return their results.

        Raises:
            SessionOver: the session has ended.
        """
        self._check_open()
        made = tuple(self._call(call) for call in calls)
        begins = len(self.messages) + 1
        if not self._said(Message(role="assistant", content=text, tool_calls=made, model=POLICY)):
            return self._step(begins)
        over = self.counter.beyond(0, asked=len(made))
        if over is not None:
            self._end(over)
            return self._step(begins)
        await self._answer(made)
        if not self.done:
            over = self.counter.beyond(len(self.messages) - self.blueprint.begins)
            if over is not None:
                self._end(over)
        return self._step(begins)

    async def say(self, text: str) -> Step:
        """Say something to the user, and return its answer.

        Raises:
            SessionOver: the session has ended.
        """
        self._check_open()
        begins = len(self.messages) + 1
        message = Message(role="assistant", content=text, model=POLICY)
        try:
            if self.interpreter is not None:
                message = await self.interpreter.made_out((*self.messages[self.blueprint.begins :], message))
        except (ModelError, BudgetExceeded) as error:
            self._end("unclear", str(error))
        if self._said(message):
            await self.hear_user()
        return self._step(begins)

    async def close(self) -> Reward:
        """End the session, and return the agent's reward."""
        if not self.done:
            self._end(CLOSED)
        environment = self.environment
        trajectory = Trajectory(
            blueprint_id=self.blueprint.id,
            toolset=self.blueprint.toolset,
            tools=self.blueprint.tools,
            system_prompt=self.system_prompt,
            messages=tuple(self.messages),
            kept=self.blueprint.begins,
            final_digest=environment.digest(),
            termination="unclear" if self.ended == "unclear" else "user_ended",
            version=VERSION,
        )
        changes, place = since(self.began, environment.changes()), self.place
        async with place.turn():
            reward = await reward_of(
                trajectory, self.task.blueprint, place.world.toolset, changes, place.trajectory_checks,
                self.settings.weights,
            )  # fmt: skip
        standing: Standing = "unclear" if self.ended == "unclear" else "judged"
        told = {"seed": self.seed, "ended": self.ended, "reason": self.reason, "standing": standing}
        return reward.model_copy(update=told)

    async def hear_user(self) -> None:
        """Let the user speak, and make the calls that it makes on its own device."""
        while not self.done:
            over = self.counter.beyond(len(self.messages) - self.blueprint.begins, ends=True)
            if over is not None:
                self._end(over)
                return
            try:
                spoken = self.offering.heard(await self.user.respond(tuple(self.messages)))
            except (Misunderstood, ModelError, BudgetExceeded) as error:
                self._end("unclear", str(error))
                return
            if spoken.act == "user_bye" and not spoken.content:
                self._end("user_ended")
                return
            self.messages.append(spoken)
            self._track()
            if not spoken.tool_calls:
                self.counter.heard()
                if spoken.act == "user_bye":
                    self._end("user_ended")
                return
            await self._answer(spoken.tool_calls)

    def _said(self, message: Message) -> bool:
        """Add a message of the agent; return False if it was cut off by the length limit, which ends the session."""
        cut = self.counter.cut(message)
        self.messages.append(cut or message)
        self._track()
        if cut is not None:
            self._end("length_limit")
        return cut is None

    def _track(self) -> None:
        begins = self.blueprint.begins
        self.messages[begins:] = self.listener.track(self.messages[begins:])

    async def _answer(self, calls: Sequence[ToolCall]) -> None:
        for call in calls:
            self.offering.called(call)
            try:
                result = await self._result(call)
            except EnvironmentFailure as failure:
                self._end("environment_failure", str(failure))
                return
            self.counter.called(call, result)
            self.messages.append(self.offering.answered(call, result))
            self._track()

    async def _result(self, call: ToolCall) -> ToolResult:
        """Make a call and return its result; a tool that is not offered to the agent is not called."""
        if call.requestor == "assistant" and call.name not in self._offered():
            return ToolResult.failed(call, f"Error: there is no tool called {call.name} among those offered.")
        return await answer_call(self.environment, call)

    def _offered(self) -> tuple[str, ...]:
        return tuple(offered_after(self.blueprint.tools, self.messages))

    def _call(self, call: AgentCall) -> ToolCall:
        self.calls += 1
        identifier = f"{self.calls:09d}"
        if isinstance(call.arguments, dict):
            return ToolCall(id=identifier, name=call.tool, arguments=call.arguments)
        try:
            read = json.loads(call.arguments or "{}")
        except (ValueError, RecursionError):
            read = None
        if not isinstance(read, dict):
            return ToolCall(id=identifier, name=call.tool, arguments={}, malformed=call.arguments)
        return ToolCall(id=identifier, name=call.tool, arguments=read)

    def _end(self, why: str, reason: str = "") -> None:
        self.ended, self.reason = why, reason

    def _check_open(self) -> None:
        if self.done:
            raise SessionOver(f"The session has ended ({self.ended}). Close it for its reward.")

    def _step(self, begins: int) -> Step:
        """Return what came after the agent's own message."""
        new = assistant_view(self.messages[begins:])
        called = {call.id: call.name for message in self.messages for call in message.tool_calls}
        results = tuple(
            Result(tool=called[str(message.tool_call_id)], text=message.content, failed=message.failed)
            for message in new
            if message.role == "tool"
        )
        text = "\n".join(message.content for message in new if message.role == "user")
        changed = any(message.offered is not None for message in new)
        return Step(
            results=results, message=text, tools=self.tools if changed else None, done=self.done, ended=self.ended
        )


async def open_session(catalogue: Catalogue, task: GymTask, seed: int = 0) -> Session:
    """Open a task, with the user's first message as the last one; another seed changes the user's wording.

    Raises:
        EnvironmentFailure: its world cannot be opened.
    """
    place = await catalogue.place(task)
    world = place.world
    made = forthcoming(numbered(task.blueprint, seed), world.toolset)
    environment = with_faults(await isolated(world.environment, place.lock, place.arrived), made.faults)
    user, listener, interpreter = seat_user(made, world, catalogue.cast)
    session = Session(
        task=task, seed=seed, blueprint=made, place=place, settings=catalogue.config.gym,
        system_prompt=system_prompt(world.toolset, made.scenario.language, given=made.given), environment=environment,
        began=environment.changes(), user=user, listener=listener, interpreter=interpreter, offering=Offering(made),
        counter=Counter(catalogue.config.limits, world.toolset.tools, None),
        messages=[*(made.start.messages if made.start else ())],
    )  # fmt: skip
    await session.hear_user()
    return session
