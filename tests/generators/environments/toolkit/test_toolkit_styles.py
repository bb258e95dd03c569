"""Classes over nested objects, and marked methods over a database: all are environments."""

import json
from typing import Any

import pytest
from tests.generators.environments.toolkit import kits
from tests.generators.environments.toolkit.opened_kits import call, open_kit

from interplay.generators.environments.toolkit.factory import maker_of
from interplay.generators.environments.toolkit.toolkit import Toolkit
from interplay.generators.importers.python.importer import import_python
from interplay.schemas.errors import ConfigError, EnvironmentFailure
from interplay.schemas.json.canonical import Change

# Nested objects


def test_nested_objects_are_restored_digested_and_compared() -> None:
    toolkit = open_kit(kits.FileSystem, kits.TREE)
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
    toolkit = open_kit(kits.FileSystem, kits.TREE)
    snapshot = toolkit.snapshot()
    call(toolkit, "mkdir", name="new")
    toolkit.restore(snapshot)
    call(toolkit, "mkdir", name="again")
    assert [change.path for change in toolkit.changes()] == ["/root/contents/again"]


def test_equal_object_trees_have_equal_digests_whatever_way_led_there() -> None:
    first, second = open_kit(kits.FileSystem, kits.TREE), open_kit(kits.FileSystem, kits.TREE)
    call(first, "mkdir", name="new")
    call(second, "echo", text="x", file_name="new")
    second.restore(open_kit(kits.FileSystem, kits.TREE).snapshot())
    call(second, "mkdir", name="new")
    assert first.digest() == second.digest()


def test_a_call_that_raises_leaves_nothing_half_done() -> None:
    toolkit = open_kit(kits.FileSystem, kits.TREE)
    digest = toolkit.digest()
    with pytest.raises(EnvironmentFailure, match="mv_all broke: AttributeError"):
        call(toolkit, "mv_all", target="b.txt")
    assert toolkit.digest() == digest
    failed = call(toolkit, "mv_all", target="nowhere")
    assert (failed.error, toolkit.digest()) == ("Not found: nowhere", digest)
    assert call(toolkit, "ls").value == {"contents": ["docs", "b.txt"]}


def test_an_error_field_keeps_its_exact_text() -> None:
    assert call(open_kit(kits.FileSystem, kits.TREE), "cd", folder="x").error == "cd: x: No such directory."


def test_a_loader_without_a_scenario_gets_an_empty_one() -> None:
    assert call(open_kit(kits.FileSystem), "ls").value == {"contents": []}


def test_each_environment_has_its_own_state() -> None:
    make = maker_of(kits.FileSystem, kits.TREE)
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
    toolkit = Toolkit(maker_of(kits.FileSystem, kits.TREE), toolset, synchronise=add_marks)
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
