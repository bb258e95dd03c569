"""Results of tools -> where they hold identities of rows: values that are keys of one table.

find_customer_id(...) -> "C101"                customers = {"C101": ...}    {"": "customer"}
get_watch_list() -> {"watch_list": ["ORVA"]}   stocks = {"ORVA": ...}       {"/watch_list/*": "stock"}
"""

from collections.abc import Mapping, Sequence
from typing import Any

from interplay.schemas.json.canonical import leaves, starred
from interplay.schemas.records.tool import ResourceModel
from interplay.schemas.words.identifiers import name_tokens

LEAVES = 200
"""Values of one result that are read."""

SHORTEST = 2
"""The least number of characters of a text that counts as an identity."""


def shown_identities(
    answers: Sequence[Any], model: ResourceModel, tables: Mapping[str, Mapping[Any, Any]]
) -> dict[str, str]:
    """Return, by pointer with `*` for any index, the resource whose rows all values there identify.

    A number counts only if its field's name says so, as `id` or `stock` do, since most small numbers are the key of
    something.
    """
    held: dict[str, list[Any]] = {}
    for answer in answers:
        for pointer, value in list(leaves(answer))[:LEAVES]:
            if isinstance(value, (str, int)) and not isinstance(value, bool):
                held.setdefault(starred(pointer), []).append(value)
    found = {}
    for pointer, values in held.items():
        fitting = [
            resource.name
            for resource in model.resources
            if (rows := tables.get(resource.table))
            and all(names_row(value, pointer, resource.name, rows) for value in values)
        ]
        if len(fitting) == 1:
            found[pointer] = fitting[0]
    return found


def names_row(value: Any, pointer: str, resource: str, rows: Mapping[Any, Any]) -> bool:
    """Tell whether a value at a pointer identifies a row of a resource."""
    if isinstance(value, int):
        words = set(name_tokens(pointer.replace("/*", "").rsplit("/", 1)[-1]))
        return (value in rows or str(value) in rows) and bool(words & {"id", "ids", *name_tokens(resource)})
    return len(value) >= SHORTEST and value in rows
