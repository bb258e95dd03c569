"""Tool graph + environment + recipe -> a blueprint whose every action has been executed."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from interplay.generators.blueprints.choosing import Chooser
from interplay.generators.blueprints.draft import DeadEnd, Draft, Step
from interplay.generators.blueprints.finishing import Finisher, pattern_of
from interplay.generators.blueprints.resolving import Resolver
from interplay.generators.graph.graph import ToolGraph
from interplay.generators.graph.sampling import Subject, World
from interplay.generators.values.phrases import hinted, intents_of, noun_of
from interplay.generators.values.results import is_empty
from interplay.generators.values.speakable import speakable_leaves
from interplay.schemas.blueprint import (
    Blueprint,
    Goal,
    Recipe,
)
from interplay.schemas.protocols import Environment, Policy
from interplay.schemas.verdict import Issue

ATTEMPTS = 24
"""Different draws that are tried before an index is given up."""

MORE_SIBLINGS = 0.45
"""Chance that a request of independent goals gets one more."""


@dataclass(frozen=True)
class Composer:
    """Composes blueprints for one environment; the environment is left in its opening state."""

    environment: Environment
    graph: ToolGraph
    policy: Policy | None = None
    search_tool: str | None = None

    @cached_property
    def finisher(self) -> Finisher:
        """What makes blueprints of drafts."""
        return Finisher(self.environment, self.policy, self.search_tool)

    async def compose(self, recipe: Recipe) -> Blueprint | Issue:
        """Return a blueprint for `recipe`, or the issue for which none was found."""
        start = self.environment.snapshot()
        reason = ""
        try:
            for attempt in range(ATTEMPTS):
                self.environment.restore(start)
                rng = Random(f"{recipe.seed}/{recipe.index}/{attempt}")
                try:
                    return await self._attempt(recipe, rng, easy=attempt >= ATTEMPTS // 2)
                except DeadEnd as dead:
                    reason = str(dead)
        finally:
            self.environment.restore(start)
        return Issue(code="no_blueprint", message=f"{recipe.target}: {reason}"[:400], pointer=f"/recipe/{recipe.index}")

    async def _attempt(self, recipe: Recipe, rng: Random, easy: bool) -> Blueprint:
        start = self.environment.snapshot()
        draft = Draft(self.environment)
        resolver = self._resolver(draft, rng, easy)
        await self._request(resolver, [recipe.target])
        await self._shape(resolver, recipe, easy)
        if not self._worthwhile(draft):
            await self._another(resolver, tries=12)
        if not self._worthwhile(draft):
            raise DeadEnd("nothing changes and nothing can be said")
        self.environment.restore(start)
        return await self.finisher.finish(recipe, draft, rng)

    def _resolver(self, draft: Draft, rng: Random, easy: bool) -> Resolver:
        world, toolset = World(self.environment), self.environment.toolset
        selves = world.subjects(str(toolset.user_resource)) if toolset.user_resource in world.resources else []
        identified = any(rule.kind == "identify_first" for rule in toolset.rules)
        chooser = Chooser(world, draft, rng, rng.choice(selves) if selves else None)
        return Resolver(world, self.graph, draft, rng, chooser, identified, lenient=easy)

    async def _shape(self, resolver: Resolver, recipe: Recipe, easy: bool) -> None:
        """Extend the first request until it has the pattern of the recipe, where the tools allow it."""
        draft = resolver.draft
        if recipe.pattern == "multi_goal":
            for _ in range(recipe.goals - 1):
                await self._another(resolver, tries=6)
            return
        if easy or recipe.pattern == "single":
            return
        for _ in range(3):
            matched = pattern_of(draft.steps, draft.requests) == recipe.pattern
            if recipe.pattern == "sequential":
                if matched or await self._follow_up(resolver):
                    return
            elif not matched or resolver.rng.random() < MORE_SIBLINGS:
                await self._sibling(resolver)

    async def _request(self, resolver: Resolver, names: Sequence[str]) -> None:
        """Let the user bring up one request: one goal for each tool named, after what these need to be made first."""
        draft = resolver.draft
        number = len(draft.requests)
        names = [*(first for name in names for first in self._made_first(resolver, name)), *names]
        first = len(draft.goals)
        draft.requests.append(tuple(range(first, first + len(names))))
        step = None
        for name in names:
            step = await self._goal(resolver, name, number, self._seen(resolver, step) if step is not None else None)

    def _made_first(self, resolver: Resolver, name: str) -> list[str]:
        """Return the tool that makes what `name` is about, where nothing but making it shows its identity.

        The user then asks for both: nobody's wish to see a thing may buy it.
        """
        world = resolver.world
        role, required = world.roles[name], world.tools[name].parameters.get("required", ())
        for pointer, resource in role.references.items():
            if pointer.split("/")[1] not in required or any(
                known == resource for known, _ in resolver.draft.identities
            ):
                continue
            into = [data["edge"] for _, _, data in self.graph.in_edges(name, data=True)]
            makers = {edge.producer: world.roles[edge.producer].operation for edge in into if edge.input == pointer}
            if makers and not {"list", "read"} & set(makers.values()):
                return sorted(maker for maker, operation in makers.items() if operation == "create")[:1]
        return []

    async def _goal(self, resolver: Resolver, name: str, request: int, subject: Subject | None = None) -> Step:
        draft, world, rng = resolver.draft, resolver.world, resolver.rng
        role = world.roles[name]
        intent = rng.choice(intents_of(world.tools[name]))
        nouns = self.environment.toolset.nouns
        topic = nouns.get(str(role.resource)) or (noun_of(role.resource) if role.resource else hinted(name, intent))
        draft.goals.append(Goal(intent=intent, tool=name, resource=role.resource, topic=topic or intent))
        if subject is None and role.resource in world.resources and role.operation != "create":
            acted = {str(value) for step in draft.steps for value in step.arguments.values()}
            subject = resolver.chooser.pick(str(role.resource), acted)
        step = await resolver.act(name, len(draft.goals) - 1, request, subject)
        silent = any(speakable_leaves(step.value)) and not self.finisher.outputs(step, step.id)
        if silent and role.operation in ("list", "read", "compute") and not resolver.lenient:
            raise DeadEnd(f"{name} tells nothing new")
        if role.operation == "list" and is_empty(step.value) and not resolver.lenient:
            raise DeadEnd(f"{name} finds nothing")
        return step

    async def _another(self, resolver: Resolver, tries: int) -> bool:
        """Let the user bring up one more request, about what was spoken of if possible."""
        names = [
            tool.name
            for tool in self.environment.toolset.tools
            if tool.requestor == "assistant" and tool.name != self.search_tool
        ]
        for _ in range(tries):
            mark = resolver.draft.mark()
            try:
                await self._request(resolver, [resolver.rng.choice(self._related(resolver, names))])
            except DeadEnd:
                resolver.draft.rewind(mark)
            else:
                return True
        return False

    def _related(self, resolver: Resolver, names: list[str]) -> list[str]:
        """Return tools that act on what was spoken of, most of the time; all of them otherwise."""
        spoken = {resource for resource, _ in resolver.draft.identities}
        used = {step.tool for step in resolver.draft.steps}
        near = [
            name for name in names if name not in used and spoken & set(resolver.world.roles[name].references.values())
        ]
        return near if near and resolver.rng.random() < 0.75 else [name for name in names if name not in used] or names

    async def _follow_up(self, resolver: Resolver) -> bool:
        """Add a goal to the last request that uses what an earlier step returned."""
        draft, rng = resolver.draft, resolver.rng
        last = draft.steps[-1]
        consumers = sorted(
            {
                consumer
                for _, consumer, data in self.graph.out_edges(last.tool, data=True)
                if data["edge"].verified is not False
            }
        )
        rng.shuffle(consumers)
        for consumer in consumers[:6]:
            if consumer == last.tool:
                continue
            mark = draft.mark()
            try:
                subject = self._seen(resolver, last)
                step = await self._joined(resolver, consumer, subject)
                if step.level > 0:
                    return True
            except DeadEnd:
                pass
            draft.rewind(mark)
        return False

    def _seen(self, resolver: Resolver, step: Step) -> Subject | None:
        world = resolver.world
        role = world.roles[step.tool]
        if role.resource not in world.resources:
            return None
        rows = [
            row for row in world.subjects(str(role.resource)) if (row.resource, row.key) in resolver.draft.identities
        ]
        return resolver.rng.choice(rows) if rows else None

    async def _joined(self, resolver: Resolver, name: str, subject: Subject | None) -> Step:
        """Add a goal to the last request."""
        draft = resolver.draft
        request = len(draft.requests) - 1
        draft.requests[request] = (*draft.requests[request], len(draft.goals))
        return await self._goal(resolver, name, request, subject)

    async def _sibling(self, resolver: Resolver) -> bool:
        """Add an independent goal to the last request: the same tool about something else, or another reading tool."""
        draft, rng, world = resolver.draft, resolver.rng, resolver.world
        last = draft.goals[-1].tool
        readers = [
            name
            for name, role in world.roles.items()
            if role.operation in ("list", "read", "compute") and name != self.search_tool
        ]
        rng.shuffle(readers)
        first = [last, *readers[:6]] if rng.random() < 0.5 else [*readers[:6], last]
        for name in first:
            mark = draft.mark()
            try:
                await self._joined(resolver, name, None)
            except DeadEnd:
                draft.rewind(mark)
            else:
                return True
        return False

    def _worthwhile(self, draft: Draft) -> bool:
        return bool(self.environment.changes()) or any(self.finisher.outputs(step, step.id) for step in draft.steps)
