"""A graph report -> what a picture shows: boxes in groups, and one line for all edges between two boxes.

With up to `LEGIBLE` tools, each box is a tool and each group a resource. With more, each box is a resource with all its tools,
and only the `LEGIBLE` resources with most edges are drawn.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from interplay.outputs.graphs.edge_labels import STATES, State, evidence_text, state_of
from interplay.schemas.records.tool import Operation
from interplay.schemas.records.tool_graph import Edge, GraphNode, GraphReport

LEGIBLE = 120
"""Maximum number of boxes in a picture that a person can still read."""

TOOLTIP_EDGES = 12
"""Maximum number of edges (or tools) listed in a tooltip."""

ORDER: tuple[Operation | None, ...] = ("list", "create", "read", "compute", "update", "action", "delete", None)


@dataclass(frozen=True)
class Box:
    """One tool, or one resource with its tools; `title` is the tooltip."""

    key: str
    group: str
    title: str
    writes: bool
    tools: int = 1


@dataclass(frozen=True)
class Line:
    """All edges from one box to another: verified if any of them worked, failed only if all were run and failed."""

    source: str
    target: str
    state: State
    count: int
    title: str


@dataclass(frozen=True)
class Sketch:
    """What to draw; `loose` boxes have no line, and `note` says what the picture leaves out."""

    counts: str
    note: str
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    loose: tuple[Box, ...]


def sketch(report: GraphReport) -> Sketch:
    """Return the sketch of a report, its boxes ordered by resource and operation."""
    counts = (
        f"{len(report.nodes)} tools, {len(report.edges)} edges: {report.verified} verified, {report.failed} failed, "
        f"{report.not_run} not run"
    )
    if len(report.nodes) <= LEGIBLE:
        boxes = [_tool_box(node) for node in sorted(report.nodes, key=_node_order)]
        lines = _lines(report.edges, {node.name: node.name for node in report.nodes})
        return _sketch(counts, "", boxes, lines)
    return _of_resources(report, counts)


def _of_resources(report: GraphReport, counts: str) -> Sketch:
    """Return the sketch of a graph with too many tools to draw, by resource."""
    members: dict[str, list[GraphNode]] = defaultdict(list)
    for node in report.nodes:
        members[_resource(node)].append(node)
    boxes = [_resource_box(name, tools) for name, tools in members.items()]
    lines = _lines(report.edges, {node.name: _resource(node) for node in report.nodes})
    weights: Counter[str] = Counter()
    for line in lines:
        weights.update({line.source: line.count, line.target: line.count})
    shown = {box.key for box in sorted(boxes, key=lambda box: (-weights[box.key], box.key))[:LEGIBLE]}
    left_out = "" if len(shown) == len(boxes) else f" The {len(shown)} with most edges of {len(boxes)} are drawn."
    note = f"Too many tools to draw: each box is a resource with all its tools.{left_out}"
    kept = [line for line in lines if line.source in shown and line.target in shown]
    return _sketch(counts, note, [box for box in boxes if box.key in shown], kept)


def _sketch(counts: str, note: str, boxes: Iterable[Box], lines: Iterable[Line]) -> Sketch:
    drawn = tuple(lines)
    touched = {end for line in drawn for end in (line.source, line.target)}
    tied: list[Box] = []
    loose: list[Box] = []
    for box in boxes:
        (tied if box.key in touched else loose).append(box)
    return Sketch(counts, note, tuple(tied), drawn, tuple(loose))


def _node_order(node: GraphNode) -> tuple[str, int, str]:
    return _resource(node), ORDER.index(node.operation), node.name


def _resource(node: GraphNode) -> str:
    return node.resource or "no resource"


def _tool_box(node: GraphNode) -> Box:
    does = " ".join(filter(None, (node.operation, node.resource)))
    title = "\n".join(filter(None, (node.name, node.summary, f"{node.effect}s" + (f": {does}" if does else ""))))
    return Box(node.name, _resource(node), title, node.effect == "write")


def _resource_box(name: str, tools: list[GraphNode]) -> Box:
    names = [tool.name for tool in tools]
    more = [f"and {len(names) - TOOLTIP_EDGES} more"] if len(names) > TOOLTIP_EDGES else []
    title = "\n".join([f"{name}: {len(names)} tools", *names[:TOOLTIP_EDGES], *more])
    return Box(name, "resources", title, any(tool.effect == "write" for tool in tools), len(names))


def _lines(edges: Iterable[Edge], box_of: dict[str, str]) -> list[Line]:
    """Merge the edges between the same two boxes; edges within one box are left out."""
    merged: dict[tuple[str, str], list[Edge]] = defaultdict(list)
    for edge in edges:
        ends = box_of.get(edge.producer), box_of.get(edge.consumer)
        if ends[0] is not None and ends[1] is not None and ends[0] != ends[1]:
            merged[ends[0], ends[1]].append(edge)
    return [_line(source, target, found) for (source, target), found in sorted(merged.items())]


def _line(source: str, target: str, edges: list[Edge]) -> Line:
    states = {state_of(edge) for edge in edges}
    told = [
        f"{edge.output} → {edge.input}  {edge.score:.2f} {state_of(edge)}  {edge.note or evidence_text(edge)}"
        for edge in edges[:TOOLTIP_EDGES]
    ]
    more = [f"and {len(edges) - TOOLTIP_EDGES} more"] if len(edges) > TOOLTIP_EDGES else []
    count = "1 edge" if len(edges) == 1 else f"{len(edges)} edges"
    state = next(state for state in STATES if state in states)
    return Line(source, target, state, len(edges), "\n".join([f"{source} → {target}: {count}", *told, *more]))
