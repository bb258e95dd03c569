"""Codes of the shape that examples have, and numbers that are texts."""

import re
from random import Random
from typing import Any

import pytest

from interplay.generators.phrases.speakable_values import is_holdable, is_opaque
from interplay.generators.values.schema_values import make_valid
from interplay.generators.values.texts.described_values import described_examples

SEEDS = range(30)


def made(name: str, **schema: Any) -> list[Any]:
    return [make_valid({"type": "string", **schema}, Random(seed), name) for seed in SEEDS]


@pytest.mark.parametrize(
    ("name", "example", "shape"),
    [
        ("id", "cus_9s6XKzkNRiz8i3", r"cus_\d[a-z]\d[A-Z]{2}[a-z][a-z][A-Z]{2}[a-z]{2}\d[a-z]\d"),
        ("user", "U012AB3CD", r"U\d{3}[A-Z]{2}\d[A-Z]{2}"),
        ("user_id", "sara_doe_496", r"[a-z]+_[a-z]+_\d{3}"),
        ("reservation_id", "8JX2WO", r"\d[A-Z]{2}\d[A-Z]{2}"),
        ("order_id", "#W0000000", r"#W\d{7}"),
        ("payment_id", "credit_card_7815826", r"credit_card_\d{7}"),
        ("flight_number", "HAT001", r"HAT\d{3}"),
        ("product_id", "6086499569", r"\d{10}"),
        ("id", "5f43a0b9c1d2", r"[0-9a-f]{12}"),
    ],
)
@pytest.mark.parametrize("told", ["examples", "description"])
def test_codes_have_the_shape_of_their_example(name: str, example: str, shape: str, told: str) -> None:
    if told == "description" and name == "user":
        name = "user_id"
    values = made(
        name, **({"examples": [example]} if told == "examples" else {"description": f"It, such as '{example}'."})
    )
    assert all(re.fullmatch(shape, value) for value in values)
    assert len(set(values)) > len(SEEDS) / 3


def test_days_are_no_codes() -> None:
    assert all(value > "2026" for value in made("flight_date", description="In YYYY-MM-DD, such as '2024-05-01'."))


def test_airports_are_airports() -> None:
    assert "SFO" in made("origin", description="The IATA code for the origin city, such as 'SFO'.")


@pytest.mark.parametrize(
    ("text", "examples"),
    [
        ("The user id, such as 'sara_doe_496'.", ("sara_doe_496",)),
        ("A city (e.g. 'Oslo', 'Lyon' or 'Leeds')", ("Oslo", "Lyon", "Leeds")),
        ("in the format 'YYYY-MM-DD', such as '2024-05-01'", ()),
        ('A name, for example `"Your Coolest Playlist"`.', ("Your Coolest Playlist",)),
        ("It's what one says, like 'this' or so.", ()),
        ("such as " * 10_000, ()),
    ],
)
def test_examples_in_a_description_are_read(text: str, examples: tuple[str, ...]) -> None:
    assert described_examples({"description": text}) == examples


@pytest.mark.parametrize(
    ("name", "schema", "shape"),
    [
        ("price", {}, r"\d+\.\d{2}"),
        ("total_price", {}, r"\d+\.\d{2}"),
        ("unitAmount", {}, r"\d+\.\d{2}"),
        ("amount_due", {}, r"\d+\.\d{2}"),
        ("price", {"examples": ["$12.50"]}, r"\$\d{2}\.\d{2}"),
        ("amount", {"examples": ["2000"]}, r"\d{4}"),
        ("quantity", {}, r"\d{1,2}"),
        ("size", {"format": "int64"}, r"\d{5}"),
        ("value", {"format": "decimal"}, r"\d+\.\d{2}"),
        ("latitude", {}, r"-?\d+\.\d{4}"),
        ("ts", {}, r"17\d{8}\.\d{6}"),
        ("thread_ts", {"pattern": r"^\d{10}\.\d{6}$"}, r"17\d{8}\.\d{6}"),
        ("timestamp", {}, r"202[56]-\d{2}-\d{2}T.*"),
    ],
)
def test_texts_that_hold_numbers_hold_them(name: str, schema: dict[str, Any], shape: str) -> None:
    assert all(re.fullmatch(shape, value) for value in made(name, **schema))


@pytest.mark.parametrize(("name", "schema"), [("cost_center", {}), ("fee_type", {}), ("price", {"examples": ["free"]})])
def test_texts_that_only_sound_like_numbers_hold_none(name: str, schema: dict[str, Any]) -> None:
    assert not any(re.fullmatch(r"[\d.]+", value) for value in made(name, **schema))


def test_moments_as_numbers_lie_in_this_world() -> None:
    values = [make_valid({"type": "number"}, Random(seed), "ts") for seed in SEEDS]
    assert all(1_772_000_000 < value < 1_781_000_000 for value in values)


def test_people_know_identities_made_of_their_names() -> None:
    assert is_holdable("mateo_hallstrom_4821")
    assert not is_opaque("mateo_hallstrom_4821")
    assert not is_holdable("cus_9s6XKzkNRiz8i3")
    assert is_opaque("cus_9s6XKzkNRiz8i3")
