"""A graph report -> text in the terminal: counts, the best and most doubtful edges, hubs, orphans."""

from collections import defaultdict
from collections.abc import Iterable

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from interplay.outputs.graphs.edge_labels import evidence_text, state_of
from interplay.schemas.records.tool_graph import Edge, GraphReport

HUBS = 5
ORPHANS = 100
"""The most tools without edges that are listed."""

LONGEST = 300
"""The most characters shown of a reason."""

MARKS = {True: ("✓", "green"), False: ("✗", "red"), None: ("?", "yellow")}


def print_graph(console: Console, report: GraphReport, number: int = 10) -> None:
    """Print counts, the `number` best and most doubtful edges, the hubs, and the tools without edges."""
    console.print(Text(_counts(report), style="bold"))
    best = report.best(number)
    shown = set(best)
    doubtful = tuple(edge for edge in report.doubtful(number) if edge not in shown)
    _print_edges(console, f"Best edges ({len(best)} of {len(report.edges)})", best)
    _print_edges(console, f"Most doubtful edges ({len(doubtful)} of {len(report.edges)})", doubtful)
    _print_hubs(console, report.edges)
    if report.orphans:
        more = [f"and {len(report.orphans) - ORPHANS} more"] if len(report.orphans) > ORPHANS else []
        _print_heading(console, f"Tools without any edge ({len(report.orphans)})")
        _print_indented(console, Text(", ".join([*map(_plain, report.orphans[:ORPHANS]), *more])), 2)


def _counts(report: GraphReport) -> str:
    return (
        f"{len(report.nodes)} tools, {len(report.edges)} edges: {report.verified} verified, {report.failed} failed, "
        f"{report.not_run} not run; tools without any edge: {len(report.orphans)}"
    )


def _print_heading(console: Console, heading: str) -> None:
    console.print()
    console.print(Text(heading, style="bold"))


def _print_indented(console: Console, text: Text, spaces: int) -> None:
    """Print text that keeps its indentation when wrapped; one line if the output is not a terminal."""
    if console.soft_wrap:
        console.print(Text(" " * spaces).append(text))
    else:
        console.print(Padding(text, (0, 0, 0, spaces)))


def _print_edges(console: Console, heading: str, edges: Iterable[Edge]) -> None:
    listed = list(edges)
    if not listed:
        return
    _print_heading(console, heading)
    for edge in listed:
        ends = _plain(f"{edge.producer} {edge.output} → {edge.consumer} {edge.input}")
        console.print(Text.assemble(MARKS[edge.verified], f" {edge.score:.2f}  {ends}"))
        reasons = [evidence_text(edge), f"{state_of(edge)}: {edge.note}" if edge.note else ""]
        for reason in filter(None, reasons):
            _print_indented(console, Text(_plain(reason), style="dim"), 8)


def _print_hubs(console: Console, edges: Iterable[Edge]) -> None:
    """Print the tools that feed most others, without edges that failed verification."""
    fed: dict[str, set[str]] = defaultdict(set)
    feeding: dict[str, set[str]] = defaultdict(set)
    for edge in edges:
        if edge.verified is not False:
            fed[edge.producer].add(edge.consumer)
            feeding[edge.consumer].add(edge.producer)
    hubs = sorted(fed, key=lambda name: (-len(fed[name]), name))[:HUBS]
    if hubs:
        _print_heading(console, "Tools that feed most others")
    for name in hubs:
        takes = f", fed by {len(feeding[name])}" if feeding[name] else ""
        console.print(Text(f"  {_plain(name)} feeds {len(fed[name])}{takes}"))


def _plain(text: str) -> str:
    """Return untrusted text as one line, cut to `LONGEST` characters."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[:LONGEST] + "…"
