"""Calls in an environment that is restored after each case -> numbers of checks, and findings with the calls that show them."""

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Literal

from pydantic import Field

from interplay.generators.environments.inference.plans import Plan, ToolPlan
from interplay.generators.environments.probing.comparison import Difference, short
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.schemas.json.record import Record
from interplay.schemas.protocols import Environment
from interplay.schemas.records.dialogue import ToolCall, ToolResult

Kind = Literal[
    "never_succeeds", "read_changes_state", "unstable_read", "unknown_accepted", "failure_changes_state",
    "listed_not_readable", "list_and_read_differ", "filter_ignored", "page_size_ignored", "page_repeated",
    "child_under_other_parent", "copy_differs", "named_but_not_there", "write_changes_nothing", "given_not_answered",
    "created_not_shown", "created_not_listed", "update_not_shown", "deleted_still_shown", "deleted_still_listed",
    "action_not_shown",
]  # fmt: skip

Sampler = Callable[[str, Random, Mapping[str, Any], int], dict[str, Any]]
"""Tool, random generator, fixed leaves by pointer, number of optional parameters -> arguments; may raise `Unsatisfiable`."""

ATTEMPTS = 8
"""Sets of arguments that are tried before a tool counts as never succeeding."""

MOST_CALLS = 6_000


class Finding(Record):
    """A contradiction between tools: what was expected, what came instead, and the calls that show it."""

    kind: Kind
    tools: tuple[str, ...]
    expected: str
    came: str
    remedy: str = Field("", description="What to write in a file of overrides, where that can put it right.")
    calls: tuple[ToolCall, ...] = ()


class Consistency(Record):
    """How often each kind of check ran, and the contradictions found."""

    findings: tuple[Finding, ...] = ()
    checked: dict[str, int] = Field(default_factory=dict)
    calls: int = 0
    is_whole: bool = Field(True, description="Whether nothing was left out to stay within the number of calls.")


class SpentCalls(Exception):
    """The limit on calls is reached."""


class Trial:
    """Runs cases, each from the initial state of the environment, and collects findings."""

    def __init__(self, environment: Environment, plan: Plan, arguments: Sampler, most_calls: int = MOST_CALLS) -> None:
        self.environment = environment
        self.plan = plan
        self.checked: Counter[str] = Counter()
        self.findings: dict[tuple[str, tuple[str, ...]], Finding] = {}
        self.count = 0
        self._arguments = arguments
        self._most = most_calls
        self._start = environment.snapshot()
        self._calls: list[ToolCall] = []
        self._examples: dict[str, tuple[dict[str, Any], ToolResult] | None] = {}
        self.failures: dict[str, str] = {}

    def begin(self) -> None:
        """Begin a case: restore the initial state."""
        self.environment.restore(self._start)
        self._calls = []

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Make one call.

        Raises:
            SpentCalls: the limit on calls is reached.
        """
        if self.count >= self._most:
            raise SpentCalls
        self.count += 1
        call = ToolCall(id=f"probe{self.count % 10_000:04d}", name=name, arguments=dict(arguments))
        self._calls.append(call)
        return await self.environment.call(call)

    async def attempt(
        self, name: str, fixed: Mapping[str, Any], optional: int = 0, attempts: int = 3, first: int = 0
    ) -> tuple[dict[str, Any], ToolResult] | None:
        """Return arguments with which a tool succeeds in the current state, and its result; the leaves in `fixed` are kept.

        `first` is the number of the first attempt; another number gives other arguments.
        """
        for number in range(first, first + attempts):
            try:
                chance = Random(f"probe/{name}/{number}")
                arguments = self._arguments(name, chance, fixed, max(0, optional - number) or number // 2)
            except Unsatisfiable as failure:
                self.failures.setdefault(name, str(failure))
                continue
            result = await self.call(name, arguments)
            if result.error is None:
                return arguments, result
            self._calls.pop()
            self.failures[name] = result.error
        return None

    async def example(self, name: str) -> tuple[dict[str, Any], ToolResult] | None:
        """Return arguments with which a tool succeeds in the initial state, and its result; the same ones each time."""
        if name not in self._examples:
            self.begin()
            self._examples[name] = await self.attempt(name, {}, attempts=ATTEMPTS)
        return self._examples[name]

    def check(
        self, kind: Kind, is_sound: bool, tools: tuple[ToolPlan, ...], expected: str, came: str, remedy: str = ""
    ) -> bool:
        """Count a check, record a finding if it failed, and return `is_sound`."""
        self.checked[kind] += 1
        if not is_sound:
            names = tuple(plan.tool.name for plan in tools)
            finding = Finding(
                kind=kind, tools=names, expected=expected, came=came, remedy=remedy, calls=tuple(self._calls)
            )
            self.findings.setdefault((kind, names), finding)
        return is_sound

    def check_shown(
        self, kind: Kind, tools: tuple[ToolPlan, ...], differs: Difference | None, source: str, remedy: str = ""
    ) -> bool:
        """Check that two views of a row agree; `source` says in words where the expected value comes from."""
        expected = f"{differs.field} {short(differs.wanted)} {source}" if differs else ""
        return self.check(kind, differs is None, tools, expected, short(differs.found) if differs else "", remedy)

    def result(self, is_whole: bool) -> Consistency:
        """Return the findings, and restore the environment."""
        self.begin()
        found = tuple(self.findings[key] for key in sorted(self.findings))
        return Consistency(
            findings=found, checked=dict(sorted(self.checked.items())), calls=self.count, is_whole=is_whole
        )


def remedy(item: ToolPlan, **wanted: str | None) -> str:
    """Return the override that gives a tool the wanted `operation`, `resource` or `target`; empty if it has them already."""
    if all(getattr(item, name) == value for name, value in wanted.items()):
        return ""
    said = ", ".join(f"{name}: {value}" for name, value in wanted.items() if value is not None)
    return f"tools: {{{item.tool.name}: {{{said}}}}}"
