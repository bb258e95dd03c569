"""An environment that keeps the tools of assistant and user in two objects."""

import types
from typing import Any

import pytest
from tests.generators.environments import telecom
from tests.generators.environments.toolkit.opened_kits import call, open_kit

from interplay.generators.environments.toolkit.factory import maker_of
from interplay.generators.importers.python.importer import import_python
from interplay.schemas.errors import ConfigError

BOTH = {
    "get_line": ("assistant", "read"),
    "enable_roaming": ("assistant", "write"),
    "check_status": ("assistant", "read"),
    "check_status_user": ("user", "read"),
    "restart": ("user", "write"),
}


@pytest.mark.parametrize("target", [telecom, telecom.get_environment, telecom.get_environment()])
def test_the_tools_of_both_sides_are_imported(target: Any) -> None:
    report = import_python(target)
    assert {tool.name: (tool.requestor, tool.effect) for tool in report.toolset.tools} == BOTH
    assert report.toolset.policy == "Be kind."
    assert [item.name for item in report.reports if item.outcome == "repaired"] == ["check_status_user"]


@pytest.mark.parametrize("target", [telecom, telecom.get_environment, telecom.get_environment()])
def test_the_sides_are_synchronised_after_each_call_of_either(target: Any) -> None:
    toolkit = open_kit(target)
    assert call(toolkit, "check_status").value == "up"
    assert call(toolkit, "check_status_user", requestor="user").value == "no signal"
    assert call(toolkit, "enable_roaming", line_id="L1").value == "Roaming enabled."
    assert call(toolkit, "check_status_user", requestor="user").value == "signal"
    assert call(toolkit, "get_line", line_id="L9").error == "Line L9 not found"
    assert "for the user" in (call(toolkit, "get_line", requestor="user", line_id="L1").error or "")


def test_the_state_of_both_sides_is_kept_compared_and_brought_back() -> None:
    toolkit = open_kit(telecom)
    before, digest = toolkit.snapshot(), toolkit.digest()
    call(toolkit, "enable_roaming", line_id="L1")
    call(toolkit, "restart", requestor="user")
    paths = {change.path for change in toolkit.changes()}
    assert paths == {"/lines/L1/is_roaming", "/user_db/has_signal", "/user_db/restarts"}
    toolkit.restore(before)
    assert toolkit.digest() == digest
    assert call(toolkit, "check_status_user", requestor="user").value == "no signal"
    assert call(toolkit, "restart", requestor="user").value == 1
    assert call(toolkit, "enable_roaming", line_id="L1").error is None
    assert call(toolkit, "check_status_user", requestor="user").value == "signal"


def test_each_environment_has_its_own_state() -> None:
    made = telecom.get_environment()
    first, second = open_kit(made), open_kit(made)
    call(first, "restart", requestor="user")
    assert call(second, "restart", requestor="user").value == 1
    assert made.user_tools.db.restarts == 0


LINES = {"lines": {"X1": {"line_id": "X1"}, "L1": {"line_id": "L1"}}}


@pytest.mark.parametrize("scenario", [LINES, {"db": LINES}, {"db": LINES, "user_db": {"line_id": "X1"}}])
def test_a_scenario_is_the_state_or_arguments_of_the_function(scenario: dict[str, Any]) -> None:
    toolkit = open_kit(telecom, scenario)
    assert call(toolkit, "get_line", line_id="X1").value == {"line_id": "X1", "is_roaming": False}


def test_a_side_that_is_not_there_is_left_out() -> None:
    report = import_python(telecom.get_environment(solo_mode=True))
    assert {tool.requestor for tool in report.toolset.tools} == {"assistant"}


def test_a_function_of_that_name_that_makes_no_environment_is_a_tool() -> None:
    def get_environment() -> str:
        raise AssertionError

    module = types.ModuleType("settings")
    get_environment.__module__ = "settings"
    vars(module)["get_environment"] = get_environment
    assert [tool.name for tool in import_python(module).toolset.tools] == ["get_environment"]


def test_a_function_that_fails_is_said_to() -> None:
    def get_environment() -> Any:
        raise OSError("no file")

    with pytest.raises(ConfigError, match=r"get_environment\(\) fails: OSError: no file"):
        maker_of(get_environment)


class Till:
    def __init__(self) -> None:
        self.total = 0
        self.user_total = 0

    def add(self, amount: int) -> int:
        self.total += amount
        return self.total


class Purse:
    def __init__(self) -> None:
        self.total = 0

    def put(self, amount: int) -> int:
        self.total += amount
        return self.total


class Shop:
    def __init__(self) -> None:
        self.tools, self.user_tools = Till(), Purse()


def test_attributes_of_both_sides_with_names_alike_stay_apart() -> None:
    toolkit = open_kit(Shop())
    before = toolkit.snapshot()
    call(toolkit, "put", requestor="user", amount=2)
    assert [change.path for change in toolkit.changes()] == ["/user_side_total"]
    toolkit.restore(before)
    assert call(toolkit, "put", requestor="user", amount=3).value == 3
