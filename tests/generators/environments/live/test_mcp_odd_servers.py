"""Servers that break rules: what can be used of them is used, the rest is told, and nothing hangs."""

import asyncio
import logging
import os
import time
from pathlib import Path
from typing import Any

import pytest
from tests.generators.environments.live.mcp_servers import ODD, command

from interplay.generators.environments.live.live_server import LiveServer
from interplay.generators.environments.live.server_settings import ServerSettings
from interplay.generators.importers.mcp.connection import Address, McpSession
from interplay.generators.importers.mcp.importer import import_mcp
from interplay.generators.importers.mcp.tool_list import PAGES
from interplay.schemas.errors import EnvironmentFailure
from interplay.schemas.records.dialogue import ToolCall, ToolResult

pytest.importorskip("mcp", reason="needs the extra interplay[mcp]")

BOUND = 30


def called(place: str, timeout: float = 10) -> ToolResult:
    """Call `get_a` of a server."""
    server = LiveServer(place, settings=ServerSettings(call_timeout=timeout))
    try:
        return asyncio.run(server.call(ToolCall(id="a00000001", name="get_a", arguments={})))
    finally:
        server.close()


@pytest.mark.parametrize(
    ("listing", "fates"),
    [
        ("{'tools': [TOOL, TOOL]}", [("get_a", "imported")]),
        (
            "{'tools': [TOOL, {'name': 5}, 7, {'name': 'b'}]}",
            [("get_a", "imported"), ("/tools/1", "rejected"), ("/tools/2", "rejected"), ("b", "imported")],
        ),
        ("{'tools': [TOOL | {'inputSchema': {'type': 'string'}}]}", [("get_a", "repaired")]),
        ("{'tools': [TOOL | {'description': 5, 'annotations': 'none', 'outputSchema': 3}]}", [("get_a", "imported")]),
        ("{'tools': [TOOL], 'nextCursor': 'again'}", [("get_a", "imported")]),
        ("{'tools': []}", []),
    ],
)
def test_an_odd_list_of_tools_costs_what_is_odd_in_it(listing: str, fates: list[Any], tmp_path: Path) -> None:
    report = import_mcp(command(tmp_path, f"{ODD}\nserve(lambda cursor: {listing})"))
    assert [(item.name, item.outcome) for item in report.reports] == fates


def test_an_odd_tool_can_be_called_all_the_same(tmp_path: Path) -> None:
    source = f"{ODD}\nserve(lambda cursor: {{'tools': [{{'name': 5}}, {{'name': 'get_a'}}]}})"
    assert called(command(tmp_path, source)).value == "ok"


def test_pages_without_end_are_read_only_so_far(tmp_path: Path) -> None:
    pages = "lambda cursor: {'tools': [TOOL | {'name': f't{cursor}'}], 'nextCursor': str(int(cursor or 0) + 1)}"
    report = import_mcp(command(tmp_path, f"{ODD}\nserve({pages})"))
    assert len(report.toolset.tools) == PAGES


def test_two_tools_of_one_name_are_told_apart(tmp_path: Path) -> None:
    source = f"{ODD}\nserve(lambda cursor: {{'tools': [TOOL, TOOL | {{'description': 'Other.'}}]}})"
    tools = import_mcp(command(tmp_path, source)).toolset.tools
    assert len({tool.name for tool in tools}) == 2
    assert {tool.original_name for tool in tools} == {"get_a"}


@pytest.mark.parametrize(
    ("calling", "value"),
    [
        ("texts()", ""),
        ("texts('a', 'b')", "a\nb"),
        ("texts('x' * 200_000)", "x" * 200_000),
        (
            "{'content': [{'type': 'resource', 'resource': {'uri': 'file:///a', 'text': 'hi'}}]}",
            [{"type": "resource", "resource": {"uri": "file:///a", "text": "hi"}}],
        ),
        ("say(id=99, method='sampling/createMessage', params={'messages': [], 'maxTokens': 5}) or texts('ok')", "ok"),
        ("[say(method='notifications/tools/list_changed') for _ in range(200)] and texts('ok')", "ok"),
    ],
)
def test_odd_but_right_answers_are_taken(calling: str, value: Any, tmp_path: Path) -> None:
    source = f"{ODD}\nserve(lambda cursor: {{'tools': [TOOL]}}, lambda: {calling})"
    assert called(command(tmp_path, source)).value == value


@pytest.mark.parametrize(
    ("calling", "said"),
    [
        ("{'content': 'nope'}", "answered get_a wrongly: 1 validation error"),
        ("{'content': [{'type': 'hologram'}]}", "answered get_a wrongly"),
        ("{'content': [], 'structuredContent': {'x': 'no'}}", "'no' is not of type 'integer'"),
        ("texts('no structure')", "did not return structured content"),
        ("time.sleep(600)", "no answer to get_a within 1 s"),
        ("[print('no message' * 100) for _ in iter(int, 1)]", "no answer to get_a within 1 s"),
        (
            "print('{oops', flush=True) or time.sleep(600)",
            "within 1 s, but a line that is no message. Start it by hand",
        ),
        ("__import__('os').close(1) or time.sleep(600)", "died in get_a"),
        ("__import__('signal').signal(15, 1) and time.sleep(600)", "no answer to get_a within 1 s"),
    ],
)
def test_wrong_answers_are_told_in_one_line_within_bounds(calling: str, said: str, tmp_path: Path) -> None:
    tool = "TOOL | {'outputSchema': INTEGER}"
    source = f"{ODD}\nserve(lambda cursor: {{'tools': [{tool}]}}, lambda: {calling})"
    started = time.monotonic()
    with pytest.raises(EnvironmentFailure, match=said) as caught:
        called(command(tmp_path, source), timeout=1 if "sleep" in calling or "iter" in calling else 20)
    assert "\n" not in str(caught.value)
    assert time.monotonic() - started < BOUND


def test_lines_that_are_no_messages_leave_no_traces_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    source = f"{ODD}\nserve(lambda cursor: {{'tools': [TOOL]}}, before=lambda: print('no message', flush=True))"
    with caplog.at_level(logging.WARNING):
        assert called(command(tmp_path, source)).value == "ok"
    assert caplog.records == []


def test_a_server_that_starts_slowly_is_waited_for(tmp_path: Path) -> None:
    assert called(command(tmp_path, f"{ODD}\ntime.sleep(1)\nserve(lambda cursor: {{'tools': [TOOL]}})")).value == "ok"


def test_a_server_that_stays_when_it_is_let_go_is_ended_soon(tmp_path: Path) -> None:
    source = f"{ODD}\nserve(lambda cursor: {{'tools': [TOOL]}})\ntime.sleep(600)"
    session = McpSession(Address.read(command(tmp_path, source)))
    session.submit(session.start()).result()
    started = time.monotonic()
    session.submit(session.stop()).result()
    assert time.monotonic() - started < 1.9
    session.close()


@pytest.mark.parametrize("is_cut_short", [False, True])
def test_no_server_outlives_a_session_that_is_closed_while_it_ends_one(is_cut_short: bool, tmp_path: Path) -> None:
    stays = "__import__('signal').signal(15, 1)\nopen(sys.argv[1], 'w').write(str(__import__('os').getpid()))"
    source = f"{ODD}\n{stays}\nserve(lambda cursor: {{'tools': [TOOL]}})\ntime.sleep(600)"
    session = McpSession(Address.read(f"{command(tmp_path, source)} {tmp_path / 'pid'}"))
    session.submit(session.start()).result()
    ending = session.submit(session.stop())
    time.sleep(0.1)
    if is_cut_short:
        ending.cancel()
    session.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
