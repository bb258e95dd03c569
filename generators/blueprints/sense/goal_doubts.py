"""How the goals of a task go together -> reasons to doubt that anybody has them at once."""

from collections.abc import Iterator, Mapping
from typing import Any

from interplay.generators.blueprints.drafting.draft import Draft
from interplay.generators.blueprints.sense.weighed_task import POINTLESS, WeighedTask
from interplay.generators.graph.edge_verification import values_at
from interplay.generators.graph.sampling.world import World
from interplay.schemas.calls.antecedent import own_identities, referred
from interplay.schemas.json.canonical import leaves, split_pointer
from interplay.schemas.records.blueprint import Action, Doubt
from interplay.schemas.records.tool import READING

UNRELATED, APART = 0.3, 0.55
"""Share of sense lost by a goal unrelated to all others, and by one unrelated to those of the same request."""

SCATTERED = 0.55
"""Share of sense lost by a goal about other rows than all before, where its tool has no authored wishes."""

PLACES = 0.12
"""Share of sense lost where a look-up moves to another parent row: the projects of a second workspace."""


def unrelated_goals(task: WeighedTask) -> Iterator[Doubt]:
    """Yield goals that share no resource with any other goal, nor pass a value to or from one."""
    about = [_touched(task, number) for number in range(len(task.blueprint.goals))]
    of = {action.id: action.goal for action in task.blueprint.actions}
    for action in task.blueprint.actions:
        for source in {of[origin.action] for origin in action.origins.values() if origin.action in of} - {action.goal}:
            about[source].add(f"{source} > {action.goal}")
            about[action.goal].add(f"{source} > {action.goal}")
    served = [number for number, goal in enumerate(task.blueprint.goals) if goal.tool]
    for number in served[1:]:
        beside = next((goals for goals in task.blueprint.scenario.requests if number in goals), ())
        together = [other for other in beside if other != number and other in served]
        alone = [
            not any(about[number] & about[other] for other in others if other != number)
            for others in (together, served)
        ]
        if (together and number != beside[0] and alone[0]) or alone[1]:
            cost = APART if together and alone[0] else UNRELATED
            yield Doubt(code="unrelated_goal", cost=cost, detail=task.blueprint.goals[number].intent)


def scattered_goals(task: WeighedTask) -> Iterator[Doubt]:
    """Yield goals that have nothing to do with any goal before them, where their tools have no authored wishes.

    Two goals belong together where they are about the same row, where one takes a value that the other shows, or where
    they use the same tool. Goals that name no row belong together where they are about the same resource, or where one is
    about no resource. Conditional goals and calls of the user always belong to another goal.
    """
    served = {action.id for action in task.served}
    linked = {
        frozenset((task.actions[str(origin.action)].goal, action.goal))
        for action in task.blueprint.actions
        for origin in action.origins.values()
        if origin.action in served
    }
    before: list[Action] = []
    for action in task.served:
        own = task.world.tools[action.tool].requestor == "user"
        together = (
            not before or own or task.is_phrased(action) or task.blueprint.goals[action.goal].condition is not None
        )
        for other in before:
            kinds = task.role(other).resource, task.role(action).resource
            rows = task.rows(other), task.rows(action)
            same = bool(rows[0] & rows[1]) or (not any(rows) and (None in kinds or kinds[0] == kinds[1]))
            together = together or same or other.tool == action.tool or {other.goal, action.goal} in linked
        if not together:
            detail = task.blueprint.goals[action.goal].intent
            yield Doubt(code="scattered_goal", cost=SCATTERED, detail=detail, action=action.id)
        before.append(action)


def is_scattered(draft: Draft, world: World, tool: str, arguments: Mapping[str, Any] | None = None) -> bool:
    """Tell whether one more goal would be scattered, by its tool and arguments, or by its tool whatever its arguments are."""
    role, own = world.roles[tool], world.tools[tool]
    goals = {draft.goals[step.goal].tool for step in draft.steps}
    if not goals or own.requestor == "user" or own.phrases.wishes or tool in goals:
        return False
    user = world.environment.toolset.user_resource
    known = {(kind, key) for kind, key in draft.identities if kind != user}
    if arguments is not None:
        named = ((referred(role, at), str(value)) for at, value in leaves(arguments))
        rows = {(kind, key) for kind, key in named if kind not in (None, user)}
        shown = {
            (world.roles[step.tool].resource, str(key))
            for step in draft.steps
            for pointer in own_identities(world.roles[step.tool])
            for key in values_at(step.value, split_pointer(pointer))
        }
        return bool(rows) and rows.isdisjoint(known | shown)
    acted = {world.roles[step.tool].resource for step in draft.steps}
    if not {*acted, *(kind for kind, _ in known)}.isdisjoint(role.references.values()):
        return False
    if not set(world.needed_references(tool).values()) <= {user}:
        return True
    kinds = {world.roles[name].resource for name in goals if name}
    return role.resource is not None and None not in kinds and role.resource not in kinds


def _touched(task: WeighedTask, goal: int) -> set[str]:
    """Return the resources that the calls of a goal act on or refer to."""
    found = set[str]()
    for action in (action for action in task.blueprint.actions if action.goal == goal):
        role = task.role(action)
        found |= {str(role.resource)} if role.resource else set()
        found |= {
            resource for pointer, resource in role.references.items() if pointer.split("/")[1] in action.arguments
        }
    return found


def other_places(task: WeighedTask) -> Iterator[Doubt]:
    """Yield look-ups that name another row of a resource than the calls before: of another workspace."""
    wanted = {goal.tool for goal in task.blueprint.goals}
    seen: dict[str, set[str]] = {}
    for action in task.blueprint.actions:
        for pointer, value in leaves(action.arguments):
            resource = referred(task.role(action), pointer)
            if resource in (None, task.user) or not isinstance(value, (str, int)):
                continue
            before = seen.setdefault(str(resource), set())
            if before and str(value) not in before and action.tool not in wanted:
                yield Doubt(code="other_place", cost=PLACES, detail=f"{action.tool} {pointer}", action=action.id)
            before.add(str(value))


def strange_homes(task: WeighedTask) -> Iterator[Doubt]:
    """Yield calls for a row below another row than that below which it was found: a member found in one team leaves another.

    Only rows in the path count: an argument in the body may say where the row is moved.
    """
    for action in task.served:
        tool = task.world.tools[action.tool]
        homes = {at: value for at, value in leaves(action.arguments) if tool.location(at[1:]) == "path"}
        for pointer, origin in action.origins.items():
            source = task.actions.get(str(origin.action))
            if source is None or pointer not in homes or referred(task.role(action), pointer) == task.user:
                continue
            seen = {referred(task.role(source), at): value for at, value in leaves(source.arguments)}
            above = ((referred(task.role(action), at), value) for at, value in homes.items() if at != pointer)
            if any(kind is not None and kind in seen and seen[kind] != value for kind, value in above):
                yield Doubt(code="other_home", cost=POINTLESS, detail=f"{action.tool} {pointer}", action=action.id)


def wholesale_writes(task: WeighedTask) -> Iterator[Doubt]:
    """Yield goals that write to every row of an unfiltered list, or end rows without naming one: delete all orders."""
    for action in task.served:
        if task.ends(action) and not action.arguments and not task.is_phrased(action):
            yield Doubt(code="written_to_all", cost=POINTLESS, detail=action.tool, action=action.id)
    for number, goal in enumerate(task.blueprint.goals):
        each = task.actions.get(goal.each)
        if each is None or task.rows(each) or any(origin.kind == "user" for origin in each.origins.values()):
            continue
        writes = [one for one in task.served if one.goal == number and task.operation(one) not in READING]
        if writes and (task.ends(writes[0]) or not task.is_phrased(writes[0])):
            yield Doubt(code="written_to_all", cost=POINTLESS, detail=goal.intent, action=writes[0].id)


def unnamed_changes(task: WeighedTask) -> Iterator[Doubt]:
    """Yield updates and deletions that do not say which row they change, although there are several."""
    for action in task.served:
        kind = task.role(action).resource
        held = task.world.resources.get(str(kind))
        if (
            held is None
            or held.identity is None
            or kind == task.user
            or task.operation(action) not in ("update", "delete")
        ):
            continue
        own = any(
            role.operation == "read" and role.resource == kind and kind not in role.references.values()
            for role in task.world.roles.values()
        )
        named = any(referred(task.role(action), at) == kind for at, _ in leaves(action.arguments))
        if not (own or named or task.is_phrased(action)) and len(task.world.subjects(str(kind))) > 1:
            yield Doubt(code="unnamed", cost=POINTLESS, detail=action.tool, action=action.id)


def same_twice(task: WeighedTask) -> Iterator[Doubt]:
    """Yield calls that take the same row in two sibling arguments: to compare a run with itself."""
    for action in task.blueprint.actions:
        named: dict[tuple[str, str], str] = {}
        for pointer, value in leaves(action.arguments):
            kind = referred(task.role(action), pointer)
            above, _, name = pointer.rpartition("/")
            if kind is None or kind == task.user or name.isdigit():
                continue
            if named.get((kind, str(value))) == above:
                yield Doubt(code="same_twice", cost=POINTLESS, detail=f"{action.tool} {pointer}", action=action.id)
            named[kind, str(value)] = above


def bare_makings(task: WeighedTask) -> Iterator[Doubt]:
    """Yield calls that create or act on something without any argument: to register a user from nothing."""
    for action in task.served:
        tool, known = task.world.tools[action.tool], task.role(action).resource in task.world.resources
        makes = task.operation(action) == "create" or (task.operation(action) == "action" and not known)
        if makes and tool.http is not None and not tool.properties and not task.is_phrased(action):
            yield Doubt(code="made_from_nothing", cost=POINTLESS, detail=action.tool, action=action.id)
