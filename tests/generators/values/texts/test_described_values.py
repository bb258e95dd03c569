"""Closed choices that stand in the description alone."""

from random import Random

import pytest

from interplay.generators.values.schema_values import make_value
from interplay.generators.values.texts.described_values import described_choices


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("One of: all, closed, none or open", ("all", "closed", "none", "open")),
        (" true or false", ("true", "false")),
        ("Can be `TIME`, `FIXED` or `NONE`.", ("TIME", "FIXED", "NONE")),
        ("Can be one of: 'draft', 'approved'.", ("draft", "approved")),
        ('The order, either "asc" or "desc"', ("asc", "desc")),
        ("Allowed values: asc | desc", ("asc", "desc")),
        ("one of the following values: small, medium, large.", ("small", "medium", "large")),
        ("Possible values are available, pending and sold. Default available", ("available", "pending", "sold")),
        ("The class of the travel. Options are: economy, business, first.", ("economy", "business", "first")),
        ("The grant type. Here are the options: read_write, read", ("read_write", "read")),
        ("The kind. Valid values include: deals, leads, orders.", ("deals", "leads", "orders")),
        ("Member can be a user or a team.", ()),
        ("Your options are many, some of them good.", ()),
        ("Type of the order (Buy/Sell).", ()),
        ("If one of the requested audiobooks is unavailable", ()),
        ("Multiple status values can be provided", ()),
        ("idMember or username", ()),
        ("Either `view_id` or `external_id` is required.", ()),
        ("must be less than 1000", ()),
        ("one of " + "a, " * 100_000, ()),
    ],
)
def test_reads_choices_where_they_are_sure(text: str, choices: tuple[str, ...]) -> None:
    assert described_choices({"description": text}) == choices or (len(text) > 1000 and not choices)


def test_makes_what_the_description_names() -> None:
    schema = {"type": "string", "description": "One of: public, private or secret", "maxLength": 6}
    assert {make_value(schema, Random(seed), "visibility") for seed in range(40)} == {"public"} | {"secret"}


def test_kinds_between_slashes_are_choices_where_the_field_says_which_kind() -> None:
    assert described_choices({"description": "Type of the order (Buy/Sell)."}, of_kinds=True) == ("Buy", "Sell")
    assert described_choices({"description": "Speed (km/h, name/email)"}, of_kinds=True) == ()
