"""Two views of a row differ where both show a field with other values that either may show."""

from interplay.generators.environments.probing.comparison import disagreement


def test_a_view_differs_where_both_show_other_values() -> None:
    differs = disagreement({"name": "Ada", "at": {"city": "Oslo"}}, {"name": "Ada", "at": {"city": "Rome"}})
    assert differs is not None
    assert (differs.field, differs.wanted, differs.found) == ("at.city", "Oslo", "Rome")
    assert disagreement({"name": "Ada", "age": None}, {"name": "Ada", "age": 7, "more": True}) is None


def test_what_a_view_cannot_show_is_no_difference() -> None:
    view = {"type": "object", "properties": {"type": {"enum": ["team_reference"]}, "name": {"type": "string"}}}
    assert disagreement({"type": "team_reference"}, {"type": "team"}, view) is None
    assert disagreement({"name": "Red"}, {"name": "Blue"}, view) is not None
