"""A sketch -> a layout: one panel per group, and panels in columns so that values flow to the right.

Panels are ordered so that few lines lead back (Eades, Lin and Smyth 1993, a fast heuristic for the feedback arc set), cut
into columns of similar height, and sorted within each column by the mean height of the panels they are connected to.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from interplay.outputs.graphs.sketch import Box, Line, Sketch

CHARACTER, LINE = 7.25, 15.0
"""Width of a character of a 12 px monospace font, and height of a line, in px."""

FEWEST, MOST = 12, 26
"""Minimum and maximum characters in a line of a box; all boxes are as wide as the widest one needs."""

LINES = 3
PADDING, SPACE, HEADING = 8.0, 8.0, 26.0
LEFT, RIGHT = 34.0, 52.0
"""Room inside a panel left and right of its boxes, in px: for incoming lines, and for lines between its own boxes."""

GAP, GUTTER, MARGIN, TOP = 40.0, 130.0, 24.0, 124.0
NARROWEST = 900.0
"""Width of the legend, in px: no picture is narrower."""

LARGEST = 14
"""Maximum number of boxes in a panel; larger groups are cut so that sources are left of their targets."""

SHAPE = 2.0
"""Desired ratio of a picture's width to its height."""

SWEEPS = 4


@dataclass(frozen=True)
class PlacedBox:
    """A box with its position and its name, wrapped into lines that fit."""

    box: Box
    panel: int
    x: float
    y: float
    width: float
    height: float
    label: tuple[str, ...]

    @property
    def middle(self) -> float:
        """The y coordinate at which lines touch the box."""
        return self.y + self.height / 2


@dataclass(frozen=True)
class PlacedGroup:
    """A panel: a group of boxes with its position and column."""

    heading: str
    column: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Layout:
    """The positions of all panels and boxes; `loose` boxes, which have no line, are at the foot of the picture."""

    width: float
    height: float
    panels: tuple[PlacedGroup, ...]
    places: Mapping[str, PlacedBox]
    loose: tuple[PlacedBox, ...]


Group = tuple[str, tuple[Box, ...]]
Node = TypeVar("Node", int, str)


def lay_out(drawn: Sketch) -> Layout:
    """Place all boxes of a sketch without overlaps."""
    labels = {
        box.key: wrapped(box.key if box.tools == 1 else f"{box.key} ({box.tools})")
        for box in (*drawn.boxes, *drawn.loose)
    }
    widest = max((len(line) for label in labels.values() for line in label), default=FEWEST)
    width = max(FEWEST, widest) * CHARACTER + 2 * PADDING
    groups = _groups(drawn.boxes, drawn.lines)
    heights = [(HEADING + sum(_box_height(labels[box.key]) + SPACE for box in boxes) + SPACE) for _, boxes in groups]
    columns = _sorted_columns(_columns(heights, LEFT + width + RIGHT), groups, heights, drawn.lines)
    tallest = max((_stack(heights, column) for column in columns), default=0.0)
    panels: list[PlacedGroup] = []
    places: dict[str, PlacedBox] = {}
    for number, column in enumerate(columns):
        x, y = MARGIN + number * (LEFT + width + RIGHT + GUTTER), TOP + (tallest - _stack(heights, column)) / 2
        for index in column:
            heading, boxes = groups[index]
            panels.append(PlacedGroup(heading, number, x, y, LEFT + width + RIGHT, heights[index]))
            places |= _stacked(boxes, labels, len(panels) - 1, x + LEFT, y + HEADING, width)
            y += heights[index] + GAP
    right = MARGIN + len(columns) * (LEFT + width + RIGHT + GUTTER)
    total = max(right, NARROWEST)
    loose, bottom = _grid(drawn.loose, labels, TOP + tallest + GAP + HEADING, width, total)
    return Layout(total, bottom + MARGIN, tuple(panels), places, loose)


def wrapped(name: str) -> tuple[str, ...]:
    """Wrap a name into at most three lines, after a separator or before a capital if possible."""
    lines: list[str] = []
    rest = name
    while len(rest) > MOST and len(lines) < LINES - 1:
        cuts = [found.start() for found in re.finditer(r"(?<=[_\-. /])|(?<=[a-z0-9])(?=[A-Z])", rest[: MOST + 1])]
        cut = next((at for at in reversed(cuts) if 8 <= at <= MOST), MOST)
        lines.append(rest[:cut].rstrip())
        rest = rest[cut:]
    lines.append(rest if len(rest) <= MOST else rest[: MOST - 1] + "…")
    return tuple(lines)


def _groups(boxes: Sequence[Box], lines: Sequence[Line]) -> list[Group]:
    """Return the panels in flow order; a group that is too large is cut into several, in flow order too."""
    by_name: dict[str, list[Box]] = defaultdict(list)
    for box in boxes:
        by_name[box.group].append(box)
    group_of: dict[str, int] = {}
    cut: list[Group] = []
    for name, members in by_name.items():
        for heading, part in _parts(name, members, lines):
            group_of |= {box.key: len(cut) for box in part}
            cut.append((heading, part))
    weights = Counter((group_of[line.source], group_of[line.target]) for line in lines)
    return [cut[index] for index in flow_order(range(len(cut)), weights)]


def _parts(name: str, boxes: list[Box], lines: Sequence[Line]) -> list[Group]:
    if len(boxes) <= LARGEST:
        return [(name, tuple(boxes))]
    by_key = {box.key: box for box in boxes}
    within = {(line.source, line.target): 1 for line in lines if line.source in by_key and line.target in by_key}
    ordered = [by_key[key] for key in flow_order(by_key, within)]
    number = math.ceil(len(ordered) / LARGEST)
    size = math.ceil(len(ordered) / number)
    return [
        (f"{name} {part + 1} of {number}", tuple(ordered[part * size : (part + 1) * size])) for part in range(number)
    ]


def flow_order(nodes: Iterable[Node], weights: Mapping[tuple[Node, Node], int]) -> list[Node]:
    """Order nodes so that most weight leads forward: sinks last, sources first, then by outgoing minus incoming weight."""
    left = list(nodes)
    head: list[Node] = []
    tail: list[Node] = []
    while left:
        gives, takes = dict.fromkeys(left, 0), dict.fromkeys(left, 0)
        for (source, target), weight in weights.items():
            if source != target and source in gives and target in gives:
                gives[source] += weight
                takes[target] += weight
        sink = next((node for node in left if not gives[node] and takes[node]), None)
        chosen = sink if sink is not None else max(left, key=lambda node: (not takes[node], gives[node] - takes[node]))
        (head if sink is None else tail).append(chosen)
        left.remove(chosen)
    return head + tail[::-1]


def _box_height(label: tuple[str, ...]) -> float:
    return len(label) * LINE + 10.0


def _stack(heights: Sequence[float], column: Sequence[int]) -> float:
    return sum(heights[index] + GAP for index in column) - GAP


def _columns(heights: Sequence[float], width: float) -> list[list[int]]:
    """Cut the ordered panels into the number of columns that comes closest to the desired `SHAPE`."""
    total = sum(height + GAP for height in heights)
    best: list[list[int]] = []
    closest = math.inf
    for number in range(1, len(heights) + 1):
        columns = _cut(heights, total / number)
        tall = max(_stack(heights, column) for column in columns)
        away = abs(math.log(len(columns) * (width + GUTTER) / tall / SHAPE))
        if away < closest:
            best, closest = columns, away
    return best


def _cut(heights: Sequence[float], target: float) -> list[list[int]]:
    columns: list[list[int]] = [[]]
    filled = 0.0
    for index, height in enumerate(heights):
        if columns[-1] and filled + (height + GAP) / 2 > target * len(columns):
            columns.append([])
        columns[-1].append(index)
        filled += height + GAP
    return columns


def _sorted_columns(
    columns: list[list[int]], groups: Sequence[Group], heights: Sequence[float], lines: Sequence[Line]
) -> list[list[int]]:
    """Sort each column by the mean height of the connected panels, `SWEEPS` times."""
    group_of = {box.key: index for index, (_, boxes) in enumerate(groups) for box in boxes}
    tied: dict[int, list[int]] = defaultdict(list)
    for line in lines:
        tied[group_of[line.source]].append(group_of[line.target])
        tied[group_of[line.target]].append(group_of[line.source])
    column_of = {index: number for number, column in enumerate(columns) for index in column}
    for _ in range(SWEEPS):
        for number, column in enumerate(columns):
            middle = _middles(columns, heights)
            mean = {}
            for index in column:
                others = [middle[other] for other in tied[index] if column_of[other] != number]
                mean[index] = sum(others) / len(others) if others else middle[index]
            columns[number] = sorted(column, key=lambda index: (mean[index], index))
    return columns


def _middles(columns: Sequence[Sequence[int]], heights: Sequence[float]) -> dict[int, float]:
    """Return panel -> y coordinate of its middle, with columns centred on zero."""
    found = {}
    for column in columns:
        y = -_stack(heights, column) / 2
        for index in column:
            found[index] = y + heights[index] / 2
            y += heights[index] + GAP
    return found


def _stacked(
    boxes: Sequence[Box], labels: Mapping[str, tuple[str, ...]], panel: int, x: float, y: float, width: float
) -> dict[str, PlacedBox]:
    places = {}
    for box in boxes:
        label = labels[box.key]
        places[box.key] = PlacedBox(box, panel, x, y + SPACE / 2, width, _box_height(label), label)
        y += _box_height(label) + SPACE
    return places


def _grid(
    boxes: Sequence[Box], labels: Mapping[str, tuple[str, ...]], y: float, width: float, total: float
) -> tuple[tuple[PlacedBox, ...], float]:
    """Place boxes row by row below the panels; return them and the y coordinate where they end."""
    if not boxes:
        return (), y - GAP - HEADING
    across = max(1, int((total - 2 * MARGIN + SPACE) // (width + SPACE)))
    placed: list[PlacedBox] = []
    for start in range(0, len(boxes), across):
        row = boxes[start : start + across]
        for number, box in enumerate(row):
            label = labels[box.key]
            placed.append(PlacedBox(box, -1, MARGIN + number * (width + SPACE), y, width, _box_height(label), label))
        y += max(_box_height(labels[box.key]) for box in row) + SPACE
    return tuple(placed), y - SPACE
