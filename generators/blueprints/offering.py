"""A recipe and the actions of a blueprint -> the tools that are offered at the start, and how these change."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from interplay.generators.values.phrases import intents_of
from interplay.generators.values.speakable import words_of
from interplay.schemas.blueprint import Action, EarlyRequest, Goal, Recipe, ToolChange
from interplay.schemas.dialogue import ToolCall
from interplay.schemas.fields import name_tokens
from interplay.schemas.offering import Offer, names_found
from interplay.schemas.protocols import Environment
from interplay.schemas.record import Record
from interplay.schemas.tools import Tool, ToolRole

OFFERED_WHOLE = 24
"""Toolsets up to this size are offered whole; of larger ones the needed tools and some distractors."""

UNRELATED = 3
"""Tools at most that stand beside the search when an assistant begins with a registry."""

SEARCHES = 3
"""Queries that are tried for one tool."""

AHEAD = 2
"""Goals of one request whose own tools are looked for before any look-up: the others wait until they are called."""

ROUNDS = 2
"""Times that the tools of one wave of calls are looked for: a later search may have crowded out what an earlier one found."""

INPUTS = 4
"""Inputs of a tool that are named when it is looked for by them."""

BY_TOPIC = 0.2
"""Chance that an assistant first searches by the topic of a request alone."""

LATE, DONE, EARLY = 0.65, 0.5, 0.35
"""Chances that new tools of a request appear with it, that those of an earlier one are gone, and that the user is early."""

SWAPPED = 3
"""Unneeded tools at most that appear, and that disappear, while the others do."""


class Offered(Record):
    """What is offered at the start, how it changes, and the request that the user brings up before its tools are there."""

    tools: tuple[str, ...]
    changes: tuple[ToolChange, ...] = ()
    early: EarlyRequest | None = None


@dataclass(frozen=True)
class Task:
    """What decides on the tools: the recipe, the goals by request, and the actions in the order of their calls."""

    recipe: Recipe
    goals: Sequence[Goal]
    requests: Sequence[tuple[int, ...]]
    actions: Sequence[Action]

    def needed(self, request: int) -> list[str]:
        """Return the tools of one request, each once."""
        goals = self.requests[request]
        return list(dict.fromkeys(action.tool for action in self.actions if action.goal in goals))

    @property
    def used(self) -> list[str]:
        """The tools of all requests."""
        return list(dict.fromkeys(action.tool for action in self.actions))

    def waves(self, request: int) -> Iterator[list[Action]]:
        """Yield the actions of one request that are called at once: all whose dependencies have been called."""
        left = [action for action in self.actions if action.goal in self.requests[request]]
        while left:
            waiting = {action.id for action in left}
            wave = [action for action in left if not waiting & set(action.depends_on)]
            if not wave:
                return
            yield wave
            left = [action for action in left if action not in wave]


@dataclass(frozen=True)
class Offers:
    """Decides what is offered, by the recipe: all, what a search finds, or what comes and goes."""

    environment: Environment
    search_tool: str | None = None

    @cached_property
    def _tools(self) -> dict[str, Tool]:
        return {tool.name: tool for tool in self.environment.toolset.tools}

    @cached_property
    def _roles(self) -> dict[str, ToolRole]:
        return {role.tool: role for role in self.environment.resources.roles}

    async def offer(self, task: Task, rng: Random) -> Offered:
        """Return what is offered in a task; where no search finds what is needed, it is offered from the start."""
        own = Random(f"{task.recipe.seed}/offer/{task.recipe.index}")
        searching = self.search_tool is not None and (task.recipe.registry or task.recipe.tool_search)
        if task.recipe.registry and searching:
            found = await self._from_registry(task, own)
            if found is not None:
                return found
        whole = self._whole(task, rng)
        if task.recipe.tool_search and searching:
            return await self._with_search(task, whole)
        return self._changing(task, whole, own) if task.recipe.tool_changes else Offered(tools=whole)

    def _whole(self, task: Task, rng: Random) -> tuple[str, ...]:
        """Return what is offered in a dialogue where nothing changes."""
        names, used = list(self._tools), task.used
        if len(names) > OFFERED_WHOLE:
            others = [name for name in names if name not in used and name != self.search_tool]
            extra = rng.sample(others, min(len(others), 4 + task.recipe.distractors))
            kept = {self.search_tool, *used, *extra}
            names = [name for name in names if name in kept]
        if not task.recipe.tool_search:
            names = [name for name in names if name != self.search_tool]
        return tuple(names)

    async def _with_search(self, task: Task, tools: tuple[str, ...]) -> Offered:
        """Plan one search for each request, of which nothing depends: all that is needed is offered anyway."""
        offer, changes = Offer(names=tools), []
        for request in range(len(task.requests)):
            first = next(task.waves(request))[0]
            goal = task.goals[first.goal]
            query = goal.topic if task.recipe.vague and request == 0 else goal.intent
            before, offer = offer, offer.after_search(await self._search(query))
            changes.append(_searched(request, query, first.id, before, offer))
            for action in (action for wave in task.waves(request) for action in wave):
                offer = offer.after_call(action.tool)
        return Offered(tools=tools, changes=tuple(changes))

    async def _from_registry(self, task: Task, rng: Random) -> Offered | None:
        """Plan the searches that lead to each tool before it is called; none where one is not found."""
        others = [name for name in self._assistants() if name not in task.used and name != self.search_tool]
        kept = {self.search_tool, *rng.sample(others, min(len(others), rng.randrange(UNRELATED + 1)))}
        start = tuple(name for name in self._tools if name in kept)
        offer, changes = Offer(names=start), list[ToolChange]()
        for request, goals in enumerate(task.requests):
            asked = {task.goals[goal].tool: task.goals[goal] for goal in goals}
            wanted = list(asked)[:AHEAD]
            if task.recipe.vague and request == 0:
                first = task.goals[goals[0]]
                before, offer = offer, offer.after_search(await self._search(first.topic))
                changes.append(_searched(0, first.topic, next(task.waves(0))[0].id, before, offer))
            for wave in task.waves(request):
                for name in [*wanted, *(action.tool for _ in range(ROUNDS) for action in wave)]:
                    searches = await self._searches(name, asked.get(name), offer, rng)
                    for query, after in searches:
                        changes.append(_searched(request, query, wave[0].id, offer, after))
                        offer = after
                if not {action.tool for action in wave} <= set(offer.names):
                    return None
                for action in wave:
                    offer = offer.after_call(action.tool)
                wanted = []
        return Offered(tools=start, changes=tuple(changes))

    async def _searches(self, name: str, goal: Goal | None, offer: Offer, rng: Random) -> list[tuple[str, Offer]]:
        """Return the queries that lead to a tool, each with the offer after it; none where it is offered already."""
        made: list[tuple[str, Offer]] = []
        if name in offer.names:
            return made
        for query in list(dict.fromkeys(self.queries(name, goal, rng)))[:SEARCHES]:
            offer = offer.after_search(await self._search(query))
            made.append((query, offer))
            if name in offer.names:
                break
        return made

    def queries(self, name: str, goal: Goal | None, rng: Random) -> Iterator[str]:
        """Yield ways of asking for a tool, in the words of the request first, then in those of its description."""
        tool, role = self._tools[name], self._roles.get(name)
        intents = intents_of(tool)
        first = goal.intent if goal is not None else rng.choice(intents)
        topic = goal.topic if goal is not None and rng.random() < BY_TOPIC else ""
        act = f"{role.operation} {first.partition(' ')[2]}" if role is not None and role.operation in _ACTS else ""
        inputs = " ".join(
            dict.fromkeys(words_of(name) for name in list(tool.parameters.get("properties", {}))[:INPUTS])
        )
        for query in (topic, first, _described(tool, first), act, f"{first} {inputs}", *intents):
            if query and name.lower() not in query.lower().split():
                yield _LOOSE_END.sub("", query.strip())

    async def _search(self, query: str) -> tuple[str, ...]:
        call = ToolCall(id="compose01", name=str(self.search_tool), arguments={"query": query})
        return names_found((await self.environment.call(call)).text)

    def _assistants(self) -> list[str]:
        return [name for name, tool in self._tools.items() if tool.requestor == "assistant"]

    def _changing(self, task: Task, whole: tuple[str, ...], rng: Random) -> Offered:
        """Let tools appear with the requests that first need them, and disappear after the last that does."""
        count = len(task.requests)
        first = {name: request for request in reversed(range(count)) for name in task.needed(request)}
        last = {name: request for request in range(count) for name in task.needed(request)}
        early = self._early(task, first, rng)
        comes: dict[str, int] = {}
        goes: dict[str, int] = {}
        for request in range(1, count):
            if rng.random() < LATE or (early is not None and early.request == request) or (not comes and count == 2):
                comes |= {name: request for name in first if first[name] == request}
            if rng.random() < DONE:
                goes |= {name: request for name in last if last[name] < request and name not in goes}
        if early is not None:
            comes |= {name: 0 for name in first if early.request == first[name] == 0}
            comes |= dict.fromkeys(self._alike(task, early.request, whole), early.request)
        spare = [
            name
            for name in whole
            if name not in first and name not in comes and self._tools[name].requestor == "assistant"
        ]
        comes |= self._companions(spare, comes, rng)
        if count > 1:
            left = [name for name in spare if name not in comes]
            goes |= {
                name: rng.randrange(1, count) for name in rng.sample(left, min(len(left), rng.randint(1, SWAPPED)))
            }
        tools = tuple(name for name in whole if name not in comes)
        changes = (_at(request, whole, comes, goes) for request in range(count))
        return Offered(tools=tools, changes=tuple(change for change in changes if change is not None), early=early)

    def _early(self, task: Task, first: dict[str, int], rng: Random) -> EarlyRequest | None:
        """Choose a request that the user brings up before its tools are there; with one request, it is that one."""
        if len(task.requests) == 1:
            return EarlyRequest(request=0, before=0)
        names = list(self._tools)
        new = [
            request
            for request in range(1, len(task.requests))
            if all(first.get(name, request) >= request for name in self._alike(task, request, names))
        ]
        if not new or rng.random() > EARLY:
            return None
        chosen = rng.choice(new)
        return EarlyRequest(request=chosen, before=rng.randint(int(task.recipe.vague), chosen))

    def _alike(self, task: Task, request: int, names: Sequence[str]) -> list[str]:
        """Return the tools that might serve the first goal of a request: its own, and others that do the like to the same."""
        own = task.goals[task.requests[request][0]].tool
        role = self._roles[own]
        reading = ("read", "list", "compute")
        return [
            name
            for name in names
            if name == own
            or (
                role.resource is not None
                and name in self._roles
                and self._roles[name].resource == role.resource
                and (
                    self._roles[name].operation == role.operation
                    or {role.operation, self._roles[name].operation} <= set(reading)
                )
            )
        ]

    def _companions(self, spare: Sequence[str], comes: dict[str, int], rng: Random) -> dict[str, int]:
        """Choose unneeded tools that appear with needed ones: mostly those that act on the same."""
        if not comes:
            return {}
        requests = list(comes.values())
        resources = {self._roles[name].resource: request for name, request in comes.items() if name in self._roles}
        resources.pop(None, None)
        near = {name: resources.get(self._roles[name].resource) for name in spare if name in self._roles}
        alike = {name: request for name, request in near.items() if request is not None}
        chosen = rng.sample(list(alike), min(len(alike), rng.randint(0, SWAPPED)))
        found = {name: alike[name] for name in chosen}
        far = [name for name in spare if name not in alike]
        if len(chosen) < SWAPPED and far and rng.random() < 0.5:
            found[rng.choice(far)] = rng.choice(requests)
        return found


def _at(request: int, whole: Sequence[str], comes: dict[str, int], goes: dict[str, int]) -> ToolChange | None:
    added = tuple(name for name in whole if comes.get(name) == request)
    removed = tuple(name for name in whole if goes.get(name) == request)
    return ToolChange(request=request, added=added, removed=removed) if added or removed else None


def _searched(request: int, query: str, before: str, offer: Offer, after: Offer) -> ToolChange:
    added, removed = after.changed_from(offer)
    return ToolChange(request=request, query=query, before=before, added=added, removed=removed)


def _described(tool: Tool, said: str) -> str:
    """Return the words of a tool's description that the user did not say, a few of them."""
    text = f"{tool.summary}. {tool.description}" if tool.summary not in tool.description else tool.description
    words = [word for word in re.findall(r"[A-Za-z][a-z]{2,}", text[:300]) if word.lower() not in _LEFT_OUT]
    told = set(name_tokens(said))
    fresh = [word.lower() for word in words if word.lower() not in told]
    return " ".join(list(dict.fromkeys([*said.split()[-2:], *fresh]))[:9]) if fresh else ""


_LOOSE_END = re.compile(r"(?:\s+(?:an?|the|associated|with|of|in|on|for|by|to|from|and))+$")
_ACTS = ("list", "create", "update", "delete")
_LEFT_OUT: Collection[str] = set(
    "the and for with from this that you your are can will given specified which when its has have been use using".split()
)
