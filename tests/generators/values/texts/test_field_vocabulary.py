"""Fields of which people have a few plain words hold one of these, and no made-up name."""

from random import Random

import pytest

from interplay.generators.values.schema_values import make_valid
from interplay.generators.values.texts.names.field_vocabulary import COUNTED, KNOWN


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("status", "status"),
        ("sort_dir", "direction"),
        ("unit_in", "unit"),
        ("availableMarkets", "market"),
        ("order", "direction"),
    ],
)
def test_a_field_with_plain_words_holds_one(name: str, known: str) -> None:
    assert {make_valid({"type": "string"}, Random(seed), name) for seed in range(20)} <= set(KNOWN[known])


def test_what_is_counted_in_a_text_is_a_number() -> None:
    low, high = COUNTED["minutes"]
    assert low <= int(make_valid({"type": "string"}, Random(1), "num_minutes")) <= high


def test_a_code_by_a_standard_is_one() -> None:
    schema = {"type": "string", "description": "An ISO 3166-1 alpha-2 country code."}
    assert all(len(make_valid(schema, Random(seed), "region")) == len("DE") for seed in range(9))


def test_a_sort_code_is_that_of_a_bank_and_a_sort_is_a_field() -> None:
    assert make_valid({"type": "string"}, Random(2), "sort_code").isdigit()
    assert make_valid({"type": "string"}, Random(2), "sort_by") in ("name", "date")


def test_a_directory_is_called_like_one() -> None:
    assert make_valid({"type": "string"}, Random(2), "dir_name").islower()
