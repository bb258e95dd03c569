import pytest

from interplay.generators.environments.overrides.conditions import facts_of, holds, problems

FACTS = {
    "argument": {"quantity": 3, "note": ""},
    "row": {"status": "shipped", "customer": {"tier": "gold"}, "paid": True},
}


@pytest.mark.parametrize(
    "condition",
    [
        {},
        {"row.status": "shipped", "argument.quantity": {"min": 3, "max": 3}},
        {"row.customer.tier": {"in": ["gold", "silver"]}},
        {"row.status": {"matches": "^ship"}},
        {"row.status": {"not": "placed"}},
        {"row.missing": {"not_in": ["x"]}},
        {"argument.note": {"given": False}},
        {"any": [{"row.status": "placed"}, {"row.paid": True}]},
        {"all": [{"row.status": "shipped"}, {"not": {"row.paid": False}}]},
    ],
)
def test_holds(condition: dict[str, object]) -> None:
    assert holds(condition, FACTS)


@pytest.mark.parametrize(
    "condition",
    [
        {"row.status": "placed"},
        {"row.status": "shipped", "argument.quantity": {"max": 2}},
        {"row.missing": "x"},
        {"row.paid": 1},
        {"row.status": {"min": 3}},
        {"order.status": "shipped"},
        {"not": {"row.status": "shipped"}},
    ],
)
def test_does_not_hold(condition: dict[str, object]) -> None:
    assert not holds(condition, FACTS)


def test_looks_at_the_row_that_is_meant_and_at_those_that_arguments_refer_to() -> None:
    rows = {("order", "7"): {"status": "placed"}, ("pet", "1"): {"name": "Rex"}}
    references = {"/order_id": "order", "/pet": "pet"}
    arguments = {"order_id": 7, "pet": "1", "gone": 2}
    facts = facts_of(arguments, references, "order", "order_id", lambda table, key: rows.get((table, key)))
    assert facts == {
        "argument": arguments,
        "order": {"status": "placed"},
        "row": {"status": "placed"},
        "pet": {"name": "Rex"},
    }


@pytest.mark.parametrize(
    ("condition", "pointer"),
    [
        ({"row.stat": 1}, "/row.stat"),
        ({"nothing.x": 1}, "/nothing.x"),
        ({"row.status": {"equals": 1}}, "/row.status/equals"),
        ({"row.status": {"matches": "(?=a)"}}, "/row.status/matches"),
        ({"row.status": {"in": "a"}}, "/row.status/in"),
        ({"any": [{"row.status": {"min": True}}]}, "/any/0/row.status/min"),
        ({"not": 5}, "/not"),
    ],
)
def test_says_where_a_condition_is_wrong(condition: dict[str, object], pointer: str) -> None:
    assert [place for place, _ in problems(condition, ["quantity"], {"row": ["status"]})] == [pointer]


def test_refuses_conditions_without_an_end() -> None:
    condition: dict[str, object] = {}
    condition["not"] = condition
    assert list(problems(condition, [], {}))
