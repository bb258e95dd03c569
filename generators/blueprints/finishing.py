"""A draft -> the blueprint: actions in their order, run once more, with what is expected of them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from interplay.generators.blueprints.choosing import value_at
from interplay.generators.blueprints.difficulty import measured
from interplay.generators.blueprints.digressing import interrupted
from interplay.generators.blueprints.draft import DeadEnd, Draft, Step
from interplay.generators.blueprints.guiding import sights_of
from interplay.generators.blueprints.lateness import brought_late
from interplay.generators.blueprints.offering import Offers
from interplay.generators.blueprints.past import recalled
from interplay.generators.blueprints.reporting import Reports
from interplay.generators.blueprints.small_talk import wishes
from interplay.generators.blueprints.task import Task
from interplay.generators.values.people import hands_over
from interplay.generators.values.phrases import noun_of
from interplay.generators.values.results import is_empty
from interplay.schemas.behaviour import Behave
from interplay.schemas.blueprint import (
    Action,
    Blueprint,
    Expected,
    ExpectedOutput,
    Fact,
    Goal,
    Lineage,
    Origin,
    Pattern,
    Recipe,
    Scenario,
    Withheld,
    with_identity,
)
from interplay.schemas.canonical import Change, at_pointer, digest, since
from interplay.schemas.dialogue import Start, ToolCall, ToolResult
from interplay.schemas.protocols import Environment, Policy, PolicyEvent
from interplay.schemas.tools import PolicyRule


@dataclass(frozen=True)
class Finisher:
    """Turns drafts into blueprints; runs their actions once more, in the order in which they will be called.

    `rows` tells how many there are in the opening state; `start` is what came before, where that is not blank.
    """

    environment: Environment
    policy: Policy | None = None
    search_tool: str | None = None
    rows: int = 0
    start: Start | None = None

    @cached_property
    def toolset_digest(self) -> str:
        """The name of the toolset in blueprints."""
        return self.environment.toolset.digest()

    @cached_property
    def rules(self) -> dict[str, PolicyRule]:
        """The policy rules by their ids."""
        return {rule.id: rule for rule in self.environment.toolset.rules}

    @cached_property
    def offers(self) -> Offers:
        """What decides on the tools that are offered."""
        return Offers(self.environment, self.search_tool)

    @cached_property
    def reports(self) -> Reports:
        """What decides on the values that must be said."""
        return Reports(self.environment)

    async def finish(self, recipe: Recipe, draft: Draft, rng: Random, lineage: Lineage | None = None) -> Blueprint:
        """Order the actions as they will be called, run them once more from the start, and bind what is expected.

        Raises:
            DeadEnd: in this order they come out otherwise, or the policy forbids one.
        """
        base = self.environment.changes()
        steps = sorted(draft.steps, key=lambda step: interrupted(draft, step))
        renamed = {step.id: f"a{number + 1}" for number, step in enumerate(steps)}
        actions: list[Action] = []
        values: dict[str, Any] = {}
        history: list[tuple[ToolCall, Any]] = list(draft.past)
        for step in steps:
            origins = {pointer: _renamed(origin, renamed) for pointer, origin in step.origins.items()}
            self._check_origins(step, origins, values)
            _check_choices(draft.facts, origins, values)
            call = ToolCall(id="compose01", name=step.tool, arguments=dict(step.arguments), requestor=step.requestor)
            self._check_policy(call, history, step.withheld)
            result: ToolResult | None = None
            if step.withheld is None:
                result = await self.environment.call(call)
                if step.misses and result.error is None and not is_empty(result.value):
                    raise DeadEnd(f"{step.tool} finds something by what the user is wrong about")
                if result.error is not None and not step.misses:
                    raise DeadEnd(f"{step.tool} failed when run in order: {result.error[:160]}")
                if draft.goals[step.goal].asks and step.asked and digest(result.value) != digest(step.value):
                    raise DeadEnd(f"an earlier step changes what is asked of {step.tool}")
                history.append((call, result))
                values[renamed[step.id]] = result.value
            actions.append(_action(step, renamed, origins, result))
        _check_conditions(draft.goals, renamed, values)
        changed = since(base, self.environment.changes())
        return await self._blueprint(recipe, draft, rng, actions, values, renamed, lineage or Lineage(), changed)

    def _check_origins(self, step: Step, origins: dict[str, Origin], values: dict[str, Any]) -> None:
        for pointer, origin in origins.items():
            if origin.kind == "output":
                try:
                    held = at_pointer(values[str(origin.action)], str(origin.pointer))
                except LookupError as failure:
                    raise DeadEnd(f"an earlier step hides what {step.tool} needs") from failure
                given = at_pointer(step.arguments, pointer)
                if given not in (held, [held], str(held)):
                    raise DeadEnd(f"an earlier step changes what {step.tool} needs")

    def _check_policy(self, call: ToolCall, history: list[tuple[ToolCall, Any]], withheld: Withheld | None) -> None:
        """Make sure that the policy forbids what is withheld for that, and nothing else."""
        if self.policy is None or (withheld is not None and withheld.reason != "forbidden"):
            return
        event = PolicyEvent(call, tuple(history), self.environment.state(), confirmed=True)
        broken = [issue.code for issue in self.policy.violations(event)]
        if withheld is None and broken:
            raise DeadEnd(f"the policy forbids it: {broken[0]}")
        if withheld is not None and withheld.rule not in broken:
            raise DeadEnd(f"an earlier step makes allowed what {withheld.rule} forbade")

    async def _blueprint(
        self,
        recipe: Recipe,
        draft: Draft,
        rng: Random,
        actions: list[Action],
        values: dict[str, Any],
        renamed: dict[str, str],
        lineage: Lineage,
        changed: tuple[Change, ...],
    ) -> Blueprint:
        steps = {renamed[step.id]: step for step in draft.steps}
        try:
            outputs = tuple(
                output
                for action in actions
                if action.withheld is None and _reported(action, actions, draft.goals)
                if action.requestor == "assistant" or steps[action.id].asked  # of the others the user has told
                for output in self.reports.outputs(
                    steps[action.id], action.id, values[action.id], brief=bool(draft.goals[action.goal].each)
                )
            )
        except LookupError as failure:
            raise DeadEnd("an earlier step hides what would be said") from failure
        goals = self._goals(draft, renamed)
        outputs += tuple(
            _found_instead(goal, number, values, actions)
            for number, goal in enumerate(goals)
            if goal.condition is not None and not goal.condition.otherwise
        )
        outputs = tuple(output for output in outputs if output.action)
        if not outputs and not changed and not _rightly_idle(actions, goals):
            raise DeadEnd("nothing changes and nothing can be said")
        early = _said_at_once(draft)
        late = brought_late(draft, early, self.environment.toolset) if recipe.late else ""
        facts = tuple(_renamed_fact(fact, renamed, fact.id in early) for fact in draft.facts)
        facts = tuple(fact.model_copy(update={"reveal": "late"}) if fact.id == late else fact for fact in facts)
        known = recalled(facts, actions, self.start, self.environment, draft.behaviours)
        facts = tuple(fact.model_copy(update={"reveal": "before"}) if fact.id in known else fact for fact in facts)
        goals = tuple(
            goal.model_copy(update={"again": known[name]}) if not goal.again and name is not None else goal
            for number, goal in enumerate(goals)
            for name in [next((fact.id for fact in facts if fact.id in known and fact.goal == number), None)]
        )
        used = tuple(dict.fromkeys(action.tool for action in actions))
        served = any(goal.tool for goal in goals)
        out_of_scope = rng.choice(wishes(self.environment.toolset)) if recipe.out_of_scope and served else ""
        own = [tool.name for tool in self.environment.toolset.tools if tool.requestor == "user"]
        called = [action for action in actions if action.requestor == "assistant"]
        offered = await self.offers.offer(Task(recipe, goals, draft.requests, called), rng)
        scenario = Scenario(
            persona=recipe.persona,
            language=recipe.language,
            requests=tuple(draft.requests),
            facts=facts,
            unknown=tuple(draft.unknown),
            out_of_scope=out_of_scope,
            early=offered.early,
            pressure=recipe.pressure if draft.pressed or any(action.withheld for action in actions) else None,
            motive=draft.motive,
            tools=tuple(own),
            sights=sights_of(actions, values, self.reports),
            behaviours=(
                *draft.behaviours,
                *([Behave(kind="asks_impossible", request=len(draft.requests) - 1)] if out_of_scope else ()),
            ),
        )
        made = Blueprint(
            id="",
            recipe=recipe,
            toolset=self.toolset_digest,
            pattern=pattern_of(draft, recipe, lineage, offered.early is not None),
            goals=goals,
            actions=tuple(actions),
            expected=Expected(digest=self.environment.digest(), difference=changed, outputs=outputs),
            scenario=scenario,
            rules=self._rules(used),
            tools=tuple(dict.fromkeys([*(self.start.tools if self.start else ()), *offered.tools])),
            changes=offered.changes,
            lookalikes=self.offers.lookalikes.among(
                [*offered.tools, *(name for change in offered.changes for name in change.added)], used
            ),
            lineage=lineage,
            safety=draft.safety,
            start=self.start,
        )
        return with_identity(made.model_copy(update={"difficulty": measured(made, self.rules, self.rows)}))

    def _goals(self, draft: Draft, renamed: dict[str, str]) -> tuple[Goal, ...]:
        """Return the goals, marked where they are about something that an earlier request has dealt with."""
        toolset, roles = self.environment.toolset, {role.tool: role for role in self.environment.resources.roles}
        requests = {step.id: step.request for step in draft.steps}
        again: dict[int, str] = {}
        for step in draft.steps:
            for pointer, origin in step.origins.items():
                resource = roles[step.tool].references.get(pointer)
                if (
                    origin.action is None
                    or requests[origin.action] == step.request
                    or resource in (None, toolset.user_resource)
                ):
                    continue
                if _newly_chosen(origin, step.request, draft.steps):
                    continue
                if roles[step.tool].operation not in ("list", "create") or step.tool == draft.goals[step.goal].tool:
                    again.setdefault(step.goal, toolset.nouns.get(str(resource)) or noun_of(resource))
        return tuple(
            goal.model_copy(
                update={
                    "again": again.get(index, goal.again),
                    "each": renamed.get(goal.each, ""),
                    "condition": goal.condition
                    and goal.condition.model_copy(update={"action": renamed[goal.condition.action]}),
                }
            )
            for index, goal in enumerate(draft.goals)
        )

    def _rules(self, used: Sequence[str]) -> tuple[str, ...]:
        return tuple(
            rule.id for rule in self.environment.toolset.rules if not rule.tools or set(rule.tools) & set(used)
        )


def _action(step: Step, renamed: dict[str, str], origins: dict[str, Origin], result: ToolResult | None) -> Action:
    """Return the action of a step, with what is known of its result; of one that is withheld there is none."""
    return Action(
        id=renamed[step.id],
        goal=step.goal,
        tool=step.tool,
        requestor=step.requestor,
        arguments=dict(step.arguments),
        origins=origins,
        depends_on=tuple(renamed[needed] for needed in step.depends_on),
        withheld=step.withheld,
        result="" if result is None else result.digest(),
        failed=result is not None and result.error is not None,
    )


def _reported(action: Action, actions: Sequence[Action], goals: Sequence[Goal]) -> bool:
    """Tell whether an action is what its goal is about, rather than a look-up on the way."""
    goal = goals[action.goal]
    own = [other for other in actions if other.goal == action.goal]
    while own[-1].requestor == "user" and own[-1].tool != goal.tool:
        own.pop()  # the user only looks what has come of it
    return action.tool == goal.tool and (action is own[-1] or bool(goal.each))


def _rightly_idle(actions: Sequence[Action], goals: Sequence[Goal]) -> bool:
    """Tell whether it is right to do nothing: no tool serves what is wanted, or it must not be done."""
    return any(action.withheld for action in actions) or not any(goal.tool for goal in goals)


def _found_instead(goal: Goal, number: int, values: dict[str, Any], actions: Sequence[Action]) -> ExpectedOutput:
    """Return the value to be said where the condition of a goal does not hold."""
    condition = goal.condition
    assert condition is not None
    held_back = any(action.goal == number and action.withheld for action in actions)
    return ExpectedOutput(
        action=condition.action if held_back else "",
        pointer=condition.pointer,
        label=condition.label,
        value=at_pointer(values[condition.action], condition.pointer),
        hint=condition.hint,
    )


def _check_conditions(goals: Sequence[Goal], renamed: dict[str, str], values: dict[str, Any]) -> None:
    """Make sure that what a goal depends on can still be read.

    Raises:
        DeadEnd: an earlier step hides it.
    """
    for goal in goals:
        if (
            goal.condition is not None
            and value_at(values[renamed[goal.condition.action]], goal.condition.pointer) is None
        ):
            raise DeadEnd("an earlier step hides what a goal depends on")


def _check_choices(facts: Sequence[Fact], origins: dict[str, Origin], values: dict[str, Any]) -> None:
    """Make sure that what the user says still tells the chosen item from the others.

    Raises:
        DeadEnd: an earlier step has changed the list.
    """
    chosen = {fact.id: fact for fact in facts if fact.choice is not None and fact.value}
    for origin in origins.values():
        fact = chosen.get(str(origin.fact))
        if fact is None or origin.kind != "output":
            continue
        items = at_pointer(values[str(origin.action)], str(fact.choice).rsplit("/", 1)[0])
        fitting = [
            item for item in items if all(value_at(item, pointer) == said for pointer, said in fact.value.items())
        ]
        if len(fitting) != 1:
            raise DeadEnd("an earlier step makes a choice ambiguous")


def _newly_chosen(origin: Origin, request: int, steps: Sequence[Step]) -> bool:
    """Tell whether something is picked for the first time out of a list that an earlier request has brought up."""
    earlier = (other for step in steps if step.request < request for other in step.origins.values())
    return origin.fact is not None and all(other.fact != origin.fact for other in earlier)


def _renamed(origin: Origin, names: dict[str, str]) -> Origin:
    return origin if origin.action is None else origin.model_copy(update={"action": names[origin.action]})


def _renamed_fact(fact: Fact, names: dict[str, str], early: bool) -> Fact:
    if fact.action is not None:
        return fact.model_copy(update={"action": names[fact.action]})
    return fact.model_copy(update={"reveal": "opening"}) if early else fact


def _said_at_once(draft: Draft) -> set[str]:
    """Return the facts that must come with the request: those that could not be asked for without naming a goal."""
    early: set[str] = set()
    for indices in draft.requests:
        told = [fact for fact in draft.facts if fact.goal in indices and fact.reveal in ("opening", "asked", "late")]
        told = [fact for fact in told if not (fact.instead_of and fact.reveal == "asked")]
        labels = Counter(fact.label for fact in told)
        tools = Counter(draft.goals[index].tool for index in indices)
        early |= {fact.id for fact in told if labels[fact.label] > 1 or tools[draft.goals[fact.goal].tool] > 1}
    return early


def pattern_of(draft: Draft, recipe: Recipe, lineage: Lineage, early: bool) -> Pattern:
    """Return the pattern that a draft really has: the one that its recipe asks for where it has several."""
    found = list(_patterns(draft, lineage, early))
    return (
        recipe.pattern if recipe.pattern in found else next(pattern for pattern in found if pattern != "missing_tool")
    )


def _patterns(draft: Draft, lineage: Lineage, early: bool) -> Iterator[Pattern]:
    """Yield all patterns that a draft has, the most particular first."""
    if early:
        yield "missing_tool"
    if draft.guided:
        yield "guided"
    if not draft.steps:
        yield "no_call"
    reasons = {step.withheld.reason for step in draft.steps if step.withheld}
    tools = (draft.environment.toolset.tool(goal.tool) for goal in draft.goals if goal.tool)
    handed = ("forbidden" in reasons or not all(goal.tool for goal in draft.goals)) and any(map(hands_over, tools))
    if handed:
        yield "handover"
    elif "forbidden" in reasons:
        yield "refusal"
    if "unknown" in reasons:
        yield "ask"
    if any(goal.condition for goal in draft.goals):
        yield "conditional"
    if any(goal.each for goal in draft.goals):
        yield "fan_out"
    if any(fact.instead_of and fact.reveal == "opening" for fact in draft.facts):
        yield "iterative_search"
    if any(step.asked for step in draft.steps):
        yield "question"
    if lineage.operator == "recombine":
        yield "recombined"
    if len(draft.requests) > 1:
        yield "multi_goal"
    if len(draft.steps) == 1:
        yield "single"
    waves = Counter((step.request, step.level) for step in draft.steps)
    if any(count > 1 and waves[request, level + 1] for (request, level), count in waves.items()):
        yield "parallel_then_sequential"
    if any(
        len({(step.request, step.level) for step in last}) < len(last) for last in _last_steps(draft) if len(last) > 1
    ):
        yield "parallel"
    if any(len(_used(step)) > 1 for step in draft.steps):
        yield "fan_in"
    yield "sequential"


def _last_steps(draft: Draft) -> Iterator[list[Step]]:
    """Yield, for each request, the steps that its goals are about."""
    for goals in draft.requests:
        yield [[step for step in draft.steps if step.goal == goal][-1] for goal in goals if draft.goals[goal].tool]


def _used(step: Step) -> set[str]:
    return {str(origin.action) for origin in step.origins.values() if origin.action is not None}
