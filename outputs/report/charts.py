"""Counts -> a bar chart as an SVG picture, for a card or page that shows pictures and runs nothing."""

from collections.abc import Mapping
from html import escape

LONGEST = 40
"""Characters of a name that are shown."""
MOST_BARS = 24
_LEFT, _WIDE, _HIGH, _NUMBER = 260, 420, 22, 70


def bar_chart(title: str, counts: Mapping[str, int]) -> str:
    """Return a picture with a bar for each count, in the order given, at most `MOST_BARS`; the longest has the whole width.

    Its colours can be read on white and on black. The same counts give the same text.
    """
    shown = dict(list(counts.items())[:MOST_BARS])
    most = max(shown.values(), default=0) or 1
    high = (len(shown) + 1) * _HIGH + 8
    rows = []
    for number, (name, count) in enumerate(shown.items(), 1):
        top, wide = number * _HIGH + 8, round(_WIDE * count / most, 1)
        label = escape(name if len(name) <= LONGEST else name[: LONGEST - 1] + "…")
        rows.append(
            f'<text x="{_LEFT - 8}" y="{top + 15}" text-anchor="end">{label}</text>'
            f'<rect x="{_LEFT}" y="{top + 3}" width="{wide}" height="{_HIGH - 6}"/>'
            f'<text x="{_LEFT + wide + 6}" y="{top + 15}">{count:,}</text>'
        )
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDE + _NUMBER} {high}" role="img" '
        f'font-family="sans-serif" font-size="13" fill="#777"><title>{escape(title)}</title>'
        f'<style>rect{{fill:#4c86c6}}</style><text x="0" y="18" font-weight="bold">{escape(title)}</text>'
    )
    return "\n".join([head, *rows, "</svg>"]) + "\n"


def binned(values: Mapping[int, int], bins: int = 12) -> dict[str, int]:
    """Return how often values occur, in at most about so many bins of equal, round width; empty bins between others stay."""
    if not values:
        return {}
    width, steps = 1, (2, 2.5, 2)
    for turn in range(60):
        if (max(values) - min(values)) // width < bins:
            break
        width = int(width * steps[turn % 3])
    low = min(values) // width
    counts = [0] * (max(values) // width - low + 1)
    for value, times in values.items():
        counts[value // width - low] += times
    names = [(low + place) * width for place in range(len(counts))]
    return {f"{at:,}" if width == 1 else f"{at:,}-{at + width - 1:,}": n for at, n in zip(names, counts, strict=True)}
