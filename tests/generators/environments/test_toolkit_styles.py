"""Classes over nested objects, marked methods over a database, functions over an injected dict: all are environments."""

import asyncio
import json
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.generators.environments import kits, retail

from interplay.generators.environments.opening import maker_of, scenario_at
from interplay.generators.environments.toolkit import Toolkit
from interplay.generators.importers.python import import_python
from interplay.schemas.canonical import Change
from interplay.schemas.dialogue import ToolCall, ToolResult
from interplay.schemas.errors import ConfigError, EnvironmentFailure

TREE: dict[str, Any] = {
    "root": {
        "home": {
            "type": "directory",
            "contents": {
                "docs": {"type": "directory", "contents": {"a.txt": {"type": "file", "content": "A"}}},
                "b.txt": {"type": "file", "content": "B"},
            },
        }
    }
}


def open_kit(target: object, scenario: dict[str, Any] | None = None) -> Toolkit:
    return Toolkit(maker_of(target, scenario), import_python(target).toolset)


def call(toolkit: Toolkit, name: str, /, requestor: Any = "assistant", **arguments: Any) -> ToolResult:
    made = ToolCall(id="a00000001", name=name, arguments=arguments, requestor=requestor)
    return asyncio.run(toolkit.call(made))


# Nested objects


def test_nested_objects_are_restored_digested_and_compared() -> None:
    toolkit = open_kit(kits.FileSystem, TREE)
    before, digest = toolkit.snapshot(), toolkit.digest()
    assert call(toolkit, "cd", folder="docs").value == {"current": "docs"}
    assert toolkit.digest() == digest, "where one stands is private"
    call(toolkit, "echo", text="C", file_name="c.txt")
    later, changed = toolkit.snapshot(), toolkit.digest()
    assert [(change.path, change.after) for change in toolkit.changes()] == [
        ("/marks", ["a", "b", "c.txt"]),
        ("/root/contents/docs/contents/c.txt", {"name": "c.txt", "content": "C"}),
    ]
    toolkit.restore(before)
    assert (toolkit.digest(), toolkit.changes()) == (digest, ())
    assert call(toolkit, "ls").value == {"contents": ["docs", "b.txt"]}
    toolkit.restore(later)
    assert toolkit.digest() == changed
    assert call(toolkit, "ls").value == {"contents": ["a.txt", "c.txt"]}


def test_attributes_that_share_an_object_still_share_it_after_a_restore() -> None:
    toolkit = open_kit(kits.FileSystem, TREE)
    snapshot = toolkit.snapshot()
    call(toolkit, "mkdir", name="new")
    toolkit.restore(snapshot)
    call(toolkit, "mkdir", name="again")
    assert [change.path for change in toolkit.changes()] == ["/root/contents/again"]


def test_equal_object_trees_have_equal_digests_whatever_way_led_there() -> None:
    first, second = open_kit(kits.FileSystem, TREE), open_kit(kits.FileSystem, TREE)
    call(first, "mkdir", name="new")
    call(second, "echo", text="x", file_name="new")
    second.restore(open_kit(kits.FileSystem, TREE).snapshot())
    call(second, "mkdir", name="new")
    assert first.digest() == second.digest()


def test_a_call_that_raises_leaves_nothing_half_done() -> None:
    toolkit = open_kit(kits.FileSystem, TREE)
    digest = toolkit.digest()
    with pytest.raises(EnvironmentFailure, match="mv_all broke: AttributeError"):
        call(toolkit, "mv_all", target="b.txt")
    assert toolkit.digest() == digest
    failed = call(toolkit, "mv_all", target="nowhere")
    assert (failed.error, toolkit.digest()) == ("Not found: nowhere", digest)
    assert call(toolkit, "ls").value == {"contents": ["docs", "b.txt"]}


def test_an_error_field_keeps_its_exact_text() -> None:
    assert call(open_kit(kits.FileSystem, TREE), "cd", folder="x").error == "cd: x: No such directory."


def test_a_loader_without_a_scenario_gets_an_empty_one() -> None:
    assert call(open_kit(kits.FileSystem), "ls").value == {"contents": []}


def test_each_environment_has_its_own_state() -> None:
    make = maker_of(kits.FileSystem, TREE)
    first, second = (Toolkit(make, import_python(kits.FileSystem).toolset) for _ in range(2))
    call(first, "mkdir", name="new")
    assert call(second, "ls").value == {"contents": ["docs", "b.txt"]}


def test_types_come_from_the_docstring_where_annotations_are_missing() -> None:
    report = import_python(kits.FileSystem)
    assert report.toolset.tool("mkdir").parameters["properties"]["name"] == {
        "type": "string",
        "description": "Its name.",
    }
    assert ("repaired", ("parameter name has no annotation; the docstring says str",)) in [
        (each.outcome, each.reasons) for each in report.reports
    ]


# Marked methods over a database


def test_other_libraries_marks_are_understood() -> None:
    toolset = import_python(kits.Airline).toolset
    assert [(tool.name, tool.effect, tool.requestor) for tool in toolset.tools] == [
        ("get_flight", "read", "assistant"),
        ("book_seat", "write", "assistant"),
        ("fix", "write", "assistant"),
        ("check_alerts", "read", "user"),
    ]


def test_rows_that_are_models_or_dataclasses_are_tables() -> None:
    toolkit = open_kit(kits.Airline, kits.FLIGHTS)
    assert [(item.name, item.table, item.identity) for item in toolkit.resources.resources] == [
        ("flight", "flights", "flight_id"),
        ("seat", "seats", "seat_id"),
    ]
    assert toolkit.resources.role("book_seat").references == {"/seat_id": "seat"}
    assert toolkit.state()["seats"]["S1"] == {"seat_id": "S1", "flight_id": "F1", "taken_by": None}
    assert list(toolkit.state()["flights"]) == ["F0", "F1", "F2"]


def test_changes_in_typed_rows_are_named_undone_and_done_again() -> None:
    toolkit = open_kit(kits.Airline, kits.FLIGHTS)
    before, digest = toolkit.snapshot(), toolkit.digest()
    assert call(toolkit, "book_seat", seat_id="S1", passenger="Ada").value["taken_by"] == "Ada"
    assert toolkit.changes() == (
        Change(path="/bookings", before=0, after=1),
        Change(path="/flights/F1/notes", before=[], after=["Ada"]),
        Change(path="/phone/alerts", before=0, after=1),
        Change(path="/seats/S1/taken_by", before=None, after="Ada"),
    )
    later, changed = toolkit.snapshot(), toolkit.digest()
    toolkit.restore(before)
    assert (toolkit.digest(), toolkit.changes()) == (digest, ())
    toolkit.restore(later)
    assert toolkit.digest() == changed
    assert call(toolkit, "get_flight", flight_id="F1").value["notes"] == ["Ada"]


def test_an_exception_of_the_tools_own_is_an_error_and_is_rolled_back() -> None:
    toolkit = open_kit(kits.Airline, kits.FLIGHTS)
    call(toolkit, "book_seat", seat_id="S1", passenger="Ada")
    digest = toolkit.digest()
    assert call(toolkit, "book_seat", seat_id="S1", passenger="Bo").error == "Seat S1 is taken."
    assert toolkit.digest() == digest
    assert call(toolkit, "get_flight", flight_id="F9").error == "Flight F9 not found"


def test_the_sides_are_synchronised_after_each_call() -> None:
    toolkit = open_kit(kits.Airline, kits.FLIGHTS)
    call(toolkit, "book_seat", seat_id="S1", passenger="Ada")
    assert call(toolkit, "check_alerts", requestor="user").value == 1


def test_each_side_calls_its_own_tools_only() -> None:
    toolkit = open_kit(kits.Airline, kits.FLIGHTS)
    assert "no tool called check_alerts for the assistant" in (call(toolkit, "check_alerts").error or "")
    assert "for the user" in (call(toolkit, "fix", requestor="user", price=1).error or "")


def test_a_synchroniser_can_be_given() -> None:
    def add_marks(system: Any) -> None:
        system.marks.add(f"{len(system.root.contents)} held")

    toolset = import_python(kits.FileSystem).toolset
    toolkit = Toolkit(maker_of(kits.FileSystem, TREE), toolset, synchronise=add_marks)
    call(toolkit, "mkdir", name="new")
    assert toolkit._object.marks == {"a", "b", "2 held", "3 held"}  # type: ignore[attr-defined]


def test_a_synchroniser_that_breaks_is_a_failure_of_the_environment() -> None:
    toolkit = open_kit(kits.Airline, kits.FLIGHTS)
    digest = toolkit.digest()
    toolkit._synchronise = lambda _: 1 / 0
    with pytest.raises(EnvironmentFailure, match="cannot be synchronised: ZeroDivisionError"):
        call(toolkit, "book_seat", seat_id="S1", passenger="Ada")
    assert toolkit.digest() == digest


def test_a_scenario_that_does_not_fit_the_database_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"Airline\(db=\.\.\.\): the scenario does not fit"):
        maker_of(kits.Airline, {"flights": 3})()
    with pytest.raises(ConfigError, match="give the state that it begins in with"):
        maker_of(kits.Airline)()


# Databases in an attribute


@pytest.mark.parametrize(
    ("name", "arguments", "changed"),
    [
        ("add_visit", {"patient_id": "P-1", "reason": "cough"}, ["/patients/P-1/last", "/visits/V-0"]),
        ("take_room", {"room_id": "R-1"}, ["/rooms/R-1/free"]),
        ("reset_patients", {}, ["/patients/P-0", "/patients/P-1", "/patients/P-2", "/patients/P-9"]),
        ("replace", {}, ["/extras", "/extras/E", "/patients/P-0", "/patients/P-1/name", "/patients/P-2", "/visits"]),
        ("lose", {}, ["/db", "/patients", "/patients/P-0", "/patients/P-1", "/patients/P-2", "/visits"]),
    ],
)
def test_a_database_in_an_attribute_is_restored(name: str, arguments: dict[str, Any], changed: list[str]) -> None:
    toolkit = open_kit(kits.Clinic)
    owner: Any = toolkit._object
    before, digest, text, held = toolkit.snapshot(), toolkit.digest(), json.dumps([owner.db, owner._state]), owner.db
    assert call(toolkit, name, **arguments).error is None
    assert [change.path for change in toolkit.changes()] == changed
    later, after, later_text = toolkit.snapshot(), toolkit.digest(), json.dumps([owner.db, owner._state])
    toolkit.restore(before)
    assert (toolkit.digest(), toolkit.changes()) == (digest, ())
    assert json.dumps([owner.db, owner._state]) == text
    assert owner.db is held
    toolkit.restore(later)
    assert (toolkit.digest(), json.loads(json.dumps([owner.db, owner._state]))) == (after, json.loads(later_text))
    toolkit.restore(before)
    assert call(toolkit, "add_visit", patient_id="P-1", reason="x").error is None
    assert [change.path for change in toolkit.changes()] == ["/patients/P-1/last", "/visits/V-0"]


def test_a_database_in_an_attribute_gives_tables_and_resources() -> None:
    toolkit = open_kit(kits.Clinic)
    assert list(toolkit.state()) == ["patients", "visits", "rooms"]
    assert [item.name for item in toolkit.resources.resources] == ["patient", "visit", "room"]


def test_a_row_of_a_database_is_copied_alone() -> None:
    toolkit = open_kit(kits.Clinic)
    call(toolkit, "add_visit", patient_id="P-1", reason="cough")
    assert set(toolkit.snapshot().entries) == {("visits", "V-0"), ("patients", "P-1")}


def test_an_object_that_refers_to_its_owner_stays_with_it() -> None:
    toolkit = open_kit(kits.Agency)
    snapshot, digest = toolkit.snapshot(), toolkit.digest()
    call(toolkit, "close_trip", trip_id="T-1")
    toolkit.restore(snapshot)
    owner: Any = toolkit._object
    assert owner.client.owner is owner
    assert toolkit.digest() == digest
    assert call(toolkit, "close_trip", trip_id="T-1").value == {"trip_id": "T-1", "open": False}


def test_two_tables_of_one_name_go_by_both_names() -> None:
    class Shop:
        def __init__(self) -> None:
            self.items = {"I": {"n": 1}}
            self.db = {"items": {"I": {"n": 2}}}

        def get_item(self) -> int:
            return 1

    assert {name: dict(rows) for name, rows in open_kit(Shop).state().items()} == {
        "items": {"I": {"n": 1}},
        "db.items": {"I": {"n": 2}},
    }


# Functions over an injected dict


def test_the_injected_state_is_no_parameter() -> None:
    toolset = import_python(retail).toolset
    assert {tool.name: list(tool.parameters["properties"]) for tool in toolset.tools} == {
        "cancel_order": ["order_id", "reason"],
        "get_user": ["user_id"],
        "get_order_text": ["order_id"],
        "add": ["first", "second"],
    }
    assert toolset.tool("cancel_order").effect == "write"
    assert toolset.tool("cancel_order").source.pointer == "CancelOrder"


def test_functions_are_handed_one_state_that_is_tracked() -> None:
    toolkit = open_kit(retail)
    before = toolkit.snapshot()
    result = call(toolkit, "cancel_order", order_id="#W1", reason="no longer needed")
    assert result.value["status"] == "cancelled (no longer needed)"
    assert result.text == json.dumps(result.value)
    assert [change.path for change in toolkit.changes()] == ["/orders/#W1/status"]
    assert call(toolkit, "get_user", user_id="ada").value == {"user_id": "ada", "balance": 20}
    assert call(toolkit, "add", first=1, second=2).value == 3
    toolkit.restore(before)
    assert toolkit.state()["orders"]["#W1"]["status"] == "pending"
    assert [item.name for item in toolkit.resources.resources] == ["order", "user"]


def test_errors_of_injected_functions_keep_their_text() -> None:
    toolkit = open_kit(retail)
    assert call(toolkit, "cancel_order", order_id="#W9", reason="no longer needed").error == "Error: order not found"
    assert call(toolkit, "get_order_text", order_id="#W9").error == '{"error": "no order #W9"}'
    assert "'bored' is not one of" in (call(toolkit, "cancel_order", order_id="#W1", reason="bored").error or "")


def test_a_result_in_json_is_read_and_keeps_its_text() -> None:
    result = call(open_kit(retail), "get_order_text", order_id="#W1")
    assert (result.value["user_id"], result.text[:3]) == ("ada", "{\n ")


def test_a_scenario_takes_the_place_of_the_modules_data() -> None:
    toolkit = open_kit(retail, {"users": {"bo": {"user_id": "bo"}}, "orders": {}})
    assert call(toolkit, "get_user", user_id="bo").value == {"user_id": "bo"}


def module(source: str) -> types.ModuleType:
    made = types.ModuleType("plain_tools")
    exec(source, made.__dict__)
    return made


def test_a_dict_in_the_module_is_the_state_and_is_left_alone() -> None:
    made = module(
        "db = {'pets': {'1': {'n': 0}}}\ndef feed(db, pet): db['pets'][pet]['n'] += 1; return db['pets'][pet]"
    )
    toolkit = open_kit(made)
    assert call(toolkit, "feed", pet="1").value == {"n": 1}
    assert made.db == {"pets": {"1": {"n": 0}}}


def test_a_parameter_called_data_is_an_argument_where_there_is_no_state() -> None:
    made = module("def count(data: list[int]) -> int: return len(data)\ndef other() -> int: return 1")
    assert list(import_python(made).toolset.tool("count").parameters["properties"]) == ["data"]
    assert call(open_kit(made), "count", data=[1]).value == 1


def test_functions_without_a_state_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"no state to hand to its functions"):
        maker_of(module("def feed(db, pet): pass"))


# Scenarios


def test_a_scenario_is_read_from_a_file_and_a_place_in_it(tmp_path: Path) -> None:
    path = tmp_path / "scenarios.json"
    path.write_text(json.dumps({"entries": [{"FileSystem": TREE, "Other": {}}]}))
    scenario = scenario_at(f"scenario={path}#/entries/0", "toolset")
    assert call(open_kit(kits.FileSystem, scenario), "ls").value == {"contents": ["docs", "b.txt"]}
    assert scenario_at("", "toolset") is None


@pytest.mark.parametrize(
    "query", ["seed=3", "scenario=", "scenario=missing.json", "scenario={list}", "scenario={list}#/7"]
)
def test_a_scenario_that_cannot_be_read_is_refused(query: str, tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_text("[1]")
    with pytest.raises(ConfigError, match="toolset"):
        scenario_at(query.replace("{list}", str(path)), "toolset")


@pytest.mark.parametrize("target", [kits.Clinic, kits.Clinic(), module("def f() -> int: return 1")])
def test_a_scenario_without_a_place_to_go_is_refused(target: Any) -> None:
    with pytest.raises(ConfigError, match="takes no scenario"):
        maker_of(target, {"a": 1})


def test_an_object_with_a_loader_is_copied_for_each_environment() -> None:
    make: Callable[[], Any] = maker_of(kits.FileSystem(), TREE)
    assert make().root == make().root
    assert make().root is not make().root


@pytest.mark.parametrize("written", ["json.dumps(value)", "str(value)"])
@pytest.mark.parametrize("typed", ["", " -> str"])
def test_an_object_that_a_function_writes_down_is_read(written: str, typed: str) -> None:
    made = module(
        f"import json\ndef get_room(room: str){typed}:\n    value = {{'room': room, 'lit': True}}\n    return {written}"
    )
    result = call(open_kit(made), "get_room", room="Hall")
    assert result.value == {"room": "Hall", "lit": True}
    assert json.loads(result.text) == result.value


def test_a_text_that_is_no_object_stays_a_text() -> None:
    made = module("def get_note(name: str) -> str:\n    return '[draft] call ' + name")
    assert call(open_kit(made), "get_note", name="Ada").value == "[draft] call Ada"
