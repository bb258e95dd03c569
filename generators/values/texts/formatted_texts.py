"""A format of JSON Schema -> a text in it."""

import re
import unicodedata
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from random import Random
from typing import Any

from interplay.generators.values.durations import tells_length
from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.past_events import BIRTH, has_happened
from interplay.schemas.words.lists import beside, table

TODAY = date(2026, 3, 2)
"""The current date of every made-up world; nothing depends on the clock."""


_OWN_WORDS = 2
"""Words of a mail field's name up to which it is the object's own: `email`, `email_address`."""


def _day(tokens: Collection[str], rng: Random) -> date:
    """Return a date that fits a field's name: a birth decades ago, a past event in the past, else in the future."""
    if BIRTH & set(tokens):
        return date(rng.randint(1945, 2006), rng.randint(1, 12), rng.randint(1, 28))
    return TODAY + timedelta(days=-rng.randint(2, 300) if has_happened(tuple(tokens)) else rng.randint(3, 120))


_SPELLINGS = {"datetime": "date-time", "dateonly": "date", "guid": "uuid", "mail": "email"}
"""Formats as some sources spell them, letters only -> as JSON Schema does."""


@lru_cache(maxsize=1_024)
def _spelt(kind: str) -> str:
    return _SPELLINGS.get("".join(filter(str.isalpha, kind)).lower(), kind)


def by_format(kind: str, rng: Random, tokens: Collection[str] = (), person: str = "") -> str:
    """Return a text in a format, for a field of this name and of this `person`; empty if the format is unknown."""
    if not kind:
        return ""
    kind = _spelt(kind)
    day = _day(tokens, rng)
    maker = _MAKERS.get(kind)
    return maker(rng, day, tokens, person) if maker is not None else ""


_HOST = "https://www.example.com/"
_ADDRESSED = frozenset("url uri link href web html address".split())


def address_about(text: str, tokens: Sequence[str], name: str) -> str:
    """Return a made-up URL rewritten for a thing called `name`, by the words of its field; other texts unchanged."""
    called = slug_of(name)
    if not text.startswith(_HOST) or not called:
        return text
    kind = "-".join(token for token in tokens if token not in _ADDRESSED)
    return f"{_HOST}{kind}/{called}" if kind else f"{_HOST}{called}"


def _address(rng: Random, *_rest: Any) -> str:
    return f"{_HOST}{slugged(rng.choice(sample_words.TOPICS))}-{rng.randint(10, 99)}"


def _moment(rng: Random, day: date, tokens: Collection[str] = (), *_rest: Any) -> str:
    """Return a moment on a date; at midnight for a birth."""
    hour, minute = rng.randint(7, 19), rng.choice((0, 15, 30, 45))
    hour, minute = (hour, minute) if BIRTH.isdisjoint(tokens) else (0, 0)
    return datetime(day.year, day.month, day.day, hour, minute).isoformat() + "Z"


def _time(rng: Random, lasts: bool) -> str:
    """Return a time of day, or a duration in that notation if it `lasts`."""
    hour = rng.randint(1, 2) if lasts else rng.randint(7, 19)
    return f"{hour:02d}:{rng.choice((0, 15, 30, 45)):02d}:00Z"


def file_about(text: str, name: str) -> str:
    """Return a made-up file name rewritten for a thing called `name`; other texts unchanged."""
    stem, dot, ending = text.rpartition(".")
    called = slug_of(name)
    return f"{called}{dot}{ending}" if stem and called and ending in _ENDINGS.values() else text


def file_of(text: str, media_type: str) -> str:
    """Return a made-up file name with the ending of a media type; unchanged if that is not known."""
    ending = _ENDINGS.get(media_type)
    return f"{text.rpartition('.')[0]}.{ending}" if ending and "." in text else text


_ENDINGS: Mapping[str, str] = table(beside(__file__), "endings")
"""Media type -> ending of its files."""

_COMMON_ENDINGS = ("png", "jpg", "pdf")
"""The endings of files whose media type is not told."""

_MAKERS: Mapping[str, Callable[[Random, date, Collection[str], str], str]] = {
    "date": lambda _rng, day, *_: day.isoformat(),
    "date-time": _moment,
    "time": lambda rng, _, tokens, __: _time(rng, tells_length([*tokens])),
    "uuid": lambda rng, *_: str(uuid.UUID(int=rng.getrandbits(128), version=4)),
    "email": lambda rng, _, tokens, person: address_of(person) if person and len(tokens) <= _OWN_WORDS else email(rng),
    "uri": _address,
    "url": _address,
    "uri-reference": lambda rng, *_: f"/{slugged(rng.choice(sample_words.TOPICS))}",
    "dns-label": lambda rng, *_: slugged(rng.choice(sample_words.TOPICS)),
    "hostname": lambda rng, *_: f"{slugged(rng.choice(sample_words.TOPICS))}.example.com",
    "ipv4": lambda rng, *_: f"192.0.2.{rng.randint(1, 254)}",
    "ipv6": lambda rng, *_: f"2001:db8::{rng.randint(1, 9999):x}",
    "binary": lambda rng, *_: f"{slugged(rng.choice(sample_words.TOPICS))}.{rng.choice(_COMMON_ENDINGS)}",
    "byte": lambda rng, *_: rng.choice(("aGVsbG8=", "cGhvdG8=", "ZmlsZQ==")),
    "duration": lambda rng, *_: f"PT{rng.randint(1, 9)}H",
    "google-datetime": lambda rng, _, tokens, __: by_format("date-time", rng, tokens),
    "google-duration": lambda rng, *_: f"{rng.randint(1, 90) * 60}s",
    "iso-country-code": lambda rng, *_: rng.choice(sample_words.CITIES)[1],
}
"""Format -> a function that makes a text in it, of a date that fits the field, the words of its name, and its person."""


def email(rng: Random) -> str:
    """Return a made-up mail address."""
    return address_of(sample_words.person(rng))


MADE_UP = "@example.com"
"""The domain of made-up mail addresses."""


def address_of(name: str) -> str:
    """Return the mail address of a person: `Nora Åberg` -> `nora.aberg@example.com`."""
    return f"{'.'.join(in_ascii(name).split())}{MADE_UP}"


def in_ascii(name: str) -> str:
    """Return a name in lower-case ASCII letters, as in URLs and codes: `Hallström` -> `hallstrom`."""
    if name.isascii():
        return name.lower()
    plain = unicodedata.normalize("NFKD", name.lower().translate(_LETTERS))
    return plain.encode("ascii", "ignore").decode()


_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i"})
"""Letters that Unicode does not decompose into a letter and an accent."""


def slugged(text: str) -> str:
    """Return words joined by hyphens: `Budget review` -> `budget-review`."""
    return "-".join(text.lower().split())


def slug_of(name: str) -> str:
    """Return the slug of any name: `Malmö: what's next?` -> `malmo-whats-next`."""
    return "-".join(re.findall(r"[a-z0-9]+", in_ascii(name).replace("'", "")))
