"""The state behaves like a plain copy of all rows, at the cost of what changed."""

from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from interplay.generators.environments.sandbox.row_store import RowStore
from interplay.schemas.json.canonical import entry_sum, join_pointer, state_digest

Tables = dict[str, dict[str, Any]]

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["put", "delete", "snapshot", "restore"]),
        st.sampled_from(["a", "b"]),
        st.sampled_from(["1", "2", "3", "4"]),
        st.integers(0, 5),
    ),
    max_size=40,
)


def plain_digest(tables: Tables) -> str:
    rows = ((join_pointer(table, key), row) for table, held in tables.items() for key, row in held.items())
    return state_digest(entry_sum(rows))


def in_order(base: Tables, table: str, held: dict[str, Any]) -> list[tuple[str, Any]]:
    """Rows of the base keep their place; the others stand behind them in the order of their making."""
    known = base.get(table, {})
    return [(key, held[key]) for key in known if key in held] + [item for item in held.items() if item[0] not in known]


@settings(max_examples=200, deadline=None)
@given(STEPS)
def test_state_equals_a_plain_copy_of_all_rows(steps: list[tuple[str, str, str, int]]) -> None:
    base: Tables = {"a": {"1": {"n": 1}, "2": {"n": 2}}, "b": {"3": {"n": 3}}}
    state, plain = RowStore(deepcopy(base)), deepcopy(base)
    kept: list[tuple[Any, Tables]] = [(state.snapshot(), deepcopy(plain))]
    for step, table, key, number in steps:
        if step == "put":
            state.put(table, key, {"n": number})
            plain[table][key] = {"n": number}
        elif step == "delete" and key in plain[table]:
            state.delete(table, key)
            del plain[table][key]
        elif step == "snapshot":
            kept.append((state.snapshot(), deepcopy(plain)))
        elif step == "restore":
            snapshot, held = kept[number % len(kept)]
            state.restore(snapshot)
            plain = deepcopy(held)
        for name in base:
            assert list(state.rows(name)) == in_order(base, name, plain[name])
            assert state.tables()[name] == plain[name]
        assert state.digest() == plain_digest(plain)


def test_tables_are_the_same_object_until_something_changes() -> None:
    state = RowStore({"a": {"1": {"n": 1}}})
    before = state.tables()
    assert state.tables() is before
    state.put("a", "2", {"n": 2})
    assert "2" not in before["a"]
    assert "2" in state.tables()["a"]


def test_a_snapshot_holds_only_what_changed() -> None:
    state = RowStore({"a": {str(number): {"n": number} for number in range(1000)}})
    state.put("a", "7", {"n": 0})
    assert state.snapshot() == {("a", "7"): {"n": 0}}


def test_changes_name_the_fields_that_differ() -> None:
    state = RowStore({"a": {"1": {"n": 1, "m": 1}, "2": {"n": 2}}})
    state.put("a", "1", {"n": 5, "m": 1})
    state.delete("a", "2")
    assert [change.path for change in state.changes()] == ["/a/1/n", "/a/2"]


def test_private_fields_change_no_digest() -> None:
    state = RowStore({"a": {"1": {"n": 1}}})
    before = state.digest()
    state.put("a", "1", {"n": 1, "_parents": {"b": "2"}})
    assert state.digest() == before
