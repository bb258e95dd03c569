"""A number's name and schema -> a realistic number."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import exp, log
from random import Random
from typing import Any, NamedTuple

from interplay.generators.values.texts.ideas import Idea
from interplay.generators.values.texts.numeric_texts import PAST_EPOCH, epoch_of, is_place, years_of
from interplay.schemas.json.fields import schema_type
from interplay.schemas.words.identifiers import RECORDED, name_tokens
from interplay.schemas.words.lists import beside, table, word_set
from interplay.schemas.words.nouns import singular

_LISTS = beside(__file__)

_NUMBER_RANGES = table(_LISTS, "ranges")


_MONEY = {"price", "amount", "cost", "fee", "balance", "rate", "value"}


_PRICED, _CENTS = {"price", "cost", "fee"}, (0.0, 0.0, 0.5, 0.9, 0.95, 0.99)
"""Words of set prices, and their usual fractions."""

_DIGITS = {"": 2, "ts": 6, **dict.fromkeys(_MONEY, 2), **dict.fromkeys("lat latitude lng lon longitude".split(), 4)}
"""Decimal places by a word of the field's name; one for other words."""


_COUNTED = word_set(_LISTS, "counted")
"""Things that are counted in whole numbers, even if the schema admits fractions."""


_MEASURES = word_set(_LISTS, "measures")

_STEPS = table(_LISTS, "steps")
_LOWEST, _HIGHEST = word_set(_LISTS, "lowest"), word_set(_LISTS, "highest")


_MOMENT = re.compile(
    r"\b(?:unix (?:time|epoch|timestamp)|epoch (?:time|seconds)|seconds since|(?:unix|posix) time)", re.IGNORECASE
)


_MILLIS = re.compile(r"\bmilli-?seconds?\b|\bms\b", re.IGNORECASE)


_OUTCOMES = (["status", "code"], ["http", "status"], ["http", "code"], ["response", "status"], ["response", "code"])
"""Names of status codes, which report success."""


_ENUMERATED = {"state", "states", "status", "statuses", "priority", "kind", "type", "level"}
"""Last words of names whose numbers stand for one of a few choices."""


def _is_counted(token: str, tokens: Sequence[str], schema: Mapping[str, Any]) -> bool:
    """Tell whether a number is a count, an ordinal or an id rather than a measure."""
    last = tokens[-1] if tokens else ""
    many = singular(last) != last and last not in _MEASURES and token not in _MONEY
    numbered = last.endswith("id") and last not in ("paid", "bid")
    told = _NUMBER_OF.match(str(schema.get("description", ""))[:_READ]) is not None
    return not _COUNTED.isdisjoint((token, last)) or last in _ENUMERATED or many or numbered or told


_NUMBER_OF = re.compile(r"(?:the |an? )?(?:\w+ ){0,2}(?:number|count) of |how many ", re.IGNORECASE)
"""The beginning of a description of a count: "The total number of users"."""

_STAND_INS = (0, 1)
"""Numbers that serve as examples for any number."""


def _range_of(token: str, schema: Mapping[str, Any], tokens: Sequence[str] = ()) -> tuple[float, float]:
    """Return the usual range of a number, by its description, name, schema and examples."""
    description, epoch = str(schema.get("description", "")), epoch_of(tokens)
    if _MOMENT.search(description):
        return (epoch[0] * 1000, epoch[1] * 1000) if _MILLIS.search(description) else epoch
    low, high = _NUMBER_RANGES.get(token, (1, 100))
    bounded = not {"minimum", "maximum"}.isdisjoint(schema)
    if not bounded and schema_type(schema) in ("integer", "number") and _is_dated(tokens, schema):
        return epoch
    samples = [
        item
        for item in schema.get("examples", ())
        if isinstance(item, (int, float)) and not isinstance(item, bool) and item not in _STAND_INS
    ]
    unit = _unit_of_moments(samples)
    if unit and not bounded:
        return epoch[0] * unit, epoch[1] * unit
    told = _told(schema)
    if told is not None:
        return told.low, told.high
    if token == "year" and not samples:
        return years_of(tokens)
    if token == "year":
        return min(samples) - 3, max(samples) + 3
    if samples and token == "rating" and high < max(samples) <= _SCALES[-1] and min(samples) > 0:
        most = next(scale for scale in _SCALES if max(samples) <= scale)
        return 0.3 * most, most
    if samples and not any(low <= item <= high for item in samples) and min(samples) > 0:
        return min(samples) / 2, max(samples) * 3 / 2
    return low, high


_SCALES = (5, 10, 100)
"""Maxima of common rating scales."""


def _unit_of_moments(samples: Sequence[float]) -> int:
    """Return the fraction of a second in which examples count moments: 1, 1000 for milliseconds, 0 if they are no moments."""
    units = (unit for unit in (1, 1000) if all(_YEARS[0] * unit <= item < _YEARS[1] * unit for item in samples))
    return next(units, 0) if samples else 0


_YEARS = (1_200_000_000, 2_100_000_000)
"""Seconds since 1970 from 2008 to 2036: examples in this range are taken for moments."""


def _is_dated(tokens: Sequence[str], schema: Mapping[str, Any]) -> bool:
    """Tell whether a number is a timestamp, by its name: `creationDate`, `created_at`, `lastModified`."""
    whole = schema_type(schema) == "integer"
    named = tokens[-1:] in (["date"], ["datetime"]) and (len(tokens) > 1 or not whole)
    on = tokens[-1:] == ["on"] and not RECORDED.isdisjoint(tokens) and schema_type(schema) in ("integer", "number")
    return named or on or (whole and len(tokens) > 1 and (tokens[-1] == "at" or tuple(tokens) in _LAST))


_LAST = {("last", "modified"), ("last", "updated"), ("last", "seen")}

_BETWEEN = re.compile(
    r"\b(?:(?:from|between) )?(-?\d{1,6}(?:\.\d+)?)(?: ?(?:to|and|-|–) ?)(-?\d{1,6}(?:\.\d+)?)(?![\d.:/-]*\d)(?! (?:days?|hours?|minutes?|characters|items)\b)"
)
"""A range in a description: "Light level from 0 to 100"."""


class _Told(NamedTuple):
    low: float
    high: float
    whole: bool


def _told(schema: Mapping[str, Any]) -> _Told | None:
    """Return the range that a description gives, if any."""
    found = _BETWEEN.search(str(schema.get("description", ""))[:_READ])
    if found is None or float(found[1]) >= float(found[2]):
        return None
    return _Told(float(found[1]), float(found[2]), "." not in found[0])


_READ = 200
"""Characters of a description that are searched for a range."""


def _step_of(schema: Mapping[str, Any]) -> int:
    """Return the step between realistic values, by the examples: 10,000 if one is 100,000; 1 if they show none."""
    samples = [item for item in schema.get("examples", ()) if type(item) in (int, float)]
    if not samples or min(samples) < _ROUND:
        return 1
    return next((10**zeros // 10 for zeros in range(9, 1, -1) if all(item % 10**zeros == 0 for item in samples)), 1)


_ROUND = 100
"""Examples below this are round by chance."""

_LEAST = -(2**31) + 1
"""A minimum up to this is only the range of an integer type, as Zod states it, and ignored."""


_WIDE = 5_000
"""Integer ranges from this width on get round values, and small ones more often."""


def _round_number(least: int, most: int, rng: Random) -> int:
    """Return a number with two significant digits within bounds, drawn evenly on a logarithmic scale."""
    drawn = int(exp(rng.uniform(log(max(least, 1)), log(most))))
    unit: int = 10 ** max(len(str(drawn)) - 2, 0)
    return min(max(round(drawn / unit) * unit, least), most)


def _of_bounds(least: int, most: int, tokens: Sequence[str]) -> tuple[int, int]:
    """Return the range for a number that is itself a bound: the lower quarter for a minimum, the upper half for a maximum."""
    if not _LOWEST.isdisjoint(tokens):
        return least, least + (most - least) // 4
    return (least + (most - least) // 2, most) if not _HIGHEST.isdisjoint(tokens) else (least, most)


AVERAGED, _RATED, _GIVEN = (word_set(_LISTS, idea) for idea in ("averaged", "rated", "given"))
"""Words of averages, of ratings, and of what is given as a rating: `avg_review`."""

_COARSE = 10
"""A range told in whole numbers and at least this wide is one of whole numbers."""


def _counted_words(tokens: Sequence[str]) -> list[str]:
    """Return the words of a name before "with" or "without": `tiles` of `tiles_with_ts`."""
    place = next((at for at, token in enumerate(tokens) if at and token in ("with", "without")), len(tokens))
    return list(tokens[:place])


def is_measured(tokens: Sequence[str]) -> bool:
    """Tell whether a name contains a measure with a known range: "balance"."""
    return any(token in _NUMBER_RANGES for token in tokens)


def _is_untold(schema: Mapping[str, Any], known: tuple[float, float, float]) -> bool:
    """Tell whether a schema is no narrower than the `known` range of a number, and its examples are within that."""
    low, high, _ = known
    within = (
        schema.get("minimum", low) <= low and schema.get("exclusiveMinimum", low - 1) < low,
        schema.get("maximum", high) >= high and schema.get("exclusiveMaximum", high + 1) > high,
        all(type(item) in (int, float) and low <= item <= high for item in schema.get("examples", ())),
    )
    return "multipleOf" not in schema and all(within)


def make_number(
    schema: Mapping[str, Any],
    rng: Random,
    name: str,
    _full: bool = True,
    _depth: int = 0,
    idea: Idea | None = None,
) -> int | float:
    """Return a realistic number for a field of this name, within the bounds of its schema.

    The range is that of the `idea`'s kind of thing if the catalogue gives one.
    """
    tokens = _counted_words(name_tokens(name))
    known = idea.thing.number(tokens) if idea is not None and idea.thing is not None else None
    scaled = "maximum" in schema and not _GIVEN.isdisjoint(tokens[-1:])  # stars out of ten
    if known is not None and not scaled and _is_untold(schema, known) and _told(schema) is None:
        low, high, step = known
        low, high = _as_rated(low, high, tokens, idea, step)
        made = low + step * rng.randint(0, int((high - low) / step))
        return round(made) if schema_type(schema) == "integer" or step == round(step) else round(made, 2)
    if _is_flag(tokens, schema):
        return rng.randint(0, 1)
    token = _telling_token(tokens)
    low, high = (200, 200) if tokens[-2:] in _OUTCOMES else _range_of(token, schema, tokens)
    told = _told(schema)
    whole = (
        schema_type(schema) == "integer"
        or (told is not None and told.whole and high - low >= _COARSE)
        or low >= PAST_EPOCH[0]
        or _is_counted(token, tokens, schema)
    )
    low, high = _within(schema, low, high, 1 if whole else 0.01, token)
    if scaled and idea is not None and idea.thing is not None and idea.thing.rated is not None:
        low, high = _as_rated(low, schema["maximum"], tokens, idea, 1 if whole else 0.01)
    multiple = schema.get("multipleOf")
    if multiple:
        first = -(-low // multiple)
        value = multiple * rng.randint(int(first), max(int(first), int(high // multiple)))
        return int(value) if whole else round(value, 6)
    step = (_STEPS.get(token) if whole or token not in _MEASURES else None) or _step_of(schema)
    if whole:
        least, most = int(-(-low // 1)), max(int(-(-low // 1)), int(high))
        wide = most - least > _WIDE and least >= 0 and most < PAST_EPOCH[0] and token not in _NUMBER_RANGES
        least, most = _of_bounds(least, most, tokens)
        made = _round_number(least, most, rng) if wide else rng.randint(least, most)
        stepped = round(made / step) * step
        return stepped if least <= stepped <= most else made
    if step > 1:
        stepped = round(rng.uniform(low, high) / step) * step
        return stepped if low <= stepped <= high else low
    made = min(max(round(rng.uniform(low, high), _DIGITS.get(token, 1)), low), high)
    priced = int(made) + rng.choice(_CENTS) if token in _PRICED else made
    return round(priced, 2) if low <= priced <= high else made


def _as_rated(low: float, high: float, tokens: Sequence[str], idea: Idea | None, step: float) -> tuple[float, float]:
    """Return the range of a rating that matches the text beside it; the given range for other numbers."""
    rated = idea.thing.rated if idea is not None and idea.thing is not None else None
    if rated is None or _GIVEN.isdisjoint(tokens[-1:]):
        return low, high
    least, most = (low + share * (high - low) for share in rated)
    return -(-least // step) * step, max(-(-least // step) * step, most // step * step)


def _is_flag(tokens: Sequence[str], schema: Mapping[str, Any]) -> bool:
    """Tell whether a whole number without bounds or examples is a yes or a no, by its name: `location_is_freezer`."""
    plain = schema_type(schema) == "integer" and {"minimum", "maximum", "examples", "enum"}.isdisjoint(schema)
    return plain and not _ASKING.isdisjoint(tokens[:-1])


_ASKING = {"is", "has"}


def is_average(name: str) -> bool:
    """Tell whether a name only says that a number is an average, so that its parent tells of what: `ratings.average`."""
    tokens = name_tokens(name)
    return bool(tokens) and AVERAGED.issuperset(tokens)


def is_rating(tokens: Sequence[str]) -> bool:
    """Tell whether a name is that of an average of ratings: `average_score`."""
    return not AVERAGED.isdisjoint(tokens) and not _RATED.isdisjoint(tokens)


def _telling_token(tokens: Sequence[str]) -> str:
    """Return the word of a name that determines the usual range; empty if none does."""
    if is_rating(tokens):
        return "rating"
    if tokens[-1:] in (["number"], ["numbers"], ["count"], ["amount"]) and {*tokens[-2:-1]} & _NUMBER_RANGES.keys():
        return tokens[-2]  # `page_number`, `childrenCount`, `scholarshipAmount`
    if is_place(tokens):
        return "count"
    if " ".join(tokens[-2:]) in _NUMBER_RANGES:
        return " ".join(tokens[-2:])
    token = next((part for part in reversed(tokens) if part in _NUMBER_RANGES), "")
    return "count" if token == "number" and ("number", "of") in pairwise(tokens) else token


def _within(schema: Mapping[str, Any], low: float, high: float, step: float, token: str) -> tuple[float, float]:
    """Return the part of a usual range that a schema's bounds admit, moving the range if it is outside of them."""
    minimum, maximum = schema.get("minimum"), schema.get("maximum")
    above, below = (schema.get(key) for key in ("exclusiveMinimum", "exclusiveMaximum"))
    if above is not None and not isinstance(above, bool):
        minimum = max(above + step, minimum if minimum is not None else float("-inf"))
    if below is not None and not isinstance(below, bool):
        maximum = min(below - step, maximum if maximum is not None else float("inf"))
    minimum = None if minimum is not None and minimum <= _LEAST else minimum
    if minimum is not None and not low <= minimum <= high and not (token == "year" and minimum < low):
        low, high = minimum, max(high, minimum + (high - low))
    low = max(low, minimum) if minimum is not None else low
    high = min(high, maximum) if maximum is not None else high
    return (min(low, high) if minimum is None else low), high
