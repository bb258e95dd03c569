"""The state of a Python object is restored, digested and compared, whatever was done to it."""

import copy
import json
import timeit
from collections import defaultdict
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.generators.environments.toolkit.toolkit_shop import Receipt, call, everything, open_shop

from interplay.generators.environments.toolkit.plain_json import as_json
from interplay.generators.environments.toolkit.toolkit import Toolkit
from interplay.generators.environments.toolkit.tracker import Tracker
from interplay.generators.importers.python.importer import import_python
from interplay.schemas.json.canonical import Change, difference
from interplay.schemas.records.dialogue import ToolCall

WRITES: list[tuple[str, dict[str, Any]]] = [
    ("rename_customer", {"customer_id": "C-1", "name": "Ada"}),
    ("add_tag", {"customer_id": "C-1", "tag": "y"}),
    ("delete_customer", {"customer_id": "C-1"}),
    ("create_order", {"customer_id": "C-1", "items": ["tea"]}),
    ("set_cell", {"row": 1, "column": 0, "value": 9}),
    ("note_call", {}),
    ("forget", {}),
]


@pytest.mark.parametrize(("name", "arguments"), WRITES)
def test_restoring_a_snapshot_undoes_a_write(name: str, arguments: dict[str, Any]) -> None:
    toolkit = open_shop()
    before, digest, snapshot = everything(toolkit), toolkit.digest(), toolkit.snapshot()
    assert call(toolkit, name, **arguments).error is None
    assert everything(toolkit) != before
    after, later, changed = everything(toolkit), toolkit.snapshot(), toolkit.changes()
    toolkit.restore(snapshot)
    assert (everything(toolkit), toolkit.digest(), toolkit.changes()) == (before, digest, ())
    toolkit.restore(later)
    assert (json.loads(everything(toolkit)), toolkit.changes()) == (json.loads(after), changed)


def test_changes_name_table_key_and_field() -> None:
    toolkit = open_shop()
    call(toolkit, "rename_customer", customer_id="C-1", name="Ada")
    call(toolkit, "set_cell", row=0, column=1, value=7)
    call(toolkit, "delete_customer", customer_id="C-2")
    assert toolkit.changes() == (
        Change(path="/customers/C-1/name", before="N1", after="Ada"),
        Change(path="/customers/C-2", before={"customer_id": "C-2", "name": "N2", "tags": ["x"]}, after="<missing>"),
        Change(path="/grid", before=[[1, 2], [3, [4]]], after=[[1, 7], [3, [4]]]),
    )


def test_a_row_that_is_filled_after_it_was_inserted_counts_in_full() -> None:
    toolkit = open_shop()
    result = call(toolkit, "create_order", customer_id="C-1", items=["tea"])
    assert result.value == {"order_id": "O-1", "customer_id": "C-1", "items": ["tea"]}
    assert [change.path for change in toolkit.changes()] == ["/count", "/log", "/orders/O-1"]
    assert toolkit.state()["orders"]["O-1"]["items"] == ["tea"]


def test_a_deletion_undone_keeps_the_order_of_the_table() -> None:
    toolkit = open_shop()
    snapshot = toolkit.snapshot()
    call(toolkit, "delete_customer", customer_id="C-0")
    call(toolkit, "create_order", customer_id="C-1", items=[])
    toolkit.restore(snapshot)
    assert list(toolkit.state()["customers"]) == ["C-0", "C-1", "C-2"]


def test_the_digest_returns_when_a_change_is_changed_back() -> None:
    toolkit = open_shop()
    digest = toolkit.digest()
    call(toolkit, "rename_customer", customer_id="C-1", name="Ada")
    assert toolkit.digest() != digest
    call(toolkit, "rename_customer", customer_id="C-1", name="N1")
    assert toolkit.digest() == digest
    assert toolkit.changes() == ()


def test_the_digest_is_the_same_however_a_state_was_reached() -> None:
    first, second = open_shop(), open_shop()
    first.digest()
    for toolkit in (first, second):
        call(toolkit, "set_cell", row=0, column=0, value=5)
        call(toolkit, "delete_customer", customer_id="C-0")
    assert first.digest() == second.digest()


def test_25_and_25_0_are_the_same_state() -> None:
    toolkit = open_shop()
    call(toolkit, "set_cell", row=0, column=0, value=25)
    digest = toolkit.digest()
    call(toolkit, "set_cell", row=0, column=0, value=25.0)
    assert toolkit.digest() == digest


def test_private_attributes_are_restored_but_not_compared() -> None:
    toolkit = open_shop()
    digest, snapshot = toolkit.digest(), toolkit.snapshot()
    call(toolkit, "note_call")
    assert toolkit.digest() == digest
    assert toolkit.changes() == ()
    assert "_secret" not in toolkit.state()
    toolkit.restore(snapshot)
    assert toolkit._object._secret == {"calls": 0}  # type: ignore[attr-defined]


class Fleet:
    """Dataclass rows, an index that shares rows, a set and a defaultdict: nothing that JSON knows."""

    def __init__(self) -> None:
        self.cars = {"a": Receipt(1, date(2026, 3, 2)), "b": Receipt(2, date(2026, 3, 3))}
        self.seen = {"a"}
        self.visits: defaultdict[str, list[str]] = defaultdict(list)
        shared = {"name": "one"}
        self.by_id = {"1": shared}
        self.by_name = {"one": shared}

    def set_number(self, car: str, number: int) -> Receipt:
        self.cars[car].number = number
        self.seen.add(car)
        self.visits[car].append("now")
        return self.cars[car]

    def rename(self, key: str, name: str) -> dict[str, str]:
        self.by_id[key]["name"] = name
        return self.by_name["one"]

    def add_pair(self) -> dict[str, str]:
        row = {"name": "two"}
        self.by_id["2"] = row
        self.by_name["two"] = row
        return row

    def rename_pair(self, name: str) -> dict[str, str]:
        self.by_name["two"]["name"] = name
        return self.by_id["2"]

    def add_car(self, car: str) -> None:
        self.cars[car] = Receipt(3, date.min)


def open_fleet() -> Toolkit:
    return Toolkit(Fleet, import_python(Fleet).toolset)


def test_attributes_that_are_no_json_are_restored_too() -> None:
    toolkit = open_fleet()
    digest, snapshot = toolkit.digest(), toolkit.snapshot()
    call(toolkit, "set_number", car="b", number=7)
    call(toolkit, "add_car", car="c")
    assert {change.path for change in toolkit.changes()} == {"/cars/b/number", "/cars/c", "/seen", "/visits/b"}
    assert toolkit.state()["cars"]["b"]["number"] == 7
    later, later_digest = toolkit.snapshot(), toolkit.digest()
    toolkit.restore(snapshot)
    assert (toolkit.digest(), toolkit.changes()) == (digest, ())
    assert list(toolkit.state()["cars"]) == ["a", "b"]
    toolkit.restore(later)
    assert toolkit.digest() == later_digest
    assert toolkit.state()["cars"]["c"]["number"] == 3


def test_rows_that_two_tables_share_stay_shared() -> None:
    toolkit = open_fleet()
    snapshot, digest = toolkit.snapshot(), toolkit.digest()
    assert call(toolkit, "rename", key="1", name="uno").value == {"name": "uno"}
    assert [change.path for change in toolkit.changes()] == ["/by_id/1/name", "/by_name/one/name"]
    call(toolkit, "add_pair")
    later = toolkit.snapshot()
    toolkit.restore(snapshot)
    assert toolkit.digest() == digest
    assert call(toolkit, "rename", key="1", name="ein").value == {"name": "ein"}
    toolkit.restore(later)
    assert call(toolkit, "rename_pair", name="zwei").value == {"name": "zwei"}


KEYS = st.sampled_from("abcd")
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["set", "nest", "del", "pop", "list", "rebind", "scalar", "alias", "opaque", "grow"]),
        KEYS,
        st.integers(0, 3),
    ),
    max_size=12,
)


def play(attributes: dict[str, Any], steps: list[tuple[str, str, int]]) -> None:
    """Change a state in ways that tools do."""
    for kind, key, number in steps:
        table = attributes["table"]
        if kind == "set":
            table[key] = {"n": number, "inner": [number]}
        elif kind == "nest" and key in table:
            table[key]["inner"].append(number)
        elif kind == "del":
            table.pop(key, None)
        elif kind == "pop" and table:
            table.popitem()
        elif kind == "list":
            attributes["items"].append({"k": key})
            attributes["items"][0]["n"] = number
        elif kind == "rebind":
            attributes["table"] = {key: {"n": number, "inner": []}, "a": {"n": 0, "inner": []}}
        elif kind == "scalar":
            attributes["scalar"] = number
        elif kind == "alias" and key in table:
            attributes["index"][key] = table[key]
        elif kind == "opaque":
            table[key] = {"n": {number}, "inner": []}
        elif kind == "grow" and key in table and isinstance(table[key]["n"], set):
            table[key]["n"].add(9)


def public(attributes: dict[str, Any]) -> str:
    return json.dumps(attributes, default=sorted)


@settings(max_examples=200, deadline=None)
@given(STEPS, STEPS, STEPS)
def test_the_tracked_state_is_always_the_state_of_a_plain_copy(
    first: list[Any], second: list[Any], third: list[Any]
) -> None:
    start: dict[str, Any] = {
        "table": {k: {"n": 0, "inner": [1]} for k in "abc"},
        "items": [{"k": "z"}],
        "scalar": 0,
        "index": {},
    }
    start["index"] = {"c": start["table"]["c"]}
    live, plain = copy.deepcopy(start), copy.deepcopy(start)
    tracker = Tracker(live)
    base = tracker.snapshot()
    play(live, first)
    play(plain, first)
    after_first, kept = tracker.snapshot(), copy.deepcopy(plain)
    assert public(live) == public(plain)
    play(live, second)
    play(plain, second)
    tracker.take_in_changes()
    assert public(live) == public(plain)
    assert tracker.changes() == difference(start, as_json(plain))
    assert tracker.digest() == Tracker(copy.deepcopy(plain)).digest()
    tracker.restore(after_first)
    assert public(live) == public(kept)
    play(live, third)
    play(kept, third)
    tracker.take_in_changes()
    assert public(live) == public(kept)
    tracker.restore(base)
    assert public(live) == public(start)
    assert tracker.changes() == ()


@pytest.mark.parametrize("rows", [200, 20_000])
def test_reads_and_snapshots_do_not_cost_more_in_a_larger_state(rows: int) -> None:
    toolkit = open_shop(rows)
    toolkit.digest()
    snapshot = toolkit.snapshot()
    read = ToolCall(id="a00000001", name="get_customer", arguments={"customer_id": "C-7"})
    write = ToolCall(id="a00000001", name="add_tag", arguments={"customer_id": "C-7", "tag": "y"})

    def microseconds(action: Callable[[], Any]) -> float:
        return min(timeit.repeat(action, number=200, repeat=5)) / 200 * 1e6

    def run(made: ToolCall) -> None:
        with pytest.raises(StopIteration):
            toolkit.call(made).send(None)

    def write_and_undo() -> None:
        run(write)
        toolkit.digest()
        toolkit.restore(snapshot)

    assert microseconds(toolkit.snapshot) < 50
    assert microseconds(lambda: toolkit.restore(snapshot)) < 50
    assert microseconds(lambda: run(read)) < 500
    assert microseconds(write_and_undo) < 1000
