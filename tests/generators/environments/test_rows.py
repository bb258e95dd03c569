"""Where the rows stand in what a tool shows."""

from interplay.generators.environments.rows import rows_in

TEXT = {"type": "string"}
ROW = {"type": "object", "properties": {"id": TEXT, "title": TEXT, "price": {"type": "number"}}}
PAIR = {"type": "object", "properties": {"key": TEXT, "value": TEXT}}


def test_rows_are_not_what_a_result_says_of_itself() -> None:
    lists = {name: {"type": "array", "items": item} for name, item in (("metadata", PAIR), ("skus", ROW))}
    found = rows_in({"type": "object", "properties": lists}, wants_list=True, names=("product", "products"))
    assert found is not None
    assert (found.pointer, found.schema) == ("/skus", ROW)


def test_pairs_are_rows_where_there_are_no_others() -> None:
    found = rows_in({"type": "object", "properties": {"settings": {"type": "array", "items": PAIR}}}, wants_list=True)
    assert found is not None
    assert found.pointer == "/settings"
