"""Closed choices that stand in the description alone."""

from random import Random

import pytest

from interplay.generators.values.described import described_choices
from interplay.generators.values.making import make_value


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
        ("Member can be a user or a team.", ()),
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
