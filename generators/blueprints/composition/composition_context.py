"""An environment and its tool graph -> what all drafts in it share: rows, users, producers, and cached findings."""

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
from interplay.schemas.json.fields import schema_type
from interplay.schemas.protocols import Environment, Policy
from interplay.schemas.records.blueprint import Origin
from interplay.schemas.records.dialogue import Start, ToolCall, ToolResult
from interplay.schemas.records.recipe import Band, MadeWorld, Recipe
from interplay.schemas.records.tool import Tool

VOLUNTEERED: Mapping[Band, float] = {"easy": 0.95, "medium": 0.4, "hard": 0.05}
"""Chance that a user tells a required argument unasked, by the difficulty aimed at."""


@dataclass(frozen=True)
class CompositionContext:
    """What tasks in one environment are composed from, determined in the state that they start in.

    That is the state after `start`, if tasks follow a prior dialogue; `made` tells which of many worlds it is in. `like`
    is the context of another world, from which everything is taken that holds in all worlds. Tasks with less sense than
    `bar` are drawn again; no goal is about the `unasked` tools.
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
        """Determine what only the opening state shows."""
        _ = self.owners, self.finisher, self.base, self.opening

    @cached_property
    def world(self) -> World:
        """The tools, and the rows that they act on."""
        return World(self.environment, self.like.world if self.like is not None else None)

    @cached_property
    def finisher(self) -> Finisher:
        """Turns drafts into blueprints; it knows the number of rows in the opening state."""
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
        """The changes from a blank state to the opening state."""
        return self.environment.changes()

    @cached_property
    def past(self) -> tuple[tuple[ToolCall, ToolResult], ...]:
        """The calls made before the task."""
        return self.start.history() if self.start else ()

    @cached_property
    def acquainted(self) -> dict[tuple[str, str], Origin]:
        """The user's identities that came up before the task."""
        return identities_in(self.start, self.world, self.whose) if self.start else {}

    @cached_property
    def scope(self) -> str | None:
        """The resource in one row of which each conversation takes place, or None."""
        return self.like.scope if self.like is not None else scope_of(self.world)

    @cached_property
    def whose(self) -> str | None:
        """The resource that owns rows: users, or the scope."""
        return self.environment.toolset.user_resource or self.scope

    @cached_property
    def producers(self) -> Producers:
        """Finds the tools that may return an identity."""
        return self.like.producers if self.like is not None else Producers(self.world, self.graph)

    @cached_property
    def person(self) -> frozenset[tuple[str, str]]:
        """The user's (resource, key) pairs, if known, whether or not the assistant knows them."""
        return frozenset(self.acquainted) or frozenset(
            {(str(self.whose), self.start.user)} if self.start and self.start.user else ()
        )

    @cached_property
    def owners(self) -> RowOwners:
        """The owners of the rows of the opening state."""
        people = next(iter(self.person), (str(self.whose), ""))[0]
        return RowOwners(self.world, people)

    @cached_property
    def opening(self) -> Any:
        """A snapshot of the opening state."""
        return self.environment.snapshot()

    def _first(self, resource: str) -> Any:
        """Return the identity of the first row of a resource in the opening state, or None."""
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
        """The tools that no task is about, each with the reason; empty if the bar is 0.

        They need what nobody knows, serve programs, or return what means nothing to people.
        """
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
            **self._superseded,
            **self._shown_singly,
        }

    @property
    def _shown_singly(self) -> dict[str, str]:
        """The tools that show rows by a list of identities, where another shows each by its own, each with the reason."""
        roles = [(name, role) for name, role in self.world.roles.items() if self._lasts(name)]
        single = {role.resource: name for name, role in roles if role.operation == "read"}
        found = dict[str, str]()
        for name, role in roles:
            tool = self.world.tools[name]
            lists = [at for at in tool.required if schema_type(tool.properties.get(at, {})) == "array"]
            own = any(
                role.resource in (role.references.get(f"/{at}"), role.references.get(f"/{at}/*/id")) for at in lists
            )
            if role.operation == "list" and own and role.resource in single:
                found[name] = f"{single[role.resource]} shows each of these"
        return found

    @property
    def _superseded(self) -> dict[str, str]:
        """The deprecated tools of which another does the same to the same things, each with the reason."""
        found = dict[str, str]()
        tools = {(role.operation, role.resource): name for name, role in self.world.roles.items() if self._lasts(name)}
        for name in (name for name in self.world.tools if not self._lasts(name)):
            role = self.world.roles[name]
            other = tools.get((role.operation, role.resource)) if role.resource in self.world.resources else None
            found |= {name: f"it is deprecated, and {other} does the same"} if other is not None else {}
        return found

    def _lasts(self, name: str) -> bool:
        return name in self.world.tools and not self.world.tools[name].deprecated

    def draft(self) -> Draft:
        """Return an empty draft."""
        return Draft(self.environment, identities=dict(self.acquainted), past=self.past)

    def user_row(self, rng: Random, needed: Collection[str] = ()) -> Subject | None:
        """Choose the user's row, where users are a resource: that of the prior dialogue, else an owner of `needed` rows."""
        same = [*self.acquainted] or sorted(self.person)
        if same:
            return self.world.subject(*same[-1])
        known = self.owners.users(needed)
        return self.world.subject(str(self.whose), rng.choice(known)) if known else None

    def growth(self, draft: Draft, rng: Random, me: Subject | None, recipe: Recipe, easy: bool = False) -> Growth:
        """Return a growth for a draft whose user is `me`; with `easy`, the user may know what nobody would remember."""
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
        """Yield a growth in the opening state that depends on language and key alone; the state is restored afterwards."""
        here, rng = self.environment.snapshot(), Random(key)
        self.environment.restore(self.opening)
        try:
            recipe = Recipe(index=0, seed=0, target="", pattern="sequential", language=language)
            yield self.growth(self.draft(), rng, self.user_row(rng), recipe)
        finally:
            self.environment.restore(here)

    def _inputs_of(self, name: str) -> Inputs:
        """Return what all calls of a tool share."""
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
