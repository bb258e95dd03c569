"""A draft -> the blueprint: actions in their order, run once more, with what is expected of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from interplay.generators.blueprints.choosing import value_at
from interplay.generators.blueprints.draft import DeadEnd, Draft, Step
from interplay.generators.blueprints.offering import Offers
from interplay.generators.blueprints.task import Task
from interplay.generators.values.phrases import noun_of, topic_of
from interplay.generators.values.results import list_in
from interplay.generators.values.speakable import (
    MONEY,
    hint_of,
    label_of,
    schema_at,
    speakable,
    speakable_leaves,
    words_of,
)
from interplay.schemas.blueprint import (
    Action,
    Blueprint,
    Expected,
    ExpectedOutput,
    Fact,
    Goal,
    Origin,
    Pattern,
    Recipe,
    Scenario,
    with_identity,
)
from interplay.schemas.canonical import at_pointer
from interplay.schemas.dialogue import ToolCall
from interplay.schemas.protocols import Environment, Policy, PolicyEvent
from interplay.schemas.tools import Tool

SPOKEN_OUTPUTS, SPOKEN_ITEMS = 3, 3
"""Values that must be said of a result; items that must be named of a list."""


@dataclass(frozen=True)
class Finisher:
    """Turns drafts into blueprints; runs their actions once more, in the order in which they will be called."""

    environment: Environment
    policy: Policy | None = None
    search_tool: str | None = None

    @cached_property
    def toolset_digest(self) -> str:
        """The name of the toolset in blueprints."""
        return self.environment.toolset.digest()

    @cached_property
    def offers(self) -> Offers:
        """What decides on the tools that are offered."""
        return Offers(self.environment, self.search_tool)

    async def finish(self, recipe: Recipe, draft: Draft, rng: Random) -> Blueprint:
        """Order the actions as they will be called, run them once more from the start, and bind what is expected."""
        steps = sorted(draft.steps, key=lambda step: (step.request, step.level))
        renamed = {step.id: f"a{number + 1}" for number, step in enumerate(steps)}
        actions: list[Action] = []
        values: dict[str, Any] = {}
        history: list[tuple[ToolCall, Any]] = []
        for step in steps:
            origins = {pointer: _renamed(origin, renamed) for pointer, origin in step.origins.items()}
            self._check_origins(step, origins, values)
            _check_choices(draft.facts, origins, values)
            call = ToolCall(id="compose01", name=step.tool, arguments=dict(step.arguments))
            self._check_policy(call, history)
            result = await self.environment.call(call)
            if result.error is not None:
                raise DeadEnd(f"{step.tool} failed when run in order: {result.error[:160]}")
            history.append((call, result))
            values[renamed[step.id]] = result.value
            actions.append(
                Action(
                    id=renamed[step.id],
                    goal=step.goal,
                    tool=step.tool,
                    arguments=dict(step.arguments),
                    origins=origins,
                    depends_on=tuple(renamed[needed] for needed in step.depends_on),
                    result=result.digest(),
                )
            )
        return await self._blueprint(recipe, draft, rng, actions, values, renamed)

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

    def _check_policy(self, call: ToolCall, history: list[tuple[ToolCall, Any]]) -> None:
        if self.policy is None:
            return
        broken = self.policy.violations(PolicyEvent(call, tuple(history), self.environment.state(), confirmed=True))
        if broken:
            raise DeadEnd(f"the policy forbids it: {broken[0].code}")

    async def _blueprint(
        self,
        recipe: Recipe,
        draft: Draft,
        rng: Random,
        actions: list[Action],
        values: dict[str, Any],
        renamed: dict[str, str],
    ) -> Blueprint:
        steps = {renamed[step.id]: step for step in draft.steps}
        outputs = tuple(
            output.model_copy(update={"value": at_pointer(values[action.id], output.pointer)})
            for action in actions
            if self._reported(action, actions, draft.goals)
            for output in self.outputs(steps[action.id], action.id, values[action.id])
        )
        changed = self.environment.changes()
        if not outputs and not changed:
            raise DeadEnd("nothing changes and nothing can be said")
        early = _said_at_once(draft)
        facts = tuple(_renamed_fact(fact, renamed, fact.id in early) for fact in draft.facts)
        used = tuple(dict.fromkeys(action.tool for action in actions))
        out_of_scope = rng.choice(OUT_OF_SCOPE) if recipe.out_of_scope else ""
        goals = self._goals(draft)
        offered = await self.offers.offer(Task(recipe, goals, draft.requests, actions), rng)
        scenario = Scenario(
            persona=recipe.persona,
            requests=tuple(draft.requests),
            facts=facts,
            unknown=tuple(draft.unknown),
            out_of_scope=out_of_scope,
            early=offered.early,
        )
        return with_identity(
            Blueprint(
                id="",
                recipe=recipe,
                toolset=self.toolset_digest,
                pattern=pattern_of(draft.steps, draft.requests),
                goals=goals,
                actions=tuple(actions),
                expected=Expected(digest=self.environment.digest(), difference=changed, outputs=outputs),
                scenario=scenario,
                rules=self._rules(used),
                tools=offered.tools,
                changes=offered.changes,
            )
        )

    def _goals(self, draft: Draft) -> tuple[Goal, ...]:
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
        return tuple(goal.model_copy(update={"again": again.get(index, "")}) for index, goal in enumerate(draft.goals))

    def _rules(self, used: Sequence[str]) -> tuple[str, ...]:
        return tuple(
            rule.id for rule in self.environment.toolset.rules if not rule.tools or set(rule.tools) & set(used)
        )

    def _reported(self, action: Action, actions: list[Action], goals: list[Goal]) -> bool:
        """Tell whether an action is what its goal is about, rather than a look-up on the way."""
        last = [other for other in actions if other.goal == action.goal][-1]
        return action.tool == goals[action.goal].tool and action is last

    def outputs(self, step: Step, name: str, value: Any = None) -> list[ExpectedOutput]:
        value = step.value if value is None else value
        tool = self.environment.toolset.tool(step.tool)
        listing = isinstance(value, list) or self._operation(step.tool) == "list"
        pointer, items = list_in(value) if listing else ("", None)
        if items is not None:
            found = [f"{pointer}/{index}{below}" for index, below in _named(items[:SPOKEN_ITEMS])]
        else:
            given = {str(item).lower() for item in step.arguments.values()}
            spoken = list(speakable_leaves(value))
            fresh = [below for below, said in spoken if str(said).lower() not in given]
            told = [below for below, said in spoken if str(said).lower() in given]
            states = [below for below in fresh if set(label_of(below).split()) & {"status", "state"}]
            found = [*dict.fromkeys([*states[:1], *told[:1], *fresh])] if tool.effect == "write" and told else fresh
            by_label = {label_of(below): below for below in reversed(found)}
            found = [below for below in found if by_label[label_of(below)] == below][:SPOKEN_OUTPUTS]
            if any(set(label_of(below).split()) & MONEY for below in found):
                found = [below for below in found if "currency" not in label_of(below)]
        return [
            ExpectedOutput(
                action=name,
                pointer=below,
                label=_keyed(label_of(below), below, tool) if below else "result",
                value=at_pointer(value, below),
                hint=hint_of(schema_at(tool.returns, below)),
            )
            for below in found
        ]

    def _operation(self, tool: str) -> str:
        return self.environment.resources.role(tool).operation


OUT_OF_SCOPE = (
    "tell me what the weather will be tomorrow",
    "recommend a good restaurant nearby",
    "translate a letter into Italian for me",
    "help me with my tax return",
    "order me a taxi",
    "check last night's football results",
    "reset the password of my bank account",
    "play some music",
    "help me write a birthday card",
    "tell me if my parcel has left the post office",
)
"""Requests that no toolset of ours can serve."""


def _check_choices(facts: Sequence[Fact], origins: dict[str, Origin], values: dict[str, Any]) -> None:
    """Make sure that what the user says still tells the chosen item from the others.

    Raises:
        DeadEnd: an earlier step has changed the list.
    """
    chosen = {fact.id: fact for fact in facts if fact.reveal == "choice" and fact.value}
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


def _keyed(label: str, pointer: str, tool: Tool) -> str:
    """Return the label of a value; one that stands in a map is called by its key and by what the map holds."""
    holder, _, key = pointer.rpartition("/")
    schema = schema_at(tool.returns, holder)
    mapped = isinstance(schema.get("additionalProperties"), dict) and key not in schema.get("properties", {})
    held = words_of(holder.rpartition("/")[2]) if holder else topic_of(tool.original_name)
    return f"{held} for {label}" if mapped and held else label


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
        told = [fact for fact in draft.facts if fact.goal in indices and fact.reveal != "choice"]
        labels = Counter(fact.label for fact in told)
        tools = Counter(draft.goals[index].tool for index in indices)
        early |= {fact.id for fact in told if labels[fact.label] > 1 or tools[draft.goals[fact.goal].tool] > 1}
    return early


def _named(items: Sequence[Any]) -> list[tuple[int, str]]:
    """Return, for each item, the pointer of the field that names it: one that tells the items apart, if any does."""
    if not all(isinstance(item, dict) for item in items):
        return [(index, "") for index, item in enumerate(items) if speakable("", item)]
    options = [
        {below: said for below, said in speakable_leaves(item, naming=True) if not isinstance(said, bool)}
        for item in items
    ]
    shared = [pointer for pointer in (options[0] if options else ()) if all(pointer in option for option in options)]
    shared.sort(key=lambda pointer: not isinstance(options[0][pointer], str))
    distinct = [pointer for pointer in shared if len({str(option[pointer]) for option in options}) == len(options)]
    chosen = next(iter([*distinct, *shared]), None)
    if chosen is not None:
        return [(index, chosen) for index in range(len(items))]
    texts = [[below for below, said in option.items() if _is_text(said)] for option in options]
    return [(index, found[0]) for index, found in enumerate(texts) if found]


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not value[:1].isdigit()


def pattern_of(steps: Sequence[Step], requests: Sequence[tuple[int, ...]]) -> Pattern:
    """Return the pattern that steps really have, by their dependencies."""
    if len(requests) > 1:
        return "multi_goal"
    if len(steps) == 1:
        return "single"
    first = sum(step.level == 0 for step in steps)
    if first == len(steps):
        return "parallel"
    return "parallel_then_sequential" if first > 1 else "sequential"
