"""Values are of the kind that an object and its examples promise: links among links, people, moments of the world's time."""

from random import Random
from typing import Any

import pytest

from interplay.generators.environments.rows.pagination import Page
from interplay.generators.environments.rows.projection import in_envelope
from interplay.generators.values.schema_values import make_valid
from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.numeric_texts import EPOCH, PAST_EPOCH

TEXT = {"type": "string"}
SEEDS = range(12)


def fields(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


@pytest.mark.parametrize(("example", "unit"), [(1453770984.123, 1), (1701292639, 1), (1701292639000, 1000)])
def test_examples_of_moments_ask_for_moments_of_the_worlds_time(example: float, unit: int) -> None:
    for name, (low, high) in {"posted": PAST_EPOCH, "starts": EPOCH}.items():
        made = [make_valid({"type": "number", "examples": [example]}, Random(seed), name) for seed in SEEDS]
        assert all(low * unit <= value <= high * unit for value in made)


def test_other_large_examples_are_no_moments() -> None:
    made = [make_valid({"type": "integer", "examples": [5_000_000]}, Random(seed), "views") for seed in SEEDS]
    assert all(value < EPOCH[0] for value in made)


def test_objects_of_links_hold_links() -> None:
    link = {**TEXT, "description": "Link to the owner", "examples": ["https://api.example.org/owners/7"]}
    made = [make_valid(fields(owner=link, contacts=link), Random(seed), "related") for seed in SEEDS]
    assert all(value.startswith("https://") for row in made for value in row.values())
    mixed = make_valid(fields(owner=link, reason={**TEXT, "description": "Why"}), Random(1), "related")
    assert not mixed["reason"].startswith("http")


def test_the_name_of_a_person_is_told_from_the_fields_beside_it() -> None:
    for seed in SEEDS:
        shown = make_valid(fields(username=TEXT, display_name=TEXT, avatar=TEXT), Random(seed), "account")[
            "display_name"
        ]
        assert shown.split()[0] in sample_words.given_names()
        shown = make_valid(fields(name=TEXT, avatar=TEXT), Random(seed), "team")["name"]
        assert shown.split()[0] not in sample_words.given_names()


def test_an_envelope_says_what_its_example_says() -> None:
    message = {**TEXT, "examples": ["Product retrieved"]}
    made = in_envelope(fields(message=message, data=fields(id=TEXT)), "/data", {"id": "7"}, Random(3), Page())
    assert made == {"message": "Product retrieved", "data": {"id": "7"}}


def test_what_is_described_as_a_number_of_things_is_whole() -> None:
    for said in ("The total number of users on this page.", "How many seats are free.", "Number of pages"):
        schema = {"type": "number", "description": said}
        assert all(float(make_valid(schema, Random(seed), "total")).is_integer() for seed in range(20)), said
    priced = {"type": "number", "description": "Price of the number of nights."}
    assert not all(float(make_valid(priced, Random(seed), "total")).is_integer() for seed in range(20))
