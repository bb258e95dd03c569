"""Any Python object is an environment: calls, errors, snapshots, digests and changes."""

import asyncio
import copy
import json
import threading
import timeit
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from itertools import count
from typing import Annotated, Any, TypedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import AfterValidator

from interplay.generators.environments.containers import Table, TrackedDict, TrackedList
from interplay.generators.environments.plain import as_json
from interplay.generators.environments.toolkit import Toolkit
from interplay.generators.environments.tracking import Tracker
from interplay.generators.importers.python import ToolError, import_python
from interplay.schemas.canonical import Change, difference
from interplay.schemas.dialogue import ToolCall, ToolResult
from interplay.schemas.errors import ConfigError, EnvironmentFailure
from interplay.schemas.tools import Resource


class Size(Enum):
    SMALL = "small"


@dataclass
class Receipt:
    number: int
    day: date
    size: Size = Size.SMALL
    tags: set[str] = field(default_factory=lambda: {"b", "a"})


def even(number: int) -> int:
    if number % 2:
        raise ValueError("an odd number")
    return number


class Due(TypedDict):
    day: date


class Shop:
    def __init__(self, rows: int = 3) -> None:
        self.customers: dict[str, dict[str, Any]] = {
            f"C-{n}": {"customer_id": f"C-{n}", "name": f"N{n}", "tags": ["x"]} for n in range(rows)
        }
        self.orders: dict[str, dict[str, Any]] = {}
        self.log: list[Any] = []
        self.grid: list[list[Any]] = [[1, 2], [3, [4]]]
        self.count = 0
        self._secret = {"calls": 0}

    def get_customer(self, customer_id: str) -> dict[str, Any]:
        return self.customers[customer_id]

    def rename_customer(self, customer_id: str, name: str) -> dict[str, Any]:
        if customer_id not in self.customers:
            raise ToolError(f"Error: no customer {customer_id}.")
        self.customers[customer_id]["name"] = name
        return self.customers[customer_id]

    def add_tag(self, customer_id: str, tag: str) -> Any:
        self.customers[customer_id]["tags"].append(tag)
        return self.customers[customer_id]["tags"]

    def delete_customer(self, customer_id: str) -> None:
        del self.customers[customer_id]

    def create_order(self, customer_id: str, items: list[str]) -> dict[str, Any]:
        order: dict[str, Any] = {"order_id": f"O-{len(self.orders) + 1}", "customer_id": customer_id}
        self.orders[order["order_id"]] = order
        order["items"] = items
        self.log.append({"order": order["order_id"]})
        self.count += 1
        return order

    def set_cell(self, row: int, column: int, value: float) -> float:
        self.grid[row][column] = value
        return value

    def note_call(self) -> None:
        self._secret["calls"] += 1

    def forget(self) -> None:
        self.log = []
        self.customers = {"C-9": {"customer_id": "C-9", "name": "new", "tags": []}}
        self.extra = {"a": 1}

    def get_receipt(self, day: date, size: Size = Size.SMALL) -> Receipt:
        assert isinstance(day, date)
        assert isinstance(size, Size)
        return Receipt(1, day, size)

    def get_even(self, number: Annotated[int, AfterValidator(even)]) -> int:
        return number

    def get_year(self, due: Due) -> int:
        return due["day"].year

    async def get_later(self) -> str:
        await asyncio.sleep(0)
        return "later"

    def get_trouble(self, kind: str) -> Any:
        if kind == "text":
            return "Error: no such thing."
        if kind == "object":
            return {"error": "no such thing"}
        if kind == "both":
            return {"error": "no such thing", "code": 404}
        if kind == "null":
            return {"error": None}
        if kind == "bug":
            return 1 / 0
        raise {
            "value": ValueError("bad"),
            "key": KeyError("C-7"),
            "runtime": RuntimeError("out of stock"),
            "type": TypeError("amounts are numbers"),
            "denied": PermissionError("not yours"),
            "duty": NotImplementedError("later"),
        }[kind]

    def get_bug(self) -> int:
        return len(3)  # type: ignore[arg-type]

    def get_unspeakable(self) -> object:
        return object()


def open_shop(rows: int = 3) -> Toolkit:
    return Toolkit(lambda: Shop(rows), import_python(Shop).toolset)


def call(toolkit: Toolkit, name: str, /, **arguments: Any) -> ToolResult:
    return asyncio.run(toolkit.call(ToolCall(id="a00000001", name=name, arguments=arguments)))


def everything(toolkit: Toolkit) -> str:
    """Write the state down with the order of its keys."""
    return json.dumps(vars(toolkit._object))


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


def test_results_are_copies_that_later_calls_leave_alone() -> None:
    toolkit = open_shop()
    result = call(toolkit, "add_tag", customer_id="C-1", tag="y")
    call(toolkit, "add_tag", customer_id="C-1", tag="z")
    assert result.value == ["x", "y"]
    assert type(result.value) is list


def test_arguments_are_copied() -> None:
    toolkit = open_shop()
    items = ["tea"]
    call(toolkit, "create_order", customer_id="C-1", items=items)
    items.append("salt")
    assert toolkit.state()["orders"]["O-1"]["items"] == ["tea"]


def test_arguments_and_results_pass_through_python_types() -> None:
    assert call(open_shop(), "get_receipt", day="2026-03-02").value == {
        "number": 1,
        "day": "2026-03-02",
        "size": "small",
        "tags": ["a", "b"],
    }


def test_dates_inside_a_typed_dict_are_read() -> None:
    assert call(open_shop(), "get_year", due={"day": "2026-03-02"}).value == 2026


def test_validators_of_annotations_are_run() -> None:
    assert call(open_shop(), "get_even", number=2).value == 2
    assert "an odd number" in (call(open_shop(), "get_even", number=3).error or "")


def test_coroutine_methods_are_awaited() -> None:
    assert call(open_shop(), "get_later").value == "later"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("text", "Error: no such thing."),
        ("object", "no such thing"),
        ("both", '{"error": "no such thing", "code": 404}'),
        ("value", "bad"),
        ("key", "Not found: C-7"),
        ("runtime", "out of stock"),
        ("type", "amounts are numbers"),
        ("denied", "not yours"),
    ],
)
def test_each_style_of_error_becomes_an_error_result(kind: str, text: str) -> None:
    result = call(open_shop(), "get_trouble", kind=kind)
    assert (result.error, result.text, result.value) == (text, text, None)


def test_an_error_field_without_a_value_is_no_error() -> None:
    assert call(open_shop(), "get_trouble", kind="null").value == {"error": None}


def test_a_tool_error_keeps_its_exact_text() -> None:
    assert call(open_shop(), "rename_customer", customer_id="C-7", name="x").error == "Error: no customer C-7."


@pytest.mark.parametrize(
    ("name", "arguments", "named"),
    [
        ("get_customer", {}, "'customer_id' is a required property"),
        ("get_customer", {"customer_id": 3}, "customer_id: 3 is not of type 'string'"),
        ("get_customer", {"customer_id": "C-1", "more": 1}, "'more' was unexpected"),
        ("get_receipt", {"day": "tomorrow"}, "day: 'tomorrow' is not a 'date'"),
        ("steal", {}, "no tool called steal"),
    ],
)
def test_wrong_arguments_become_an_error_result(name: str, arguments: dict[str, Any], named: str) -> None:
    error = call(open_shop(), name, **arguments).error
    assert error is not None
    assert error.startswith("Error")
    assert named in error


@pytest.mark.parametrize("name", ["get_bug", "get_unspeakable"])
def test_a_bug_in_a_tool_is_a_failure_of_the_environment(name: str) -> None:
    with pytest.raises(EnvironmentFailure, match=f"tool {name} broke: TypeError"):
        call(open_shop(), name)


@pytest.mark.parametrize(
    ("kind", "said"), [("bug", "ZeroDivisionError: division by zero"), ("duty", "NotImplementedError: later")]
)
def test_another_exception_names_tool_and_exception(kind: str, said: str) -> None:
    with pytest.raises(EnvironmentFailure, match=f"tool get_trouble broke: {said}"):
        call(open_shop(), "get_trouble", kind=kind)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (float("nan"), "null"),
        ({"x": [float("inf"), 1.5]}, '{"x": [null, 1.5]}'),
        ("a\ud800b", "a\ufffdb"),
        ({"\udc00": "é"}, '{"\ufffd": "é"}'),
        ('{"x": NaN}', '{"x": NaN}'),
    ],
)
def test_results_can_always_be_written_down(value: Any, text: str) -> None:
    class Odd:
        def get(self) -> Any:
            return value

    result = call(Toolkit(Odd, import_python(Odd).toolset), "get")
    assert result.text == text
    assert ToolResult.model_validate_json(result.model_dump_json()) == result


def test_what_a_tool_prints_stays_off_standard_output_and_an_exit_is_a_failure(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Loud:
        def get(self) -> str:
            print("working")
            return "done"

        def leave(self) -> None:
            raise SystemExit(3)

    toolkit = Toolkit(Loud, import_python(Loud).toolset)
    assert call(toolkit, "get").value == "done"
    assert capsys.readouterr().out == ""
    with pytest.raises(EnvironmentFailure, match="tool leave broke: SystemExit: 3"):
        call(toolkit, "leave")


def test_state_that_cannot_be_copied_is_named() -> None:
    class Stuck:
        def __init__(self) -> None:
            self.lock = threading.Lock()
            self.stuck = {"row": {"lock": threading.Lock()}}

        def get_one(self) -> int:
            return 1

    with pytest.raises(EnvironmentFailure, match="the state in stuck cannot be copied"):
        Toolkit(Stuck, import_python(Stuck).toolset)


def test_an_object_without_attributes_is_refused() -> None:
    with pytest.raises(ConfigError):
        Toolkit(lambda: 3, import_python(Shop).toolset)


def test_a_tool_without_a_function_is_refused() -> None:
    with pytest.raises(ConfigError, match="get_customer"):
        Toolkit(lambda: Receipt(1, date.min), import_python(Shop).toolset)


def test_resources_come_from_tables_and_roles_from_names() -> None:
    resources = open_shop().resources
    assert resources.resources[0] == Resource(name="customer", table="customers", identity="customer_id", parent=None)
    create, rename = resources.role("create_order"), resources.role("rename_customer")
    assert (create.operation, create.resource, create.references) == ("create", "order", {"/customer_id": "customer"})
    assert (rename.operation, rename.resource) == ("update", "customer")
    assert resources.role("get_later").operation == "compute"


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


def test_every_mutator_of_a_dict_reports_before_it_changes() -> None:
    mutations: list[Callable[[Any], Any]] = [
        lambda d: d.__setitem__("a", 9),
        lambda d: d.__delitem__("a"),
        lambda d: d.__ior__({"z": 1}),
        lambda d: d.clear(),
        lambda d: d.pop("a"),
        lambda d: d.popitem(),
        lambda d: d.setdefault("n", 1),
        lambda d: d.update(z=1),
    ]
    for mutate in mutations:
        seen: list[Any] = []
        made = TrackedDict({"a": 1, "b": 2}, ("t", "k"), lambda entry: seen.append((entry, dict(made))))  # noqa: B023
        mutate(made)
        assert seen[0] == (("t", "k"), {"a": 1, "b": 2})
        assert type(made.copy()) is dict
        rows: list[Any] = []
        table = Table("t", {"a": 1, "b": 2}, lambda entry: rows.append((entry, dict(table))), count())  # noqa: B023
        mutate(table)
        assert rows[0][1] == {"a": 1, "b": 2}
        assert list(table.places) == list(table)


def test_every_mutator_of_a_list_reports_before_it_changes() -> None:
    mutations: list[Callable[[Any], Any]] = [
        lambda x: x.__setitem__(0, 9),
        lambda x: x.__delitem__(0),
        lambda x: x.__iadd__([1]),
        lambda x: x.__imul__(2),
        lambda x: x.append(1),
        lambda x: x.clear(),
        lambda x: x.extend([1]),
        lambda x: x.insert(0, 1),
        lambda x: x.pop(),
        lambda x: x.remove(3),
        lambda x: x.reverse(),
        lambda x: x.sort(reverse=False),
    ]
    for mutate in mutations:
        seen: list[Any] = []
        made = TrackedList([3, 1, 2], ("t",), lambda entry: seen.append((entry, list(made))))  # noqa: B023
        mutate(made)
        assert seen[0] == (("t",), [3, 1, 2])
        assert list(made) != [3, 1, 2]
    assert type(copy.deepcopy(made)) is list


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
    tracker.settle()
    assert public(live) == public(plain)
    assert tracker.changes() == difference(start, as_json(plain))
    assert tracker.digest() == Tracker(copy.deepcopy(plain)).digest()
    tracker.restore(after_first)
    assert public(live) == public(kept)
    play(live, third)
    play(kept, third)
    tracker.settle()
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
