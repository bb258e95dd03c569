"""Numbers -> SVG pictures without script, font or other file: histogram, line, bars beside each other, table of shades.

Text takes the colour of the surrounding page. `framed` pictures are whole documents with a white background, for use without a
page. A mark may link to an address, and shows its figure on hover.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from xml.sax.saxutils import escape, quoteattr

from interplay.schemas.words.hidden_characters import visible

WIDTH, HEIGHT = 400, 180
LEFT, TOP, BELOW = 44, 30, 34
MOST_BINS, MOST_ROWS = 16, 30
COLOUR, FAINT = "#3b6fb6", "#8a93a0"
LONGEST = 26
"""Maximum length of a name beside a mark, in characters."""
FONT = "system-ui, sans-serif"


@dataclass(frozen=True)
class Bin:
    """The number of values from `low` (inclusive) to `high` (exclusive), and an address; the last bin includes its end."""

    low: float
    high: float
    count: int
    link: str = ""


def binned(counts: Mapping[float, int]) -> list[Bin]:
    """Group counted values into bins whose width is 1, 2 or 5 times a power of ten, and at least 1 for whole numbers."""
    if not counts:
        return []
    low, high = min(counts), max(counts)
    whole = all(float(value).is_integer() for value in counts)
    width = _nice((high - low) / MOST_BINS) if high > low else 0.1
    width = max(1.0, width) if whole else width
    first = floor(low / width + 1e-9)
    held = [0] * (floor(high / width + 1e-9) - first + 1)
    for value, count in counts.items():
        held[floor(value / width + 1e-9) - first] += count
    ends = [round((first + place) * width, 9) for place in range(len(held) + 1)]
    return [Bin(ends[place], ends[place + 1], count) for place, count in enumerate(held)]


def _nice(width: float) -> float:
    size = 10.0 ** floor(log10(width))
    return next(step * size for step in (1, 2, 5, 10) if step * size >= width - 1e-12)


def histogram(title: str, bins: Sequence[Bin], framed: bool = False) -> str:
    """Return a histogram."""
    most = max(bin.count for bin in bins)
    step = (WIDTH - LEFT - 8) / len(bins)
    whole = all(bin.low == int(bin.low) and bin.high - bin.low == 1 for bin in bins)
    marks = [*_scale(most)]
    every = ceil(len(bins) / (WIDTH / 56))
    for place, bin in enumerate(bins):
        x, high = LEFT + place * step, (HEIGHT - TOP - BELOW) * bin.count / most
        named = _number(bin.low) if whole else f"{_number(bin.low)} to {_number(bin.high)}"
        bar = _rect(x + 1, HEIGHT - BELOW - high, max(step - 2, 1), high, f"{named}: {bin.count:,}")
        marks.append(_linked(bar, bin.link, f"{title}: {named}, {bin.count:,}"))
        if place % every == 0:
            middle = x + (step / 2 if whole else 0)
            marks.append(_words(middle, HEIGHT - BELOW + 16, _number(bin.low), "middle"))
    return _document(title, marks, WIDTH, HEIGHT, framed)


def line(title: str, points: Sequence[tuple[float, float]], unit: str, along: str, framed: bool = False) -> str:
    """Return a line chart of a figure over an axis such as the indices of a run."""
    most, first, last = max(y for _, y in points) or 1.0, points[0][0], points[-1][0]
    wide = (last - first) or 1.0
    places = [
        (LEFT + (WIDTH - LEFT - 12) * (x - first) / wide, HEIGHT - BELOW - (HEIGHT - TOP - BELOW) * y / most)
        for x, y in points
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    marks = [*_scale(most), f'<polyline points="{path}" fill="none" stroke="{COLOUR}" stroke-width="2"/>']
    for (x, y), (at, value) in zip(places, points, strict=True):
        told = f"{along} {_number(at)}: {_number(value)} {unit}"
        marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLOUR}"><title>{_text(told)}</title></circle>')
    marks += [_words(places[0][0], HEIGHT - BELOW + 16, _number(first), "start")]
    if last > first:
        marks += [_words(places[-1][0], HEIGHT - BELOW + 16, _number(last), "end")]
    marks += [_words((LEFT + WIDTH) / 2, HEIGHT - BELOW + 28, along, "middle")]
    return _document(title, marks, WIDTH, HEIGHT, framed)


def bars(title: str, values: Sequence[tuple[str, float]], framed: bool = False) -> str:
    """Return a bar for each named value; the first is the run's own and highlighted."""
    most, left = max(value for _, value in values) or 1.0, 170
    marks, height = [], TOP + 26 * len(values) + 8
    for place, (name, value) in enumerate(values):
        y, colour = TOP + 26 * place, COLOUR if place == 0 else FAINT
        marks.append(_words(left - 8, y + 14, _cut(name), "end"))
        marks.append(_rect(left, y, (WIDTH - left - 60) * value / most, 18, f"{name}: {value:.2f}", colour))
        marks.append(_words(left + (WIDTH - left - 60) * value / most + 6, y + 14, f"{value:.2f}", "start"))
    return _document(title, marks, WIDTH, height, framed)


def shades(
    title: str,
    counts: Mapping[tuple[str, str], int],
    links: Mapping[tuple[str, str], str] | None = None,
    framed: bool = False,
) -> str:
    """Return a heat map of how often pairs of names occur; rows are the second names, most frequent first."""
    columns, rows = _totals(counts, 0), _totals(counts, 1)
    shown, cell, left = rows[:MOST_ROWS], 30, 190
    top = TOP + 8 + 6 * max((len(_cut(name)) for name in columns), default=0)
    most = max(counts.values())
    marks = [
        f'<text x="0" y="0" transform="translate({left + place * cell + 19} {top - 6}) rotate(-60)" '
        f'fill="currentColor">{_text(_cut(name))}</text>'
        for place, name in enumerate(columns)
    ]
    for down, row in enumerate(shown):
        y = top + down * 18
        marks.append(_words(left - 8, y + 13, _cut(row), "end"))
        for across, column in enumerate(columns):
            if count := counts.get((column, row), 0):
                told = f"{column}, {row}: {count:,}"
                shade = _rect(left + across * cell + 1, y + 1, cell - 2, 16, told, opacity=0.15 + 0.85 * count / most)
                marks.append(_linked(shade, (links or {}).get((column, row), ""), told))
    if len(rows) > len(shown):
        marks.append(_words(left - 8, top + 18 * len(shown) + 14, f"and {len(rows) - len(shown)} more", "end"))
    width, height = left + cell * len(columns) + 60, top + 18 * (len(shown) + 1) + 6
    return _document(title, marks, max(width, WIDTH), height, framed)


def _totals(counts: Mapping[tuple[str, str], int], side: int) -> list[str]:
    found: dict[str, int] = {}
    for names, count in counts.items():
        found[names[side]] = found.get(names[side], 0) + count
    return sorted(found, key=lambda name: (-found[name], name))


def _scale(most: float) -> Iterator[str]:
    bottom = HEIGHT - BELOW
    for share in (0.0, 0.5, 1.0):
        y = bottom - (bottom - TOP) * share
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - 8}" stroke="{FAINT}" stroke-width=".6"/>'
        if share != 0.5 or most % 2 == 0 or most > 1000:
            yield _words(LEFT - 6, y + 4, _number(most * share), "end")


def _rect(
    x: float, y: float, width: float, height: float, told: str, colour: str = COLOUR, opacity: float = 1.0
) -> str:
    faint = "" if opacity == 1.0 else f' fill-opacity="{opacity:.2f}"'
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"{faint}>'
        f"<title>{_text(told)}</title></rect>"
    )


def _linked(mark: str, link: str, told: str) -> str:
    return f"<a href={quoteattr(link)} aria-label={quoteattr(visible(told))}>{mark}</a>" if link else mark


def _words(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="currentColor">{_text(text)}</text>'


def _text(text: str) -> str:
    return escape(visible(text))


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _number(value: float) -> str:
    """Format a number briefly enough for an axis."""
    if abs(value) >= 10_000:
        return f"{value / 1000:,.0f}k"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.3g}"


def _document(title: str, marks: Iterable[str], width: float, height: float, framed: bool) -> str:
    """Return the SVG of a picture, with its title as accessible name for screen readers."""
    ground = f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>' if framed else ""
    colour = ' color="#1c1f24"' if framed else ""
    group = "group" if any(mark.startswith("<a ") for mark in marks) else "img"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="{group}" aria-label={quoteattr(visible(title))} '
        f'font-family="{FONT}" font-size="11"{colour}>{ground}'
        f'<text x="4" y="16" font-size="13" font-weight="600" fill="currentColor">{_text(title)}</text>'
        f"{''.join(marks)}</svg>"
    )
