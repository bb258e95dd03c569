"""A blueprint in the making: executed actions, their results, and the origin of each identity."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from interplay.generators.blueprints.drafting.outdated_reads import concerns, still_holds, writes
from interplay.schemas.calls.call_contradiction import contradicted
from interplay.schemas.json.canonical import digest
from interplay.schemas.protocols import Environment
from interplay.schemas.records.behaviour import PlannedBehaviour
from interplay.schemas.records.blueprint import Fact, Goal, Origin, Safety, Withheld
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import Requestor


class DeadEnd(Exception):
    """This attempt cannot become a blueprint; its text says why."""


class Refused(DeadEnd):
    """A tool failed; it may succeed after another call."""


@dataclass(frozen=True)
class PlannedCall:
    """A call to be made for a goal of a request, with the origin of each argument."""

    tool: str
    arguments: Mapping[str, Any]
    origins: Mapping[str, Origin]
    goal: int
    request: int

    @property
    def call(self) -> ToolCall:
        """The call in the form that policies check."""
        return ToolCall(id="compose01", name=self.tool, arguments=dict(self.arguments))


@dataclass(frozen=True)
class Step:
    """One executed action with its result; `level` is its depth in the dependencies within its request.

    A withheld step was not executed. `asked` holds the pointers of the values that the user asks for, where these are
    particular ones. A step that `misses` finds nothing, since the user is mistaken about something.
    """

    id: str
    goal: int
    request: int
    level: int
    tool: str
    arguments: Mapping[str, Any]
    origins: Mapping[str, Origin]
    depends_on: tuple[str, ...]
    value: Any
    withheld: Withheld | None = None
    asked: tuple[str, ...] = ()
    misses: bool = False
    requestor: Requestor = "assistant"

    @cached_property
    def exchange(self) -> tuple[ToolCall, ToolResult]:
        """The call with its result, in the form that policies check."""
        call = ToolCall(id=self.id, name=self.tool, arguments=dict(self.arguments), requestor=self.requestor)
        return call, ToolResult(call_id=call.id, value=self.value, text="")


@dataclass
class Draft:
    """A blueprint that grows step by step; `mark` and `rewind` undo an attempt, in the environment too.

    `guided` are the goals for which the user makes calls of its own. `pressed` tells that the user resists a requirement
    that is nevertheless met. `past` are the calls made before the task, `barred` the tools that are not offered.
    """

    environment: Environment
    steps: list[Step] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)
    requests: list[tuple[int, ...]] = field(default_factory=list)
    identities: dict[tuple[str, str], Origin] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    behaviours: list[PlannedBehaviour] = field(default_factory=list)
    guided: set[int] = field(default_factory=set)
    pressed: bool = False
    safety: Safety | None = None
    motive: str = ""
    past: tuple[tuple[ToolCall, ToolResult], ...] = ()
    barred: frozenset[str] = frozenset()

    def mark(self) -> tuple[Any, ...]:
        """Return a token to which `rewind` can go back."""
        held = (self.steps, self.facts, self.goals, self.requests, self.unknown, self.behaviours)
        return ([list(items) for items in held], dict(self.identities), set(self.guided), self.environment.snapshot())

    def rewind(self, mark: tuple[Any, ...]) -> None:
        """Go back to a mark."""
        held, identities, guided, snapshot = mark
        self.steps, self.facts, self.goals, self.requests, self.unknown, self.behaviours = (
            list(items) for items in held
        )
        self.identities, self.guided = dict(identities), set(guided)
        self.environment.restore(snapshot)

    def trial(self) -> "Trial":
        """Return a context manager that undoes its block at a dead end."""
        return Trial(self)

    async def run(self, wanted: PlannedCall, after: Sequence[str] = ()) -> Step:
        """Execute a planned call and keep it as a step that depends on the steps whose results it uses, and on `after`.

        Raises:
            DeadEnd: the call failed, its result contradicts it, or it was made before and nothing was written since.
        """
        tool, arguments = wanted.tool, wanted.arguments
        called = self.environment.toolset.tool(tool)
        requestor = called.requestor
        if requestor == "user" and wanted.goal not in self.guided:
            raise DeadEnd(f"{tool} is for the user alone")
        alike = [
            step
            for step in self._since_a_guided_step()
            if step.tool == tool and digest(step.arguments) == digest(arguments)
        ]
        written = self.written_since(alike[-1], wanted.request) if alike else []
        if alike and (not written or writes(tool, self.environment)):
            raise DeadEnd(f"{tool} would be called twice with the same arguments")
        call = ToolCall(id="compose01", name=tool, arguments=dict(arguments), requestor=requestor)
        result = await self.environment.call(call)
        if result.error is not None:
            raise Refused(f"{tool} failed: {result.error[:160]}")
        contrary = next(contradicted(called, arguments, result.value), None)
        if contrary is not None:
            raise DeadEnd(f"{tool} answers with another {contrary} than it was given")
        if alike and digest(result.value) == digest(alike[-1].value) and not self._concern(written, tool):
            raise DeadEnd(f"{tool} would be called twice, and nothing has changed")
        return self._keep(wanted, after, result.value, None, requestor)

    def requestor(self, tool: str) -> Requestor:
        """Return who can call a tool."""
        return self.environment.toolset.tool(tool).requestor

    def _since_a_guided_step(self) -> list[Step]:
        """Return the steps from the user's last own write on: reads before it may be outdated."""
        places = [
            place
            for place, step in enumerate(self.steps)
            if step.requestor == "user" and writes(step.tool, self.environment)
        ]
        return self.steps[places[-1] :] if places else self.steps

    def written_since(self, step: Step, request: int) -> list[Step]:
        """Return the writes after a step that belong to requests before the given one."""
        later = self.steps[self.steps.index(step) + 1 :]
        return [
            other
            for other in later
            if other.request < request and other.withheld is None and writes(other.tool, self.environment)
        ]

    async def is_outdated(self, step: Step, request: int) -> bool:
        """Tell whether writes since a step have made its result unreliable for a request."""
        written = self.written_since(step, request)
        if not written or self._concern(written, step.tool):
            return bool(written)
        return not await still_holds(self.environment, step.exchange[0], step.value)

    def _concern(self, written: Sequence[Step], tool: str) -> bool:
        return any(concerns(other.tool, tool, self.environment) for other in written)

    def withhold(self, wanted: PlannedCall, withheld: Withheld, after: Sequence[str] = ()) -> Step:
        """Keep a planned call as a step that is wanted but must not be executed."""
        return self._keep(wanted, after, None, withheld, self.requestor(wanted.tool))

    def _keep(
        self, wanted: PlannedCall, after: Sequence[str], value: Any, withheld: Withheld | None, requestor: Requestor
    ) -> Step:
        used = (origin.action for origin in wanted.origins.values() if origin.action is not None)
        needed = tuple(dict.fromkeys([*used, *after]))
        levels = [step.level + 1 for step in self.steps if step.id in needed and step.request == wanted.request]
        step = Step(
            id=f"a{len(self.steps) + 1}",
            goal=wanted.goal,
            request=wanted.request,
            level=max(levels, default=0),
            tool=wanted.tool,
            arguments=wanted.arguments,
            origins=dict(wanted.origins),
            depends_on=needed,
            value=value,
            withheld=withheld,
            requestor=requestor,
        )
        self.steps.append(step)
        return step

    def revise(self, step: Step, **changes: Any) -> Step:
        """Replace a step by a copy with changes, and return the copy."""
        changed = replace(step, **changes)
        self.steps[self.steps.index(step)] = changed
        return changed

    def revise_fact(self, identifier: str, **changes: Any) -> Fact:
        """Replace a fact by a copy with changes, and return the copy."""
        place = next(place for place, fact in enumerate(self.facts) if fact.id == identifier)
        self.facts[place] = self.facts[place].model_copy(update=changes)
        return self.facts[place]

    def revise_goal(self, number: int, **changes: Any) -> Goal:
        """Replace a goal by a copy with changes, and return the copy."""
        self.goals[number] = self.goals[number].model_copy(update=changes)
        return self.goals[number]

    def history(self) -> tuple[tuple[ToolCall, ToolResult], ...]:
        """Return the calls made so far with their results, in the form that policies check."""
        return (*self.past, *(step.exchange for step in self.steps if step.withheld is None))

    def tell(self, goal: int, label: str, value: Any, hint: dict[str, Any], **more: Any) -> Fact:
        """Return the fact with this label and value, adding it if needed; other goals' facts are shared if `more` is empty."""
        for fact in self.facts:
            if (
                fact.label == label
                and fact.value == value
                and type(fact.value) is type(value)
                and (fact.goal == goal or not more)
                and fact.choice is None
                and "choice" not in more
            ):
                return fact
        number = max((int(other.id[1:]) for other in self.facts), default=0) + 1
        fact = Fact(id=f"f{number}", goal=goal, label=label, value=value, hint=hint, **more)
        self.facts.append(fact)
        return fact

    def step(self, identifier: str) -> Step:
        """Return the step with this id."""
        return next(step for step in self.steps if step.id == identifier)


@dataclass
class Trial:
    """A context manager that undoes its block in a draft if it raises `DeadEnd`, and suppresses that."""

    draft: Draft

    def __enter__(self) -> None:
        """Mark the present point of the draft."""
        self.mark = self.draft.mark()

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        """Rewind to the mark if the block raised `DeadEnd`."""
        if not isinstance(error, DeadEnd):
            return False
        self.draft.rewind(self.mark)
        return True
