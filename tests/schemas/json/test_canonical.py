"""JSON pointers lead to values, and nowhere without an error of any other kind."""

import pytest

from interplay.schemas.json.canonical import at_pointer, set_leaf, value_at

ROWS = {"rows": [{"id": 7}, {"id": 8}]}


def test_a_pointer_leads_to_a_value_and_changes_it() -> None:
    assert at_pointer(ROWS, "/rows/1/id") == 8
    assert set_leaf(ROWS, "/rows/*/id", 9) == {"rows": [{"id": 9}, {"id": 9}]}
    assert set_leaf(ROWS, "/rows/0/id", 9) == {"rows": [{"id": 9}, {"id": 8}]}


@pytest.mark.parametrize("part", ["2", "-1", "²", "٢", "", "1" * 5000], ids=range(6))
def test_what_is_no_index_of_a_list_leads_nowhere(part: str) -> None:
    with pytest.raises(LookupError):
        at_pointer(ROWS, f"/rows/{part}/id")
    assert value_at(ROWS, f"/rows/{part}/id") is None
    assert set_leaf(ROWS, f"/rows/{part}/id", 9) == ROWS
