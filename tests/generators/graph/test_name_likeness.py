"""How alike two names of fields are."""

import pytest

from interplay.generators.graph.name_likeness import LETTERS_SHARED, blocks, likeness, words_of_name


def alike(left: str, right: str) -> float:
    return likeness(words_of_name(left), words_of_name(right))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("flight_no", "flight_number"),
        ("flightNos", "flight_numbers"),
        ("dest", "destination"),
        ("pets", "pet"),
        ("org_name", "organization_name"),
        ("zip_code", "zipCode"),
        ("username", "user_name"),
        ("colour_code", "color_code"),
        ("direct_flight_id", "flight_id"),
        ("idOwner", "owner_id"),
    ],
)
def test_the_same_thing_is_recognised_under_other_spellings(left: str, right: str) -> None:
    assert alike(left, right) > LETTERS_SHARED
    assert blocks(words_of_name(left)) & blocks(words_of_name(right))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("pet_id", "user_id"),
        ("pet_id", "pet"),
        ("start_date", "end_date"),
        ("first_name", "last_name"),
        ("min_length", "max_length"),
        ("customer_address_id", "customer_id"),
        ("file", "filetype"),
        ("order_id", "older_id"),
        ("project_uuid", "project_key"),
    ],
)
def test_different_things_are_kept_apart(left: str, right: str) -> None:
    assert alike(left, right) == 0
