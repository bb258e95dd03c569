"""Code and label of one object are about one choice, and not about the thing that has it."""

from random import Random
from typing import Any

import pytest

from interplay.generators.values.schema_values import make_valid

TEXT = {"type": "string"}


def made(holder: str, **fields: Any) -> list[dict[str, Any]]:
    """Return what orders hold in an object called so, with these fields."""
    inner = {"type": "object", "properties": fields, "required": [*fields]}
    order = {"type": "object", "properties": {"name": TEXT, holder: inner}, "required": ["name", holder]}
    whole = [make_valid(order, Random(seed), "order") for seed in range(20)]
    assert all(row["name"] not in row[holder].values() for row in whole)
    return [row[holder] for row in whole]


def test_a_label_is_that_of_the_code_that_a_schema_gives() -> None:
    choices = made("payment_method", code={**TEXT, "enum": ["online_card", "cash"]}, label=TEXT)
    assert {(one["code"], one["label"]) for one in choices} == {("online_card", "Online card"), ("cash", "Cash")}


@pytest.mark.parametrize("holder", ["status", "payment_method"])
def test_code_and_label_say_the_same_where_nothing_is_given(holder: str) -> None:
    for one in made(holder, code=TEXT, label=TEXT):
        assert one["code"].replace("_", " ") == one["label"].lower().replace(" - ", " ").replace("-", " ")
    assert {type(one["code"]) for one in made(holder, code={"type": "integer"}, label=TEXT)} == {int}
