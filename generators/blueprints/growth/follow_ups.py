"""A draft -> the same with one more request or goal, if possible about rows that came up before."""

from itertools import islice
from typing import Any

from interplay.generators.blueprints.drafting.draft import DeadEnd, Step
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.graph.sampling.world import Subject
from interplay.schemas.calls.antecedent import identities_shown, referred
from interplay.schemas.json.canonical import leaves
from interplay.schemas.json.fields import schema_at
from interplay.schemas.records.tool import READING

NEAR = 0.75
"""Chance that a further request is about resources that came up before, rather than about related ones."""

SAME = 0.85
"""Chance that a further request is about the row that was acted on last, where its tool takes such a row."""

AGAIN, SIBLINGS = 0.35, 6
"""Chance that a sibling goal uses the same tool again before others are tried; and how many others are tried."""


async def add_request(growth: Growth, tries: int) -> bool:
    """Add one more request, if possible about rows that came up; try up to `tries` tools, and tell whether one worked."""
    names = [tool.name for tool in growth.callable() if not growth.is_astray(tool.name)]
    for _ in range(min(tries, len(names))):
        name = growth.rng.choice(_related(growth, names))
        names.remove(name)
        with growth.draft.trial():
            await growth.request(name, row_at_hand(growth, name))
            await growth.check_sense()
            return True
    return False


def _related(growth: Growth, names: list[str]) -> list[str]:
    """Return, mostly, unused tools that act on resources that came up; else related tools; else any."""
    spoken = {resource for resource, _ in growth.draft.identities}
    used = {step.tool for step in growth.draft.steps}
    new = [name for name in names if name not in used]
    near = [name for name in new if not spoken.isdisjoint(growth.role(name).references.values())]
    if near and growth.rng.random() < NEAR:
        return near
    return growth.world.kindred(new, [goal.tool for goal in growth.draft.goals]) or near or new or names


def row_at_hand(growth: Growth, name: str) -> Subject | None:
    """Return, mostly, the row that was acted on last among those that a tool may act on; None if there is none."""
    role, world = growth.role(name), growth.world
    own = world.environment.toolset.user_resource
    if role.operation in ("list", "create") or role.resource in (None, own) or growth.rng.random() >= SAME:
        return None
    for step in reversed(growth.draft.steps):
        if growth.role(step.tool).resource == role.resource and (told := _told_of(growth, step)) is not None:
            return told if role.operation != "delete" else None  # nobody deletes the best because it is the best
        for pointer, value in leaves(dict(step.arguments)):
            if referred(growth.role(step.tool), pointer) == role.resource in world.resources:
                return world.subject(str(role.resource), value)
    return None


def _told_of(growth: Growth, step: Step) -> Subject | None:
    """Return the row of a list that the user asked about, or None."""
    role = growth.role(step.tool)
    keys = [key for _, key in identities_shown(role, step.value, step.asked)] if step.asked else []
    return growth.world.subject(str(role.resource), keys[0]) if keys and role.resource else None


FOLLOWING = 6
"""Consumers of a result that are tried for a follow-up goal."""


async def add_follow_up(growth: Growth) -> bool:
    """Add a goal to the last request that uses the result of an earlier step; tell whether one was found."""
    last = growth.draft.steps[-1]
    callable_ones = {tool.name for tool in growth.callable()} - {last.tool}
    found = growth.graph.found_for
    consumers = sorted(name for name in callable_ones if any(edge.producer == last.tool for edge in found(name)))
    growth.rng.shuffle(consumers)
    # Evaluated lazily: `_takes_of` runs edges.
    takers = (name for name in consumers if _takes_of(growth, name, last.tool))
    for consumer in islice(takers, FOLLOWING):
        with growth.draft.trial():
            if (await _joined(growth, consumer, growth.row_shown(last))).level == 0:
                raise DeadEnd(f"{consumer} takes nothing that a step returned")
            await growth.check_sense()
            return True
    return False


def _takes_of(growth: Growth, consumer: str, producer: str) -> bool:
    """Tell whether an edge that did not fail when run leads from the producer to the consumer."""
    edges = growth.graph.feeding(consumer, lambda edge: edge.producer == producer)
    return any(edge.verified is not False for edge in edges)


async def add_sibling_goal(growth: Growth) -> bool:
    """Add an independent goal to the last request: a related read, or the same tool about another row.

    The same tool is used again only where what the user says sets the two calls apart.
    """
    last, used = growth.draft.goals[-1].tool, {goal.tool for goal in growth.draft.goals}
    readers = [
        tool.name for tool in growth.callable() if tool.name not in used and growth.role(tool.name).operation in READING
    ]
    near = growth.world.kindred(readers, [last])
    growth.rng.shuffle(near)
    for name in [last, *near[:SIBLINGS]] if growth.rng.random() < AGAIN else [*near[:SIBLINGS], last]:
        with growth.draft.trial():
            step = await _joined(growth, name, None if name == last else row_at_hand(growth, name))
            if name == last:
                _tell_apart(growth, step)
            return True
    return False


def _tell_apart(growth: Growth, step: Step) -> None:
    """Make the user tell in the opening what sets a call apart from similar ones in its request: names, texts, days, codes.

    Raises:
        DeadEnd: no free text that the user tells beforehand differs.
    """
    draft = growth.draft
    others = [other for other in draft.steps if other is not step and _is_like(other, step)]
    own = _telling(growth, step)
    given = [dict(leaves(dict(other.arguments))) for other in others]
    if not all(any(theirs.get(at) != value for at, value in own.items()) for theirs in given):
        raise DeadEnd(f"nothing tells one {step.tool} from the other")
    for one in (*others, step):
        for at in own.keys() & _telling(growth, one).keys():
            draft.revise_fact(str(one.origins[at].fact), reveal="opening")


def _is_like(one: Step, other: Step) -> bool:
    return (one.tool, one.request) == (other.tool, other.request) and one.goal != other.goal


def _telling(growth: Growth, step: Step) -> dict[str, Any]:
    """Return, by pointer, the text arguments that the user tells for a call, other than options of an enumeration."""
    schema, facts = growth.world.tools[step.tool].parameters, {fact.id: fact for fact in growth.draft.facts}
    return {
        at: facts[str(origin.fact)].value
        for at, origin in step.origins.items()
        if origin.kind == "user" and origin.fact in facts and facts[str(origin.fact)].reveal in ("opening", "asked")
        if isinstance(facts[str(origin.fact)].value, str) and "enum" not in schema_at(schema, at)
    }


async def _joined(growth: Growth, name: str, subject: Subject | None) -> Step:
    """Add a goal to the last request, and execute its action."""
    return await growth.serve(growth.add_goal(name), len(growth.draft.requests) - 1, subject)
