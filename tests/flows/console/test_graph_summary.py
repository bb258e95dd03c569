"""What the terminal shows of a tool graph."""

import io

from rich.console import Console
from tests.outputs.graphs.reports import hostile_report, small_report

from interplay.flows.console.graph_summary import print_graph
from interplay.flows.console.safe_console import gated
from interplay.schemas.records.tool_graph import GraphReport


def printed(report: GraphReport, number: int = 10, **options: bool) -> str:
    written = io.StringIO()
    print_graph(gated(Console(file=written, width=80, **options)), report, number)
    return written.getvalue()


def test_counts_come_first_and_orphans_last() -> None:
    lines = [line.rstrip() for line in printed(small_report()).splitlines()]
    assert lines[0].startswith("4 tools, 4 edges: 1 verified, 2 failed, 1 not run;")
    assert lines[-2:] == ["Tools without any edge (1)", "  ping"]


def test_shows_the_best_edges_with_evidence_and_the_most_doubtful_with_the_reason() -> None:
    text = printed(small_report(), 1)
    best, doubtful = text.split("Most doubtful edges (1 of 4)")
    assert "✓ 0.95  list_pets /*/id → get_pet /id\n        resource 1.00 id; name 0.50 id" in best
    assert "✗ 0.55  get_pet /*/id → buy_pet /id" in doubtful
    assert "failed: the consumer failed: not found" in doubtful
    assert "price" not in text


def test_names_the_tools_that_feed_most_others() -> None:
    assert "list_pets feeds 2" in printed(small_report())


def test_lines_fit_a_terminal_and_are_whole_where_nobody_watches() -> None:
    assert max(map(len, printed(hostile_report()).splitlines())) <= 80
    piped = printed(hostile_report(), soft_wrap=True)
    assert sum("name 1.00" in line for line in piped.splitlines()) == 1


def test_a_terminal_gets_no_control_characters() -> None:
    assert not any(ord(character) < 32 for character in printed(hostile_report()).replace("\n", ""))


def test_an_empty_graph_can_be_shown() -> None:
    assert printed(GraphReport(nodes=(), edges=(), orphans=())).startswith("0 tools, 0 edges")
