"""Functions over an injected dict, or over one in their module, and the scenario that a state begins in."""

import json
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.generators.environments.toolkit import kits, retail
from tests.generators.environments.toolkit.opened_kits import call, open_kit

from interplay.generators.environments.toolkit.factory import maker_of, scenario_at
from interplay.generators.importers.python.importer import import_python
from interplay.schemas.errors import ConfigError


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
    path.write_text(json.dumps({"entries": [{"FileSystem": kits.TREE, "Other": {}}]}))
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
    make: Callable[[], Any] = maker_of(kits.FileSystem(), kits.TREE)
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
