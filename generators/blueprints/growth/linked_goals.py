"""An edge of the tool graph -> two goals, the second about what the first one shows."""

from dataclasses import replace
from itertools import islice
from typing import Any

from interplay.generators.blueprints.arguments.argument_labels import SEARCHING
from interplay.generators.blueprints.arguments.row_hierarchy import realigned
from interplay.generators.blueprints.drafting.draft import DeadEnd, PlannedCall, Step
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.graph.multigraph import good_edges
from interplay.generators.graph.sampling.row_values import fit_identity
from interplay.generators.phrases.labels.field_labels import label_of
from interplay.schemas.json.canonical import at_pointer, leaves, set_leaf
from interplay.schemas.json.fields import schema_at
from interplay.schemas.records.blueprint import Fact, Origin
from interplay.schemas.records.recipe import Recipe
from interplay.schemas.records.tool_graph import Edge
from interplay.schemas.words.identifiers import name_tokens

LED = 0.5
"""Chance that a goal is preceded by another one that shows what it is about, where there is such an edge."""

TRIED = 4
"""Edges that are tried, at most."""


async def add_linked_goals(growth: Growth, name: str, recipe: Recipe, together: bool) -> bool:
    """Add two goals linked by an edge into a tool, if possible the recipe's edge; tell whether one was found.

    The goals are brought up `together` in one request, or in two requests one after the other.
    """
    edges = good_edges(edge for edge in growth.graph.found_for(name) if _leads(growth, edge, together))
    growth.rng.shuffle(edges)
    edges.sort(key=lambda edge: f"{edge.producer} > {edge.consumer}" != recipe.edge)
    holding = (edge for edge in edges if _holds(growth, edge))  # lazily: only edges that are tried are run
    for edge in islice(holding, TRIED):
        with growth.draft.trial():
            await _follow(growth, edge, together)
            await growth.check_sense()
            return True
    return False


def _holds(growth: Growth, edge: Edge) -> bool:
    """Tell whether an edge did not fail when it was run."""
    ends = (edge.producer, edge.output, edge.input)
    ran = growth.graph.feeding(edge.consumer, lambda other: (other.producer, other.output, other.input) == ends)
    return any(other.verified is not False for other in ran)


def _leads(growth: Growth, edge: Edge, together: bool) -> bool:
    """Tell whether an edge carries a value that the user could refer to, other than the user's own identity.

    People refer to a value they heard, as "the same town", but not so to the name of a thing.
    """
    own = growth.world.environment.toolset.user_resource
    resource = growth.role(edge.consumer).references.get(edge.input)
    known = resource in growth.world.resources and resource != own
    plain = resource is None and edge.input.count("/") == 1 and "*" not in edge.output
    plain = plain and not together and not set(name_tokens(edge.input)) & SEARCHING
    carries = edge.output.count("*") < 2 and (known or plain)
    return carries and any(tool.name == edge.producer for tool in growth.offered)


async def _follow(growth: Growth, edge: Edge, together: bool) -> None:
    """Add both goals and execute their actions.

    Raises:
        DeadEnd: the value was known before the first goal, or the second one takes it from elsewhere.
    """
    draft, resolver, resource = growth.draft, growth.resolver, growth.role(edge.consumer).references.get(edge.input)
    step = await growth.request(edge.producer)
    pointer = resolver.picker.find(step.value, edge.output.split("/")[1:], None)
    if pointer is None:
        raise DeadEnd(f"{edge.producer} shows nothing at {edge.output}")
    value = at_pointer(step.value, pointer)
    if resource is None:
        _ask_for(growth, step, pointer)
    elif not _is_new(growth, step, resource, value):
        raise DeadEnd(f"{edge.producer} shows no {resource} that was not known before")
    goal, request = (
        (growth.add_goal(edge.consumer), len(draft.requests) - 1) if together else growth.begin(edge.consumer)
    )
    if resource is not None:
        draft.identities[resource, str(value)] = resolver.picker.chosen(step, pointer, goal)
    alike = resource is not None and growth.role(edge.consumer).resource == resource
    about = growth.world.subject(str(resource), value) if alike else growth.subject(edge.consumer)
    schema = schema_at(growth.world.tools[edge.consumer].parameters, edge.input)
    arguments = growth.arguments(edge.consumer, about)
    meant = dict(leaves(arguments)).get(edge.input)
    arguments = set_leaf(arguments, edge.input, fit_identity(value, schema))
    arguments = realigned(resolver.chooser, edge.consumer, arguments, edge.input, meant, ())
    known = list(draft.facts)
    wanted = await resolver.prepare(edge.consumer, goal, request, arguments)
    if resource is None:
        wanted = _same(growth, wanted, edge, Origin(kind="output", action=step.id, pointer=pointer), known)
    origin = wanted.origins.get(edge.input)
    if origin is None or origin.action != step.id:
        raise DeadEnd(f"{edge.consumer} takes it from elsewhere")
    growth.check_heard(await growth.do(wanted))


def _ask_for(growth: Growth, step: Step, pointer: str) -> None:
    """Make the user ask for a value in a result, since the user refers to it later.

    Raises:
        DeadEnd: the value would not be told.
    """
    if pointer not in {output.pointer for output in growth.reports.outputs(step)}:
        raise DeadEnd(f"nobody hears what {step.tool} shows at {pointer}")
    growth.draft.revise(step, asked=(pointer,))


def _is_new(growth: Growth, step: Step, resource: str, value: Any) -> bool:
    known = growth.draft.identities.get((resource, str(value)))
    return known is None or known.action == step.id


def _same(growth: Growth, wanted: PlannedCall, edge: Edge, shown: Origin, known: list[Fact]) -> PlannedCall:
    """Return the call with an argument taken from a result, where the user says only that the value is the same.

    Raises:
        DeadEnd: the argument does not come from a new fact of the user.
    """
    origin = wanted.origins.get(edge.input)
    told = origin.fact if origin is not None else None
    if told is None or told in {fact.id for fact in known}:
        raise DeadEnd(f"{edge.consumer} takes it from elsewhere")
    growth.draft.facts[:] = [fact for fact in growth.draft.facts if fact.id != told]
    growth.draft.revise_goal(wanted.goal, again=label_of(edge.input))
    return replace(wanted, origins={**wanted.origins, edge.input: shown})
