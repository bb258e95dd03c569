"""The `iterative_search` pattern: a search that finds nothing, then the same search with another value."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from interplay.generators.blueprints.drafting.draft import DeadEnd
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.patterns.task_pattern import Grown, TaskPattern
from interplay.generators.graph.sampling.argument_samples import fresh_value
from interplay.generators.graph.sampling.row_values import row_value
from interplay.generators.phrases.speakable_values import hint_of, is_technical
from interplay.generators.results.result_kinds import is_empty
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.schemas.calls.first_page import is_paging
from interplay.schemas.json.fields import schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.blueprint import Origin
from interplay.schemas.records.recipe import Recipe
from interplay.schemas.records.tool import Tool

ROWS = 20
"""Rows whose values are tried as filter values."""

TRIED = 8
"""Filter values that are tried, at most, to get an empty result."""


def suits(growth: Growth, name: str) -> bool:
    """Tell whether a tool lists rows and has a filter whose value a row gives."""
    role, tool = growth.role(name), growth.world.tools[name]
    if role.operation != "list" or role.resource not in growth.world.resources:
        return False
    row, schemas = growth.world.first(str(role.resource)), tool.properties
    if row is None:
        return False
    return any(row_value(key, schemas[key], row.row) is not None for key in _filters(growth, tool))


def _filters(growth: Growth, tool: Tool) -> Iterator[str]:
    references = growth.role(tool.name).references
    for name, schema in tool.properties.items():
        plain = schema_type(schema) in ("string", "integer") and f"/{name}" not in references
        if plain and not is_paging(name) and not is_technical(name, schema) and schema_type(schema) != "boolean":
            yield name


async def iterative_search(growth: Growth, name: str, recipe: Recipe) -> None:  # noqa: ARG001
    """Grow a search whose first filter value finds nothing, and a second one with the user's fallback value.

    Raises:
        DeadEnd: every search finds something, or none does.
    """
    tool, world, rng = growth.world.tools[name], growth.world, growth.rng
    resource = growth.role(name).resource
    subject = growth.resolver.chooser.rows.pick(str(resource)) if resource in world.resources else None
    if subject is None:
        raise DeadEnd(f"there is nothing that {name} could find")
    filters = list(_filters(growth, tool))
    rng.shuffle(filters)
    for chosen in filters:
        schema = tool.parameters["properties"][chosen]
        found = row_value(chosen, schema, subject.row)
        if found is None:
            continue
        goal, request = growth.begin(name)
        base = {**growth.resolver.choose(name, subject), chosen: found}
        wanted = await growth.resolver.prepare(name, goal, request, base)
        origin = wanted.origins.get(f"/{chosen}")
        fact = growth.draft.revise_fact(origin.fact, reveal="opening") if origin and origin.fact else None
        if fact is None:
            raise DeadEnd(f"the user does not name {chosen}")
        for value in _instead(growth, subject.resource, chosen, schema, found):
            arguments = {**wanted.arguments, chosen: value}
            if not is_valid(arguments, tool.parameters):
                continue
            with growth.draft.trial():
                first = growth.draft.tell(goal, fact.label, value, hint_of(schema), reveal="opening")
                growth.draft.revise_fact(fact.id, instead_of=first.id)
                origins = {**wanted.origins, f"/{chosen}": Origin(kind="user", fact=first.id)}
                missed = await growth.do(replace(wanted, arguments=arguments, origins=origins))
                if not is_empty(missed.value):
                    raise DeadEnd(f"{name} finds something by another {chosen} too")
                growth.check_heard(await growth.do(wanted, after=[missed.id]))
                return
        raise DeadEnd(f"{name} finds something by any {chosen}")
    raise DeadEnd(f"{name} has no filter that fits")


def _instead(growth: Growth, resource: str, name: str, schema: dict[str, Any], found: Any) -> Iterator[Any]:
    """Yield filter values that may match nothing: other options, values of other rows, made-up values."""
    rows = growth.world.subjects(resource)
    known = (row_value(name, schema, row.row) for row in growth.rng.sample(rows, min(len(rows), ROWS)))
    options = list({str(value): value for value in (*schema.get("enum", ()), *known) if value is not None}.values())
    options = [value for value in options if value != found and isinstance(value, (str, int))]
    growth.rng.shuffle(options)
    tried = [found]
    for number in range(TRIED):
        try:
            value = options[number] if number < len(options) else fresh_value(name, schema, growth.rng, avoid=found)
        except Unsatisfiable:
            return
        if value not in tried and is_valid(value, schema):
            tried.append(value)
            yield value


def _is_in(grown: Grown) -> bool:
    return any(fact.instead_of and fact.reveal == "opening" for fact in grown.draft.facts)


ITERATIVE_SEARCH = TaskPattern("iterative_search", _is_in, iterative_search, suits)
