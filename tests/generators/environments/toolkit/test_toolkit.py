"""Tools of a Python object are called: arguments, results, and each kind of error."""

import asyncio
import os
import random
import secrets
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.generators.environments.toolkit.toolkit_shop import Receipt, Shop, call, open_shop

from interplay.generators.environments.toolkit.call_limits import LeftProcess, _guarded, staying
from interplay.generators.environments.toolkit.toolkit import Toolkit
from interplay.generators.importers.python.importer import import_python
from interplay.schemas.errors import ConfigError, EnvironmentFailure
from interplay.schemas.records.dialogue import ToolResult
from interplay.schemas.records.tool import Resource


def test_results_are_copies_that_later_calls_leave_alone() -> None:
    toolkit = open_shop()
    result = call(toolkit, "add_tag", customer_id="C-1", tag="y")
    call(toolkit, "add_tag", customer_id="C-1", tag="z")
    assert result.value == ["x", "y"]
    assert type(result.value) is list


def test_a_module_that_is_opened_again_begins_as_it_was_first() -> None:
    module = ModuleType("depot")
    code = "STOCK = {'a': {'sku': 'a', 'left': 3}}\nLOG = []\n\ndef take(sku: str) -> int:\n    LOG.append(sku)\n    STOCK[sku]['left'] -= 1\n    globals()['LAST'] = sku\n    return STOCK[sku]['left']\n"
    exec(code, vars(module))
    toolset = import_python(module, "depot").toolset
    first = Toolkit(lambda: module, toolset)
    assert call(first, "take", sku="a").value == 2
    second = Toolkit(lambda: module, toolset)
    assert second.state()["STOCK"]["a"]["left"] == 3
    assert (second.digest(), vars(module)["LOG"], "LAST" in vars(module)) == (
        Toolkit(lambda: module, toolset).digest(),
        [],
        False,
    )
    assert call(second, "take", sku="a").value == 2


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


def test_what_admits_no_copy_is_kept_and_the_rest_of_the_state_goes_back() -> None:
    class Guarded:
        def __init__(self) -> None:
            self.lock = threading.Lock()
            self.held = {"row": {"lock": threading.Lock(), "count": 1, "made_by": lambda: 1}}

        def add(self) -> int:
            with self.held["row"]["lock"]:  # type: ignore[attr-defined]
                self.held["row"]["count"] += 1  # type: ignore[operator]
            return self.held["row"]["count"]  # type: ignore[return-value]

    toolkit = Toolkit(Guarded, import_python(Guarded).toolset)
    before = toolkit.snapshot()
    assert call(toolkit, "add").value == 2
    toolkit.restore(before)
    assert call(toolkit, "add").value == 2


def test_a_state_that_is_private_is_seen_by_bare_names() -> None:
    class User:
        def __init__(self, name: str) -> None:
            self._id, self.__name = "U-1", name

    class Club:
        def __init__(self) -> None:
            self._users = {"U-1": User("Ada")}

        def rename_user(self, user_id: str, name: str) -> User:
            self._users[user_id] = User(name)
            return self._users[user_id]

    toolkit = Toolkit(Club, import_python(Club).toolset)
    assert dict(toolkit.state()["users"]) == {"U-1": {"id": "U-1", "name": "Ada"}}
    assert call(toolkit, "rename_user", user_id="U-1", name="Bo").value == {"id": "U-1", "name": "Bo"}
    assert [change.path for change in toolkit.changes()] == ["/users/U-1/name"]


def test_what_is_drawn_by_chance_is_the_same_in_the_same_state() -> None:
    class Desk:
        def __init__(self) -> None:
            self.tickets: dict[str, dict[str, object]] = {}

        def open_ticket(self, title: str) -> str:
            number = uuid.uuid4().hex + str(random.random()) + secrets.token_hex(4)
            self.tickets[number] = {"title": title}
            return number

    def opened() -> Toolkit:
        return Toolkit(Desk, import_python(Desk).toolset, forgiving=True)

    one, two = opened(), opened()
    first = [call(one, "open_ticket", title="a").value, call(one, "open_ticket", title="a").value]
    assert first == [call(two, "open_ticket", title="a").value, call(two, "open_ticket", title="a").value]
    assert first[0] != first[1]
    assert uuid.uuid4() != uuid.uuid4()


def test_whatever_a_call_does_costs_that_call_alone() -> None:
    class Trap:
        def __init__(self) -> None:
            self.count = 0

        def interrupt(self) -> str:
            self.count += 1
            raise KeyboardInterrupt

        def end(self) -> str:
            raise BaseException("ended")

        def flood(self) -> str:
            return "y" * 300_000

        def endless(self) -> Iterator[int]:
            while True:
                yield 1

        def linger(self) -> str:
            threading.Thread(target=threading.Event().wait, args=(60,)).start()
            return str(threading.enumerate()[-1].daemon)

        def read(self) -> int:
            return self.count

    toolkit = Toolkit(Trap, import_python(Trap).toolset, forgiving=True)
    assert [bool(call(toolkit, name).error) for name in ("interrupt", "end", "flood", "endless")] == [True] * 4
    assert "300,000 characters" in toolkit.troubles["flood"]
    assert call(toolkit, "linger").value == "True"
    assert call(toolkit, "read").value == 0
    assert not threading.current_thread().daemon


def test_a_function_that_returns_nothing_answers_what_it_prints() -> None:
    class Console:
        def __init__(self) -> None:
            self.lines = ["tea"]

        def show(self) -> None:
            print("1. tea")

        def remove(self, line: str) -> None:
            print(f"Error: there is no {line}")

    toolkit = Toolkit(Console, import_python(Console).toolset, forgiving=True)
    assert call(toolkit, "show").value == "1. tea"
    assert "there is no milk" in str(call(toolkit, "remove", line="milk").error)


def test_an_object_without_attributes_is_refused() -> None:
    with pytest.raises(ConfigError):
        Toolkit(lambda: 3, import_python(Shop).toolset)


def test_a_tool_without_a_function_is_refused() -> None:
    with pytest.raises(ConfigError, match="get_customer"):
        Toolkit(lambda: Receipt(1, date.min), import_python(Shop).toolset)


def test_resources_come_from_tables_and_roles_from_names() -> None:
    resources = open_shop().resources
    because = {"customer_id": "a field that holds the key of each row"}
    assert resources.resources[0] == Resource(
        name="customer", table="customers", identity="customer_id", because=because
    )
    create, rename = resources.role("create_order"), resources.role("rename_customer")
    assert (create.operation, create.resource, create.references) == ("create", "order", {"/customer_id": "customer"})
    assert create.because["/customer_id"] == "the name of its identity"
    assert (rename.operation, rename.resource) == ("update", "customer")
    assert resources.role("get_later").operation == "compute"


class Leaving:
    """A toolkit whose functions would end the run, copy it, or take it elsewhere."""

    def __init__(self) -> None:
        self.notes = {"n1": {"text": "Buy milk"}}

    def end(self) -> str:
        """End the process."""
        try:
            os._exit(0)
        except Exception:
            return "caught"

    def copy(self) -> str:
        """Go on twice."""
        return str(os.fork())

    def move(self) -> str:
        """Go to another folder."""
        os.chdir("/")
        return os.getcwd()

    def kill(self) -> str:
        """Kill oneself."""
        os.kill(os.getpid(), signal.SIGKILL)
        return ""

    def end_other(self) -> int:
        """End a process of one's own."""
        with subprocess.Popen(["sleep", "60"]) as other:
            os.kill(other.pid, signal.SIGKILL)
            return other.wait()

    def close(self) -> str:
        """Close the streams."""
        os.close(1)
        with open(2, "w"):
            pass
        for stream in (sys.stdout, sys.__stdout__, sys.__stderr__):
            assert stream is not None
            stream.close()
        return "closed"


def test_a_call_stays_in_its_process_and_its_folder() -> None:
    made, folder = import_python(Leaving).toolset, Path.cwd()
    kit = Toolkit(Leaving, made, forgiving=True)
    assert "os._exit is refused" in str(call(kit, "end").error)
    assert "os.fork is refused" in str(call(kit, "copy").error)
    assert "os.kill is refused" in str(call(kit, "kill").error)
    assert call(kit, "end_other").value == -signal.SIGKILL
    assert call(kit, "move").value == "/"
    assert Path.cwd() == folder


def test_what_a_call_closes_is_open_again() -> None:
    ends = [os.fstat(stream).st_ino for stream in (0, 1, 2)]
    assert call(Toolkit(Leaving, import_python(Leaving).toolset, forgiving=True), "close").value == "closed"
    assert [os.fstat(stream).st_ino for stream in (0, 1, 2)] == ends
    assert sys.__stdout__ is not None
    assert not sys.__stdout__.closed


def test_only_foreign_code_is_kept_in_the_process_also_when_calls_overlap() -> None:
    leave = _guarded(len)

    async def one(begun: asyncio.Event, go_on: asyncio.Event) -> None:
        with staying():
            begun.set()
            await go_on.wait()
            with pytest.raises(LeftProcess):
                leave("ab")

    async def overlapping() -> None:
        first, second = (asyncio.Event(), asyncio.Event()), (asyncio.Event(), asyncio.Event())
        tasks = [asyncio.ensure_future(one(*each)) for each in (first, second)]
        await first[0].wait()
        await second[0].wait()
        assert leave("ab") == 2
        first[1].set()
        await tasks[0]
        second[1].set()
        await tasks[1]

    asyncio.run(overlapping())
    assert leave("ab") == 2
