"""Toolkits as others write them: their state, what their tools want first, what they answer; and code that misbehaves."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds import assembly, trial_process
from interplay.flows.worlds.assembly import OpenedWorld, open_graph, open_world
from interplay.flows.worlds.fitness_warnings import fitness_of_part, warnings_of
from interplay.generators.graph.multigraph import ToolGraph
from interplay.schemas.records.dialogue import ToolCall, Trajectory
from interplay.schemas.records.verdict import DatasetRecord

HERE = "python:tests.generators.environments.toolkit.others"
KITS = (f"{HERE}.broker:BrokerAPI", f"{HERE}.car:Car", f"{HERE}.telecom:TelecomTools")


@cache
def opened(spec: str) -> tuple[OpenedWorld, ToolGraph]:
    world = open_world([spec])
    return world, asyncio.run(open_graph(world))


@cache
def made(spec: str) -> list[DatasetRecord]:
    source = Generator(RunConfig(), *opened(spec), "run")
    return [asyncio.run(source.make_record(index)) for index in range(60)]


def test_values_found_by_trying_are_no_options_and_measures_alone_are_asked_for() -> None:
    records = made(KITS[1])
    issues = [issue.code for record in records for verdict in record.verdicts for issue in verdict.issues]
    assert "false_statement" not in issues
    called = {call.name for record in records if record.trajectory for call in record.trajectory.calls()}
    assert "check_tire_pressure" in called


@pytest.mark.parametrize("spec", KITS)
def test_nearly_every_tool_comes_to_use(spec: str) -> None:
    records = [record for record in made(spec) if record.status == "accepted" and record.trajectory]
    used = {call.name for record in records for call in record.trajectory.calls() if record.trajectory}
    tools = {tool.name for tool in opened(spec)[0].toolset.tools} - {"search_tools"}
    assert len(used & tools) >= 0.9 * len(tools)
    assert len(records) >= 55


@pytest.mark.parametrize("spec", KITS)
def test_few_edges_fail(spec: str) -> None:
    edges = opened(spec)[1].edges
    assert sum(edge.verified is False for edge in edges) <= 0.05 * len(edges) + 1


def test_what_has_to_come_first_is_found_in_its_order() -> None:
    roles = opened(KITS[1])[0].environment.resources.by_tool
    needs = {
        str(need.arguments.get("mode")): [call.tool for call in need.calls] for need in roles["start_engine"].needs
    }
    assert needs == {"START": ["lock_doors", "press_brake_pedal"]}
    gears = {str(need.arguments["gear"]): [call.tool for call in need.calls] for need in roles["shift_gear"].needs}
    assert gears["D"] == ["lock_doors", "press_brake_pedal", "start_engine", "set_parking_brake"]
    assert roles["check_tire_pressure"].needs == ()


def _answered(trajectory: Trajectory) -> list[str]:
    """Return the names of the calls that no fault kept from being answered."""
    failed = {message.tool_call_id for message in trajectory.messages if message.fault is not None}
    return [call.name for call in trajectory.calls() if call.id not in failed]


def test_a_task_behind_a_log_in_logs_in_once() -> None:
    records = [record for record in made(KITS[0]) if record.status == "accepted" and record.trajectory]
    calls = [_answered(record.trajectory) for record in records if record.trajectory]
    behind = [names for names in calls if "get_account" in names]
    assert behind
    assert all(names.count("login") == 1 and names.index("login") < names.index("get_account") for names in behind)


def test_rows_in_lists_of_dataclasses_are_rows() -> None:
    environment = opened(KITS[2])[0].environment
    assert {each.name for each in environment.resources.resources} == {"plan", "line", "bill", "customer"}
    assert environment.state()["lines"]["L202"]["status"] == "Suspended"


def test_a_bare_id_feeds_what_takes_it() -> None:
    edges = {(edge.producer, edge.output, edge.consumer) for edge in opened(KITS[2])[1].edges if edge.verified}
    assert ("find_customer_id", "", "get_customer") in edges


def test_a_tool_that_sets_up_is_none() -> None:
    assert "load_scenario" not in {tool.name for tool in opened(KITS[2])[0].toolset.tools}


ODD = '''
import fractions, time

class Odd:
    def __init__(self):
        self.notes = {"n1": {"note_id": "n1", "text": "milk"}}
    def get_note(self, note_id: str) -> float:
        """Get a note."""
        print("x" * 1000)
        return self.notes[note_id]
    def nothing(self):
        """Return an ellipsis."""
        return ...
    def third(self):
        """Return what is no JSON."""
        return {"a": object()}
    def leave(self):
        """Leave."""
        raise SystemExit(3)
    def trip(self):
        """Stumble."""
        return {}.missing
    def hang(self):
        """Sleep."""
        time.sleep(1000)
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], OpenedWorld]:
    def write(name: str, source: str) -> OpenedWorld:
        (tmp_path / f"{name}.py").write_text(source)
        monkeypatch.syspath_prepend(str(tmp_path))
        return open_world([f"python:{name}{':Odd' if 'class Odd' in source else ''}"])

    return write


def test_code_that_misbehaves_costs_its_tool_and_is_told(
    module: Callable[[str, str], OpenedWorld], capsys: pytest.CaptureFixture[str]
) -> None:
    world = module("odd_module", ODD)
    assert [tool.name for tool in world.toolset.tools] == ["get_note", "search_tools"]
    told = warnings_of([fitness_of_part(part) for part in world.parts])
    for name in ("nothing", "third", "leave", "trip", "hang"):
        assert any(f" {name} " in line for line in told)
    assert "xxx" not in "".join(capsys.readouterr())


CRASHING = """
import ctypes
import os

class Odd:
    def __init__(self):
        self.notes = {"n1": {"note_id": "n1", "text": "milk"}}
    def get_note(self, note_id: str) -> dict:
        "Get a note."
        return self.notes[note_id]
    def draw_note(self, note_id: str) -> dict:
        "Draw a note."
        ctypes.string_at(0)
    async def send_note(self, note_id: str) -> dict:
        "Send a note."
        ctypes.CDLL(None).kill(os.getpid(), 9)
    def leave_note(self, note_id: str) -> dict:
        "Leave a note."
        ctypes.CDLL(None)._exit(3)
"""


OPENED = """
from interplay.flows.worlds.assembly import open_world
from interplay.flows.worlds.fitness_warnings import fitness_of_part, warnings_of
world = open_world(["python:crashing:Odd"])
print([tool.name for tool in world.toolset.tools])
print(*warnings_of([fitness_of_part(part) for part in world.parts]))
"""
BESIDE = """
import threading
threading.Thread(target=threading.Event().wait, daemon=True).start()
"""
"""As in notebooks and under Prefect."""


@pytest.mark.parametrize("before", ["", BESIDE], ids=["alone", "beside a thread"])
def test_a_tool_that_crashes_is_left_out_and_told(tmp_path: Path, before: str) -> None:
    (tmp_path / "crashing.py").write_text(CRASHING)
    opened = subprocess.run(
        [sys.executable, "-c", before + OPENED], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert opened.stdout.startswith("['get_note', 'search_tools']"), opened.stderr
    for told in ("draw_note", "(SIGSEGV)"), ("send_note", "(SIGKILL)"), ("leave_note", "(exit code 3)"):
        assert " ends the process ".join(told) in opened.stdout


IN_NOTEBOOK = """
class Odd:
    def __init__(self):
        self.notes = {"n1": {"note_id": "n1", "text": "milk"}}
    def get_note(self, note_id: str) -> dict:
        "Get a note."
        return self.notes[note_id]
from interplay.flows.worlds.assembly import open_world
print([tool.name for tool in open_world(["python:__main__:Odd"]).toolset.tools])
"""


def test_tools_of_a_notebook_itself_are_tried_there(tmp_path: Path) -> None:
    opened = subprocess.run(
        [sys.executable, "-c", BESIDE + IN_NOTEBOOK], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert opened.stdout.startswith("['get_note', 'search_tools']"), opened.stderr


def test_what_is_tried_is_told_where_it_takes_long(
    module: Callable[[str, str], OpenedWorld], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assembly, "TOLD_EVERY", 0.0)
    monkeypatch.setattr(trial_process, "LOOK_SECONDS", 0.01)
    caplog.set_level("INFO")
    source = "import time\ndef double(number: int) -> int:\n    time.sleep(0.03)\n    return 2 * number\n"
    asyncio.run(open_graph(module("waiting_module", source)))
    assert "now double" in caplog.text


def test_what_was_observed_beats_what_is_annotated(module: Callable[[str, str], OpenedWorld]) -> None:
    world = module(
        "annotated", "def get_pair(number: int) -> float:\n    return {'number': number, 'twice': 2 * number}\n"
    )
    returns = world.toolset.tool("get_pair").returns or {}
    assert set(returns["properties"]) == {"number", "twice"}


def test_a_call_that_breaks_later_is_an_error_of_that_call(module: Callable[[str, str], OpenedWorld]) -> None:
    world = module("later", "def divide(number: int) -> float:\n    return 1 / (number - 77)\n")
    call = ToolCall(id="abcdefghi", name="divide", arguments={"number": 77})
    assert "ZeroDivisionError" in str(asyncio.run(world.environment.call(call)).error)
