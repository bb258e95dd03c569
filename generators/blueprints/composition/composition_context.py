"""An environment and its tool graph -> what all drafts in it grow from: who and what there is, and what was found out."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from random import Random
from typing import Any

from interplay.generators.blueprints.arguments.argument_choice import Chooser
from interplay.generators.blueprints.arguments.item_choice import Picker
from interplay.generators.blueprints.arguments.known_values import unknowable, untold
from interplay.generators.blueprints.arguments.producers import FINDING, Producers
from interplay.generators.blueprints.arguments.resolution import Resolver
from interplay.generators.blueprints.arguments.row_choice import RowChoice
from interplay.generators.blueprints.arguments.tool_inputs import Inputs, inputs_of
from interplay.generators.blueprints.drafting.draft import Draft
from interplay.generators.blueprints.finishing.difficulty import count_rows
from interplay.generators.blueprints.finishing.finisher import Finisher
from interplay.generators.blueprints.finishing.given_scope import scope_of
from interplay.generators.blueprints.finishing.prior_dialogue import identities_in
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.recipes.recipe_settings import BAR
from interplay.generators.blueprints.sense.machine_tools import converses, is_plumbing
from interplay.generators.graph.multigraph import ToolGraph
from interplay.generators.graph.sampling.row_owners import RowOwners
from interplay.generators.graph.sampling.world import Subject, World
from interplay.generators.phrases.speakable_values import is_holdable
from interplay.generators.results.acknowledgement import is_thought
from interplay.generators.values.texts.localised_texts import texts_in, things_in
from interplay.schemas.json.canonical import Change
from interplay.schemas.protocols import Environment, Policy
from interplay.schemas.records.blueprint import Origin
from interplay.schemas.records.dialogue import Start, ToolCall, ToolResult
from interplay.schemas.records.recipe import Band, MadeWorld, Recipe
from interplay.schemas.records.tool import Tool

VOLUNTEERED: Mapping[Band, float] = {"easy": 0.95, "medium": 0.4, "hard": 0.05}
"""Chance that a user brings up unasked what a tool needs, by how hard the task should be."""


@dataclass(frozen=True)
class CompositionContext:
    """What tasks in one environment are composed from, learnt in the state that they begin in.

    That is the state after `start`, where tasks do not begin in a blank one; `made` tells which of many worlds it is in. `like`
    is the context of another world, from which all is taken that holds of the tools in every world. Tasks that make less sense
    than `bar` are drawn again; no goal is about the `unasked` tools.
    """

    environment: Environment
    graph: ToolGraph
    policy: Policy | None = None
    search_tool: str | None = None
    start: Start | None = None
    made: MadeWorld | None = None
    like: "CompositionContext | None" = None
    bar: float = BAR
    unasked: Collection[str] = ()
    _firsts: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    _inputs: dict[str, Inputs] = field(default_factory=dict, init=False, repr=False, compare=False)
    _temptations: dict[str, dict[tuple[str, str], tuple[Any, ...]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Learn what only the opening state shows."""
        _ = self.owners, self.finisher, self.base, self.opening

    @cached_property
    def world(self) -> World:
        """The tools, and the rows that they act on."""
        return World(self.environment, self.like.world if self.like is not None else None)

    @cached_property
    def finisher(self) -> Finisher:
        """What makes blueprints of drafts; it counts the rows of the opening state."""
        rows = count_rows(self.environment.state())
        like = self.like.finisher if self.like is not None else None
        known = like.toolset_digest if like is not None else self.environment.toolset.digest()
        return Finisher(
            self.environment,
            known,
            self.policy,
            self.search_tool,
            rows,
            self.start,
            self.made,
            self.graph,
            self.world,
            like,
            self.scope,
        )

    @cached_property
    def base(self) -> tuple[Change, ...]:
        """How the opening state differs from a blank one."""
        return self.environment.changes()

    @cached_property
    def past(self) -> tuple[tuple[ToolCall, ToolResult], ...]:
        """The calls made before the tasks begin."""
        return self.start.history() if self.start else ()

    @cached_property
    def acquainted(self) -> dict[tuple[str, str], Origin]:
        """The identities of the user that came up by then."""
        return identities_in(self.start, self.world, self.whose) if self.start else {}

    @cached_property
    def scope(self) -> str | None:
        """The resource of which each conversation takes place in one row."""
        return self.like.scope if self.like is not None else scope_of(self.world)

    @cached_property
    def whose(self) -> str | None:
        """The resource that rows belong to: users, or what conversations take place in."""
        return self.environment.toolset.user_resource or self.scope

    @cached_property
    def producers(self) -> Producers:
        """What knows which tools may give an identity."""
        return self.like.producers if self.like is not None else Producers(self.world, self.graph)

    @cached_property
    def person(self) -> frozenset[tuple[str, str]]:
        """Who the user is, where that is known to us, be it to the assistant or not."""
        return frozenset(self.acquainted) or frozenset(
            {(str(self.whose), self.start.user)} if self.start and self.start.user else ()
        )

    @cached_property
    def owners(self) -> RowOwners:
        """Whose the rows of the opening state are."""
        people = next(iter(self.person), (str(self.whose), ""))[0]
        return RowOwners(self.world, people)

    @cached_property
    def opening(self) -> Any:
        """The opening state, to go back to."""
        return self.environment.snapshot()

    def _first(self, resource: str) -> Any:
        """Return the identity of the first row of a resource in the opening state; none where it has no rows."""
        if resource not in self._firsts:
            here = self.environment.snapshot()
            self.environment.restore(self.opening)
            row = self.world.first(resource)
            self._firsts[resource] = None if row is None else self.world.identity(row)
            self.environment.restore(here)
        return self._firsts[resource]

    @cached_property
    def offered(self) -> tuple[Tool, ...]:
        """The tools that tasks are about."""
        tools = [tool for tool in self.environment.toolset.tools if tool.requestor == "assistant"]
        tools = [tool for tool in tools if tool.name != self.search_tool and not is_thought(tool)]
        tools = [tool for tool in tools if tool.name not in self.unasked] or tools
        return tuple(tool for tool in tools if tool.name not in self.unknowable) or tuple(tools)

    @cached_property
    def unknowable(self) -> dict[str, str]:
        """The tools that no task is about, each with the reason: what nobody can know, or wants; none where tasks may be senseless."""
        if self.bar == 0:
            return {}
        if self.like is not None:
            return self.like.unknowable
        tools = self.world.tools.values()
        needed = {tool.name: unknowable(tool, self.world, self.graph) for tool in tools}
        machines = [tool.name for tool in tools if is_plumbing(tool) or converses(tool)]
        return {
            **dict.fromkeys(machines, "programs use it for each other"),
            **{name: f"nobody knows the {lacking}" for name, lacking in needed.items() if lacking},
            **{name: f"its answer is {answer}" for name, answer in untold(self.world).items()},
        }

    def draft(self) -> Draft:
        """Return a draft in which nothing has been said."""
        return Draft(self.environment, identities=dict(self.acquainted), past=self.past)

    def user_row(self, rng: Random, needed: Collection[str] = ()) -> Subject | None:
        """Choose the row that the user is, where users are a resource of their own: who it was before, if that is known.

        Else it is one who has what is needed.
        """
        same = [*self.acquainted] or sorted(self.person)
        if same:
            return self.world.subject(*same[-1])
        known = self.owners.users(needed)
        return self.world.subject(str(self.whose), rng.choice(known)) if known else None

    def growth(self, draft: Draft, rng: Random, me: Subject | None, recipe: Recipe, easy: bool = False) -> Growth:
        """Return what lets a draft grow whose user is `me`; an `easy` one lets it know what nobody would remember."""
        world, toolset = self.world, self.environment.toolset
        identified = any(rule.kind == "identify_first" for rule in toolset.rules)
        texts = texts_in(recipe.language, toolset, (*self.world.resources,))
        things = things_in(recipe.language, (*self.world.resources,))
        rows = RowChoice(world, draft, rng, me, self.owners, scope=self.scope)
        chooser = Chooser(rows, self._inputs_of, texts, things)
        picker = Picker(world, draft, rng, recipe.described, recipe.named)
        resolver = Resolver(
            world, self.graph, self.producers, draft, rng, chooser, picker, identified, lenient=easy, describing=recipe.described,
            volunteered=VOLUNTEERED[recipe.difficulty],
        )  # fmt: skip
        return Growth(
            resolver, self.finisher.reports, partial(self.nobodys, recipe.language), self.policy, self.search_tool,
            self.offered, self._temptations.setdefault(recipe.language, {}),
        )  # fmt: skip

    @contextmanager
    def nobodys(self, language: str, key: str) -> Iterator[Growth]:
        """Give a growth in the opening state that depends on nothing but a language and a key; go back where it was after."""
        here, rng = self.environment.snapshot(), Random(key)
        self.environment.restore(self.opening)
        try:
            recipe = Recipe(index=0, seed=0, target="", pattern="sequential", language=language)
            yield self.growth(self.draft(), rng, self.user_row(rng), recipe)
        finally:
            self.environment.restore(here)

    def _inputs_of(self, name: str) -> Inputs:
        """Return what is the same in all calls of a tool."""
        if self.like is not None:
            return self.like._inputs_of(name)
        if name not in self._inputs:
            self._inputs[name] = inputs_of(self.world, name, partial(self._can_find, name))
        return self._inputs[name]

    def _can_find(self, name: str, pointer: str) -> bool:
        """Tell whether an identity that a tool takes can be looked up, or is one that people know."""
        if self.producers.doing(name, pointer, FINDING):
            return True
        resource = self.world.roles[name].references[pointer]
        first = self._first(resource) if resource in self.world.resources else None
        return first is not None and is_holdable(first)
