"""A layout and its lines -> an SVG path for each line, through the gaps between panels and never across a box.

Lines between the same two panels share one route between the panels, so that many look like one, and fan out only inside them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from interplay.outputs.graphs.layout import GAP, GUTTER, Layout, PlacedBox, PlacedGroup
from interplay.outputs.graphs.sketch import Line

LANES, LANE = 7, 4.0
"""Number of parallel lanes through a gap, and the distance between them in px."""

TIP = 2.0
"""Distance between the tip of an arrow and its box, in px."""

Point = tuple[float, float]
Pair = tuple[int, int]


def paths(layout: Layout, lines: Sequence[Line]) -> list[str]:
    """Return one SVG path per line, in order."""
    between: dict[Pair, list[Line]] = defaultdict(list)
    for line in lines:
        between[layout.places[line.source].panel, layout.places[line.target].panel].append(line)
    pairs = {pair: number for number, pair in enumerate(sorted(between))}
    gates = {pair: _gates(layout.places, found) for pair, found in between.items()}
    return [_path(layout, line, gates, pairs) for line in lines]


def _gates(places: Mapping[str, PlacedBox], lines: Iterable[Line]) -> Point:
    """Return the mean heights at which the lines between two panels leave the first and enter the second."""
    out = sorted({places[line.source].middle for line in lines})
    into = sorted({places[line.target].middle for line in lines})
    return sum(out) / len(out), sum(into) / len(into)


def _path(layout: Layout, line: Line, gates: Mapping[Pair, Point], pairs: Mapping[Pair, int]) -> str:
    source, target = layout.places[line.source], layout.places[line.target]
    start, end = layout.panels[source.panel], layout.panels[target.panel]
    if start is end:
        reach = min(62.0, 16.0 + 0.14 * abs(source.middle - target.middle))
        right = source.x + source.width
        return _curve([(right, source.middle)]) + _bow((right, source.middle), (right + TIP, target.middle), reach)
    pair = source.panel, target.panel
    (out, into), shift = gates[pair], (pairs[pair] % LANES - LANES // 2) * LANE
    if start.column == end.column:
        gate = start.x + start.width
        bow = _bow((gate, out), (gate, into), min(GUTTER * 0.8, 20.0 + 0.16 * abs(out - into)) + shift)
        leaving = _curve([(source.x + source.width, source.middle), (gate, out)])
        return f"{leaving}{bow}{_segment((gate, into), (target.x + target.width + TIP, target.middle))}"
    forward = start.column < end.column
    tip = -TIP if forward else TIP
    way = _gaps(layout.panels, start, end, out, into, shift)
    return _curve(
        [
            (_side(source, forward), source.middle),
            (_side(start, forward), out),
            *way,
            (_side(end, not forward), into),
            (_side(target, not forward) + tip, target.middle),
        ]
    )


def _side(thing: PlacedBox | PlacedGroup, right: bool) -> float:
    return thing.x + thing.width if right else thing.x


def _gaps(
    panels: Sequence[PlacedGroup], start: PlacedGroup, end: PlacedGroup, out: float, into: float, shift: float
) -> list[Point]:
    """Return the points where a line passes the columns between two panels: in each, the gap nearest to the straight line."""
    step = 1 if start.column < end.column else -1
    found: list[Point] = []
    for column in range(start.column + step, end.column, step):
        inside = [panel for panel in panels if panel.column == column]
        part = (column - start.column) / (end.column - start.column)
        aim = out + (into - out) * part
        heights = [inside[0].y - GAP / 2, *(panel.y + panel.height + GAP / 2 for panel in inside)]
        height = min(heights, key=lambda gap: abs(gap - aim)) + shift
        sides = [inside[0].x, inside[0].x + inside[0].width]
        found += [(x, height) for x in sides[::step]]
    return found


def _curve(points: Sequence[Point]) -> str:
    """Return a path through `points` that is horizontal at each of them."""
    (x, y), rest = points[0], pairwise(points)
    return f"M{x:.1f} {y:.1f}" + "".join(_segment(before, after) for before, after in rest)


def _segment(before: Point, after: Point) -> str:
    half = (before[0] + after[0]) / 2
    return f"C{half:.1f} {before[1]:.1f} {half:.1f} {after[1]:.1f} {after[0]:.1f} {after[1]:.1f}"


def _bow(before: Point, after: Point, reach: float) -> str:
    """Return a curve that bows out to the right by `reach`."""
    away = max(before[0], after[0]) + reach
    return f"C{away:.1f} {before[1]:.1f} {away:.1f} {after[1]:.1f} {after[0]:.1f} {after[1]:.1f}"
