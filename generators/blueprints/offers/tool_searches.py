"""A task and a search tool -> the searches that lead to each tool before it is called."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random

from interplay.generators.blueprints.offers.offer_needs import OfferPlan, ToolNeeds
from interplay.generators.phrases.intents import intents_of
from interplay.generators.phrases.labels.field_labels import words_of
from interplay.schemas.calls.offer import Offer, names_found
from interplay.schemas.protocols import Environment
from interplay.schemas.records.blueprint import Goal, ToolChange
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.tool import Tool, ToolRole
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import word_set

UNRELATED = 3
"""The most unrelated tools that are offered beside the search at the start of a registry dialogue."""

SEARCHES = 3
"""The most queries that are tried for one tool."""

AHEAD = 2
"""The most goals of one request whose own tools are searched before any look-up; others wait until they are called."""

ROUNDS = 2
"""Times that the tools of one wave are searched, as a later search may crowd out the results of an earlier one."""

INPUTS = 4
"""The most parameters of a tool that a query names."""

BY_TOPIC = 0.2
"""Chance that the first query is only the topic of a request."""


@dataclass(frozen=True)
class ToolSearches:
    """Plans searches by running them: in the words of requests, then in those of descriptions and parameters."""

    environment: Environment
    search_tool: str

    @cached_property
    def _roles(self) -> Mapping[str, ToolRole]:
        return self.environment.resources.by_tool

    async def beside(self, task: ToolNeeds, tools: tuple[str, ...]) -> OfferPlan:
        """Plan one search for each request, on which nothing depends, since all needed tools are offered anyway.

        Equal queries are not repeated.
        """
        offer, changes = Offer(names=tools), list[ToolChange]()
        for request in range(len(task.requests)):
            first = next((wave[0] for wave in task.waves(request)), None)
            goal = task.goals[first.goal if first is not None else task.requests[request][0]]
            query = goal.topic if goal.asks or (task.recipe.vague and request == 0) else goal.intent
            if query not in {change.query for change in changes}:
                before, offer = offer, offer.after_search(await self._search(query))
                changes.append(_searched(request, query, first.id if first is not None else None, before, offer))
            for action in (action for wave in task.waves(request) for action in wave):
                offer = offer.after_call(action.tool)
        return OfferPlan(tools=tools, changes=tuple(changes))

    async def from_registry(self, task: ToolNeeds, rng: Random) -> OfferPlan | None:
        """Plan searches that lead to each tool before it is called; None if one is not found."""
        others = [name for name in self._callable() if name not in task.used and name != self.search_tool]
        kept = {self.search_tool, *rng.sample(others, min(len(others), rng.randrange(UNRELATED + 1)))}
        start = tuple(name for name in self.environment.toolset.by_name if name in kept)
        offer, changes = Offer(names=start), list[ToolChange]()
        for request, goals in enumerate(task.requests):
            if not task.needed(request):  # a wish that no tool serves is searched in vain
                before, query = offer, task.goals[goals[0]].intent
                offer = offer.after_search(await self._search(query))
                changes.append(_searched(request, query, None, before, offer))
                continue
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
        return OfferPlan(tools=start, changes=tuple(changes))

    async def _searches(self, name: str, goal: Goal | None, offer: Offer, rng: Random) -> list[tuple[str, Offer]]:
        """Return the queries that lead to a tool, each with the offer after it; empty if it is offered already."""
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
        """Yield queries for a tool, in the words of the request first, then in those of its description."""
        tool, role = self.environment.toolset.tool(name), self._roles.get(name)
        intents = intents_of(tool)
        first = goal.intent if goal is not None and not goal.asks else rng.choice(intents)
        topic = goal.topic if goal is not None and rng.random() < BY_TOPIC else ""
        act = f"{role.operation} {first.partition(' ')[2]}" if role is not None and role.operation in _ACTS else ""
        inputs = " ".join(dict.fromkeys(words_of(name) for name in list(tool.properties)[:INPUTS]))
        for query in (topic, first, _described(tool, first), act, f"{first} {inputs}", *intents):
            if query and name.lower() not in query.lower().split():
                yield _LOOSE_END.sub("", query.strip())

    async def _search(self, query: str) -> tuple[str, ...]:
        call = ToolCall(id="compose01", name=self.search_tool, arguments={"query": query})
        return names_found((await self.environment.call(call)).text)

    def _callable(self) -> list[str]:
        return [name for name, tool in self.environment.toolset.by_name.items() if tool.requestor == "assistant"]


def _searched(request: int, query: str, before: str | None, offer: Offer, after: Offer) -> ToolChange:
    added, removed = after.changed_from(offer)
    return ToolChange(request=request, query=query, before=before, added=added, removed=removed)


def _described(tool: Tool, said: str) -> str:
    """Return a few words of a tool's description that the user did not say."""
    text = f"{tool.summary}. {tool.description}" if tool.summary not in tool.description else tool.description
    words = [word for word in re.findall(r"[A-Za-z][a-z]{2,}", text[:300]) if word.lower() not in _LEFT_OUT]
    told = set(name_tokens(said))
    fresh = [word.lower() for word in words if word.lower() not in told]
    return " ".join(list(dict.fromkeys([*said.split()[-2:], *fresh]))[:9]) if fresh else ""


_LOOSE_END = re.compile(r"(?:\s+(?:an?|the|associated|with|of|in|on|for|by|to|from|and))+$")
_ACTS = ("list", "create", "update", "delete")
_LEFT_OUT = word_set("stop_words")
