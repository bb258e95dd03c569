"""A fact -> other values that the user might have told: near dates, other options, values of other rows."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from typing import Any

from interplay.generators.blueprints.drafting.draft import Step
from interplay.generators.blueprints.growth.dialogue_moments import users
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.graph.sampling.argument_samples import fresh_value
from interplay.generators.graph.sampling.row_values import row_value
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.schemas.json.fields import schema_at
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.blueprint import Fact

_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")

ROWS, MADE = 12, 6
"""Rows whose values are tried, and values that are made up."""

EXAMPLES = 2
"""Number of example texts in a schema from which on the texts of other rows are not tried."""


def others(growth: Growth, fact: Fact) -> Iterator[Any]:
    """Yield other values that the user might have told for a fact: near dates, other options, values of other rows.

    Values of facts with the same label are left out: a listener could not tell which of them is meant.
    """
    step = users(growth.draft, fact.id)[0]
    pointer = next(pointer for pointer, origin in step.origins.items() if origin.fact == fact.id)
    tool = growth.world.tools[step.tool]
    schema = schema_at(tool.parameters, pointer)
    if isinstance(fact.value, (list, dict)) or fact.value is None:
        return
    namesakes = [other for other in growth.draft.facts if other.label == fact.label]
    taken = {str(other.value).casefold() for other in namesakes}
    for value in map(growth.resolver.chooser.own_words, _tried(growth, fact, step, pointer, schema)):
        plain = isinstance(value, (str, int, float)) and type(value) is type(fact.value)
        said = str(value).casefold()
        near = said in str(fact.value).casefold() or str(fact.value).casefold() in said
        if plain and not near and said not in taken and is_valid(value, schema):
            yield value


def _tried(growth: Growth, fact: Fact, step: Step, pointer: str, schema: dict[str, Any]) -> Iterator[Any]:
    rng, value = growth.rng, fact.value
    if isinstance(value, bool):
        yield not value
        return
    found = _DATE.match(value) if isinstance(value, str) else None
    if found:
        try:
            own = date(int(found[1]), int(found[2]), int(found[3]))
            yield from (str(day) + value[10:] for day in _near(own, fact.label, rng))
        except ValueError:
            pass
        return
    options = list(schema.get("enum", ()))
    rng.shuffle(options)
    yield from options
    if options:
        return
    name = pointer.rsplit("/", 1)[-1]
    if fact.hint.get("type") == "identity":
        return
    resource = growth.role(step.tool).resource
    prose = [example for example in schema.get("examples", ()) if isinstance(example, str) and " " in example]
    if resource in growth.world.resources and len(prose) < EXAMPLES:  # texts of other rows serve other purposes
        rows = growth.world.subjects(str(resource))
        for row in rng.sample(rows, min(len(rows), ROWS)):
            yield row_value(name, schema, row.row)
    for _ in range(MADE):
        try:
            yield fresh_value(name, schema, rng, avoid=value)
        except Unsatisfiable:
            return


def _near(own: date, label: str, rng: Random) -> list[date]:
    """Return dates that could be mistaken for a date: nearby ones, for a birth date also those a year off."""
    near = [own + timedelta(days=days) for days in (1, -1, 2, 7)]
    if "birth" in label or "born" in label:
        near = [*near[:2], *(own.replace(year=own.year + years, day=min(own.day, 28)) for years in (-1, 1))]
    rng.shuffle(near)
    return near
