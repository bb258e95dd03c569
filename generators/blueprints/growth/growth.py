"""Requests and goals, one after the other -> a draft: the steps that the operators of patterns are made of."""

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
"""Users who are tried at most until one fits a task."""

ASKED = 0.65
"""Share of the users who put what they want to be told as a question, where there is one for it."""

CHOICES = 6
"""Times that arguments are chosen before a call that the policy forbids is tried."""


def branch_at(rule: PolicyRule, pointer: str) -> str:
    """Return the branch of a rule at a pointer such as `/branches/1`; empty where the rule has none there."""
    place = pointer.removeprefix("/branches/")
    return rule.branches[int(place)] if place.isdigit() and int(place) < len(rule.branches) else ""


@dataclass(frozen=True)
class Growth:
    """A draft that grows by requests, each of one or more goals, each of one action after its look-ups.

    `offered` are the tools that a goal may be about. `opening` gives, for a key, a growth with an empty draft in the opening
    state, whose draws follow from that key: what is found in it depends on no task. `temptations` keeps what was found so, by
    tool and rule, or by what was looked for. `makes_sense` tells whether somebody would have the task as it has grown so far.
    """

    resolver: Resolver
    reports: ReportedValues
    opening: Callable[[str], AbstractContextManager["Growth"]]
    policy: Policy | None = None
    search_tool: str | None = None
    offered: Sequence[Tool] = ()
    temptations: dict[tuple[str, str], tuple[Any, ...]] = field(default_factory=dict)
    makes_sense: Callable[[Draft], Awaitable[bool]] | None = None

    @property
    def draft(self) -> Draft:
        """What has grown."""
        return self.resolver.draft

    @property
    def world(self) -> World:
        """The tools, and the rows that they act on."""
        return self.resolver.world

    @property
    def graph(self) -> ToolGraph:
        """Who can feed whom."""
        return self.resolver.graph

    @property
    def rng(self) -> Random:
        """Where all choices come from."""
        return self.resolver.rng

    def role(self, name: str) -> ToolRole:
        """Return what a tool does."""
        return self.resolver.world.roles[name]

    def noun(self, resource: str | None) -> str:
        """Return what people call one of a resource."""
        return noun_of(resource, self.world.environment.toolset.spoken_nouns)

    def callable(self) -> list[Tool]:
        """Return the tools that a goal may be about."""
        return list(self.offered)

    def begin(self, name: str) -> tuple[int, int]:
        """Begin a request with one goal about a tool; return goal and request."""
        self.draft.requests.append(())
        return self.add_goal(name), len(self.draft.requests) - 1

    def add_goal(self, name: str) -> int:
        """Add a goal about a tool to the last request, and return it."""
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
        questions = inputs.questions
        question = self.rng.choice(questions) if questions and self.rng.random() < ASKED else ""
        draft.goals.append(
            Goal(intent=intent, tool=name, resource=role.resource, topic=topic or intent, question=question)
        )
        return goal

    def forbidden_by(self, wanted: PlannedCall, confirmed: bool = True) -> list[str]:
        """Return the policy rules that a call would break now; by default, the user counts as having agreed to it."""
        return self.broken_by(wanted.call, confirmed)

    def broken_by(self, call: ToolCall, confirmed: bool = True) -> list[str]:
        """Return the policy rules that a call would break now."""
        return [issue.code for issue in self._violations(call, confirmed)]

    def branch(self, wanted: PlannedCall, rule: str) -> str:
        """Return the branch of a rule that forbids a call now; empty where the rule has none."""
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
        """Choose arguments for a tool; if possible, arguments that no rule forbids whatever is done before the call.

        Raises:
            DeadEnd: there are none at all.
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
        """Choose as the user somebody who has the rows that tools need, unless it is settled who it is; tell whether one was found."""
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
        """Tell whether a rule forbids a call whatever is done before it."""
        strict = self.resolver.chooser.inputs(name).strict
        if not strict:
            return False
        return not strict.isdisjoint(self.broken_by(ToolCall(id="compose01", name=name, arguments=arguments)))

    def knows(self, name: str, arguments: dict[str, Any]) -> bool:
        """Tell whether all identities that a call needs have come up, so that nothing is looked up or asked for."""
        resource = self.resolver.chooser.inputs(name).resource
        named = ((resource(pointer), value) for pointer, value in leaves(arguments))
        return all((kind, str(value)) in self.draft.identities for kind, value in named if kind in self.world.resources)

    async def do(self, wanted: PlannedCall, after: Sequence[str] = ()) -> Step:
        """Execute what a goal is about.

        Raises:
            DeadEnd: it fails, or the policy forbids it.
        """
        broken = self.forbidden_by(wanted)
        before = await self._done_before(wanted, broken) if broken else []
        if broken and not before:
            raise DeadEnd(f"the policy forbids it: {broken[0]}")
        shown = await self.evidence.for_call(wanted, self.governing(wanted.tool)) if self.evidence else []
        return await self.resolver.run(wanted, (*after, *before, *shown))

    @cached_property
    def evidence(self) -> EvidenceLookups | None:
        """What looks up the facts that rules decide by, where there are rules."""
        return None if self.policy is None else EvidenceLookups(self.resolver, self.policy)

    def governing(self, name: str) -> tuple[PolicyRule, ...]:
        """Return the policy rules that speak of a tool."""
        return self.resolver.chooser.inputs(name).rules

    async def _done_before(self, wanted: PlannedCall, broken: Sequence[str]) -> list[str]:
        """Execute what rules want to be done before a call; return these steps, or none where it stays forbidden."""
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
        """Let the user bring up one request about a tool, and a row if one is given, after what that needs to be made first.

        Raises:
            DeadEnd: it cannot be served.
        """
        first, *more = [*self._made_first(name), name]
        goal, request = self.begin(first)
        step = await self.serve(goal, request, None if more else subject)
        for other in more:
            step = await self.serve(self.add_goal(other), request, self.row_shown(step))
        return step

    def _made_first(self, name: str) -> list[str]:
        """Return the tool that makes what `name` is about, where nothing but making it shows its identity.

        The user then asks for both: nobody's wish to see a thing may buy it.
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
        """Choose the row that a goal about a tool is about, one that was not acted on yet."""
        role = self.role(name)
        if role.resource not in self.world.resources or role.operation == "create":
            return None
        acted = {str(value) for step in self.draft.steps for value in step.arguments.values()}
        return self.resolver.chooser.rows.pick(str(role.resource), acted | over_at_start(name, self.world))

    async def serve(self, goal: int, request: int, subject: Subject | None = None) -> Step:
        """Execute the action of a goal, and what it needs.

        Raises:
            DeadEnd: that does not work, or there is nothing in it for the user.
        """
        return await self.serve_by_arguments(goal, request, self.arguments(self.draft.goals[goal].tool, subject))

    async def serve_by_arguments(self, goal: int, request: int, arguments: dict[str, Any]) -> Step:
        """Execute the action of a goal with these arguments, or like ones; see `serve`."""
        name = self.draft.goals[goal].tool
        step = await self.do(await self.resolver.prepare(name, goal, request, arguments))
        if any(_sounds_alike(step, other) for other in self.draft.steps if other.goal != goal):
            raise DeadEnd("the user would say the very same once more")
        return self.check_heard(step)

    def check_heard(self, step: Step) -> Step:
        """Return a step if the user gets to hear something by it.

        Raises:
            DeadEnd: it reads, and tells nothing that would be said.
        """
        operation, lenient = self.role(step.tool).operation, self.resolver.lenient
        reads = operation in READING and not lenient
        if reads and not self.reports.tells(step) and any(speakable_leaves(step.value)):
            raise DeadEnd(f"{step.tool} tells nothing new")
        if operation == "list" and is_empty(step.value) and not lenient:
            raise DeadEnd(f"{step.tool} finds nothing")
        return step

    async def check_sense(self) -> None:
        """Return if somebody would have the task as it has grown so far.

        Raises:
            DeadEnd: hardly anybody would.
        """
        if not await self.has_sense():
            raise DeadEnd("hardly anybody would want that as well")

    async def has_sense(self) -> bool:
        """Tell whether somebody would have the task as it has grown so far."""
        return self.makes_sense is None or await self.makes_sense(self.draft)

    def row_shown(self, step: Step) -> Subject | None:
        """Return a row of the resource that a step was about, one that was shown."""
        resource = self.role(step.tool).resource
        if resource not in self.world.resources:
            return None
        known = [key for shown, key in self.draft.identities if shown == resource]
        rows = [row for row in (self.world.subject(str(resource), key) for key in known) if row is not None]
        return self.rng.choice(rows) if rows else None


def _sounds_alike(step: Step, other: Step) -> bool:
    """Tell whether two calls differ at most in what nobody says: a default, a constant."""

    def said(one: Step) -> dict[str, Any]:
        unsaid = {pointer for pointer, origin in one.origins.items() if origin.kind in ("default", "constant")}
        return {pointer: value for pointer, value in leaves(dict(one.arguments)) if pointer not in unsaid}

    return (step.tool, step.request) == (other.tool, other.request) and said(step) == said(other)
