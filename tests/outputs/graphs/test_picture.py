"""The picture: nothing overlaps, names fit their boxes, and a line is drawn as what came of its edges."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest
from tests.outputs.graphs.reports import edge, hostile_report, report_of, small_report

from interplay.outputs.graphs.layout import CHARACTER, LINES, MOST, Layout, PlacedBox, flow_order, lay_out, wrapped
from interplay.outputs.graphs.line_paths import paths
from interplay.outputs.graphs.picture import STROKES, picture
from interplay.outputs.graphs.sketch import LEGIBLE, sketch
from interplay.schemas.records.tool_graph import GraphNode, GraphReport

SVG = "{http://www.w3.org/2000/svg}"


def titles(text: str) -> list[str]:
    return [title.text or "" for title in ET.fromstring(text).iter(f"{SVG}title")]


def all_places(layout: Layout) -> Iterator[PlacedBox]:
    yield from layout.places.values()
    yield from layout.loose


@pytest.mark.parametrize(("tools", "edges"), [(2, 1), (16, 60), (50, 200), (120, 600), (120, 10), (900, 4000)])
def test_no_box_overlaps_another_and_all_lie_in_the_picture(tools: int, edges: int) -> None:
    layout = lay_out(sketch(report_of(tools, edges)))
    for one, other in combinations(all_places(layout), 2):
        beside = one.x + one.width <= other.x or other.x + other.width <= one.x
        above = one.y + one.height <= other.y or other.y + other.height <= one.y
        assert beside or above, (one, other)
    for place in all_places(layout):
        assert 0 <= place.x <= place.x + place.width <= layout.width
        assert 0 <= place.y <= place.y + place.height <= layout.height


@pytest.mark.parametrize("tools", [16, 120, 900])
def test_names_fit_their_boxes(tools: int) -> None:
    for place in all_places(lay_out(sketch(report_of(tools, 3 * tools)))):
        assert max(len(line) for line in place.label) * CHARACTER < place.width
        assert len(place.label) * 15 < place.height


@pytest.mark.parametrize("name", ["a", "x" * 64, "remove_" * 9, "getTheUsersCurrentlyPlayingTrackOnDevice", "é" * 500])
def test_a_name_is_cut_into_lines_that_fit(name: str) -> None:
    lines = wrapped(name)
    assert 1 <= len(lines) <= LINES
    assert all(0 < len(line) <= MOST for line in lines)
    assert "".join(lines) == name or lines[-1].endswith("…")


def test_a_picture_of_fifty_tools_shows_each_of_them() -> None:
    report = report_of(50, 200)
    shown = {title.split("\n")[0] for title in titles(picture(report))}
    assert {node.name for node in report.nodes} <= shown


def test_edges_between_two_tools_are_one_line_that_tells_them_all() -> None:
    lines = {(line.source, line.target): line for line in sketch(small_report()).lines}
    both = lines["list_pets", "buy_pet"]
    assert (both.count, both.state) == (2, "not run")
    assert "/*/price → /price  0.60 failed  the consumer failed: not found" in both.title
    assert lines["get_pet", "buy_pet"].state == "failed"
    assert lines["list_pets", "get_pet"].state == "verified"


def test_states_differ_in_shape_as_well_as_in_colour() -> None:
    assert len({dashes for _, dashes in STROKES.values()}) == len({colour for colour, _ in STROKES.values()}) == 3
    text = picture(small_report())
    for colour, dashes in STROKES.values():
        assert f'stroke="{colour}" stroke-opacity="0.75"{dashes}' in text


def test_tools_without_any_edge_stand_apart() -> None:
    drawn = sketch(small_report())
    assert [box.key for box in drawn.loose] == ["ping"]
    assert "without any edge" in picture(small_report())


def test_beyond_what_can_be_read_the_picture_shows_resources_and_says_so() -> None:
    drawn = sketch(report_of(LEGIBLE + 1, 500))
    assert "each box is a resource" in drawn.note
    assert sum(box.tools for box in (*drawn.boxes, *drawn.loose)) == LEGIBLE + 1
    many = sketch(report_of(3000, 9000))
    assert len(many.boxes) + len(many.loose) == LEGIBLE
    assert "of 500 are drawn" in many.note


def test_values_flow_to_the_right() -> None:
    names = [f"stage_{number}" for number in (5, 2, 0, 4, 1, 3)]
    nodes = tuple(GraphNode(name=name, resource=name) for name in names)
    chain = sorted(names)
    report = GraphReport(nodes=nodes, edges=tuple(edge(one, other) for one, other in pairwise(chain)), orphans=())
    columns = [lay_out(sketch(report)).places[name].x for name in chain]
    assert columns == sorted(columns)
    assert columns[0] < columns[-1]


def test_an_order_of_flow_holds_every_node_once_in_spite_of_cycles() -> None:
    weights = {(0, 1): 5, (1, 2): 5, (2, 0): 1, (3, 3): 9}
    order = flow_order(range(5), weights)
    assert sorted(order) == [0, 1, 2, 3, 4]
    assert order.index(0) < order.index(1) < order.index(2)


def test_hostile_texts_stay_texts() -> None:
    text = picture(hostile_report())
    root = ET.fromstring(text)
    assert not list(root.iter(f"{SVG}script"))
    assert "<script" not in text
    assert any("<script>alert(1)</script>" in title for title in titles(text))


def test_what_acts_on_a_reader_is_written_out() -> None:
    node = GraphNode(name="turned", summary="a\u202eb\x9bc\u2066d")
    text = picture(GraphReport(nodes=(node,), edges=(), orphans=("turned",)))
    assert not set(text) & set("\u202e\x9b\u2066")
    assert any("\\u202e" in title for title in titles(text))


@pytest.mark.parametrize("report", [GraphReport(nodes=(), edges=(), orphans=()), small_report(), report_of(300, 900)])
def test_every_picture_is_well_formed_and_the_same_again(report: GraphReport) -> None:
    ET.fromstring(picture(report))
    assert picture(report) == picture(report)


def points_on(path: str) -> Iterator[tuple[float, float]]:
    """Yield points on a path of cubic curves, but for those near its ends."""
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
    start, rest = numbers[:2], numbers[2:]
    for at in range(0, len(rest), 6):
        first, second, end = rest[at : at + 2], rest[at + 2 : at + 4], rest[at + 4 : at + 6]
        for step in range(1, 20):
            t = step / 20
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            x, y = (
                sum(w * p for w, p in zip(weights, four, strict=True))
                for four in zip(start, first, second, end, strict=True)
            )
            yield x, y
        start = end


@pytest.mark.parametrize(("tools", "edges"), [(16, 60), (50, 200), (120, 400)])
def test_no_line_crosses_a_box(tools: int, edges: int) -> None:
    drawn = sketch(report_of(tools, edges))
    layout = lay_out(drawn)
    for path in paths(layout, drawn.lines):
        for x, y in points_on(path):
            assert 0 <= x <= layout.width
            for place in layout.places.values():
                assert not (place.x < x < place.x + place.width and place.y < y < place.y + place.height)
