"""A model's rows keep what fits, and what sandboxes make up takes them: fields of one row stay together."""

from pathlib import Path
from typing import Any

import pytest
from tests.generators.environments.shop import open_shop

from interplay.flows.worlds.assembly import OpenedWorld, open_world
from interplay.generators.environments.inference.plans import Plan, ResourcePlan
from interplay.generators.environments.overrides.row_proposals import (
    FEWEST,
    open_fields,
    open_resources,
    proposed_rows,
    rows_request,
)
from interplay.generators.values.world_seed import WorldSeed
from interplay.schemas.errors import ConfigError
from interplay.schemas.records.recipe import MadeWorld

SHOP = f"openapi:{Path(__file__).parents[4] / 'docs' / 'examples' / 'shop.yaml'}?overrides="
ROWS: list[dict[str, Any]] = [
    {"name": name, "category": kind, "price": price}
    for name, kind, price in (
        ("Carrom Board", "games", 45), ("Cast Iron Kettle", "kitchen", 62.5), ("Walnut Chess Set", "games", 89),
        ("Bread Tin", "kitchen", 14), ("Backgammon Case", "games", 38), ("Garlic Press", "kitchen", 11),
        ("Mahjong Tiles", "games", 75), ("Salad Spinner", "kitchen", 24),
    )
]  # fmt: skip


def world() -> OpenedWorld:
    return open_world([SHOP.removesuffix("?overrides=")])


def plan() -> Plan:
    found = world().parts[0].plan
    assert found is not None
    return found


def test_asks_for_what_somebody_chose() -> None:
    product = next(name for name in open_resources(plan()) if "name" in open_fields(plan().resources[name]))
    fields = open_fields(plan().resources[product])
    assert {"name", "price"} <= fields.keys()
    assert not any(name.lower().endswith("id") for name in fields)
    assert product in str(rows_request(world().toolset, plan(), product).messages[1].content)


def test_lists_of_anything_are_not_asked_for() -> None:
    guests = {"anyOf": [{"type": "array", "items": {"type": "object", "additionalProperties": True}}, {"type": "null"}]}
    fields = {"guests": guests, "extras": {"type": "array"}, "city": {"type": "string"}}
    rental = ResourcePlan("rental", {"type": "object", "properties": fields})
    assert [*open_fields(rental)] == ["city"]
    whole = Plan({}, {"rental": rental}, {})
    assert "city" in str(rows_request(world().toolset, whole, "rental").messages[1].content)


def test_a_row_that_does_not_fit_costs_itself() -> None:
    product = plan().resources["product"]
    options = open_fields(product)["category"].get("enum", ["games", "kitchen"])
    rows = [{**row, "category": options[place % len(options)]} for place, row in enumerate(ROWS)]
    bad = [{**rows[0], "price": "much"}, {**rows[1], "name": "\x1b[2J"}, {"strange": 1}]
    kept = proposed_rows({"rows": [*bad, *rows]}, product)
    assert not isinstance(kept, str)
    assert [row["name"] for row in kept if "name" in row] == [row["name"] for row in rows]
    assert f"only {FEWEST - 1} rows" in proposed_rows({"rows": rows[: FEWEST - 1]}, product)


def test_made_up_rows_take_one_example_each_as_a_whole() -> None:
    opened = world().exemplified({"product": ROWS})
    for number in range(3):
        other = opened.renewed(WorldSeed.of(MadeWorld(seed=5, number=number), {}))
        rows = list(other.environment.state()["product"].values())
        told = {(row["name"], row["price"]) for row in rows}
        assert len({name for name, _ in told}) == len(rows)  # none of them twice
        assert len(told & {(row["name"], row["price"]) for row in ROWS}) >= min(len(rows), 6)


def test_an_author_may_give_examples_and_is_told_of_wrong_ones(tmp_path: Path) -> None:
    made = open_shop(tmp_path, {"resources": {"order": {"examples": [{"quantity": 8}, {"quantity": 9}]}}})
    held = [row.get("quantity") for row in made.environment.state()["order"].values()]
    assert {8, 9} & set(held)
    with pytest.raises(ConfigError, match="/resources/order/examples/1/colour"):
        open_shop(tmp_path, {"resources": {"order": {"examples": [{"quantity": 8}, {"colour": "red"}]}}})


def test_the_rows_of_a_world_follow_from_its_seed() -> None:
    opened = world().exemplified({"product": ROWS})
    seed = WorldSeed.of(MadeWorld(seed=4, number=3), {})
    first, second = (opened.renewed(seed).environment.state()["product"] for _ in range(2))
    assert dict(first) == dict(second)
