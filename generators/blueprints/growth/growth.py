"""Grows a draft request by request and goal by goal: the operations that patterns are made of."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

from interplay.generators.blueprints.arguments.resolution import Resolver
from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft, PlannedCall, Step
from interplay.generators.blueprints.drafting.ended_rows import over_at_start
from interplay.generators.blueprints.drafting.reported_values import ReportedValues
from interplay.generators.blueprints.growth.evidence_lookups import EvidenceLookups
from interplay.generators.graph.multigraph import ToolGraph
from interplay.generators.graph.sampling.row_owners import in_turn, needed_of
from interplay.generators.graph.sampling.world import Subject, World
from interplay.generators.phrases.speakable_values import speakable_leaves
from interplay.generators.phrases.topic_nouns import hinted, noun_of
from interplay.generators.results.result_kinds import is_empty
from interplay.schemas.json.canonical import leaves
from interplay.schemas.protocols import Policy, PolicyEvent
from interplay.schemas.records.blueprint import Goal
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.tool import READING, PolicyRule, Tool, ToolRole
from interplay.schemas.records.verdict import Issue
from interplay.schemas.words.nouns import singular

PEOPLE = 40
"""Users that are tried, at most, until one fits a task."""

ASKED = 0.65
"""Share of users who phrase a read as a question, where its tool has one."""

CHOICES = 6
"""Times that arguments are chosen, at most, to avoid a call that the policy always forbids."""


def branch_at(rule: PolicyRule, pointer: str) -> str:
    """Return the branch of a rule at a pointer such as `/branches/1`; empty if there is none."""
    place = pointer.removeprefix("/branches/")
    return rule.branches[int(place)] if place.isdigit() and int(place) < len(rule.branches) else ""


ASTRAY = "hardly anybody would want that as well"


@dataclass(frozen=True)
class Growth:
    """Grows a draft by requests, each of one or more goals, each goal of one action after its look-ups.

    `offered` are the tools that a goal may be about. `opening` returns, for a key, a growth with an empty draft in the
    opening state, whose random draws depend on the key alone, so that its findings depend on no task. `temptations`
    caches these findings, by tool and rule, or by kind of search. `makes_sense` tells whether the task so far is
    plausible, `is_astray` whether it would not be with one more goal, by its tool, and its arguments if these are given.
    """

    resolver: Resolver
    reports: ReportedValues
    opening: Callable[[str], AbstractContextManager["Growth"]]
    policy: Policy | None = None
    search_tool: str | None = None
    offered: Sequence[Tool] = ()
    temptations: dict[tuple[str, str], tuple[Any, ...]] = field(default_factory=dict)
    makes_sense: Callable[[Draft], Awaitable[bool]] | None = None
    is_astray: Callable[..., bool] = field(default=lambda *_: False)

    @property
    def draft(self) -> Draft:
        """The draft that grows."""
        return self.resolver.draft

    @property
    def world(self) -> World:
        """The tools, and the rows that they act on."""
        return self.resolver.world

    @property
    def graph(self) -> ToolGraph:
        """The tool graph."""
        return self.resolver.graph

    @property
    def rng(self) -> Random:
        """The source of all random choices."""
        return self.resolver.rng

    def role(self, name: str) -> ToolRole:
        """Return the role of a tool."""
        return self.resolver.world.roles[name]

    def noun(self, resource: str | None) -> str:
        """Return the noun that people use for a row of a resource."""
        return noun_of(resource, self.world.environment.toolset.spoken_nouns)

    def callable(self) -> list[Tool]:
        """Return the tools that a goal may be about."""
        return list(self.offered)

    def begin(self, name: str) -> tuple[int, int]:
        """Begin a request with one goal about a tool; return the indices of goal and request."""
        self.draft.requests.append(())
        return self.add_goal(name), len(self.draft.requests) - 1

    def add_goal(self, name: str) -> int:
        """Add a goal about a tool to the last request, and return its index."""
        draft, role, inputs = self.draft, self.role(name), self.resolver.chooser.inputs(name)
        tool = inputs.tool
        intent = self.rng.choice(inputs.intents)
        derived = self.noun(role.resource) if role.resource else hinted(tool.original_name, intent)
        topic = tool.phrases.noun or derived
        if tool.effect == "read" and tool.original_name.lower().startswith("count") and topic:
            topic = f"{singular(topic)} count"
        if inputs.works_out:
            topic = "result"
        goal = len(draft.goals)
        draft.requests[-1] = (*draft.requests[-1], goal)
        questions = (
            () if tool.phrases.wonders and role.operation != "list" else inputs.questions
        )  # they ask for one field
        question = self.rng.choice(questions) if questions and self.rng.random() < ASKED else ""
        draft.goals.append(
            Goal(intent=intent, tool=name, resource=role.resource, topic=topic or intent, question=question)
        )
        return goal

    def forbidden_by(self, wanted: PlannedCall, confirmed: bool = True) -> list[str]:
        """Return the policy rules that a call would break now, by default with the user's confirmation."""
        return self.broken_by(wanted.call, confirmed)

    def broken_by(self, call: ToolCall, confirmed: bool = True) -> list[str]:
        """Return the policy rules that a call would break now."""
        return [issue.code for issue in self._violations(call, confirmed)]

    def branch(self, wanted: PlannedCall, rule: str) -> str:
        """Return the branch by which a rule forbids a call now; empty if the rule has none."""
        places = (issue.pointer for issue in self._violations(wanted.call, True) if issue.code == rule)
        return branch_at(self.rule(rule), next(places, ""))

    def _violations(self, call: ToolCall, confirmed: bool) -> tuple[Issue, ...]:
        if self.policy is None or not self.resolver.chooser.inputs(call.name).rules:
            return ()
        event = PolicyEvent(call, self.draft.history(), self.world.environment.state(), confirmed)
        return self.policy.violations(event)

    def rule(self, identifier: str) -> PolicyRule:
        """Return the policy rule with this id."""
        return next(rule for rule in self.world.environment.toolset.rules if rule.id == identifier)

    def arguments(self, name: str, subject: Subject | None = None) -> dict[str, Any]:
        """Choose arguments for a tool; if possible, arguments that no rule always forbids.

        Raises:
            DeadEnd: no arguments were found at all.
        """
        hopeless: list[dict[str, Any]] = []
        for _ in range(CHOICES):
            arguments = self.resolver.choose(name, subject or self.subject(name))
            if arguments in hopeless or not self.is_always_forbidden(name, arguments):
                return arguments
            hopeless.append(arguments)
            self.settle_user(name)
        return hopeless[-1]

    def settle_user(self, *names: str, fits: Callable[[Subject], bool] = lambda _: True) -> bool:
        """Choose a user who owns the rows that tools need, unless the user is settled; tell whether one was found."""
        chooser, needed = self.resolver.chooser, set[str]().union(*(needed_of(self.world, name) for name in names))
        if chooser.rows.me is None or chooser.rows.owners is None or not chooser.rows.anybody or self.draft.steps:
            return False
        for key in in_turn(chooser.rows.owners.users(needed), self.rng, PEOPLE):
            found = self.world.subject(chooser.rows.me.resource, key)
            if found is not None and fits(found):
                chooser.rows.came_as = found
                return True
        return False

    def is_always_forbidden(self, name: str, arguments: dict[str, Any]) -> bool:
        """Tell whether a rule forbids a call no matter what is done before it."""
        strict = self.resolver.chooser.inputs(name).strict
        if not strict:
            return False
        return not strict.isdisjoint(self.broken_by(ToolCall(id="compose01", name=name, arguments=arguments)))

    def knows(self, name: str, arguments: dict[str, Any]) -> bool:
        """Tell whether all identities that a call takes have come up, so that none has to be looked up or asked for."""
        resource = self.resolver.chooser.inputs(name).resource
        named = ((resource(pointer), value) for pointer, value in leaves(arguments))
        return all((kind, str(value)) in self.draft.identities for kind, value in named if kind in self.world.resources)

    async def do(self, wanted: PlannedCall, after: Sequence[str] = ()) -> Step:
        """Execute a planned call, after the calls and look-ups that rules require before it.

        Raises:
            DeadEnd: the call fails, or the policy forbids it.
        """
        broken = self.forbidden_by(wanted)
        before = await self._done_before(wanted, broken) if broken else []
        if broken and not before:
            raise DeadEnd(f"the policy forbids it: {broken[0]}")
        shown = await self.evidence.for_call(wanted, self.governing(wanted.tool)) if self.evidence else []
        return await self.resolver.run(wanted, (*after, *before, *shown))

    @cached_property
    def evidence(self) -> EvidenceLookups | None:
        """The maker of look-ups that rule decisions rest on; None without a policy."""
        return None if self.policy is None else EvidenceLookups(self.resolver, self.policy)

    def governing(self, name: str) -> tuple[PolicyRule, ...]:
        """Return the policy rules that govern a tool."""
        return self.resolver.chooser.inputs(name).rules

    async def _done_before(self, wanted: PlannedCall, broken: Sequence[str]) -> list[str]:
        """Execute a call that the broken rules require first, and return its step id; empty if the call stays forbidden."""
        made: list[str] = []
        references = self.role(wanted.tool).references
        named = [
            (references[pointer], value) for pointer, value in leaves(dict(wanted.arguments)) if pointer in references
        ]
        for name in (name for rule in broken for name in self.rule(rule).after):
            resource = self.role(name).resource
            about = next((value for other, value in named if other == resource), None)
            subject = self.world.subject(str(resource), about) if about is not None else None
            with self.draft.trial():
                step = await self.resolver.act(name, wanted.goal, wanted.request, subject or self.subject(name))
                made.append(step.id)
                if not self.forbidden_by(wanted):
                    return made
        return []

    async def request(self, name: str, subject: Subject | None = None) -> Step:
        """Add a request about a tool, and a row if one is given; where that row must be created first, with a goal for that.

        Raises:
            DeadEnd: the request cannot be served.
        """
        first, *more = [*self._made_first(name), name]
        goal, request = self.begin(first)
        step = await self.serve(goal, request, None if more else subject)
        for other in more:
            step = await self.serve(self.add_goal(other), request, self.row_shown(step))
        return step

    def _made_first(self, name: str) -> list[str]:
        """Return the tool that creates what `name` acts on, where only creating it shows its identity; else nothing.

        The user then asks for both: a wish to see something must not cause a purchase on the way.
        """
        world = self.world
        own = world.tools[name].requestor
        for pointer, resource in world.needed_references(name).items():
            if any(known == resource for known, _ in self.draft.identities):
                continue
            into = self.graph.found_for(name)
            edges = [edge for edge in into if edge.input == pointer and world.tools[edge.producer].requestor == own]
            makers = {edge.producer: world.roles[edge.producer].operation for edge in edges}
            if makers and not {"list", "read"} & set(makers.values()):
                return sorted(maker for maker, operation in makers.items() if operation == "create")[:1]
        return []

    def subject(self, name: str) -> Subject | None:
        """Choose a row for a goal about a tool, one that no step has acted on yet."""
        role = self.role(name)
        if role.resource not in self.world.resources or role.operation == "create":
            return None
        acted = {str(value) for step in self.draft.steps for value in step.arguments.values()}
        return self.resolver.chooser.rows.pick(str(role.resource), acted | over_at_start(name, self.world))

    async def serve(self, goal: int, request: int, subject: Subject | None = None) -> Step:
        """Execute the action of a goal, with the look-ups that it needs.

        Raises:
            DeadEnd: the action fails, or its result tells the user nothing.
        """
        name = self.draft.goals[goal].tool
        arguments = self.arguments(name, subject)
        if self.is_astray(name, arguments):
            raise DeadEnd(ASTRAY)
        return await self.serve_by_arguments(goal, request, arguments)

    async def serve_by_arguments(self, goal: int, request: int, arguments: dict[str, Any]) -> Step:
        """Execute the action of a goal with the given arguments; see `serve`."""
        name = self.draft.goals[goal].tool
        step = await self.do(await self.resolver.prepare(name, goal, request, arguments))
        if any(_sounds_alike(step, other) for other in self.draft.steps if other.goal != goal):
            raise DeadEnd("the user would say the very same once more")
        return self.check_heard(step)

    def check_heard(self, step: Step) -> Step:
        """Return a step whose result tells the user something, as any write does.

        Raises:
            DeadEnd: the step is a read whose result tells nothing.
        """
        operation, lenient = self.role(step.tool).operation, self.resolver.lenient
        reads = operation in READING and not lenient
        if reads and not self.reports.tells(step) and any(speakable_leaves(step.value)):
            raise DeadEnd(f"{step.tool} tells nothing new")
        if operation == "list" and is_empty(step.value) and not lenient:
            raise DeadEnd(f"{step.tool} finds nothing")
        return step

    async def check_sense(self) -> None:
        """Check that the task so far is plausible.

        Raises:
            DeadEnd: it is not.
        """
        if not await self.has_sense():
            raise DeadEnd(ASTRAY)

    async def has_sense(self) -> bool:
        """Tell whether the task so far is plausible."""
        return self.makes_sense is None or await self.makes_sense(self.draft)

    def row_shown(self, step: Step) -> Subject | None:
        """Return a random row of a step's resource among those whose identity has come up."""
        resource = self.role(step.tool).resource
        if resource not in self.world.resources:
            return None
        known = [key for shown, key in self.draft.identities if shown == resource]
        rows = [row for row in (self.world.subject(str(resource), key) for key in known) if row is not None]
        return self.rng.choice(rows) if rows else None


def _sounds_alike(step: Step, other: Step) -> bool:
    """Tell whether two calls of a request differ at most in arguments that nobody says: defaults and constants."""

    def said(one: Step) -> dict[str, Any]:
        unsaid = {pointer for pointer, origin in one.origins.items() if origin.kind in ("default", "constant")}
        return {pointer: value for pointer, value in leaves(dict(one.arguments)) if pointer not in unsaid}

    return (step.tool, step.request) == (other.tool, other.request) and said(step) == said(other)
