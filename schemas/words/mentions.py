"""Decides whether a text says a value, in any of the ways people say values."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from functools import lru_cache
from typing import Any

from interplay.schemas.json.canonical import last_name, leaves
from interplay.schemas.json.fields import schema_at
from interplay.schemas.words.calendar import currency_words
from interplay.schemas.words.coded_values import codes_of
from interplay.schemas.words.dates import Moments
from interplay.schemas.words.identifiers import bare_code
from interplay.schemas.words.lists import alternatives, word_set, words
from interplay.schemas.words.numbers import has_digits
from interplay.schemas.words.text import Text, akin, fold, normalised, plain_address, squash

_NO_SCHEMA: Mapping[str, Any] = {}
_MOMENT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s?(?:[Zz]|UTC|GMT|[+-]\d\d:?\d\d)?)?"
)
_TIME = re.compile(r"(\d\d?):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d)?")
_MONTH = re.compile(r"(\d{4})-(\d\d)")
_PHONE = re.compile(r"\+?[\d\s().\-/]{7,}")
_NUMERIC = re.compile(r"-?(?:0|[1-9]\d{0,8})(?:\.\d+)?")
_ADDRESS = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+|(?:https?://|www\.)\S+")


def _answers(kind: str) -> tuple[str, ...]:
    return words("answers", kind) + words("answers", kind, language="de")


_NO = re.compile(rf"\b(?:{alternatives(_answers('refusing'))})\b|n['’]t\b")
_CONTRACTED = re.compile(r"\b\w{2,7}n t\b")
"""A contracted negation after splitting into words: "isn t", "doesn t"."""

_YES = re.compile(rf"\b(?:{alternatives(_answers('agreeing'))})\b")
_EMPTY_WORDS = word_set("stop_words", "articles", "auxiliaries") | {
    "to",
    "of",
    "with",
    "include",
    "included",
    "includes",
}
_CURRENCY = len("usd")
_PARTS_OF_DATES = frozenset("year month day hour minute minutes hours date time".split())
_COPULAS = {"is", "are", "was", "were", "be", "should", "must", "would", "will", "not", "definitely"}
_NEGATION_REACH = 4
"""How many words before a field's name a negation may stand to apply to it."""


def mentions(
    text: str | Text, value: Any, schema: Mapping[str, Any] | None = None, name: str = "", today: date | None = None
) -> bool:
    """Tell whether `text` says `value`; `schema` describes the value and `name` is the name of its field.

    If `today` is given, a day may also be named relative to it.
    """
    return said([normalised(text, today) if isinstance(text, str) else text], value, schema, name)


def said(texts: Iterable[Text], value: Any, schema: Mapping[str, Any] | None = None, name: str = "") -> bool:
    """Tell whether `texts` together say `value`: each leaf must be said in one of them."""
    texts, schema = tuple(texts), schema or _NO_SCHEMA
    if value is None or value == "":
        return True
    if isinstance(value, bool):
        return any(_says_boolean(text, value, schema, name) for text in texts)
    if isinstance(value, (int, float)):
        if any(_says_number(text, value, name) for text in texts):
            return True
        meant = codes_of(schema).get(value) if type(value) is int else None
        return meant is not None and _say_string(texts, meant, _NO_SCHEMA)
    if isinstance(value, str):
        bare = bare_code(value, name)
        return _say_string(texts, value, schema) or (bare != value and _say_string(texts, bare, schema))
    if isinstance(value, list):
        items = schema.get("items")
        each = items if isinstance(items, Mapping) else _NO_SCHEMA
        return all(said(texts, item, each, name) for item in value)
    return all(
        said(texts, leaf, schema_at(schema, path), last_name(path)) for path, leaf in leaves(value) if leaf != {}
    )


def retells(texts: Iterable[Text], value: Any) -> bool:
    """Tell whether one text has all content words of a phrase: "your bill B303 (60.00) is now paid" for "Bill B303 is paid"."""
    telling = (
        {word for word in normalised(value).words if word not in _EMPTY_WORDS | _RELATING}
        if isinstance(value, str)
        else set()
    )
    return len(telling) >= _PHRASE and any(
        all(any(akin(word, other) for other in text.words) for word in telling) for text in texts
    )


_PHRASE = 3
"""Minimum number of content words of a phrase: fewer may meet in a text by chance."""

_RELATING = word_set("prepositions")


# --- numbers and booleans ---------------------------------------------------------------------------------------------


def _says_number(text: Text, value: float, name: str) -> bool:
    if isinstance(value, int) and abs(value) > 10**15:
        return str(abs(value)) in text.words
    wanted = float(value)
    numbers = text.all_numbers if name and not _PARTS_OF_DATES.isdisjoint(name_words(name)) else text.numbers
    if wanted in numbers:
        return True
    if wanted == 0 and name and _asserted(text, name_words(name), far=1)[1]:
        return True  # "your cover doesn't pay any of that"
    if wanted.is_integer():
        return abs(wanted) >= 1e6 and text.dials(str(int(abs(wanted))))
    return any(abs(number - wanted) < 1e-9 for number in numbers) or _rounded(wanted) & numbers != frozenset()


def _rounded(value: float) -> frozenset[float]:
    """Return the value rounded to two decimals, as people say it, if that differs."""
    return frozenset({round(value, 2)}) if round(value, 2) != value else frozenset()


def _says_boolean(text: Text, value: bool, schema: Mapping[str, Any], name: str) -> bool:
    names = name_words(str(schema.get("title") or "")) | name_words(name)
    plain, negated, undone = _asserted(text, names)
    if value:
        return plain or (not negated and _YES.search(text.folded) is not None)
    return negated or (not undone and _NO.search(_without(text.folded, names)) is not None)


def contradicts(text: str, value: bool, name: str) -> bool:
    """Tell whether a text says the opposite of a flag, judged by the last word of its name: "without a cancellation fee"."""
    plain, negated, _ = _asserted(normalised(text), name_words(name.split()[-1]))
    return negated and not plain if value else plain and not negated


def _asserted(text: Text, names: frozenset[str], far: int = _NEGATION_REACH) -> tuple[bool, bool, bool]:
    """Return whether a text asserts the words of a field's name, negates them, and negates their opposite.

    A negation may stand up to `far` words before them.
    """
    opposites = {
        part[2:] for part in names if part.startswith("un") and len(part) > len("until")
    }  # unread: it was read
    negated = plain = undone = False
    heard, begins = text.words, text.beginnings  # the field's own words never count as a negation: "disabled"
    for place, word in enumerate(heard):
        if word in opposites or any(akin(word, part) for part in names):
            after = heard[place + 1 : place + 3]
            after = after if after and (after[0] in _COPULAS or after[1:] == ("t",)) else after[:1]
            reach = heard[max(begins[place], place - far) : place]
            joined = [index for index, near in enumerate(reach) if near in ("and", "but")]
            around = (*reach[joined[-1] if joined else 0 :], *after)
            before = " ".join(near for near in around if len(near) <= 3 or not any(akin(near, part) for part in names))
            denied = _NO.search(before) is not None or _CONTRACTED.search(before) is not None
            if word in opposites:
                undone, denied = undone or denied, not denied
            negated, plain = negated or denied, plain or not denied
    return plain, negated, undone


def _without(text: str, names: frozenset[str]) -> str:
    """Remove the words of a field's name from a text."""
    return re.sub(r"[a-z0-9]+", lambda found: "" if any(akin(found[0], part) for part in names) else found[0], text)


@lru_cache(maxsize=4096)
def name_words(name: str) -> frozenset[str]:
    """Return the content words of a field name in snake, kebab or camel case."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return frozenset(re.findall(r"[a-z0-9]+", spaced.lower())) - _EMPTY_WORDS


# --- strings ----------------------------------------------------------------------------------------------------------


def _say_string(texts: tuple[Text, ...], value: str, schema: Mapping[str, Any]) -> bool:
    moment = _MOMENT.fullmatch(value)
    if moment is not None:
        return _say_moment(texts, moment)
    denied = _DENIED.fullmatch(value.strip())
    if denied is not None and name_words(denied[1]):  # "isn't available" for "not available"
        return any(_asserted(text, name_words(denied[1]))[1] for text in texts)
    return any(_says_string(text, value, schema) for text in texts)


_DENIED = re.compile(r"not[ _-](\w+)", re.IGNORECASE)


def _say_moment(texts: tuple[Text, ...], moment: re.Match[str]) -> bool:
    year, month, day = (int(moment[group]) for group in (1, 2, 3))
    if not any(text.names_day(year, month, day) for text in texts):
        return False
    if moment[4] is None:
        return True
    clock = int(moment[4]), int(moment[5]), int(moment[6] or 0)
    return clock in _WHOLE_DAY or any(_names_time(text.moments, clock) for text in texts)


_WHOLE_DAY = ((0, 0, 0), (23, 59, 0), (23, 59, 59))
"""The first and last moment of a day, which nobody says."""


def _names_time(moments: Moments, clock: tuple[int, int, int]) -> bool:
    return clock in moments.times


@lru_cache(maxsize=8192)
def _needle(value: str) -> str:
    return squash(fold(value))[0]


def _says_string(text: Text, value: str, schema: Mapping[str, Any]) -> bool:
    if _ADDRESS.fullmatch(value):
        return plain_address(value) in text.addresses
    clock = _TIME.fullmatch(value)
    if clock is not None and int(clock[1]) < 25:
        return _names_time(text.moments, (int(clock[1]), int(clock[2]), int(clock[3] or 0)))
    month = _MONTH.fullmatch(value)
    if month is not None and (int(month[1]), int(month[2])) in text.moments.months:
        return True
    digits = re.sub(r"\D", "", value)
    if len(digits) >= 7 and _PHONE.fullmatch(value) and not normalised(value).moments.spans:
        return text.dials(digits) or (
            value[0] == "+" and any(text.dials(digits[cut:]) for cut in _country_codes(digits))
        )
    needle = _needle(value)
    if not needle:
        return value.strip() in text.raw
    if needle.isdigit():
        return _says_digits(text, value, needle)
    return text.contains(needle, plural="enum" in schema) or _says_variant(text, value, needle, schema)


def _country_codes(digits: str) -> range:
    """Return how many leading digits of an international number may be its country code."""
    return range(1, min(4, max(1, len(digits) - 6)))


def _says_digits(text: Text, value: str, needle: str) -> bool:
    if _NUMERIC.fullmatch(value) and float(value) in text.numbers:
        return True
    return re.search(rf"(?<![\w.,/])(?<!\d[:-]){needle}(?!\w|[.,:/-]\d)", text.folded) is not None


def _says_variant(text: Text, value: str, needle: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether the text says a variant: the singular of an enum token, a currency's name, a date not in ISO form."""
    if "enum" in schema and len(needle) > 3 and needle.endswith("s") and text.contains(needle[:-1]):
        return True
    if len(needle) == _CURRENCY and needle in currency_words():
        symbol, word = currency_words()[needle]
        return symbol in text.raw or text.contains(word, plural=True)
    if _NUMERIC.fullmatch(value):
        return float(value) in text.numbers
    return len(value) <= 40 and has_digits(value) and _says_written_moment(text, value)


def _says_written_moment(text: Text, value: str) -> bool:
    """Tell whether a value that is a date or time in words is said in another notation."""
    own = normalised(value)
    if not own.moments.spans:
        return False
    rest = own.folded
    for start, end in own.moments.spans:
        rest = rest[:start] + " " * (end - start) + rest[end:]
    left = set(re.findall(r"[a-z0-9]+", rest)) - {"at", "on", "the", "of"}
    if any(word[:3] not in ("mon", "tue", "wed", "thu", "fri", "sat", "sun") for word in left):
        return False
    said_days, own_days = text.moments.days, own.moments.days
    named = not own_days or any(
        day in said_days
        or (None, *day[1:]) in said_days
        or (day[0] is None and any(d[1:] == day[1:] for d in said_days))
        for day in own_days
    )
    return named and (not own.moments.times or not own.moments.times.isdisjoint(text.moments.times))
