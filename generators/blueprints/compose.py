"""Tool graph + environment + recipe -> a blueprint whose every action has been executed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any

from interplay.generators.blueprints.about_rules import BY_RULES
from interplay.generators.blueprints.avoiding import Avoided, avoiding
from interplay.generators.blueprints.behaving import behave, tell
from interplay.generators.blueprints.capabilities import Instance
from interplay.generators.blueprints.choosing import Chooser, value_at
from interplay.generators.blueprints.difficulty import count_rows, score_of
from interplay.generators.blueprints.draft import DeadEnd, Draft
from interplay.generators.blueprints.evolving import OPERATORS as EVOLUTIONS
from interplay.generators.blueprints.evolving import in_turn, structure
from interplay.generators.blueprints.faulting import Faulting
from interplay.generators.blueprints.finishing import Finisher
from interplay.generators.blueprints.growing import Growth
from interplay.generators.blueprints.inputs import Inputs, inputs_of
from interplay.generators.blueprints.joining import halves, joined
from interplay.generators.blueprints.past import check_news, check_same_person, identities_in
from interplay.generators.blueprints.patterns import OPERATORS, grow
from interplay.generators.blueprints.picking import Picker
from interplay.generators.blueprints.producing import Producers
from interplay.generators.blueprints.reopening import reopened
from interplay.generators.blueprints.resolving import Resolver
from interplay.generators.blueprints.safety import scenario
from interplay.generators.blueprints.triples import Triples
from interplay.generators.blueprints.written import composition_request, realise, task_of, task_request
from interplay.generators.graph.graph import ToolGraph
from interplay.generators.graph.owners import Owners, needed_of
from interplay.generators.graph.sampling import Subject, World
from interplay.generators.values.retelling import texts_in
from interplay.schemas.blueprint import Band, Blueprint, Direction, Lineage, Origin, Pattern, Recipe, with_identity
from interplay.schemas.canonical import Change, since
from interplay.schemas.chat import ChatRequest
from interplay.schemas.dialogue import Start, ToolCall, ToolResult
from interplay.schemas.protocols import Environment, Policy
from interplay.schemas.verdict import Feedback, Issue

ELSEWHERE = 3
"""Attempts after which a pattern is made of any tool that suits it, and the tool aimed at is brought up besides."""

VOLUNTEERED: Mapping[Band, float] = {"easy": 0.95, "medium": 0.4, "hard": 0.05}
"""Chance that a user brings up unasked what a tool needs, by how hard the task should be."""

ATTEMPTS = 24
"""Different draws that are tried before an index is given up."""

EASY = ATTEMPTS // 2
"""Attempts after which a plain task about the tool aimed at will do."""

REPETITIONS = 8
"""Draws that repeat what is to be avoided, after which nothing new is looked for."""


@dataclass(frozen=True)
class Composer:
    """Composes blueprints for one environment; the environment is left in its opening state.

    That is the state after `start`, where the tasks do not begin from a blank one.
    """

    environment: Environment
    graph: ToolGraph
    policy: Policy | None = None
    search_tool: str | None = None
    start: Start | None = None
    _suited: dict[Pattern, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    _inputs: dict[str, Inputs] = field(default_factory=dict, init=False, repr=False, compare=False)

    _temptations: dict[tuple[str, str], tuple[Any, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Learn what only the opening state shows."""
        _ = self.owners, self.finisher, self.base

    @cached_property
    def world(self) -> World:
        """The tools, and the rows that they act on."""
        return World(self.environment)

    @cached_property
    def finisher(self) -> Finisher:
        """What makes blueprints of drafts; it counts the rows of the opening state."""
        rows = count_rows(self.environment.state())
        return Finisher(self.environment, self.policy, self.search_tool, rows, self.start)

    @cached_property
    def base(self) -> tuple[Change, ...]:
        """What the opening state differs in from a blank one."""
        return self.environment.changes()

    @cached_property
    def past(self) -> tuple[tuple[ToolCall, ToolResult], ...]:
        """The calls made before the tasks begin."""
        return self.start.history() if self.start else ()

    @cached_property
    def acquainted(self) -> dict[tuple[str, str], Origin]:
        """The identities of the user that came up by then."""
        return identities_in(self.start, self.world) if self.start else {}

    @cached_property
    def producers(self) -> Producers:
        """What knows which tools may give an identity."""
        return Producers(self.world, self.graph)

    @cached_property
    def person(self) -> frozenset[tuple[str, str]]:
        """Who the user is, where that is known to us, be it to the assistant or not."""
        own = str(self.environment.toolset.user_resource)
        return frozenset(self.acquainted) or frozenset(
            {(own, self.start.user)} if self.start and self.start.user else ()
        )

    def _draft(self) -> Draft:
        return Draft(self.environment, identities=dict(self.acquainted), past=self.past)

    @cached_property
    def triples(self) -> Triples:
        """What chooses the tools of safety scenarios."""
        return Triples(self._safe)

    @cached_property
    def owners(self) -> Owners:
        """Whose the rows of the opening state are."""
        people = next(iter(self.person), (str(self.environment.toolset.user_resource), ""))[0]
        return Owners(self.world, people)

    async def compose(self, recipe: Recipe, avoided: Avoided | None = None) -> Blueprint | Issue:
        """Return a blueprint for `recipe` that repeats nothing of what is avoided, or the issue for which none was found.

        Where the recipe wants it to evolve and no operator fits, it stays as it was composed.
        """
        avoided = avoided or Avoided()
        made = await self._composed(recipe, avoided)
        if recipe.evolve is None or isinstance(made, Issue):
            return made
        evolved = await self.evolve(made, recipe.evolve, recipe)
        return made if isinstance(evolved, Issue) or avoided.repeats(evolved) else evolved

    async def revise(self, drafts: Sequence[tuple[Blueprint, Feedback]]) -> Blueprint | Issue:
        """Return another draw in place of the last of some drafts, which repeats nothing that was criticised of them."""
        last, _ = drafts[-1]
        made: Blueprint | Issue = Issue(code="no_blueprint", message="There is no other draw.")
        for avoided in avoiding(drafts):
            made = await self.compose(last.recipe, avoided)
            if isinstance(made, Blueprint):
                lineage = Lineage(parent=last.id, operator="revise", revision=last.lineage.revision + 1)
                return with_identity(made.model_copy(update={"lineage": lineage}))
        return made

    async def spoil(self, made: Blueprint) -> Blueprint:
        """Return a blueprint with what its recipe wants to go wrong; see `Faulting.plan`."""
        return await Faulting(self.environment, self.policy, self.finisher.rules, self.finisher.rows).plan(made)

    def ask_for_task(self, recipe: Recipe, failed: Sequence[tuple[str, str]] = ()) -> ChatRequest:
        """Return what a model is asked to invent for a recipe; see `task_request`."""
        rng = Random(f"{recipe.pair or f'{recipe.seed}/{recipe.index}'}/written")
        return task_request(self._growth(self._draft(), rng, self._me(rng), recipe), recipe, failed)

    async def take_task(self, recipe: Recipe, answer: Mapping[str, Any]) -> tuple[Blueprint, ChatRequest] | Issue:
        """Return the blueprint of what a model invented, with the question whether it is complete; or why it is none."""
        start = self.environment.snapshot()
        rng = Random(f"{recipe.pair or f'{recipe.seed}/{recipe.index}'}/written")
        draft = self._draft()
        growth = self._growth(draft, rng, self._me(rng), recipe)
        try:
            task = task_of(answer, self.world.tools)
            await realise(growth, task, recipe)
            asked = composition_request(task, growth)
            self.environment.restore(start)
            return await self.finisher.finish(recipe, draft, rng, Lineage(operator="write")), asked
        except DeadEnd as dead:
            return Issue(code="no_blueprint", message=str(dead)[:400], pointer=f"/recipe/{recipe.index}")
        finally:
            self.environment.restore(start)

    async def evolve(
        self, parent: Blueprint, direction: Direction, recipe: Recipe, operator: str = ""
    ) -> Blueprint | Issue:
        """Return a blueprint that an operator made of `parent`, easier, harder or otherwise; the issue where none did.

        `recipe` is the parent's own, or one like it that says for which index and which persona the blueprint is.
        """
        start = self.environment.snapshot()
        rng = Random(f"{recipe.seed}/{recipe.index}/evolve/{parent.id}")
        reason = "there is no such operator"
        try:
            for name in [operator] if operator else in_turn(direction, rng):
                self.environment.restore(start)
                try:
                    return await self._evolved(parent, direction, name, recipe, rng)
                except DeadEnd as dead:
                    reason = str(dead)
        finally:
            self.environment.restore(start)
        return Issue(code="no_evolution", message=f"nothing makes it {direction}: {reason}"[:400], pointer="/lineage")

    async def retell(self, parent: Blueprint, recipe: Recipe) -> Blueprint | Issue:
        """Return the task of `parent` as the persona of `recipe` tells it."""
        start = self.environment.snapshot()
        lineage = Lineage(parent=parent.id, operator="retell", revision=parent.lineage.revision + 1)
        try:
            draft, rng = await reopened(parent, self.environment), Random(f"{recipe.seed}/{recipe.index}/retell")
            tell(self._growth(draft, rng, None, recipe), recipe, fresh=False)
            self.environment.restore(start)
            return await self.finisher.finish(recipe, draft, rng, lineage)
        except DeadEnd as dead:
            return Issue(code="no_evolution", message=f"it cannot be told again: {dead}"[:400], pointer="/lineage")
        finally:
            self.environment.restore(start)

    async def _evolved(
        self, parent: Blueprint, direction: Direction, name: str, recipe: Recipe, rng: Random
    ) -> Blueprint:
        """Apply one operator, and hold the outcome against its direction.

        Raises:
            DeadEnd: it does not fit, or leads elsewhere than it should.
        """
        lineage = Lineage(parent=parent.id, operator=name, revision=parent.lineage.revision + 1)
        if name == "elsewhere":
            return await self._elsewhere(parent, recipe, rng, lineage)
        start, finisher = self.environment.snapshot(), self.finisher
        draft = await reopened(parent, self.environment)
        growth = replace(self._growth(draft, rng, self._who(parent, rng), recipe), temptations={})
        draft, told = await EVOLUTIONS[direction][name](growth, recipe)
        tell(self._growth(draft, rng, None, told), told, fresh=False)
        self.environment.restore(start)
        child = await finisher.finish(told, draft, rng, lineage)
        was, now = (score_of(task, finisher.rules, finisher.rows) for task in (parent, child))
        if (direction == "harder" and now <= was) or (direction == "easier" and now >= was):
            raise DeadEnd(f"{name} does not make it {direction}")
        if direction == "sideways" and child.signature() != parent.signature():
            raise DeadEnd(f"{name} changes the task")
        return child

    async def _elsewhere(self, parent: Blueprint, recipe: Recipe, rng: Random, lineage: Lineage) -> Blueprint:
        """Compose the like of a blueprint about other rows: the same goals in the same order, and other arguments.

        Raises:
            DeadEnd: no such one was found.
        """
        if recipe.pattern not in OPERATORS:
            raise DeadEnd("two tasks that were joined are not found together elsewhere")
        start, wanted = self.environment.snapshot(), structure(parent)
        for _ in range(ATTEMPTS // 3):
            self.environment.restore(start)
            try:
                draft = await self._grown(recipe, rng)
                self.environment.restore(start)
                found = await self.finisher.finish(recipe, draft, rng, lineage)
            except DeadEnd:
                continue
            if structure(found) == wanted and found.signature() != parent.signature():
                return found
        raise DeadEnd("nothing of the same structure was found elsewhere")

    def _who(self, parent: Blueprint, rng: Random) -> Subject | None:
        """Return the row that the user of a blueprint is, where that is known, else one of chance."""
        world = self.world
        for action in parent.actions:
            for pointer, resource in world.roles[action.tool].references.items():
                if resource == self.environment.toolset.user_resource and resource in world.resources:
                    known = world.subject(resource, value_at(action.arguments, pointer))
                    if known is not None:
                        return known
        return self._me(rng)

    async def _composed(self, recipe: Recipe, avoided: Avoided) -> Blueprint | Issue:
        """Try different draws for a recipe.

        The last half of the attempts make do with a plain task about the tool that the recipe aims at. Where no harm can be
        done with the tools at hand, recipes for safety scenarios get plain tasks.
        """
        start, again = self.environment.snapshot(), f"/{avoided.draw}" if avoided.draw else ""
        again += f"/after {len(self.start.messages)}" if self.start else ""
        reason, spare, repeated = "", None, 0
        try:
            instance = await self._instance(recipe)
            shared = recipe.pair if instance is not None or recipe.safety is None else ""
            for attempt in range(ATTEMPTS):
                self.environment.restore(start)
                rng = Random(f"{shared or f'{recipe.seed}/{recipe.index}'}/{attempt}{again}")
                try:
                    made = await self._drawn(recipe, instance, rng, attempt)
                    check_same_person(made, self.person, self.world)
                    check_news(made, self.start)
                except DeadEnd as dead:
                    reason = str(dead)
                    continue
                repetition = avoided.repeats(made)
                if not repetition:
                    return made
                reason, spare, repeated = f"each draw repeats {repetition}", spare or made, repeated + 1
                if repeated == REPETITIONS:
                    break
        finally:
            self.environment.restore(start)
        if spare is not None and not avoided.draw:
            return spare
        return Issue(code="no_blueprint", message=f"{recipe.target}: {reason}"[:400], pointer=f"/recipe/{recipe.index}")

    async def _drawn(self, recipe: Recipe, instance: Instance | None, rng: Random, attempt: int) -> Blueprint:
        start, easy = self.environment.snapshot(), attempt >= EASY
        if instance is not None:
            return await self._safe(recipe, instance, rng)
        if recipe.pattern == "recombined" and not easy:
            return await self._recombined(recipe, rng)
        draft = await self._grown(_plain(recipe) if easy else recipe, rng, attempt=attempt)
        self.environment.restore(start)
        return await self.finisher.finish(recipe, draft, rng)

    async def _grown(self, recipe: Recipe, rng: Random, me: Subject | None = None, attempt: int = 0) -> Draft:
        """Let a draft grow whose user is `me`, or anybody."""
        draft = self._draft()
        growth = self._growth(draft, rng, me or self._me(rng), recipe, easy=attempt >= EASY)
        growth.resolver.chooser.anybody = me is None and not self.person
        elsewhere = ELSEWHERE <= attempt < EASY and recipe.pattern not in BY_RULES
        await grow(growth, recipe, self._suiting(growth, recipe.pattern), elsewhere)
        if not self._worthwhile(draft):
            await growth.another(tries=12)
        if not self._worthwhile(draft):
            raise DeadEnd("nothing changes and nothing can be said")
        await behave(growth, recipe)
        return draft

    async def _instance(self, recipe: Recipe) -> Instance | None:
        """Return what the triple of a safety scenario is about."""
        if recipe.safety is None:
            return None
        growth = self._growth(self._draft(), Random(0), None, recipe)
        return await self.triples.instance(growth, recipe)

    async def _safe(self, recipe: Recipe, instance: Instance, rng: Random) -> Blueprint:
        """Compose one twin of a safety scenario; the environment is left in the state that it began in."""
        start = self.environment.snapshot()
        try:
            draft = self._draft()
            await scenario(self._growth(draft, rng, self._me(rng), recipe), instance, recipe)
            self.environment.restore(start)
            return await self.finisher.finish(recipe, draft, rng)
        finally:
            self.environment.restore(start)

    async def _recombined(self, recipe: Recipe, rng: Random) -> Blueprint:
        """Join two tasks of one person, each of them sound by itself."""
        start, drafts, parents = self.environment.snapshot(), list[Draft](), list[str]()
        names = [tool.name for tool in self._growth(self._draft(), rng, None, recipe).callable()]
        names = [name for name in names if not self._registers(name)]
        if recipe.target not in names:
            raise DeadEnd("who is only being registered is nobody yet")
        both = halves(recipe, rng, names)
        me = self._me(rng, set[str]().union(*(needed_of(self.world, half.target) for half in both)))
        for half in both:
            draft = await self._grown(half, rng, me)
            self.environment.restore(start)
            parents.append((await self.finisher.finish(half, draft, rng)).id)
            self.environment.restore(start)
            drafts.append(draft)
        draft = joined(*drafts)
        if any(self._registers(step.tool) for step in draft.steps):
            raise DeadEnd("who is only being registered is nobody yet")
        await behave(self._growth(draft, rng, me, recipe), recipe, live=False)
        return await self.finisher.finish(recipe, draft, rng, Lineage(parent="+".join(parents), operator="recombine"))

    def _registers(self, name: str) -> bool:
        """Tell whether a tool makes a new user."""
        role = self.world.roles[name]
        return role.operation == "create" and role.resource == self.environment.toolset.user_resource

    def _me(self, rng: Random, needed: Collection[str] = ()) -> Subject | None:
        """Choose the row that the user is, where users are a resource of their own: who it was before, if that is known.

        Else it is one who has what is needed.
        """
        same = [*self.acquainted] or sorted(self.person)
        if same:
            return self.world.subject(*same[-1])
        known = self.owners.users(needed)
        return self.world.subject(str(self.environment.toolset.user_resource), rng.choice(known)) if known else None

    def _growth(self, draft: Draft, rng: Random, me: Subject | None, recipe: Recipe, easy: bool = False) -> Growth:
        world, toolset = self.world, self.environment.toolset
        identified = any(rule.kind == "identify_first" for rule in toolset.rules)
        texts = texts_in(recipe.language, toolset)
        chooser = Chooser(world, draft, rng, self._inputs_of, me, self.owners, texts=texts)
        picker = Picker(world, draft, rng, recipe.described)
        resolver = Resolver(
            world, self.graph, self.producers, draft, rng, chooser, picker, identified, lenient=easy, describing=recipe.described,
            volunteered=VOLUNTEERED[recipe.difficulty],
        )  # fmt: skip
        return Growth(resolver, self.finisher.reports, self.policy, self.search_tool, self._temptations)

    def _inputs_of(self, name: str) -> Inputs:
        """Return what is the same in all calls of a tool."""
        if name not in self._inputs:
            self._inputs[name] = inputs_of(self.world, name)
        return self._inputs[name]

    def _suiting(self, growth: Growth, pattern: Pattern) -> tuple[str, ...]:
        """Return the tools that a pattern can be made of."""
        if pattern not in self._suited:
            suits, _ = OPERATORS[pattern]
            self._suited[pattern] = tuple(tool.name for tool in growth.callable() if suits(growth, tool.name))
        return self._suited[pattern]

    def _worthwhile(self, draft: Draft) -> bool:
        """Tell whether something changes, is said, or is rightly left undone."""
        if bool(since(self.base, self.environment.changes())) or any(step.withheld for step in draft.steps):
            return True
        return all(not goal.tool for goal in draft.goals) or any(map(self.finisher.reports.tells, draft.steps))


def _plain(recipe: Recipe) -> Recipe:
    """Return the recipe of a plain task about the same tool: every third one has several goals.

    Where few calls lead to others, most patterns come to this, and single calls would be most of what there is.
    """
    goals = max(2, recipe.goals) if recipe.goals > 1 or recipe.index // 2 % 3 == 0 else 1
    pattern = "multi_goal" if goals > 1 else "sequential"
    return recipe.model_copy(
        update={"pattern": pattern, "goals": goals, "twin": "", "described": False, "behaviours": ()}
    )
