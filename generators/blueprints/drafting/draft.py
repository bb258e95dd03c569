"""A blueprint in the making: actions that have run, what they returned, and how each identity was come by."""

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
    """A tool failed; another call before it might let it succeed."""


@dataclass(frozen=True)
class PlannedCall:
    """One call with the origin of each argument, for a goal of a request."""

    tool: str
    arguments: Mapping[str, Any]
    origins: Mapping[str, Origin]
    goal: int
    request: int

    @property
    def call(self) -> ToolCall:
        """The call as a policy looks at it."""
        return ToolCall(id="compose01", name=self.tool, arguments=dict(self.arguments))


@dataclass(frozen=True)
class Step:
    """One action that was executed, with its result; `level` counts the steps that it must wait for.

    A withheld step was not executed. `asked` holds the pointers of the values that the user wants to hear, where it
    asks for particular ones. A step that `misses` finds nothing, since the user is wrong about something.
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
        """The call with its result, as a policy looks at them."""
        call = ToolCall(id=self.id, name=self.tool, arguments=dict(self.arguments), requestor=self.requestor)
        return call, ToolResult(call_id=call.id, value=self.value, text="")


@dataclass
class Draft:
    """Grows step by step; `mark` and `rewind` take back an attempt, in the environment too.

    `guided` are the goals for which the user makes calls of its own; `pressed` tells that the user resists something that
    is done all the same. `past` are the calls made before it began, and `barred` the tools that are not offered.
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
        """Return a token for the present point."""
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
        """Return a block in which something is tried."""
        return Trial(self)

    async def run(self, wanted: PlannedCall, after: Sequence[str] = ()) -> Step:
        """Execute one action and keep it; it depends on the steps whose results it uses, and on those in `after`.

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
        """Return the steps after the last one by which the user has changed something: before it, all looked otherwise."""
        places = [
            place
            for place, step in enumerate(self.steps)
            if step.requestor == "user" and writes(step.tool, self.environment)
        ]
        return self.steps[places[-1] :] if places else self.steps

    def written_since(self, step: Step, request: int) -> list[Step]:
        """Return what was written after a step, before a request came up."""
        later = self.steps[self.steps.index(step) + 1 :]
        return [
            other
            for other in later
            if other.request < request and other.withheld is None and writes(other.tool, self.environment)
        ]

    async def is_outdated(self, step: Step, request: int) -> bool:
        """Tell whether a request can no longer rely on what a step showed, for what was written since."""
        written = self.written_since(step, request)
        if not written or self._concern(written, step.tool):
            return bool(written)
        return not await still_holds(self.environment, step.exchange[0], step.value)

    def _concern(self, written: Sequence[Step], tool: str) -> bool:
        return any(concerns(other.tool, tool, self.environment) for other in written)

    def withhold(self, wanted: PlannedCall, withheld: Withheld, after: Sequence[str] = ()) -> Step:
        """Keep an action that is wanted and must not be executed."""
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
        """Replace a step by one with changes, and return that."""
        changed = replace(step, **changes)
        self.steps[self.steps.index(step)] = changed
        return changed

    def revise_fact(self, identifier: str, **changes: Any) -> Fact:
        """Replace a fact by one with changes, and return that."""
        place = next(place for place, fact in enumerate(self.facts) if fact.id == identifier)
        self.facts[place] = self.facts[place].model_copy(update=changes)
        return self.facts[place]

    def revise_goal(self, number: int, **changes: Any) -> Goal:
        """Replace a goal by one with changes, and return that."""
        self.goals[number] = self.goals[number].model_copy(update=changes)
        return self.goals[number]

    def history(self) -> tuple[tuple[ToolCall, ToolResult], ...]:
        """Return the calls made so far with their results, as a policy looks at them."""
        return (*self.past, *(step.exchange for step in self.steps if step.withheld is None))

    def tell(self, goal: int, label: str, value: Any, hint: dict[str, Any], **more: Any) -> Fact:
        """Return the fact that the user tells, one for the same thing said of the same goal's group."""
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
    """A block of which nothing is left in a draft where it comes to a dead end; what stands behind it goes on then."""

    draft: Draft

    def __enter__(self) -> None:
        """Note where the draft stands."""
        self.mark = self.draft.mark()

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        """Take back what was done, where it came to a dead end."""
        if not isinstance(error, DeadEnd):
            return False
        self.draft.rewind(self.mark)
        return True
