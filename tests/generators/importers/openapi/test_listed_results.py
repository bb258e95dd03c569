"""A GET that is told to show all of something shows a list, also where its result is written down as one of them."""

from typing import Any

import pytest

from interplay.generators.importers.documents.import_notes import Notes
from interplay.generators.importers.openapi.importer import as_listed

ONE = {"title": "Restaurant", "type": "object", "properties": {"name": {"type": "string"}}}


@pytest.mark.parametrize(
    ("path", "told", "title", "listed"),
    [
        ("/restaurants", "Get all Restaurants in system", "Restaurant", True),
        ("/v1/restaurants/", "Returns a list of restaurants", "Restaurant", True),
        ("/restaurants/{id}", "Get all data of a restaurant", "Restaurant", False),
        ("/restaurants", "Get the restaurant of the day", "Restaurant", False),
        ("/restaurants", "Get all Restaurants", "RestaurantPage", False),
        ("/news", "Get all news", "News", False),
    ],
)
def test_one_of_what_a_path_names_is_a_list_where_all_are_told_of(
    path: str, told: str, title: str, listed: bool
) -> None:
    notes, one = Notes(), {**ONE, "title": title}
    expected: dict[str, Any] = {"type": "array", "items": one} if listed else one
    assert as_listed(path, told, one, notes) == expected
    assert bool(notes.found) is listed


def test_lists_and_unknown_results_stay() -> None:
    many = {"type": "array", "items": ONE}
    assert as_listed("/restaurants", "all", many, Notes()) == many
    assert as_listed("/restaurants", "all", None, Notes()) is None
