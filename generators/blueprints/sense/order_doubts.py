"""What calls do one after the other, and how goals go together -> reasons to doubt that anybody would want that."""

from collections.abc import Iterator
from typing import Any

from interplay.generators.blueprints.sense.machine_tools import makes_anew
from interplay.generators.blueprints.sense.weighed_task import WeighedTask
from interplay.generators.phrases.speakable_values import is_opaque
from interplay.generators.results.result_kinds import is_empty
from interplay.generators.values.texts.ideas import is_called
from interplay.schemas.calls.antecedent import referred
from interplay.schemas.json.canonical import canonical_json, last_name, leaves, starred, value_at
from interplay.schemas.records.behaviour import Behaviour
from interplay.schemas.records.blueprint import Action, Doubt, Origin
from interplay.schemas.records.tool import READING
from interplay.schemas.records.tool_graph import Edge
from interplay.schemas.words.identifiers import name_tokens

DELETED, CHANGED, READ = 0.6, 0.55, 0.25
"""How much sense a task loses where something that was made a moment ago is deleted, changed or looked at."""

POINTLESS = 0.55
"""How much it loses where something is wanted of a thing that the same dialogue ends: approve it, then delete it."""

SHOWN, ASKED = 0.3, 0.4
"""The same of a look at what a list has shown already, and of a question that it has answered, in a task about that look or
one in which it may fail; it is pointless in others."""

FORTH_AND_BACK, ELSEWHERE, DOUBTFUL, UNRELATED, APART = 0.55, 0.55, 0.4, 0.3, 0.55
"""The same of a field that is set twice, of a thing found in a list of something else, of a doubtful edge, of a goal that
has nothing to do with any other, and of one that has nothing to do with those of the same request."""

SCATTERED = 0.55
"""The same of a goal about another thing than all others, where little is known of the tools: one thing at a time."""

CHAIN, LINK = 3, 0.1
"""Look-ups that a person has patience for until one thing is done, and how much sense each further one costs."""

PLACES = 0.12
"""How much it loses where the user looks around in another place than before: the projects of a second workspace."""

ANEW: Behaviour = "changes_mind_late"
"""The behaviour by which something is undone or done otherwise."""


def registers_late(task: WeighedTask) -> Iterator[Doubt]:
    """Yield where somebody is registered after the user has been somebody already."""
    known = False
    for action in task.blueprint.actions:
        role = task.role(action)
        if known and role.operation == "create" and role.resource == task.user is not None:
            yield Doubt(code="not_made", cost=POINTLESS, detail=action.tool, action=action.id)
        known = known or (task.user is not None and task.user in role.references.values())


def looks_into_new(task: WeighedTask) -> Iterator[Doubt]:
    """Yield where somebody looks for what belongs to a thing that was made a moment ago, and finds nothing, as was clear."""
    made = {action.id for action in task.blueprint.actions if task.operation(action) == "create"}
    for action in task.served:
        of_new = any(origin.action in made for origin in action.origins.values())
        looks = task.world.tools[action.tool].effect == "read" and not task.is_phrased(action)
        if looks and of_new and is_empty(task.values.get(action.id)):
            yield Doubt(code="just_made", cost=POINTLESS, detail=action.tool, action=action.id)


def shown_before(task: WeighedTask) -> Iterator[Doubt]:
    """Yield where somebody looks at one thing for no more than a list, or another look at it, has shown of it."""
    for action in task.served:
        recipe = task.blueprint.recipe
        tolerated = action.tool == recipe.target or bool(recipe.faults)  # where the look fails, the list tells it
        if task.operation(action) != "read" or (tolerated and task.is_phrased(action)):
            continue
        asked = [
            (last_name(pointer), value_at(task.values.get(action.id), pointer))
            for question in task.blueprint.goals[action.goal].asks_for
            for pointer in question.pointers
            if question.action == action.id
        ]
        asked = asked or [
            (last_name(out.pointer), out.value)
            for out in task.blueprint.expected.outputs
            if task.blueprint.goals[action.goal].asks and out.action == action.id
        ]
        wanted = asked or [(last_name(at), value) for at, value in leaves(task.values.get(action.id))]
        shown = [is_same for is_same, row in _rows_shown(task, action) if all(told in row for told in wanted)]
        if wanted and shown:
            named = len(asked) == 1 and any(map(is_called, name_tokens(asked[0][0])[-1:]))  # by which one took it
            cost = ASKED if task.blueprint.goals[action.goal].asks else SHOWN
            cost = POINTLESS if named or not tolerated or any(shown) else cost
            yield Doubt(code="shown_before", cost=cost, detail=action.tool, action=action.id)


def _rows_shown(task: WeighedTask, action: Action) -> Iterator[tuple[bool, list[tuple[str, Any]]]]:
    """Yield what was shown of the rows from which an action takes what it is about, by the names of fields.

    And before it, whether nothing else was looked at there.
    """
    for origin in action.origins.values():
        above = str(origin.pointer).rpartition("/")[0]
        source = task.actions.get(str(origin.action))
        row = value_at(task.values.get(str(origin.action)), above)
        looked = source is not None and task.operation(source) in READING
        if origin.kind == "output" and (above or looked) and row is not None:
            yield not above, [(last_name(at), value) for at, value in leaves(row)]


def undone_makings(task: WeighedTask) -> Iterator[Doubt]:
    """Yield what is done to a thing that the same dialogue has made, where it is not what its user changes its mind about."""
    if task.blueprint.scenario.behaves(ANEW) is not None:
        return
    costs = {"delete": DELETED, "update": CHANGED, "read": READ}
    for action in task.blueprint.actions:
        cost = (
            DELETED if task.ends(action) else costs.get("update" if task.edits(action) else task.operation(action), 0.0)
        )
        for pointer, origin in action.origins.items() if cost else ():
            source = task.actions.get(str(origin.action))
            own = referred(task.role(action), pointer) == task.role(action).resource is not None
            if source is None or task.operation(source) != "create":
                continue
            ends = task.ends(action) and not task.is_phrased(action)  # a mark on what has none yet
            if ends or (own and task.role(source).resource == task.role(action).resource):
                if cost != READ and _in_one_breath(task, source, action):
                    cost = POINTLESS
                elif cost == CHANGED and not _is_found(task, action, pointer):
                    cost = READ  # nothing but making it lets anybody speak of it
                elif cost == READ and not task.is_phrased(action) and _is_found(task, action, pointer):
                    cost = POINTLESS
                yield Doubt(code="just_made", cost=cost, detail=f"{source.tool} > {action.tool}", action=action.id)
                break


def _in_one_breath(task: WeighedTask, first: Action, second: Action) -> bool:
    """Tell whether a user wants two things in one request: whoever knows already how it is to be, makes it so."""
    return any({first.goal, second.goal} <= set(goals) for goals in task.blueprint.scenario.requests)


def _is_found(task: WeighedTask, action: Action, pointer: str) -> bool:
    """Tell whether anything but making a thing, or a look at that very thing, shows what an argument names."""
    makers = (task.world.roles[edge.producer] for edge in task.found_into(action.tool, starred(pointer)))
    named = referred(task.role(action), pointer)
    return any(role.operation in READING and named not in role.references.values() for role in makers)


def wholesale_writes(task: WeighedTask) -> Iterator[Doubt]:
    """Yield the goals that write to each thing of a list that nothing narrows: delete every buckslip there is, or all orders."""
    for action in task.served:
        if task.ends(action) and not action.arguments and not task.is_phrased(action):
            yield Doubt(code="written_to_all", cost=POINTLESS, detail=action.tool, action=action.id)
    for number, goal in enumerate(task.blueprint.goals):
        each = task.actions.get(goal.each)
        if each is None or task.rows(each) or any(origin.kind == "user" for origin in each.origins.values()):
            continue
        writes = [one for one in task.served if one.goal == number and task.operation(one) not in READING]
        if writes and not task.is_phrased(writes[0]):
            yield Doubt(code="written_to_all", cost=POINTLESS, detail=goal.intent, action=writes[0].id)


def silent_choices(task: WeighedTask) -> Iterator[Doubt]:
    """Yield the identities taken from a list of several of which the user has said nothing: uploads of any campaign.

    A list may stand in the one row of another, or in the one that the user has chosen: a step of an order's history. What
    is done to each thing of a list takes these from that list, and all else as any other call does. What a call can do
    without is not looked up where the user has told nothing of it.
    """
    for action in task.blueprint.actions:
        each = task.blueprint.goals[action.goal].each
        for pointer, origin in action.origins.items():
            source, fact = task.actions.get(str(origin.action)), task.facts.get(str(origin.fact))
            if origin.kind != "output" or source is None or (each and source.id == each):
                continue
            chosen = None if fact is None else fact.choice
            said = chosen if chosen is not None else "" if origin.fact is None else str(origin.pointer)
            several = _is_one_of_several(task.values.get(source.id), str(origin.pointer), said)
            needed = pointer.split("/")[1] in task.world.tools[action.tool].parameters.get("required", ())
            unasked = not needed and origin.fact is None and not _is_told(task, source)
            if (several or unasked) and referred(task.role(action), pointer) is not None:
                detail = f"{source.tool} > {action.tool} {pointer}"
                yield Doubt(code="silent_choice", cost=ELSEWHERE, detail=detail, action=action.id)


def _is_told(task: WeighedTask, action: Action) -> bool:
    """Tell whether the user has told anything of what an action, or one before it, shows."""
    told = any(origin.kind in ("user", "past") or origin.fact is not None for origin in action.origins.values())
    before = (task.actions.get(str(origin.action)) for origin in action.origins.values())
    return told or any(_is_told(task, source) for source in before if source is not None and source.id != action.id)


def _is_one_of_several(value: Any, pointer: str, said: str) -> bool:
    """Tell whether a list on the way to a place in a result has several items, below the item that is `said`."""
    place = pointer.split("/")
    ways = ("/".join(place[:at]) for at, part in enumerate(place) if part.isdigit())
    lists = (value_at(value, way) for way in ways if len(way) >= len(said))
    return any(isinstance(listed, list) and len(listed) > 1 for listed in lists)


def changes_back(task: WeighedTask) -> Iterator[Doubt]:
    """Yield the changes of a field that the same dialogue has changed before."""
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
    """Yield what is deleted after another goal of the same dialogue was about it: nobody sees to a thing that is to go.

    Where people have said how they ask for the tools, one may well look at a thing before it goes.
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
    """Yield the calls that are to make or copy a thing, and answer with the very thing that they name: a return label that is the label."""
    for action in task.served:
        tool = task.world.tools[action.tool]
        makes = makes_anew(tool) and task.operation(action) in ("action", "update") and not task.is_phrased(action)
        shown = {str(value) for _, value in leaves(task.values.get(action.id))} if makes else set[str]()
        if any(key in shown for _, key in task.own_rows(action)):
            yield Doubt(code="not_made", cost=POINTLESS, detail=action.tool, action=action.id)


def after_the_end(task: WeighedTask) -> Iterator[Doubt]:
    """Yield what is wanted of a thing, or of what is part of it, that the same dialogue has deleted before."""
    ended = set[tuple[str, str]]()
    for action in (action for action in task.served if not action.withheld and not action.failed):
        if task.rows(action) & ended and task.blueprint.scenario.behaves(ANEW) is None:
            yield Doubt(code="after_the_end", cost=POINTLESS, detail=action.tool, action=action.id)
        if task.ends(action):
            ended |= task.own_rows(action)


def own_endings(task: WeighedTask) -> Iterator[Doubt]:
    """Yield what is done to the user's own row, of which the user speaks as if it were anybody's: delete a user.

    A row that a look shows without being told which one, the caller's, counts as the user's own: nobody is changed through it.
    """
    for action in task.served:
        if task.operation(action) in READING or task.is_phrased(action):
            continue
        for pointer, origin in action.origins.items():
            named, source = referred(task.role(action), pointer), task.actions.get(str(origin.action))
            if named is None or named != task.role(action).resource:
                continue
            alone = source is not None and not source.arguments and task.operation(source) == "read"
            if (named == task.user and task.ends(action)) or alone:
                yield Doubt(code="own_ending", cost=POINTLESS, detail=action.tool, action=action.id)


def listed_and_used(task: WeighedTask) -> Iterator[Doubt]:
    """Yield the lists, asked for whole, of which another goal only takes one thing: see all labels, and delete a label."""
    served = {action.id for action in task.served}
    for action in task.served:
        for origin in action.origins.values():
            source = task.actions.get(str(origin.action))
            if source is None or source.id not in served or source.goal == action.goal:
                continue
            narrowed = any(given.kind == "user" for given in source.origins.values()) or task.rows(source)
            apart = narrowed or task.is_phrased(action) or task.blueprint.goals[action.goal].condition is not None
            if task.operation(source) == "list" and not apart and not task.blueprint.goals[action.goal].each:
                yield Doubt(code="listed_and_used", cost=SCATTERED, detail=action.tool, action=source.id)
                break


def strange_sources(task: WeighedTask) -> Iterator[Doubt]:
    """Yield the identities that are picked from a list of other things, made for that alone: a parent page from comments.

    One thing may well lead to another that it belongs to; and a user may describe what it means by something else.
    """
    wanted = {goal.tool for goal in task.blueprint.goals}
    for action in task.blueprint.actions:
        for pointer, origin in action.origins.items():
            source, resource = task.actions.get(str(origin.action)), referred(task.role(action), pointer)
            if source is None or origin.kind != "output":
                continue
            fact, shown = task.facts.get(str(origin.fact)), task.role(source).resource
            picked = fact is not None and fact.choice is not None and fact.description is None
            unsaid = fact is None and not task.is_phrased(action)
            listed = (picked or unsaid) and task.operation(source) == "list"
            other = resource is not None and shown not in (None, resource)
            meant = source.tool in wanted and (not listed or task.is_phrased(action))
            meant = meant or _is_of_what_is_meant(task, action, origin)
            if other and (listed or _stands_for_nothing(task, source)) and not meant:
                detail = f"{source.tool} > {action.tool} {pointer}"
                cost = ELSEWHERE if listed else UNRELATED
                yield Doubt(code="picked_elsewhere", cost=cost, detail=detail, action=action.id)


def _is_of_what_is_meant(task: WeighedTask, action: Action, origin: Origin) -> bool:
    """Tell whether an identity stands in the row that a later call for the same goal is about: the doctor of what is moved."""
    row = str(origin.pointer).rpartition("/")[0]
    return any(
        taken.action == origin.action and str(taken.pointer).rpartition("/")[0] == row
        for other in task.blueprint.actions
        if other.goal == action.goal and other.id != action.id
        for pointer, taken in other.origins.items()
        if referred(task.role(other), pointer) == task.role(other).resource
    )


def _stands_for_nothing(task: WeighedTask, look: Action) -> bool:
    """Tell whether a look at one row is at any one that the user was made to choose or to say the code of."""
    own = (origin for at, origin in look.origins.items() if referred(task.role(look), at) == task.role(look).resource)
    facts = [task.facts[str(origin.fact)] for origin in own if origin.fact in task.facts]
    told = any(fact.description is None and (fact.choice is not None or is_opaque(fact.value)) for fact in facts)
    return task.operation(look) == "read" and told and not task.is_phrased(look)


def taken_by_the_way(task: WeighedTask) -> Iterator[Doubt]:
    """Yield the identities of other things that are taken from what a write returns: the visitor of an event just sent."""
    for action in task.blueprint.actions:
        for pointer, origin in action.origins.items():
            source, resource = task.actions.get(str(origin.action)), referred(task.role(action), pointer)
            if source is None or origin.kind != "output" or resource is None or task.operation(source) in READING:
                continue
            if task.role(source).resource not in (None, resource) and action.goal != source.goal:
                detail = f"{source.tool} > {action.tool} {pointer}"
                yield Doubt(code="taken_by_the_way", cost=ELSEWHERE, detail=detail, action=action.id)


def doubtful_links(task: WeighedTask) -> Iterator[Doubt]:
    """Yield the values that are passed on along an edge of which little is known."""
    for action in task.blueprint.actions:
        for pointer, origin in action.origins.items():
            source = task.actions.get(str(origin.action)) if origin.kind == "output" else None
            if source is None:
                continue
            ends = source.tool, starred(str(origin.pointer))
            if _is_doubtful(task, action.tool, starred(pointer), ends):
                detail = f"{source.tool} {ends[1]} > {action.tool} {pointer}"
                yield Doubt(code="doubtful_link", cost=DOUBTFUL, detail=detail, action=action.id)


def _is_doubtful(task: WeighedTask, tool: str, pointer: str, ends: tuple[str, str]) -> bool:
    """Tell whether of all edges between two fields little is known, and none was seen to hold when it was run."""

    def is_between(edge: Edge) -> bool:
        return (edge.producer, edge.output) == ends

    found = list(filter(is_between, task.found_into(tool, pointer)))
    doubtful = bool(found) and all(edge.doubtful for edge in found)
    return doubtful and not any(edge.verified for edge in task.into(tool, pointer, is_between))


def unrelated_goals(task: WeighedTask) -> Iterator[Doubt]:
    """Yield the goals that share neither a thing nor a kind of thing with any other, nor take what another one shows."""
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
    """Yield the goals that have nothing to do with any goal before them, where nobody has said how people ask for their tools.

    Two goals belong together where they are about the same row, where one takes a value that the other shows, or where they
    use the same tool. Goals that name no row belong together where they are about the same resource, as two looks at the
    user's own affairs, or where one is about no resource. A conditional goal and a step of the user always serve another goal.
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


def _touched(task: WeighedTask, goal: int) -> set[str]:
    """Return the resources that the calls of a goal are about or name."""
    found = set[str]()
    for action in (action for action in task.blueprint.actions if action.goal == goal):
        role = task.role(action)
        found |= {str(role.resource)} if role.resource else set()
        found |= {
            resource for pointer, resource in role.references.items() if pointer.split("/")[1] in action.arguments
        }
    return found


def long_ways(task: WeighedTask) -> Iterator[Doubt]:
    """Yield the look-ups that are too many until a goal is served."""
    for number, goal in enumerate(task.blueprint.goals):
        made = [action for action in task.blueprint.actions if action.goal == number and action.tool != goal.tool]
        for action in made[CHAIN:]:
            yield Doubt(code="long_way", cost=LINK, detail=goal.intent, action=action.id)


def other_places(task: WeighedTask) -> Iterator[Doubt]:
    """Yield the look-ups that go on in another row than those before, of a kind that is named for look-ups alone."""
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
