"""Tool definitions wherever providers and data sets put them."""

import json
from pathlib import Path
from typing import Any

import pytest

from interplay.generators.importers.definitions.discovery import find_definitions
from interplay.generators.importers.definitions.importer import import_tool_json
from interplay.schemas.errors import ImportFailure

A: dict[str, Any] = {"name": "a", "parameters": {"type": "object", "properties": {}}}
B: dict[str, Any] = {"name": "b", "description": "Do it.", "parameters": {"type": "object", "properties": {}}}
ROW = {"id": 1, "query": "Do a.", "answers": "[]"}


def found(root: Any) -> list[tuple[str, str]]:
    return [(each.source.pointer, each.body()["name"]) for each in find_definitions(root, "tools.json")]


@pytest.mark.parametrize(
    ("root", "places"),
    [
        (A, [("", "a")]),
        ({"type": "function", "function": A}, [("", "a")]),
        ([A, B], [("/0", "a"), ("/1", "b")]),
        ([[A], [B]], [("/0/0", "a"), ("/1/0", "b")]),
        ({"model": "m", "messages": [], "tools": [{"type": "function", "function": A}]}, [("/tools/0", "a")]),
        ({"model": "m", "functions": [A, B]}, [("/functions/0", "a"), ("/functions/1", "b")]),
        ({"name": "shop", "description": "A shop.", "tools": [A]}, [("/tools/0", "a")]),
        ({"tools": [{"functionDeclarations": [A]}]}, [("/tools/0/functionDeclarations/0", "a")]),
        ({"tools": {"a": {"description": "Do it."}}}, [("/tools/a", "a")]),
        ({"a": {"description": "x"}, "b": {"parameters": {}}}, [("/a", "a"), ("/b", "b")]),
        ({"Pets": {"tools": [A]}, "Shops": {"tools": [B]}}, [("/Pets/tools/0", "a"), ("/Shops/tools/0", "b")]),
        ({"mcpServers": {"time": {"tools": [A]}}}, [("/mcpServers/time/tools/0", "a")]),
        ({"data": {"tools": [A]}}, [("/data/tools/0", "a")]),
        (
            [{"jsonrpc": "2.0", "id": n, "result": {"tools": [each]}} for n, each in enumerate((A, B))],
            [("/0/result/tools/0", "a"), ("/1/result/tools/0", "b")],
        ),
        ({**ROW, "tools": json.dumps([A, B])}, [("/tools/0", "a"), ("/tools/1", "b")]),
        ([{**ROW, "tools": json.dumps([A])}, {**ROW, "tools": [B]}], [("/0/tools/0", "a"), ("/1/tools/0", "b")]),
        ([{"id": "simple_0", "question": [[]], "function": [A]}], [("/0/function/0", "a")]),
        ([json.dumps(A)], [("/0", "a")]),
    ],
)
def test_finds_tools_where_they_stand(root: Any, places: list[tuple[str, str]]) -> None:
    assert found(root) == places


def test_tools_that_rows_share_count_once_and_say_how_often(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps({**ROW, "id": n, "tools": json.dumps([A, B][: n % 2 + 1])}) for n in range(4)))
    report = import_tool_json(path)
    assert [(item.name, item.outcome, item.reasons) for item in report.reports] == [
        ("a", "imported", ("defined 4 times, always the same",)),
        ("b", "imported", ("defined 2 times, always the same",)),
    ]


def test_groups_tell_tools_of_one_name_apart() -> None:
    listed = find_definitions({"Pets": {"tools": [A]}, "Shops": {"tools": [A]}}, "tools.json")
    assert [each.group for each in listed] == ["Pets", "Shops"]


@pytest.mark.parametrize(
    ("root", "said"),
    [
        ({"tools": 5}, "/tools is a int"),
        ({"error": {"message": "not allowed"}}, "not allowed"),
        ({"openapi": "3.0.0"}, "no list of tools, but the description of an API. Name it so: openapi:tools.json"),
        ("tools", "no list of tools"),
    ],
)
def test_a_value_without_tools_is_refused(root: Any, said: str) -> None:
    with pytest.raises(ImportFailure, match=said):
        find_definitions(root, "tools.json")


def test_lists_inside_lists_are_followed_only_so_far() -> None:
    deep: Any = [A]
    for _ in range(50):
        deep = [deep]
    assert isinstance(find_definitions(deep, "tools.json")[0].raw, list)


@pytest.mark.parametrize("servers", [{"servers": [{"name": "shop", "tools": [A]}]}, {"mcpServers": [{"tools": [A]}]}])
def test_finds_the_tools_of_listed_servers(servers: Any) -> None:
    key = next(iter(servers))
    assert found(servers) == [(f"/{key}/0/tools/0", "a")]


def test_a_map_with_one_odd_value_loses_that_value_alone(tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps({"tools": {"a": {"description": "Do it."}, "b": "what?"}}))
    report = import_tool_json(path)
    assert [tool.name for tool in report.toolset.tools] == ["a"]
    assert [(item.name, item.outcome) for item in report.reports] == [("a", "imported"), ("/tools/b", "rejected")]


GREETING = {"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}}
PAGES = [{"jsonrpc": "2.0", "id": n, "result": {"tools": [each]}} for n, each in enumerate((A, B), 1)]
ASKED = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"result": [A, B]}),
        json.dumps({"result": {"tools": [A, B]}}),
        "\n".join(map(json.dumps, [GREETING, ASKED, *PAGES])),
        "\r\n".join(["Server running on stdio", *map(json.dumps, [GREETING, *PAGES]), ""]),
        "".join(f"event: message\ndata: {json.dumps(message)}\n\n" for message in [GREETING, *PAGES]),
        "\n".join(json.dumps(tool, indent=2) for tool in (A, B)),
        "\n".join(map(json.dumps, (A, B))),
    ],
)
def test_reads_what_a_server_said_as_it_was_saved(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tools.json"
    path.write_text(text)
    report = import_tool_json(path)
    assert [(item.name, item.outcome) for item in report.reports] == [("a", "imported"), ("b", "imported")]


def test_an_error_among_the_messages_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "tools.jsonl"
    failed = {"jsonrpc": "2.0", "id": 9, "error": {"code": -32601, "message": "no such page"}}
    path.write_text("\n".join(map(json.dumps, [PAGES[0], failed])))
    assert [item.outcome for item in import_tool_json(path).reports] == ["imported", "rejected"]


@pytest.mark.parametrize("text", ['{"name": "a"}\n{"name": ', '{"name": "a"} and more', "hello", '"a"\n"b"'])
def test_a_file_that_is_broken_after_its_first_value_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tools.json"
    path.write_text(text)
    with pytest.raises(ImportFailure):
        import_tool_json(path)
