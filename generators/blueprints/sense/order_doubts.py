"""The order of a task's writes -> reasons to doubt that anybody would want them."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from interplay.generators.blueprints.drafting.ended_rows import ends_row
from interplay.generators.blueprints.sense.machine_tools import makes_anew
from interplay.generators.blueprints.sense.weighed_task import POINTLESS, WeighedTask
from interplay.generators.values.lifetimes import is_over, tells_state
from interplay.schemas.calls.antecedent import referred
from interplay.schemas.json.canonical import canonical_json, leaves, starred, value_at
from interplay.schemas.records.behaviour import Behaviour
from interplay.schemas.records.blueprint import Action, Doubt
from interplay.schemas.records.tool import READING
from interplay.schemas.words.word_classes import can_be_verb

DELETED, CHANGED, READ = 0.6, 0.55, 0.25
"""Shares of sense lost where a row that was just created is deleted, changed or read."""

FORTH_AND_BACK = 0.55
"""Share of sense lost where a field is set twice."""

AGAIN = 0.15
"""Share of sense lost where a second request ends a row of the same kind."""

ELSEWHERE, DOUBTFUL = 0.55, 0.4
"""Shares of sense lost by an identity from a list of several that the user said nothing about, and by a doubtful edge."""

ANEW: Behaviour = "changes_mind_late"
"""The behaviour by which something is undone or done differently."""


def registers_late(task: WeighedTask) -> Iterator[Doubt]:
    """Yield registrations of a user after calls about an existing user."""
    known = False
    for action in task.blueprint.actions:
        role = task.role(action)
        if known and role.operation == "create" and role.resource == task.user is not None:
            yield Doubt(code="not_made", cost=POINTLESS, detail=action.tool, action=action.id)
        known = known or (task.user is not None and task.user in role.references.values())


def undone_makings(task: WeighedTask) -> Iterator[Doubt]:
    """Yield calls on a row that the same dialogue has created, unless the user changes its mind."""
    if task.blueprint.scenario.behaves(ANEW) is not None:
        return
    costs = {"delete": DELETED, "update": CHANGED, "read": READ}
    for action in task.blueprint.actions:
        over = task.ends(action) or (
            task.operation(action) in ("action", "delete") and ends_row(task.role(action), task.world)
        )
        cost = DELETED if over else costs.get("update" if task.edits(action) else task.operation(action), 0.0)
        undoing = action in task.served and _undoes(task.blueprint.goals[action.goal].intent)
        cost = POINTLESS if undoing else cost
        for pointer, origin in action.origins.items() if cost else ():
            source = task.actions.get(str(origin.action))
            own = referred(task.role(action), pointer) == task.role(action).resource is not None
            if source is None or task.operation(source) != "create":
                continue
            ends = task.ends(action) and not task.is_phrased(action)  # takes something off a row that has nothing yet
            if ends or (own and task.role(source).resource == task.role(action).resource):
                if cost != READ and _in_one_breath(task, source, action):
                    cost = POINTLESS
                elif cost == CHANGED and not _is_found(task, action, pointer):
                    cost = READ  # only creating it shows its identity
                elif cost == READ and not task.is_phrased(action) and _is_found(task, action, pointer):
                    cost = POINTLESS
                yield Doubt(code="just_made", cost=cost, detail=f"{source.tool} > {action.tool}", action=action.id)
                break


def _undoes(intent: str) -> bool:
    """Tell whether a wish reverses another action: "unarchive a list"."""
    verb = intent.partition(" ")[0]
    return verb.startswith("un") and can_be_verb(verb.removeprefix("un"))


def _in_one_breath(task: WeighedTask, first: Action, second: Action) -> bool:
    """Tell whether two actions belong to one request: the first could have been made right at once."""
    return any({first.goal, second.goal} <= set(goals) for goals in task.blueprint.scenario.requests)


def _is_found(task: WeighedTask, action: Action, pointer: str) -> bool:
    """Tell whether a read that does not need the row's identity shows it."""
    makers = (task.world.roles[edge.producer] for edge in task.found_into(action.tool, starred(pointer)))
    named = referred(task.role(action), pointer)
    return any(role.operation in READING and named not in role.references.values() for role in makers)


def silent_choices(task: WeighedTask) -> Iterator[Doubt]:
    """Yield identities taken from one of several items about which the user has said nothing: uploads of any campaign.

    Rows that the user has asked about are meant by "the same". Lists inside of a chosen item count only below it: a step
    of an order's history. Goals for each item of a list take its items without a choice. Identities for optional
    arguments count as well, if the user has told nothing for their look-up.
    """
    for action in task.blueprint.actions:
        each = task.blueprint.goals[action.goal].each
        for pointer, origin in action.origins.items():
            source, fact = task.actions.get(str(origin.action)), task.facts.get(str(origin.fact))
            if origin.kind != "output" or source is None or (each and source.id == each):
                continue
            chosen = None if fact is None else fact.choice
            said = chosen if chosen is not None else "" if origin.fact is None else str(origin.pointer)
            said = said or _asked_about(task, source, str(origin.pointer).rpartition("/")[0])
            several = _is_one_of_several(task.values.get(source.id), str(origin.pointer), said)
            needed = pointer.split("/")[1] in task.world.tools[action.tool].required
            unasked = not needed and origin.fact is None and not _is_told(task, source)
            if (several or unasked) and referred(task.role(action), pointer) is not None:
                detail = f"{source.tool} > {action.tool} {pointer}"
                yield Doubt(code="silent_choice", cost=ELSEWHERE, detail=detail, action=action.id)


def _asked_about(task: WeighedTask, source: Action, item: str) -> str:
    """Return the pointer of an item if the user has asked something about it; else empty."""
    goal = task.blueprint.goals[source.goal]
    pointers = (at for question in goal.asks_for if question.action == source.id for at in question.pointers)
    return item if goal.asks and any(at.startswith(f"{item}/") for at in pointers) else ""


def _is_told(task: WeighedTask, action: Action) -> bool:
    """Tell whether the user has told anything for an action, or for one whose result it uses."""
    told = any(origin.kind in ("user", "past") or origin.fact is not None for origin in action.origins.values())
    before = (task.actions.get(str(origin.action)) for origin in action.origins.values())
    return told or any(_is_told(task, source) for source in before if source is not None and source.id != action.id)


def _is_one_of_several(value: Any, pointer: str, said: str) -> bool:
    """Tell whether a list on the way to a place in a result, below the item `said`, has several items."""
    place = pointer.split("/")
    ways = ("/".join(place[:at]) for at, part in enumerate(place) if part.isdigit())
    lists = (value_at(value, way) for way in ways if len(way) >= len(said))
    return any(isinstance(listed, list) and len(listed) > 1 for listed in lists)


def repeated_deeds(task: WeighedTask) -> Iterator[Doubt]:
    """Yield a second, different action on one row: a recommendation is accepted, then dismissed."""
    if task.blueprint.scenario.behaves(ANEW) is not None:
        return
    done: dict[tuple[str, str], Action] = {}
    for action in task.served:
        if task.operation(action) == "action" and not task.is_phrased(action):
            before = {done.setdefault(row, action).tool for row in task.own_rows(action)} - {action.tool}
            for tool in sorted(before):
                yield Doubt(code="done_twice", cost=POINTLESS, detail=f"{tool} > {action.tool}", action=action.id)


def repeated_requests(task: WeighedTask) -> Iterator[Doubt]:
    """Yield requests for what an earlier one was for, with the same tool: somebody who cancels three visits says so at once.

    A second such request is doubted if it ends a row, a third one in any case.
    """
    place = {goal: request for request, goals in enumerate(task.blueprint.scenario.requests) for goal in goals}
    before: dict[str, set[int]] = defaultdict(set)
    for action in task.served:
        known, request = before[action.tool], place.get(action.goal, 0)
        if known and request not in known and (len(known) > 1 or task.ends(action)):
            cost = POINTLESS if len(known) > 1 else AGAIN
            yield Doubt(code="asked_again", cost=cost, detail=action.tool, action=action.id)
        known.add(request)


def changes_back(task: WeighedTask) -> Iterator[Doubt]:
    """Yield updates of a field that the same dialogue has updated before."""
    if task.blueprint.scenario.behaves(ANEW) is not None:
        return
    set_before = set[tuple[str, str, str]]()
    for action in task.blueprint.calls:
        if task.operation(action) != "update":
            continue
        given = list(leaves(action.arguments))
        row = canonical_json([value for pointer, value in given if referred(task.role(action), pointer) is not None])
        fields = {(action.tool, row, pointer) for pointer, _ in given if referred(task.role(action), pointer) is None}
        if fields & set_before:
            yield Doubt(code="changed_twice", cost=FORTH_AND_BACK, detail=action.tool, action=action.id)
        set_before |= fields


def wanted_before_deleted(task: WeighedTask) -> Iterator[Doubt]:
    """Yield deletions of a row that another goal was about: nobody works on what is to be deleted.

    Reads with authored wishes are exempt: people may look at a thing before they delete it.
    """
    if task.blueprint.scenario.behaves(ANEW) is not None:
        return
    before: list[Action] = []
    for action in (action for action in task.served if not action.withheld):
        if task.ends(action):
            ended = task.rows(action)
            for other in before:
                alike = task.role(other).resource == task.role(action).resource or task.own_rows(action)
                looks = task.operation(other) in READING and task.is_phrased(other)
                if ended and ended <= task.rows(other) and alike and other.goal != action.goal and not looks:
                    detail = f"{other.tool} > {action.tool}"
                    yield Doubt(code="wanted_and_deleted", cost=POINTLESS, detail=detail, action=action.id)
                    break
        before.append(action)


def not_made(task: WeighedTask) -> Iterator[Doubt]:
    """Yield calls that should create or copy something, but return the very row that they name."""
    for action in task.served:
        tool = task.world.tools[action.tool]
        makes = makes_anew(tool) and task.operation(action) in ("action", "update") and not task.is_phrased(action)
        shown = {str(value) for _, value in leaves(task.values.get(action.id))} if makes else set[str]()
        if any(key in shown for _, key in task.own_rows(action)):
            yield Doubt(code="not_made", cost=POINTLESS, detail=action.tool, action=action.id)


def after_the_end(task: WeighedTask) -> Iterator[Doubt]:
    """Yield calls about a row that the same dialogue has deleted before, or about a part of it."""
    ended = set[tuple[str, str]]()
    for action in (action for action in task.served if not action.withheld and not action.failed):
        if task.rows(action) & ended and task.blueprint.scenario.behaves(ANEW) is None:
            yield Doubt(code="after_the_end", cost=POINTLESS, detail=action.tool, action=action.id)
        if task.ends(action):
            ended |= task.own_rows(action)


def unasked_endings(task: WeighedTask) -> Iterator[Doubt]:
    """Yield updates that end a row by its status without confirmation, where other endings need one."""
    confirmed = {
        tool for rule in task.world.environment.toolset.rules if rule.kind == "confirm_before" for tool in rule.tools
    }
    for action in task.served:
        given = [value for name, value in action.arguments.items() if tells_state(name)]
        unasked = bool(confirmed) and action.tool not in confirmed and not task.is_phrased(action)
        if task.operation(action) == "update" and unasked and any(map(is_over, given)):
            yield Doubt(code="ended_unasked", cost=POINTLESS, detail=action.tool, action=action.id)


def own_endings(task: WeighedTask) -> Iterator[Doubt]:
    """Yield writes to the user's own row that are worded as if it were anybody's: delete a user.

    A row that a read without arguments shows, the caller's, counts as the user's own.
    """
    for action in task.served:
        if task.operation(action) in READING or task.is_phrased(action):
            continue
        for pointer, origin in action.origins.items():
            named, source = referred(task.role(action), pointer), task.actions.get(str(origin.action))
            if named is None or named != task.role(action).resource:
                continue
            unasked = source is not None and not source.arguments and task.operation(source) == "read"
            alone = unasked and starred(origin.pointer or "") == origin.pointer  # not one of several
            if (named == task.user and task.ends(action)) or alone:
                yield Doubt(code="own_ending", cost=POINTLESS, detail=action.tool, action=action.id)
