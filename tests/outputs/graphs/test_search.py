"""The search of the page, as node runs it."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.outputs.graphs.reports import report_of, small_report

from interplay.outputs.graphs import graph_page as page_module
from interplay.outputs.graphs.graph_page import page_data
from interplay.schemas.records.tool_graph import GraphReport

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node runs the script of the page")
ALL = {"states": [True, True, True], "least": 0}

ASK = """
const graph = indexed(JSON.parse(require("fs").readFileSync(0, "utf8")));
const name = (tool) => graph.data.texts[graph.data.nodes[tool][NAME]];
const row = (number) => graph.data.edges[number];
const ends = (number) => [name(row(number)[PRODUCER]), name(row(number)[CONSUMER]), row(number)[SCORE]];
"""


def ask(report: GraphReport, expression: str) -> Any:
    """Return the value of an expression over `graph`, the indexed report."""
    search = Path(page_module.__file__).with_name("search.js").read_text(encoding="utf-8")
    code = f"{search}{ASK}console.log(JSON.stringify({expression}));"
    done = subprocess.run(
        [NODE or "node", "-e", code], input=page_data(report), capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def tools(query: str, sort: str = "match", given: dict[str, Any] = ALL) -> Any:
    return ask(small_report(), f"findTools(graph, {json.dumps(query)}, {json.dumps(given)}, '{sort}').map(name)")


def edges(query: str, sort: str, given: dict[str, Any] = ALL) -> Any:
    return ask(small_report(), f"findEdges(graph, {json.dumps(query)}, {json.dumps(given)}, '{sort}').map(ends)")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["buy_pet", "get_pet", "list_pets", "ping"]),
        ("PET", ["buy_pet", "get_pet", "list_pets"]),
        ("get_pet", ["get_pet"]),
        ("one pet", ["get_pet"]),
        ("price", ["buy_pet", "list_pets"]),
        ("pets.yaml", ["list_pets"]),
        (".*", []),
        ("nothing like it", []),
    ],
)
def test_finds_tools_by_name_description_and_fields(query: str, found: list[str]) -> None:
    assert tools(query) == found


def test_a_name_that_begins_so_comes_before_one_that_only_speaks_of_it() -> None:
    assert tools("list") == ["list_pets"]
    assert tools("p") == ["ping", "buy_pet", "get_pet", "list_pets"]


def test_filters_leave_tools_that_keep_an_edge() -> None:
    assert tools("", given={"states": [False, True, False], "least": 0}) == ["get_pet", "list_pets"]
    assert tools("", given={"states": [True, True, True], "least": 0.93}) == ["get_pet", "list_pets"]


def test_sorts_tools_by_their_edges() -> None:
    assert tools("", "edges") == ["buy_pet", "list_pets", "get_pet", "ping"]
    assert tools("", "fewest")[0] == "ping"
    assert tools("", "doubtful")[0] == "buy_pet"


def test_lists_edges_best_or_most_doubtful_first() -> None:
    assert [score for *_, score in edges("", "match")] == [0.95, 0.9, 0.6, 0.55]
    assert edges("", "doubtful")[0] == ["get_pet", "buy_pet", 0.55]
    assert edges("price", "match") == [["list_pets", "buy_pet", 0.6]]
    assert edges("", "match", {"states": [False, False, True], "least": 0}) == [["list_pets", "buy_pet", 0.9]]


def test_tells_what_feeds_a_tool_and_what_it_feeds() -> None:
    sides = ask(
        small_report(), f"[graph.into, graph.out].map((all) => side(graph, all[1], {json.dumps(ALL)}).map(ends))"
    )
    assert sides == [[["list_pets", "get_pet", 0.95]], [["get_pet", "buy_pet", 0.55]]]
    assert ask(small_report(), "evidenceOf(graph.data, graph.data.edges[0])") == "resource 1.00 id; name 0.50 id"


def test_searches_twenty_thousand_tools() -> None:
    counted = ask(report_of(20_000, 40_000), f"findTools(graph, 'kind_number_1234', {json.dumps(ALL)}, 'match').length")
    assert counted == 11
