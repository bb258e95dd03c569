"""A row with a list of items, and a call that adds or removes one -> the changed row.

{"items": [{"product_id": 3, "quantity": 1}]}, product_id=3, quantity=2   ->   {"items": [{"product_id": 3, "quantity": 3}]}
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from interplay.generators.environments.inference.plans import Edit, ResourcePlan
from interplay.generators.values.reconciliation import reconciled
from interplay.generators.values.schema_values import make_valid
from interplay.schemas.json.fields import is_number, object_properties
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import word_set
from interplay.schemas.words.nouns import singular

_COUNTS, _MONEY = word_set("holding", "counts"), word_set("money", "sums")


def with_item(
    edit: Edit,
    resource: ResourcePlan,
    row: Mapping[str, Any],
    arguments: Mapping[str, Any],
    shown: Mapping[str, Any],
    rng: Random,
    anew: bool,
) -> dict[str, Any]:
    """Return a row with the item of a call added or removed, and with sums that agree.

    `shown` is the row of the item's thing (a product), as far as known, whose fields the item repeats. The counts of an item that
    is there already are increased, or replaced if `anew`.

    Raises:
        LookupError: the item to be removed or changed is not there.
    """
    field, schema = edit.path[0], resource.schema["properties"][edit.path[0]]
    (argument, key), *others = edit.item
    held = row.get(field)
    items = list(held) if isinstance(held, list) else []
    place = next((at for at, item in enumerate(items) if str(item.get(key)) == str(arguments.get(argument))), None)
    if place is None and (edit.does == "remove" or edit.names_part):
        raise LookupError(str(arguments.get(argument)))
    if place is not None and edit.does == "remove":
        items.pop(place)
    else:
        before: Mapping[str, Any] = items[place] if place is not None else {}
        given = {name: arguments[told] for told, name in others if told in arguments}
        if place is None:
            made = make_valid(schema.get("items", {}), rng, singular(field))
            known = {name: shown[name] for name in made if name in shown and name != "id"}
            given = {**made, **known, **given, key: arguments[argument]}
        elif not anew:
            given |= {name: before[name] + value for name, value in given.items() if _adds_up(name, before, value)}
        after = reconciled({**before, **given}, object_properties(schema.get("items") or {}))
        if place is None:
            items.append(after)
        else:
            items[place] = after
    return reconciled({**row, field: items}, resource.schema["properties"])


def _adds_up(name: str, before: Mapping[str, Any], value: Any) -> bool:
    return is_count(name) and is_number(value) and is_number(before.get(name))


def with_totals(
    row: Mapping[str, Any], field: str, totals: Sequence[str], prices: Mapping[int, float]
) -> dict[str, Any]:
    """Return a row with its totals computed from its items; `prices` are unit prices by the item's index."""
    items = row.get(field)
    counted = enumerate(items) if isinstance(items, list) else ()
    whole = round(sum(prices.get(at, 0) * _count(item) for at, item in counted), 2)
    return {**row, **{name: type(row[name])(whole) for name in totals if is_number(row.get(name))}}


def _count(item: Mapping[str, Any]) -> float:
    """Return the quantity of an item; 1 if it has none."""
    return next((value for name, value in item.items() if is_count(name) and is_number(value)), 1)


def is_count(name: str) -> bool:
    """Tell whether a field holds a quantity."""
    return not _COUNTS.isdisjoint(name_tokens(name))


def is_total(name: str) -> bool:
    """Tell whether a field holds a total price, rather than a number of items."""
    tokens = set(name_tokens(name))
    return "total" in tokens and (bool(tokens & _MONEY) or not tokens & {*_COUNTS, "items", "products"})


def is_price(name: str) -> bool:
    """Tell whether a field holds a unit price."""
    return name_tokens(name)[-1:] == ["price"]
