"""A blueprint in the making: actions that have run, what they returned, and how each identity was come by."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interplay.schemas.blueprint import Fact, Goal, Origin
from interplay.schemas.canonical import digest
from interplay.schemas.dialogue import ToolCall
from interplay.schemas.protocols import Environment


class DeadEnd(Exception):
    """This attempt cannot become a blueprint; its text says why."""


@dataclass(frozen=True)
class Step:
    """One action that was executed, with its result; `level` counts the steps that it must wait for."""

    id: str
    goal: int
    request: int
    level: int
    tool: str
    arguments: Mapping[str, Any]
    origins: Mapping[str, Origin]
    depends_on: tuple[str, ...]
    value: Any


@dataclass
class Draft:
    """Grows by appending only; `mark` and `rewind` take back an attempt, in the environment too."""

    environment: Environment
    steps: list[Step] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)
    requests: list[tuple[int, ...]] = field(default_factory=list)
    identities: dict[tuple[str, str], Origin] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)

    def mark(self) -> tuple[Any, ...]:
        """Return a token for the present point."""
        lengths = (len(self.steps), len(self.facts), len(self.goals), len(self.unknown))
        return (lengths, list(self.requests), dict(self.identities), self.environment.snapshot())

    def rewind(self, mark: tuple[Any, ...]) -> None:
        """Go back to a mark."""
        (steps, facts, goals, unknown), requests, identities, snapshot = mark
        del self.steps[steps:], self.facts[facts:], self.goals[goals:], self.unknown[unknown:]
        self.requests = list(requests)
        self.identities = dict(identities)
        self.environment.restore(snapshot)

    async def run(
        self, tool: str, arguments: Mapping[str, Any], origins: Mapping[str, Origin], goal: int, request: int
    ) -> Step:
        """Execute one action and keep it.

        Raises:
            DeadEnd: the call failed.
        """
        if any(step.tool == tool and digest(step.arguments) == digest(arguments) for step in self.steps):
            raise DeadEnd(f"{tool} would be called twice with the same arguments")
        result = await self.environment.call(ToolCall(id="compose01", name=tool, arguments=dict(arguments)))
        if result.error is not None:
            raise DeadEnd(f"{tool} failed: {result.error[:160]}")
        needed = tuple(dict.fromkeys(origin.action for origin in origins.values() if origin.action is not None))
        levels = [step.level + 1 for step in self.steps if step.id in needed and step.request == request]
        step = Step(
            f"a{len(self.steps) + 1}",
            goal,
            request,
            max(levels, default=0),
            tool,
            arguments,
            dict(origins),
            needed,
            result.value,
        )
        self.steps.append(step)
        return step

    def tell(self, goal: int, label: str, value: Any, hint: dict[str, Any], **more: Any) -> Fact:
        """Return the fact that the user tells, one for the same thing said of the same goal's group."""
        for fact in self.facts:
            if (
                fact.label == label
                and fact.value == value
                and type(fact.value) is type(value)
                and not more
                and fact.reveal != "choice"
            ):
                return fact
        fact = Fact(id=f"f{len(self.facts) + 1}", goal=goal, label=label, value=value, hint=hint, **more)
        self.facts.append(fact)
        return fact

    def step(self, identifier: str) -> Step:
        """Return the step with this id."""
        return next(step for step in self.steps if step.id == identifier)
