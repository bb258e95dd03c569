"""Numbers that people could say."""

from random import Random

from interplay.generators.values.number_values import make_number


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


def test_ratings_are_on_the_scale_of_their_examples() -> None:
    for example, most in ((8.7, 10), (72, 100)):
        schema = {"type": "number", "examples": [example]}
        made = [make_number(schema, Random(seed), "rating") for seed in range(60)]
        assert min(made) >= 0.3 * most
        assert most / 2 < max(made) <= most


def test_the_number_of_a_chapter_is_its_place() -> None:
    assert all(make_number({"type": "integer"}, Random(seed), "chapterNumber") < 100 for seed in range(40))
