"""The name, format and examples of a text field that holds a number -> such a number, in the notation of the source.

    {"type": "string"}                      total_price    ->  "182.40"
    {"type": "string", "examples": ["$9"]}  fee            ->  "$37"
    {"type": "string", "format": "int64"}   size           ->  "48213"
    {"type": "string"}                      thread_ts      ->  "1774862312.004815"

Source: OpenAPI format registry; Google API discovery documents, for numbers of 64 bits in texts; Slack API, for `ts`.
"""

import re
from collections.abc import Sequence
from random import Random

from interplay.generators.values.texts.formatted_texts import TODAY
from interplay.generators.values.texts.past_events import has_happened, is_ahead
from interplay.schemas.words.lists import beside, word_set

_LISTS = beside(__file__)

EPOCH = (1_772_445_600, 1_780_000_000)
"""Range of made-up moments that may be in the future, in seconds since 1970."""

PAST_EPOCH = (EPOCH[0] - 300 * 86_400, EPOCH[0] - 2 * 86_400)
"""Range of made-up moments in the past, in seconds since 1970."""

_MONEY = word_set("money", "sums")
_ADDED = word_set(_LISTS, "added")
_COUNTED: dict[str, tuple[int, int]] = {
    "quantity": (1, 12), "qty": (1, 12), "count": (1, 40), "age": (18, 80), "seats": (1, 6), "guests": (1, 6), "nights": (1, 10),
    "items": (1, 12), "points": (1, 100), "percentage": (1, 100), "percent": (1, 100),
}  # fmt: skip
_PLACED, _LATEST = word_set(_LISTS, "placed"), 40
_MEASURED = {
    "latitude": (-60.0, 70.0),
    "lat": (-60.0, 70.0),
    "longitude": (-170.0, 170.0),
    "lng": (-170.0, 170.0),
    "lon": (-170.0, 170.0),
}
_DECIMAL_FORMATS = frozenset("decimal money float double number currency big-decimal bigdecimal".split())
_WHOLE_FORMATS = frozenset("int64 int32 integer int uint64 uint32 long fixed64 bigint numeric".split())
_WRITTEN = re.compile(r"([^\d.,-]{0,5})(\d{1,9})([.,]\d{1,8})?([^\d.,-]{0,5})")


def epoch_of(tokens: Sequence[str]) -> tuple[int, int]:
    """Return the range of a moment in seconds since 1970, by the words of its field's name."""
    return PAST_EPOCH if has_happened(tuple(tokens)) else EPOCH


def years_of(tokens: Sequence[str]) -> tuple[int, int]:
    """Return the range of a year: from this one on for expiries and the like, else up to this one."""
    return (TODAY.year, TODAY.year + 5) if any(map(is_ahead, tokens)) else (TODAY.year - 12, TODAY.year)


def is_place(tokens: Sequence[str]) -> bool:
    """Tell whether a field holds the ordinal of a thing in a sequence: `chapterNumber`."""
    return tuple(tokens[-1:]) in (("number",), ("no",)) and not _PLACED.isdisjoint(tokens[-2:-1])


def by_numeral(
    kind: str,
    tokens: Sequence[str],
    samples: Sequence[str],
    rng: Random,
    usual: tuple[float, float, float] | None = None,
) -> str:
    """Return a number as text; empty if neither format nor name promise one.

    `usual` is the lowest value, highest value and step of an amount, if known.
    """
    if not tokens:
        return ""
    if is_place(tokens) and not samples:
        return str(rng.randint(1, _LATEST))
    if tokens[-1] == "ts":
        return f"{rng.randint(*epoch_of(tokens))}.{rng.randint(1, 999_999):06d}"
    if tokens[-1] in ("epoch", "unixtime") or (tokens[-1] == "timestamp" and any(map(_is_moment, samples))):
        return str(rng.randint(*epoch_of(tokens)))
    if kind in _WHOLE_FORMATS:
        low, high = _COUNTED.get(tokens[-1], (10_000, 99_999))
        return str(rng.randint(low, high))
    if kind and kind not in _DECIMAL_FORMATS:
        return ""
    if tokens[-1] in _COUNTED and (tokens[-1] not in ("items", "points") or tokens[0] in ("total", "number", "num")):
        return _like(samples, rng, *_COUNTED[tokens[-1]], decimals=0)
    if tokens[-1] in _MEASURED:
        low_degree, high_degree = _MEASURED[tokens[-1]]
        return f"{rng.uniform(low_degree, high_degree):.4f}"
    if kind in _DECIMAL_FORMATS or _is_money(tokens):
        made = _like(samples, rng, 5, 480, decimals=2)
        return _with_amount(made, usual, rng) if usual is not None else made
    return ""


def _is_money(tokens: Sequence[str]) -> bool:
    return tokens[-1] in _MONEY or (len(tokens) > 1 and tokens[-2] in _MONEY and tokens[-1] in _ADDED)


def _is_moment(sample: str) -> bool:
    return sample.isdigit() and EPOCH[0] // 10 < int(sample[:12])


def _with_amount(written: str, usual: tuple[float, float, float], rng: Random) -> str:
    """Return an amount in the `usual` range, with the signs and decimals of the one `written`."""
    found = _WRITTEN.fullmatch(written)
    if found is None:
        return written
    before, _, rest, after = found.groups()
    low, high, step = usual
    amount = low + step * rng.randint(0, int((high - low) / step))
    decimals = rest or ""
    said = f"{amount:.{max(len(decimals) - 1, 0)}f}".replace(".", decimals[:1] or ".")
    return f"{before}{said}{after}"


def _like(samples: Sequence[str], rng: Random, low: int, high: int, decimals: int) -> str:
    """Return a number with the signs and decimals of an example; empty if an example is no number."""
    if not samples:
        return f"{rng.uniform(low, high):.{decimals}f}" if decimals else str(rng.randint(low, high))
    found = [_WRITTEN.fullmatch(sample) for sample in samples]
    written = found[rng.randrange(len(found))]
    if written is None or None in found:
        return ""
    before, whole, rest, after = written.groups()
    rest = rest or ""
    first = str(rng.randint(10 ** (len(whole) - 1), 10 ** len(whole) - 1)) if len(whole) > 1 else str(rng.randint(1, 9))
    return before + first + rest[:1] + "".join(rng.choice("0123456789") for _ in rest[1:]) + after
