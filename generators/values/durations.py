"""A duration in an object -> the end that follows from it and the beginning.

{"starts_at": "2026-03-09T10:00:00Z", "duration_minutes": 90}   ->  "ends_at": "2026-03-09T11:30:00Z"
{"week_price": 40, "day_price": 55}                             ->  {"week_price": 55, "day_price": 40}
{"expiry_days": 30}, created on 2 March                         ->  "expires_at": "2026-04-01T12:00:00Z"
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import combinations
from typing import Any

from interplay.generators.phrases.labels.field_labels import MONEY
from interplay.generators.values.moments import read_moment, written_like
from interplay.schemas.json.fields import is_number
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, rows, word_set, words
from interplay.schemas.words.nouns import singular

_LISTS = beside(__file__)
_UNITS = {unit: timedelta(seconds=int(seconds)) for seconds, *units in rows(_LISTS, "units") for unit in units}
_LASTING, _EXPIRING, _BEGINS, _ENDS = (word_set(_LISTS, name) for name in ("lasting", "expiring", "begins", "ends"))
_SPANS = {word: int(seconds) for seconds, *spoken in rows(_LISTS, "spans") for word in spoken}
_COUNTS = {word: number for number, word in enumerate(words("numbers", "small"))} | {str(n): n for n in range(1, 100)}
_GROWING = MONEY | word_set(_LISTS, "growing")
_LONGEST = timedelta(days=366 * 20)


def ends(values: Mapping[str, Any], told: Mapping[str, Any], made: datetime | None = None) -> Iterator[tuple[str, str]]:
    """Yield the fields of `values` that hold an end, each with the moment that follows from a duration in `told`.

    An expiry is counted from `made`, the moment of creation; any other end from its beginning.
    """
    spans = _spans(tuple(values), tuple(told))
    for end, begin, lasts, unit in spans:
        length, moment = told[lasts], values[end]
        start = read_moment(values.get(begin) or told.get(begin)) if begin else made
        if start is None or not is_number(length) or not isinstance(moment, str) or read_moment(moment) is None:
            continue
        if timedelta(0) < _UNITS[unit] * length <= _LONGEST:
            yield end, written_like(start + _UNITS[unit] * length, moment)


@lru_cache(maxsize=4_096)
def shorter_and_longer(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return pairs of fields for one thing in a shorter and a longer time: two_weeks_rent, month_rent; daily_limit, weekly_limit."""
    told: dict[tuple[str, ...], list[tuple[int, str]]] = defaultdict(list)
    for name in names:
        tokens = [singular(token) for token in name_tokens(name)]
        times = [token for token in tokens if token in _SPANS]
        if len(times) == 1 and len(tokens) > 1:
            count = next((_COUNTS[token] for token in tokens if token in _COUNTS), 1)
            rest = (token for token in tokens if token not in _SPANS and token not in _COUNTS)
            told[tuple(rest)].append((_SPANS[times[0]] * count, name))
    alike = (sorted(fields) for of, fields in told.items() if not _GROWING.isdisjoint(of))
    return tuple((first, second) for fields in alike for (_, first), (_, second) in combinations(fields, 2))


def tells_length(words: Sequence[str]) -> bool:
    """Tell whether a field with these words in its name holds a duration: `duration`, `total_runtime`."""
    return bool(words) and words[-1] in _LASTING


@lru_cache(maxsize=4_096)
def _spans(names: tuple[str, ...], told: tuple[str, ...]) -> tuple[tuple[str, str, str, str], ...]:
    """Return the ends among some fields, each with its beginning (empty for an expiry), its duration field, and the unit."""
    tokens = {name: name_tokens(name) for name in (*names, *told)}
    lengths = [(name, tokens[name], unit) for name in told for unit in tokens[name][-1:] if unit in _UNITS]
    found = []
    for name, said, unit in lengths:
        if not _EXPIRING.isdisjoint(said):
            found += [(end, "", name, unit) for end in names if not _EXPIRING.isdisjoint(tokens[end]) and end != name]
        elif not _LASTING.isdisjoint(said[:-1]) and len(said) == len(("duration", unit)):
            begins = [field for field in tokens if not _BEGINS.isdisjoint(tokens[field][:1])]
            closing = [field for field in names if not _ENDS.isdisjoint(tokens[field][:1])]
            found += [(closing[0], begins[0], name, unit)] if len(begins) == len(closing) == 1 else []
    return tuple(found)
