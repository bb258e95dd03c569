"""A graph report -> an SVG picture: tools as boxes grouped by resource, and arrows from producers to consumers.

The picture needs no script, font or other file. In a browser, hovering over a box fades all arrows but its own, and hovering
over an arrow shows the fields and the evidence.
"""

from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape

from interplay.outputs.graphs.edge_labels import STATES, State, legal
from interplay.outputs.graphs.layout import (
    CHARACTER,
    HEADING,
    LINE,
    MARGIN,
    PADDING,
    Layout,
    PlacedBox,
    PlacedGroup,
    lay_out,
)
from interplay.outputs.graphs.line_paths import paths
from interplay.outputs.graphs.sketch import Line, Sketch, sketch
from interplay.schemas.records.tool_graph import GraphReport
from interplay.schemas.words.hidden_characters import visible

# Okabe and Ito (2008): colours that people with any colour vision can tell apart; the line styles differ too.
STROKES: dict[State, tuple[str, str]] = {
    "verified": ("#0072B2", ""),
    "not run": ("#5f5f5f", ' stroke-dasharray="1.5 4" stroke-linecap="round"'),
    "failed": ("#C04A00", ' stroke-dasharray="7 5"'),
}
READS, WRITES = "#56B4E9", "#E69F00"
MEANINGS: dict[State, str] = {
    "verified": "worked when it was run",
    "not run": "not run",
    "failed": "failed when it was run",
}
FONT = "DejaVu Sans Mono, Menlo, Consolas, monospace"


def picture(report: GraphReport, pointing: bool = True) -> str:
    """Return an SVG document; deterministic.

    Without `pointing`, it is a fragment to embed in a page, without the styles that react to hovering: the page's content
    security policy may forbid them.
    """
    drawn = sketch(report)
    placed = lay_out(drawn)
    return "\n".join(_parts(drawn, placed, pointing)) + "\n"


def _parts(drawn: Sketch, placed: Layout, pointing: bool) -> Iterator[str]:
    width, height = round(placed.width), round(placed.height)
    if pointing:
        yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{FONT}" font-size="12" fill="#1a1a1a">'
    )
    yield f"<title>Tool graph: {_text(drawn.counts)}</title>"
    if pointing:
        yield f"<style>{''.join(_pointing(placed))}</style>"
    yield f"<defs>{''.join(_arrowhead(state) for state in STATES)}</defs>"
    yield f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    yield from _legend(drawn)
    yield from (_panel(panel) for panel in placed.panels)
    yield from _lines(drawn.lines, placed)
    yield from (_heading(panel) for panel in placed.panels if panel.heading)
    yield from (_box(place, number) for number, place in enumerate(placed.places.values()))
    if placed.loose:
        top = placed.loose[0].y - 10
        heading = "without any edge to another box" if drawn.note else "without any edge"
        yield f'<text x="{MARGIN}" y="{top:.1f}" font-size="14" font-weight="bold">{heading}</text>'
        yield from (_box(place, None) for place in placed.loose)
    yield "</svg>"


def _text(text: str) -> str:
    return escape(legal(visible(text)))


def _pointing(placed: Layout) -> Iterator[str]:
    """Yield the CSS rules by which hovering over a box fades all lines but its own."""
    yield "path{pointer-events:stroke}path:hover{stroke-width:4}"
    for number in range(len(placed.places)):
        yield f"svg:has(#b{number}:hover) .line:not(.b{number}){{opacity:.05}}"


def _arrowhead(state: State) -> str:
    return (
        f'<marker id="{state.replace(" ", "-")}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.5L8 4L0 7.5z" fill="{STROKES[state][0]}"/></marker>'
    )


def _legend(drawn: Sketch) -> Iterator[str]:
    yield f'<text x="{MARGIN}" y="32" font-size="16" font-weight="bold">{_text(drawn.counts)}</text>'
    x = MARGIN
    for state in STATES:
        colour, dashes = STROKES[state]
        yield (
            f'<path d="M{x} 54H{x + 44}" stroke="{colour}" stroke-width="2"{dashes} '
            f'marker-end="url(#{state.replace(" ", "-")})"/>'
        )
        yield f'<text x="{x + 52}" y="58">{MEANINGS[state]}</text>'
        x += 52 + len(MEANINGS[state]) * CHARACTER + 28
    for colour, meaning in ((READS, "reads"), (WRITES, "writes")):
        yield f'<rect x="{x:.1f}" y="46" width="6" height="16" fill="{colour}"/>'
        yield f'<text x="{x + 12:.1f}" y="58">{meaning}</text>'
        x += 12 + len(meaning) * CHARACTER + 24
    if drawn.note:
        yield f'<text x="{MARGIN}" y="80" fill="#444444">{_text(drawn.note)}</text>'


def _panel(panel: PlacedGroup) -> str:
    return (
        f'<rect x="{panel.x:.1f}" y="{panel.y:.1f}" width="{panel.width:.1f}" height="{panel.height:.1f}" rx="8" '
        'fill="#f3f5f7" stroke="#c9ced3"/>'
    )


def _heading(panel: PlacedGroup) -> str:
    most = int((panel.width - 2 * PADDING) / (CHARACTER * 13 / 12))
    heading = panel.heading if len(panel.heading) <= most else panel.heading[: most - 1] + "…"
    return (
        f'<text x="{panel.x + PADDING:.1f}" y="{panel.y + HEADING - 8:.1f}" font-size="13" font-weight="bold" '
        f'fill="#30363c">{_text(heading)}</text>'
    )


def _lines(lines: Sequence[Line], placed: Layout) -> Iterator[str]:
    """Yield the lines, with verified ones drawn last and so on top."""
    number = {key: index for index, key in enumerate(placed.places)}
    routed = list(zip(lines, paths(placed, lines), strict=True))
    opacity = 0.75 if len(lines) <= 60 else 0.55 if len(lines) <= 200 else 0.4
    for state in ("failed", "not run", "verified"):
        colour, dashes = STROKES[state]
        yield f'<g fill="none" stroke="{colour}" stroke-opacity="{opacity}"{dashes}>'
        for line, path in routed:
            if line.state == state:
                thick = min(3.0, 1.1 + 0.25 * (line.count - 1))
                yield (
                    f'<path class="line b{number[line.source]} b{number[line.target]}" d="{path}" '
                    f'stroke-width="{thick:.2f}" marker-end="url(#{state.replace(" ", "-")})">'
                    f"<title>{_text(line.title)}</title></path>"
                )
        yield "</g>"


def _box(place: PlacedBox, number: int | None) -> str:
    identity = "" if number is None else f' id="b{number}"'
    colour = WRITES if place.box.writes else READS
    shape = f'x="{place.x:.1f}" y="{place.y:.1f}"'
    return (
        f"<g{identity}><title>{_text(place.box.title)}</title>"
        f'<rect {shape} width="{place.width:.1f}" height="{place.height:.1f}" rx="3" fill="#ffffff" stroke="#6b737b"/>'
        f'<rect {shape} width="5" height="{place.height:.1f}" fill="{colour}"/>{_label(place)}</g>'
    )


def _label(place: PlacedBox) -> str:
    lines: Iterable[tuple[int, str]] = enumerate(place.label)
    return "".join(
        f'<text x="{place.x + PADDING + 2:.1f}" y="{place.y + 16 + number * LINE:.1f}">{_text(line)}</text>'
        for number, line in lines
    )
