"""The look-ups of a task -> reasons to doubt that anybody would make them."""

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from interplay.generators.blueprints.sense.weighed_task import POINTLESS, WeighedTask
from interplay.generators.graph.sampling.essential_arguments import is_keyed
from interplay.generators.phrases.labels.identity_labels import NUMBERED as NUMBERED_THINGS
from interplay.generators.phrases.speakable_values import is_opaque
from interplay.generators.results.result_kinds import is_empty
from interplay.generators.values.texts.ideas import is_called
from interplay.schemas.calls.antecedent import referred
from interplay.schemas.json.canonical import last_name, leaves, starred, value_at
from interplay.schemas.records.blueprint import Action, Doubt, Fact, Origin
from interplay.schemas.records.tool import READING
from interplay.schemas.records.tool_graph import Edge
from interplay.schemas.words.identifiers import name_tokens

SHOWN, ASKED = 0.3, 0.4
"""Shares of sense lost by a read of what a list has shown already, and by a question that it has answered.

These hold where the task aims at that read, or where the read may fail; otherwise it is pointless.
"""

CODED = 0.4
"""Share of sense lost where an item of a list is chosen by its code alone."""

ELSEWHERE, DOUBTFUL = 0.55, 0.4
"""Shares of sense lost by an identity taken from a list of another resource, and by a doubtful edge."""

UNRELATED, APART = 0.3, 0.55
"""Shares of sense lost by a goal unrelated to all others, and by one unrelated to those of the same request."""

SCATTERED = 0.55
"""Share of sense lost by a goal that only lists what another goal then uses."""

CHAIN, LINK = 3, 0.1
"""Look-ups for one goal that people have patience for, and the share of sense that each further one costs."""


def looks_into_new(task: WeighedTask) -> Iterator[Doubt]:
    """Yield reads for what belongs to a row that was just created, which predictably find nothing."""
    made = {action.id for action in task.blueprint.actions if task.operation(action) == "create"}
    for action in task.served:
        of_new = any(origin.action in made for origin in action.origins.values())
        looks = task.world.tools[action.tool].effect == "read" and not task.is_phrased(action)
        if looks and of_new and is_empty(task.values.get(action.id)):
            yield Doubt(code="just_made", cost=POINTLESS, detail=action.tool, action=action.id)


def coded_choices(task: WeighedTask) -> Iterator[Doubt]:
    """Yield choices from a list by codes alone, none of which the user knew before."""
    for fact in task.facts.values():
        told = fact.value if fact.choice is not None and isinstance(fact.value, dict) else {}
        papers = NUMBERED_THINGS & {*name_tokens(fact.label)}  # people know order numbers
        if told and not papers and all(is_keyed(last_name(at)) for at in told) and not _is_phrased(task, fact):
            yield Doubt(code="code_chosen", cost=CODED, detail=fact.label, action=fact.action)


def _is_phrased(task: WeighedTask, fact: Fact) -> bool:
    action = task.actions.get(str(fact.action))
    return action is not None and task.is_phrased(action)


def shown_before(task: WeighedTask) -> Iterator[Doubt]:
    """Yield reads of one row that show no more than a list, or another read, has shown already."""
    for action in task.served:
        recipe = task.blueprint.recipe
        tolerated = action.tool == recipe.target or bool(recipe.faults)  # where the read fails, the list tells it
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
            named = len(asked) == 1 and any(map(is_called, name_tokens(asked[0][0])[-1:]))  # the name it was chosen by
            cost = ASKED if task.blueprint.goals[action.goal].asks else SHOWN
            cost = POINTLESS if named or not tolerated or any(shown) else cost
            yield Doubt(code="shown_before", cost=cost, detail=action.tool, action=action.id)


def _rows_shown(task: WeighedTask, action: Action) -> Iterator[tuple[bool, list[tuple[str, Any]]]]:
    """Yield the rows in results that an action takes values from or that were read before, as (field, value) pairs.

    Each is preceded by whether it is a whole result rather than part of one.
    """
    own, before = task.own_rows(action), takewhile(lambda earlier: earlier.id != action.id, task.blueprint.actions)
    for earlier in before:
        if own and task.operation(earlier) == "read" and own == task.own_rows(earlier):
            yield True, [(last_name(at), value) for at, value in leaves(task.values.get(earlier.id))]
    for origin in action.origins.values():
        above = str(origin.pointer).rpartition("/")[0]
        source = task.actions.get(str(origin.action))
        row = value_at(task.values.get(str(origin.action)), above)
        looked = source is not None and task.operation(source) in READING
        if origin.kind == "output" and (above or looked) and row is not None:
            yield not above, [(last_name(at), value) for at, value in leaves(row)]


def listed_and_used(task: WeighedTask) -> Iterator[Doubt]:
    """Yield goals that only list what another goal uses one row of: see all labels, and delete a label."""
    served = {action.id for action in task.served}
    for action in task.served:
        for origin in action.origins.values():
            source = task.actions.get(str(origin.action))
            if source is None or source.id not in served or source.goal == action.goal:
                continue
            narrowed = any(given.kind == "user" for given in source.origins.values()) or bool(task.rows(source))
            goals = task.blueprint.goals
            asked = goals[source.goal].asks  # an answer may well lead to an action
            apart = narrowed or asked or task.is_phrased(action) or goals[action.goal].condition is not None
            if task.operation(source) == "list" and not apart and not goals[action.goal].each:
                yield Doubt(code="listed_and_used", cost=SCATTERED, detail=action.tool, action=source.id)
                break


def strange_sources(task: WeighedTask) -> Iterator[Doubt]:
    """Yield identities taken from lists of another resource made only for that: a parent page from comments.

    Exempt are results that a goal asks for, and rows that the user describes by another row.
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
    """Tell whether an identity stands in the row that another call of the same goal acts on: its doctor."""
    row = str(origin.pointer).rpartition("/")[0]
    return any(
        taken.action == origin.action and str(taken.pointer).rpartition("/")[0] == row
        for other in task.blueprint.actions
        if other.goal == action.goal and other.id != action.id
        for pointer, taken in other.origins.items()
        if referred(task.role(other), pointer) == task.role(other).resource
    )


def _stands_for_nothing(task: WeighedTask, look: Action) -> bool:
    """Tell whether a read shows an arbitrary row, which the user had to choose or to give the code of."""
    own = (origin for at, origin in look.origins.items() if referred(task.role(look), at) == task.role(look).resource)
    facts = [task.facts[str(origin.fact)] for origin in own if origin.fact in task.facts]
    told = any(fact.description is None and (fact.choice is not None or is_opaque(fact.value)) for fact in facts)
    return task.operation(look) == "read" and told and not task.is_phrased(look)


def taken_by_the_way(task: WeighedTask) -> Iterator[Doubt]:
    """Yield identities of other resources taken from the result of a write: the visitor of an event just sent."""
    for action in task.blueprint.actions:
        for pointer, origin in action.origins.items():
            source, resource = task.actions.get(str(origin.action)), referred(task.role(action), pointer)
            if source is None or origin.kind != "output" or resource is None or task.operation(source) in READING:
                continue
            if task.role(source).resource not in (None, resource) and action.goal != source.goal:
                detail = f"{source.tool} > {action.tool} {pointer}"
                yield Doubt(code="taken_by_the_way", cost=ELSEWHERE, detail=detail, action=action.id)


def doubtful_links(task: WeighedTask) -> Iterator[Doubt]:
    """Yield values that are passed along a doubtful edge."""
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
    """Tell whether all edges between two fields are doubtful, and none was verified by running it."""

    def is_between(edge: Edge) -> bool:
        return (edge.producer, edge.output) == ends

    found = list(filter(is_between, task.found_into(tool, pointer)))
    doubtful = bool(found) and all(edge.doubtful for edge in found)
    return doubtful and not any(edge.verified for edge in task.into(tool, pointer, is_between))


def long_ways(task: WeighedTask) -> Iterator[Doubt]:
    """Yield look-ups beyond the number that people have patience for."""
    for number, goal in enumerate(task.blueprint.goals):
        made = [action for action in task.blueprint.actions if action.goal == number and action.tool != goal.tool]
        for action in made[CHAIN:]:
            yield Doubt(code="long_way", cost=LINK, detail=goal.intent, action=action.id)
