"""A draft -> its actions in the order of their calls, run once more from the opening state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interplay.generators.blueprints.arguments.item_descriptions import descriptions
from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft, Step
from interplay.generators.blueprints.drafting.ended_rows import check_not_ended
from interplay.generators.blueprints.finishing.due_duties import due_duties
from interplay.generators.blueprints.finishing.relied_results import check_evidence, repeated, values_when_reported
from interplay.generators.blueprints.growth.dialogue_moments import interrupted
from interplay.generators.results.result_kinds import is_empty
from interplay.schemas.json.canonical import Change, at_pointer, digest, since, value_at
from interplay.schemas.protocols import Environment, Policy, PolicyEvent
from interplay.schemas.records.blueprint import Action, DueDuty, Fact, Goal, Origin
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import ToolRole


@dataclass(frozen=True)
class Rerun:
    """The rerun actions of a draft, their results by id, and their changes; `renamed` maps step ids to action ids.

    `late` holds what reads would return when their request is reported, where a write came after them.
    """

    actions: tuple[Action, ...]
    values: Mapping[str, Any]
    renamed: Mapping[str, str]
    changed: tuple[Change, ...]
    late: Mapping[str, Any]


async def run_again(draft: Draft, environment: Environment, policy: Policy | None) -> Rerun:
    """Run the actions of a draft in the order of their calls; the environment is left in the resulting state.

    Raises:
        DeadEnd: in this order an action has another outcome, changes an ended row, or breaks the policy.
    """
    roles = environment.resources.by_tool
    base = environment.changes()
    steps = sorted(draft.steps, key=lambda step: interrupted(draft, step))
    renamed = {step.id: f"a{number + 1}" for number, step in enumerate(steps)}
    actions: list[Action] = []
    values: dict[str, Any] = {}
    seen: dict[str, Any] = {}
    told: dict[str, Any] = {}
    history: list[tuple[ToolCall, ToolResult]] = list(draft.past)
    twins, changes, changed_by = repeated(steps), 0, dict[str, int]()
    for place, step in enumerate(steps):
        if step.id in twins and changed_by[twins[step.id]] == changes:
            raise DeadEnd(f"{step.tool} would be called twice with nothing changed in between")
        updates = step.withheld is None and step.tool in roles and roles[step.tool].operation == "update"
        patches = step.withheld is None and step.tool in roles and roles[step.tool].operation == "action"
        was = environment.changes() if patches else ()
        changed_by[step.id], state = changes, environment.digest() if twins or updates else ""
        check_not_ended(step.tool, step.arguments, steps[:place], roles)
        await check_evidence(draft, steps, place, environment, seen, roles)
        origins = {pointer: _renamed(origin, renamed) for pointer, origin in step.origins.items()}
        _check_origins(step, origins, values)
        _check_choices(draft.facts, origins, values)
        call = ToolCall(id="compose01", name=step.tool, arguments=dict(step.arguments), requestor=step.requestor)
        duties: tuple[DueDuty, ...] = ()
        if policy is not None:
            event = PolicyEvent(call, tuple(history), environment.state(), confirmed=True)
            _check_policy(step, policy, event)
            duties = due_duties(event, step.withheld, environment, policy)
        result: ToolResult | None = None
        if step.withheld is None:
            result = await environment.call(call)
            _check_result(step, result, draft.goals[step.goal])
            history.append((call, result))
            if updates and not step.misses and environment.digest() == state:
                raise DeadEnd(f"{step.tool} would change nothing")
            if patches and _only_noted(since(was, environment.changes())) and _shows_given(step, result.value, roles):
                raise DeadEnd(f"{step.tool} would set what is so already")
            changes += bool(twins) and environment.digest() != state
            seen[step.id] = values[renamed[step.id]] = result.value
        actions.append(
            Action(
                id=renamed[step.id],
                goal=step.goal,
                tool=step.tool,
                requestor=step.requestor,
                arguments=dict(step.arguments),
                origins=origins,
                depends_on=tuple(renamed[needed] for needed in step.depends_on),
                withheld=step.withheld,
                duties=duties,
                result="" if result is None else result.digest(),
                failed=result is not None and result.error is not None,
            )
        )
        told |= await values_when_reported(draft, steps, place, environment)
    _check_conditions(draft.goals, renamed, values)
    late = {renamed[name]: value for name, value in told.items()}
    return Rerun(tuple(actions), values, renamed, since(base, environment.changes()), late)


def _only_noted(changes: Sequence[Change]) -> bool:
    """Tell whether changes only add to the log of events."""
    return all(change.path.startswith("/events/") for change in changes)


def _shows_given(step: Step, value: Any, roles: Mapping[str, ToolRole]) -> bool:
    """Tell whether a result shows all arguments of a step that are no identities."""
    named = {"id", "uuid", *(pointer[1:] for pointer in roles[step.tool].references)}
    given = {name: item for name, item in step.arguments.items() if name not in named}
    shown = value if isinstance(value, Mapping) else {}
    return len(given) > 0 and all(shown.get(name) == item for name, item in given.items())


def _check_origins(step: Step, origins: dict[str, Origin], values: dict[str, Any]) -> None:
    """Check that the values which a step takes from earlier results are still there.

    Raises:
        DeadEnd: an earlier step hides or changes it.
    """
    for pointer, origin in origins.items():
        if origin.kind == "output":
            try:
                held = at_pointer(values[str(origin.action)], str(origin.pointer))
            except LookupError as failure:
                raise DeadEnd(f"an earlier step hides what {step.tool} needs") from failure
            given = at_pointer(step.arguments, pointer)
            if given not in (held, [held]) and str(given) != str(held):
                raise DeadEnd(f"an earlier step changes what {step.tool} needs")


def _check_policy(step: Step, policy: Policy, event: PolicyEvent) -> None:
    """Check that the policy forbids a step that is withheld for it, and no step that is executed.

    Raises:
        DeadEnd: it decides otherwise.
    """
    if step.withheld is not None and step.withheld.reason != "forbidden":
        return
    broken = [issue.code for issue in policy.violations(event)]
    if step.withheld is None and broken:
        raise DeadEnd(f"the policy forbids it: {broken[0]}")
    if step.withheld is not None and step.withheld.rule not in broken:
        raise DeadEnd(f"an earlier step makes allowed what {step.withheld.rule} forbade")


def _check_result(step: Step, result: ToolResult, goal: Goal) -> None:
    """Check that a step succeeds, or misses, as in the draft.

    Raises:
        DeadEnd: it fails, finds something by mistake, or a value that is asked for differs.
    """
    if step.misses and result.error is None and not is_empty(result.value):
        raise DeadEnd(f"{step.tool} finds something by what the user is wrong about")
    if result.error is not None and not step.misses:
        raise DeadEnd(f"{step.tool} failed when run in order: {result.error[:160]}")
    if goal.asks and step.asked and digest(result.value) != digest(step.value):
        raise DeadEnd(f"an earlier step changes what is asked of {step.tool}")


def _check_conditions(goals: Sequence[Goal], renamed: dict[str, str], values: dict[str, Any]) -> None:
    """Check that the value which a condition tests can still be read.

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
    """Check that what the user says still singles out the chosen item.

    Raises:
        DeadEnd: an earlier step has changed the list.
    """
    chosen = {fact.id: fact for fact in facts if fact.choice is not None and (fact.value or fact.description)}
    for origin in origins.values():
        fact = chosen.get(str(origin.fact))
        if fact is None or origin.kind != "output":
            continue
        holder, _, place = str(fact.choice).rpartition("/")
        items = at_pointer(values[str(origin.action)], holder)
        if fact.description is not None:
            if fact.description.model_copy(update={"same": ""}) not in descriptions(items, int(place)):
                raise DeadEnd("an earlier step makes what the user describes another one")
            continue
        fitting = [
            item for item in items if all(value_at(item, pointer) == said for pointer, said in fact.value.items())
        ]
        if len(fitting) != 1:
            raise DeadEnd("an earlier step makes a choice ambiguous")


def _renamed(origin: Origin, names: dict[str, str]) -> Origin:
    name = None if origin.action is None else names[origin.action]  # mostly unchanged
    return origin if name == origin.action else origin.model_copy(update={"action": name})
