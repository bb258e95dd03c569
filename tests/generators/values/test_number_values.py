"""Numbers that people could say."""

import re
from random import Random

import pytest

from interplay.generators.values.number_values import make_number
from interplay.generators.values.schema_values import make_valid
from interplay.generators.values.texts.ideas import draw_idea


def test_bounds_lie_at_their_end_and_minutes_are_said_in_steps() -> None:
    whole = {"type": "integer"}
    ages = [
        (make_number(whole, Random(seed), "min_age"), make_number(whole, Random(seed), "max_age")) for seed in range(60)
    ]
    assert max(low for low, _ in ages) < min(high for _, high in ages)
    minutes = [make_number(whole, Random(seed), "duration_minutes") for seed in range(60)]
    assert all(made % 5 == 0 for made in minutes)
    assert max(minutes) <= 120
    assert make_number({**whole, "minimum": 7, "maximum": 8}, Random(1), "minutes") in (7, 8)


def test_prices_end_as_people_set_them() -> None:
    number = {"type": "number"}
    cents = {round(make_number(number, Random(seed), "unit_price") % 1, 2) for seed in range(80)}
    assert cents == {0, 0.5, 0.9, 0.95, 0.99}
    assert make_number({**number, "multipleOf": 0.25}, Random(1), "price") % 0.25 == 0


def test_an_average_is_one_of_what_holds_it() -> None:
    stats = {"type": "object", "required": ["average"], "properties": {"average": {"type": "number"}}}
    made = [make_valid(stats, Random(seed), "ratingStats")["average"] for seed in range(60)]
    assert all(1 <= value <= 5 for value in made), made


def test_ratings_are_on_the_scale_of_their_examples() -> None:
    for example, most in ((8.7, 10), (72, 100)):
        schema = {"type": "number", "examples": [example]}
        made = [make_number(schema, Random(seed), "rating") for seed in range(60)]
        assert min(made) >= 0.3 * most
        assert most / 2 < max(made) <= most


def test_the_number_of_a_chapter_is_its_place() -> None:
    assert all(make_number({"type": "integer"}, Random(seed), "chapterNumber") < 100 for seed in range(40))


@pytest.mark.parametrize(
    ("examples", "written"), [([], r"\d+\.\d\d"), (["$1.99"], r"\$\d+\.\d\d"), (["3,20 €"], r"\d+,\d\d €")]
)
def test_a_price_that_is_a_text_is_usual_for_its_thing_and_written_like_its_examples(
    examples: list[str], written: str
) -> None:
    text = {"type": "string"}
    dish = {
        "type": "object",
        "properties": {"name": text, "price": {**text, "examples": examples}},
        "required": ["name", "price"],
    }
    made = [make_valid(dish, Random(seed), "dish")["price"] for seed in range(40)]
    assert all(re.fullmatch(written, price) for price in made)
    assert all(4 <= float(price.strip("$ €").replace(",", ".")) <= 30 for price in made)


def test_a_number_is_usual_for_its_thing_where_its_examples_are() -> None:
    beer = {"type": "object", "properties": {"abv": {"type": "number", "examples": [5.0]}}, "required": ["abv"]}
    made_values = [make_valid(beer, Random(seed), "beer")["abv"] for seed in range(30)]
    assert max(made_values) < 10


def test_bounds_that_hold_what_is_usual_of_a_thing_tell_nothing_new() -> None:
    house = draw_idea("property", Random(1), ("bedrooms", "monthly_rent"))
    rents = {
        make_number({"type": "number", "minimum": 0}, Random(seed), "monthly_rent", idea=house) for seed in range(9)
    }
    assert all(900 <= rent <= 3400 for rent in rents)
    told = {
        make_number({"type": "number", "maximum": 50}, Random(seed), "monthly_rent", idea=house) for seed in range(9)
    }
    assert all(rent <= 50 for rent in told)


def test_a_rating_goes_with_what_is_written_beside_it() -> None:
    found = 0
    for seed in range(80):
        idea = draw_idea("review", Random(seed), ("rating", "comment", "appointment_id"))
        rated = idea.thing.rated if idea.thing is not None else None
        if rated is not None:
            found += 1
            for most in (5, 10):
                scale = {"type": "integer", "minimum": 1, "maximum": most}
                share = (make_number(scale, Random(seed), "rating", idea=idea) - 1) / (most - 1)
                assert rated[0] <= share <= max(rated[1], rated[0] + 1 / (most - 1)), idea
    assert found > 60


def test_a_count_is_as_large_as_what_is_counted() -> None:
    for name in ("children_count", "childrenCount"):
        counted = [make_number({"type": "number"}, Random(seed), name) for seed in range(60)]
        assert set(counted) <= {1, 2, 3}
    assert max(make_number({"type": "integer"}, Random(seed), "view_count") for seed in range(60)) > 3


def test_what_somebody_earns_is_a_round_sum() -> None:
    paid = [make_number({"type": "number"}, Random(seed), "salary") for seed in range(60)]
    assert all(sum_ % 50 == 0 and sum_ >= 1_000 for sum_ in paid)


@pytest.mark.parametrize(("name", "most"), [("interestRate", 12), ("taxRate", 25), ("dailyRate", 150)])
def test_a_rate_is_as_high_as_such_rates_are(name: str, most: int) -> None:
    made = [make_valid({"type": "number"}, Random(seed), name) for seed in range(40)]
    assert 0 < min(made) <= max(made) <= most
    assert max(made) > most / 2


def test_a_whole_number_that_says_whether_something_is_so_is_0_or_1() -> None:
    made = {make_number({"type": "integer"}, Random(seed), "location_is_freezer") for seed in range(20)}
    assert made == {0, 1}
    assert make_number({"type": "integer", "minimum": 5}, Random(1), "has_children") >= 5
    assert all(make_number({"type": "integer"}, Random(seed), "decimal_places") <= 3 for seed in range(20))
