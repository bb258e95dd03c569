"""The `fan_out` pattern: one goal that is done for each item of a list."""

from collections.abc import Iterator
from typing import Any

from interplay.generators.blueprints.arguments.argument_labels import purpose_of
from interplay.generators.blueprints.drafting.draft import DeadEnd, Step
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.patterns.task_pattern import TaskPattern
from interplay.generators.graph.sampling.world import Subject
from interplay.generators.phrases.derived_wishes import for_each_of
from interplay.generators.phrases.intents import intents_of
from interplay.generators.phrases.labels.identity_labels import is_one_of_several
from interplay.schemas.json.canonical import at_pointer, set_leaf
from interplay.schemas.records.blueprint import Origin
from interplay.schemas.records.recipe import Recipe
from interplay.schemas.records.tool_graph import Edge

FEWEST, MOST = 2, 6
"""Bounds on the number of items in a list that a user goes through."""

LISTS = 3
"""Lists that are tried, at most, until one has that many items."""


def suits(growth: Growth, name: str) -> bool:
    """Tell whether a tool takes one item of a list that another tool returns."""
    return growth.role(name).operation not in ("list", "create") and any(True for _ in _sources(growth, name))


def _sources(growth: Growth, name: str) -> Iterator[Edge]:
    """Yield the edges from the items of a list into the required argument by which a tool names the row it acts on."""
    role, required = growth.role(name), growth.world.tools[name].required

    def fits(edge: Edge) -> bool:
        listed = edge.output.count("*") == 1 and growth.role(edge.producer).operation == "list"
        whose = role.references.get(edge.input)
        own = whose is not None and whose in (role.resource, growth.role(edge.producer).resource)
        own = own and not is_one_of_several(edge.input, role.references)
        # the list must not itself need an identity of this resource
        own = own and whose not in growth.world.needed_references(edge.producer).values()
        return listed and own and edge.input[1:] in required and edge.producer != name

    yield from (edge for edge in growth.graph.feeding(name, fits) if edge.verified is not False)


async def fan_out(growth: Growth, name: str, recipe: Recipe) -> None:  # noqa: ARG001
    """Grow a call that lists, then the same call for each item.

    Raises:
        DeadEnd: there is no list of a fitting length, or some item cannot be acted on.
    """
    edges = sorted(_sources(growth, name), key=lambda edge: (edge.producer, edge.output, edge.input))
    if not edges:
        raise DeadEnd(f"{name} takes nothing from a list")
    edge = growth.rng.choice(edges)
    resource = growth.role(name).references[edge.input]
    _be_owner(growth, name, resource)
    goal, request = growth.begin(name)
    for _ in range(LISTS):
        mark = growth.draft.mark()
        listing = await _list(growth, edge, resource, goal, request)
        items = list(_items(listing, edge.output))
        if FEWEST <= len(items) <= MOST:
            break
        growth.draft.rewind(mark)
    else:
        raise DeadEnd(f"{edge.producer} returns no list that one goes through")
    noun = growth.noun(resource)
    wish = for_each_of(intents_of(growth.world.tools[name]), growth.draft.goals[goal].intent, noun)
    growth.draft.revise_goal(goal, intent=wish, each=listing.id, topic=noun)
    shared: dict[str, Any] = {}
    for pointer, identity in items:
        growth.draft.identities[resource, str(identity)] = Origin(kind="output", action=listing.id, pointer=pointer)
        arguments = growth.resolver.choose(name, growth.world.subject(resource, identity))
        shared = shared or {key: value for key, value in arguments.items() if f"/{key}" != edge.input}
        arguments = set_leaf({**arguments, **shared}, edge.input, identity)
        arguments = {key: value for key, value in arguments.items() if f"/{key}" == edge.input or key in shared}
        await growth.do(await growth.resolver.prepare(name, goal, request, arguments))


def _be_owner(growth: Growth, name: str, resource: str) -> None:
    """Choose a user who owns a fitting number of rows, about none of which a rule always forbids the call.

    Raises:
        DeadEnd: no user does.
    """
    chooser, owners = growth.resolver.chooser, growth.resolver.chooser.rows.owners

    def fits(user: Subject) -> bool:
        assert owners is not None
        if not FEWEST <= owners.count(resource, user) <= MOST:
            return False
        chooser.rows.came_as = user
        rows = (growth.world.subject(resource, key) for key in owners.keys(resource, user))
        try:
            return not any(growth.is_always_forbidden(name, growth.resolver.choose(name, row)) for row in rows)
        except DeadEnd:
            return False

    if (
        chooser.rows.anybody
        and owners is not None
        and owners.is_owned(resource)
        and not growth.settle_user(name, fits=fits)
    ):
        raise DeadEnd(f"nobody has as many of {resource} as one goes through with {name}")


async def _list(growth: Growth, edge: Edge, resource: str, goal: int, request: int) -> Step:
    resolver = growth.resolver
    about = growth.resolver.chooser.rows.pick(str(growth.role(edge.producer).resource or resource))
    with resolver.pending.meant_for(purpose_of(growth.world, edge.consumer, edge.input, resource)):
        return await resolver.act(edge.producer, goal, request, about, depth=1)


def _items(step: Step, output: str) -> Iterator[tuple[str, Any]]:
    """Yield the pointer and identity of each item of a list, every identity once."""
    before, _, after = output.partition("/*")
    try:
        items = at_pointer(step.value, before)
    except LookupError:
        return
    seen: set[str] = set()
    for index in range(len(items) if isinstance(items, list) else 0):
        pointer = f"{before}/{index}{after}"
        try:
            identity = at_pointer(step.value, pointer)
        except LookupError:
            continue
        if isinstance(identity, (str, int)) and str(identity) not in seen:
            seen.add(str(identity))
            yield pointer, identity


FAN_OUT = TaskPattern("fan_out", lambda grown: any(goal.each for goal in grown.draft.goals), fan_out, suits)
