"""Words in names of fields."""

import pytest

from interplay.schemas.fields import singular


@pytest.mark.parametrize(
    ("many", "one"),
    [
        ("cities", "city"),
        ("boxes", "box"),
        ("comicSeries", "comicSeries"),
        ("species", "species"),
        ("tasks", "task"),
        ("warehouses", "warehouse"),
        ("houses", "house"),
        ("causes", "cause"),
        ("aliases", "alias"),
        ("uses", "use"),
        ("statuses", "status"),
        ("emojis", "emoji"),
        ("analysis", "analysis"),
    ],
)
def test_the_singular_of_a_noun(many: str, one: str) -> None:
    assert singular(many) == one
