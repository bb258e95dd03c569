"""A tool -> trial calls in random order, about various rows and with various values."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any

from interplay.generators.blueprints.drafting.draft import DeadEnd
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.graph.sampling.row_values import row_value
from interplay.generators.graph.sampling.world import Subject
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.schemas.calls.antecedent import referred
from interplay.schemas.json.canonical import leaves, set_leaf
from interplay.schemas.json.fields import is_number, schema_at, schema_type

TRIED = 80
"""Rows that are tried in search of a forbidden call."""

OTHERS = 40
"""Other rows that are tried for one argument."""

EMPTY_WORDS = ("no reason", "none", "other", "unknown", "meeting", "test", "n/a", "-")
"""Texts without content that users give where they would rather give none."""

SEVERAL = (2, 4)
DAYS = (-30, -1, 1, 2, 3, 4, 5, 6, 30, 400, 4000)
AMOUNTS = (1, 5, 30, 1_000)

Trial = tuple[Subject | None, dict[str, Any]]


def varied(growth: Growth, name: str, samples: Iterable[Trial], count: int) -> Iterator[Trial]:
    """Yield samples, the first `count` of them also with other values."""
    for place, (subject, arguments) in enumerate(samples):
        yield subject, arguments
        if place < count:
            yield from ((subject, other) for other in _variants(growth, name, arguments))


def trials(growth: Growth, name: str, mine: bool) -> Iterator[Trial]:
    """Yield rows in random order with arguments about them, with the user set to one who may want the call."""
    world, chooser = growth.world, growth.resolver.chooser
    own = chooser.rows.me
    for subject in _subjects(growth, name):
        owner = world.linked(subject, own.resource) if subject is not None and own is not None else None
        if mine and own is not None and owner not in (None, own):
            continue
        if own is not None and not mine:
            chooser.rows.came_as = owner or chooser.rng.choice(world.subjects(own.resource))
        yield from ((subject, arguments) for arguments in choices(growth, name, [subject]))


def choices(growth: Growth, name: str, subjects: Iterable[Subject | None]) -> Iterator[dict[str, Any]]:
    """Yield arguments about each subject; for tools that create rows, also with the values of the subject."""
    for subject in subjects:
        try:
            arguments = growth.resolver.chooser.arguments(growth.world.tools[name], subject, lookup=False)
        except (DeadEnd, Unsatisfiable):
            continue
        if (
            subject is not None
            and growth.role(name).operation == "update"
            and not _changes(growth, name, arguments, subject)
        ):
            continue
        yield arguments
        if subject is not None and growth.role(name).operation == "create":
            yield _like(growth, name, arguments, subject)


def _changes(growth: Growth, name: str, arguments: dict[str, Any], subject: Subject) -> bool:
    """Tell whether an update would change a row: some argument must differ from the row's own value."""
    tool, target = growth.world.tools[name], str(growth.world.identity(subject))
    said = [(pointer, value) for pointer, value in leaves(arguments) if str(value) != target]
    return any(
        row_value(pointer.rsplit("/", 1)[-1], schema_at(tool.parameters, pointer), subject.row) != value
        for pointer, value in said
    )


def _subjects(growth: Growth, name: str) -> Iterator[Subject | None]:
    """Yield rows that a tool may be about, in random order; for tools that create rows, None and rows to copy in turn."""
    role, rng = growth.role(name), growth.resolver.chooser.rng
    rows: list[Subject] = growth.world.subjects(str(role.resource)) if role.resource in growth.world.resources else []
    chosen: list[Subject | None] = list(rng.sample(rows, min(len(rows), TRIED)))
    if role.operation == "create" or not chosen:
        for row in [*chosen[: TRIED // 2], *[None] * (TRIED // 2)]:
            yield None
            yield row
        return
    yield from chosen


def _like(growth: Growth, name: str, arguments: dict[str, Any], subject: Subject) -> dict[str, Any]:
    """Return arguments with the values that a row has for them, to create a similar row."""
    tool, role = growth.world.tools[name], growth.role(name)
    for pointer, _ in list(leaves(arguments)):
        if pointer and referred(role, pointer) is None:
            said = row_value(pointer.rsplit("/", 1)[-1], schema_at(tool.parameters, pointer), subject.row)
            arguments = arguments if said is None else set_leaf(arguments, pointer, said)
    return arguments


def _variants(growth: Growth, name: str, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield variants of arguments that differ in one value."""
    tool, role = growth.world.tools[name], growth.role(name)
    for pointer, value in list(leaves(arguments)):
        if pointer:
            schema, resource = schema_at(tool.parameters, pointer), referred(role, pointer)
            plain = resource not in growth.world.resources
            for other in _other_values(schema, value) if plain else _other_rows(growth, str(resource)):
                several = isinstance(value, list) and not plain
                yield set_leaf(arguments, pointer, [other] if several else other)
    for key, schema in tool.properties.items():
        resource = referred(role, f"/{key}") or referred(role, f"/{key}/0")
        if schema_type(schema) == "array" and resource in growth.world.resources:
            rows = _other_rows(growth, str(resource))
            yield from ({**arguments, key: rows[:count]} for count in SEVERAL if len(rows) >= count)
        elif key not in arguments and resource in growth.world.resources:
            yield from ({**arguments, key: other} for other in _other_rows(growth, str(resource)))
        elif key not in arguments and (schema_type(schema) == "boolean" or "enum" in schema):
            yield from ({**arguments, key: other} for other in _other_values(schema, None))


def _other_rows(growth: Growth, resource: str) -> list[Any]:
    """Return identities of rows in random order, without rows of other users."""
    world, me, rng = growth.world, growth.resolver.chooser.rows.me, growth.resolver.chooser.rng
    if me is None:
        keys = [row.key for row in world.subjects(resource)]
    else:
        keys = [] if me.resource == resource else world.keys_belonging(resource, me)
    rows = (world.subject(resource, key) for key in rng.sample(keys, min(len(keys), OTHERS)))
    return [world.identity(row) for row in rows if row is not None]


def _other_values(schema: dict[str, Any], value: Any) -> list[Any]:
    """Return values that a rule may object to: other options, empty words, distant days, large amounts."""
    if "enum" in schema:
        return [option for option in schema["enum"] if option != value]
    if schema_type(schema) == "boolean":
        return [option for option in (True, False) if option is not value]
    if is_number(value):
        bounds = [schema[key] for key in ("minimum", "maximum") if key in schema]
        return [*bounds, *(value + amount for amount in AMOUNTS)]
    if not isinstance(value, str):
        return []
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return list(EMPTY_WORDS)
    return [(day + timedelta(days=days)).isoformat() for days in DAYS]
