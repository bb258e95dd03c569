"""A failed call -> arguments to try: values from descriptions, from the error, and from the state.

start_engine(mode="Solar")  "mode must be START or STOP"     ->  mode="START", mode="STOP"
login(username, password)   users = {"nora": "harbor-77"}    ->  username="nora", password="harbor-77"
get_stock(symbol="Delta")   stocks = {"ORVA": {...}}         ->  symbol="ORVA"
"""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from interplay.generators.graph.sampling.row_values import fit_identity, words_of_field
from interplay.generators.values.texts.described_values import described_choices, described_examples
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.tool import Tool

READ, WORDS, ROWS, KEYS = 600, 16, 24, 6
"""Characters of a text that are read; words of it, rows of a table, and keys of a table that are tried."""

CHOICES = 8
_QUOTED = re.compile(r"[\"'`]([^\"'`\n]{1,60})[\"'`]")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,6})?")

State = Mapping[str, Any]


def candidates(
    tool: Tool, arguments: Mapping[str, Any], failure: str, state: State, fixed: Mapping[str, Any] = {}
) -> Iterator[dict[str, Any]]:
    """Yield arguments to try instead of the failed ones, the likelier ones first; `fixed` ones stay."""
    fields = {name: schema for name, schema in object_properties(tool.parameters).items() if name not in fixed}
    seen = [dict(arguments)]
    for changed in _changes(fields, arguments, failure, state):
        made = {**arguments, **changed}
        if made not in seen and is_valid(made, tool.parameters):
            seen.append(made)
            yield made


def _changes(
    fields: Mapping[str, Mapping[str, Any]], arguments: Mapping[str, Any], failure: str, state: State
) -> Iterator[dict[str, Any]]:
    needed = [name for name in fields if name in arguments]
    yield from _rows(fields, needed, state)
    for name in needed:
        for value in choices(fields[name]):
            yield {name: value}
    for name in needed:
        for value in _named_in(failure, fields[name]):
            yield {name: value}
    yield from _keys(fields, needed, state)


def choices(schema: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the values of an argument that its schema or description mentions."""
    kind = schema_type(schema)
    if "enum" in schema:
        yield from schema["enum"][:CHOICES]
    elif kind == "boolean":
        yield from (True, False)
    elif kind in ("integer", "number"):
        yield from numbers(schema)
    else:
        named = told_values(schema)
        if kind == "array":
            yield from ([], named[:CHOICES], *([value] for value in named[:CHOICES]))
        elif kind == "string":
            yield from named[: 2 * CHOICES]


def told_values(schema: Mapping[str, Any]) -> list[str]:
    """Return the texts that the description of an argument mentions, listed ones first."""
    text = str(schema.get("description", ""))[:READ]
    listed = [*described_choices(schema), *described_examples(schema)]
    return list(dict.fromkeys([*listed, *_QUOTED.findall(text)]))


def numbers(schema: Mapping[str, Any]) -> list[Any]:
    """Return numbers that an argument may take: bounds, those in its description, their middle, and common ones."""
    text = str(schema.get("description", ""))[:READ]
    told = [float(item) for item in _NUMBER.findall(text)][:CHOICES]
    told += [float(schema[key]) for key in ("minimum", "maximum") if key in schema]
    if len(told) > 1:
        middle = (min(told) + max(told)) / 2
        told.insert(
            0, middle if schema_type(schema) == "number" and max(told) < CHOICES else float(round(middle / 10) * 10)
        )
    found = [int(value) if value.is_integer() else value for value in (*told, 1.0, 10.0, 100.0, 0.0)]
    return [value for value in dict.fromkeys(found) if isinstance(value, int) or schema_type(schema) == "number"]


def _rows(fields: Mapping[str, Any], needed: list[str], state: State) -> Iterator[dict[str, Any]]:
    """Yield the values of rows, and of the state itself, in fields named like the arguments, one row at a time."""
    for row in records_in(state):
        found = {}
        for name in needed:
            wanted = words_of_field(name)
            value = next((row[key] for key in row if words_of_field(str(key)) == wanted), None)
            fitted = _fitted(value, fields[name])
            if fitted is not None:
                found[name] = fitted
        if found:
            yield found


def records_in(state: State) -> Iterator[Mapping[str, Any]]:
    """Yield the mappings in a state that may hold values: the state itself, its tables, and rows."""
    yield state
    for value in state.values():
        if isinstance(value, Mapping):
            yield value
            rows = list(value.values())[:ROWS]
            yield from (row for row in rows if isinstance(row, Mapping))
        elif isinstance(value, list):
            yield from (row for row in value[:ROWS] if isinstance(row, Mapping))


def _keys(fields: Mapping[str, Any], needed: list[str], state: State) -> Iterator[dict[str, Any]]:
    """Yield keys of tables and items of lists for single arguments, and key and value for pairs of text arguments."""
    texts = [name for name in needed if schema_type(fields[name]) == "string"]
    for value in state.values():
        if isinstance(value, Mapping):
            pairs = [(key, item) for key, item in list(value.items())[:KEYS] if isinstance(item, str)]
            for one, other in pairwise(texts):
                yield from ({one: str(key), other: item} for key, item in pairs)
    for value in state.values():
        items = list(value)[:KEYS] if isinstance(value, (Mapping, list)) else []
        for name in needed:
            for item in items:
                fitted = _fitted(item, fields[name])
                if fitted is not None and schema_type(fields[name]) in ("string", "integer"):
                    yield {name: fitted}


def _named_in(failure: str, schema: Mapping[str, Any]) -> Iterator[Any]:
    """Yield values that a failure mentions: quoted texts, words, numbers."""
    kind, text = schema_type(schema), failure[:READ]
    if kind in ("integer", "number"):
        yield from numbers({**schema, "description": text})
        return
    words = list(dict.fromkeys([*_QUOTED.findall(text), *reversed(_WORD.findall(text))]))[:WORDS]
    if kind == "string":
        yield from words
    elif kind == "array":
        yield words
        yield from ([word] for word in words)


def _fitted(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return a value in the type that an argument takes, or None if it does not fit."""
    if value is None or isinstance(value, (Mapping, list)) or value == "":
        return None
    value = fit_identity(value, schema) if isinstance(value, (int, str)) and not isinstance(value, bool) else value
    return value if is_valid(value, schema) and schema_type(schema) != "boolean" else None
