"""Values -> words: dates, times, money, lists and codes as people say them in a language."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

from interplay.generators.participants.wording.languages import Filling, Language, fill, load_language
from interplay.generators.phrases.labels.field_labels import MONEY, without_unit
from interplay.generators.values.durations import tells_length
from interplay.generators.values.lifetimes import tells_state
from interplay.generators.values.texts.names.named_texts import says_kind
from interplay.schemas.words.articles import DETERMINERS
from interplay.schemas.words.calendar import WEEKDAYS, day_names, month_names, separators
from interplay.schemas.words.identifiers import bare_code, name_tokens
from interplay.schemas.words.lists import alternatives, beside, word_set, words
from interplay.schemas.words.nouns import is_plural, singular
from interplay.schemas.words.word_classes import can_be_noun, can_be_verb, is_known, is_predicate

_LISTS = beside(__file__)

_DATE = re.compile(r"^(\d{4})-(\d{2})-(\d{2})$")
_DATETIME = re.compile(r"^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s?(?:Z|UTC|[+-]\d{2}:?\d{2})?$")
_TIME = re.compile(r"^(\d{2}):(\d{2})(?::(\d{2}))?(?:Z|\.\d+Z?)?$")
_TOKEN = re.compile(
    r"^(?:[A-Z]{2,}(?:[_-][A-Z0-9]+)*|[a-z]+(?:[_-][a-z0-9]+)+|[a-z]+(?:\d*[A-Z][a-z0-9]*)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+)$"
)
_CODES = word_set("money", "codes")


DATE_STYLES, CLOCK_STYLES = 4, 2
"""Number of ways to say a date, and to say a time."""

NEAR_STYLES = ("relative", "relative", "relative", "named", "dated")
"""Ways to say a date near today: relative with weekday, relative only from yesterday to tomorrow, or as a date."""

_FAR = 183
"""Days from today from which on a date needs its year, since without it the nearer day of another year would be meant."""


def say(value: Any, style: int, label: str = "", language: Language | None = None, today: date | None = None) -> str:
    """Return a value as people say it.

    `style` selects one of several ways, which a speaker keeps; `label` distinguishes codes from words. If `today` is given, a
    date near it is said relative to it: tomorrow, Friday, 5 April.
    """
    language = language or load_language()
    if isinstance(value, str):
        return _said(value, style, label, language, today)
    speech = language.speech
    if isinstance(value, bool):
        return str(speech["yes" if value else "no"])
    if isinstance(value, list):
        return enumerate_words([say(item, style, label, language, today) for item in value], language)
    if isinstance(value, Mapping):
        parts = [say(item, style, name_at(pointer, label), language, today) for pointer, item in value.items()]
        return enumerate_words(parts, language)
    if isinstance(value, (int, float)):
        return _number(value, label, language)
    return str(speech["nothing"])


@lru_cache(maxsize=16_384)
def _said(value: str, style: int, label: str, language: Language, today: date | None) -> str:
    """Return a text as people say it; cached, since the same texts occur in many dialogues."""
    speech = language.speech
    return (
        _date(value, style, language, today)
        or _datetime(value, style, language, today)
        or _month(value, language)
        or _time(value, 0 if tells_length(label.split()) else style, speech)
        or _text(value, label, speech)
    )


def _number(value: float, label: str, language: Language) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int):
        return str(value) if is_numbered(label) or abs(value) < 10_000 else _grouped(f"{value:,}", language)
    rounded = round(value, 2) == value and abs(value) < 1e6
    tenths = round(value, 1) == value and label and not MONEY.intersection(label.split())
    exact = f"{Decimal(repr(value)):f}" if _SMALL < abs(value) < 1 else repr(value)  # nobody says 5e-05
    return _grouped(f"{value:,.{1 if tenths else 2}f}" if rounded else exact, language)


def is_numbered(label: str) -> bool:
    """Tell whether a number with this label counts and measures nothing: a number of a thing, a year."""
    return not _ORDINAL.isdisjoint(label.split())


_ORDINAL = {"number", "id", "year", "code", "month", "phone", "zip"}


_SMALL = 1e-9


def _grouped(number: str, language: Language) -> str:
    """Return a number with a language's separators of thousands and decimals."""
    thousands, decimal = separators(language.code)
    return number if decimal == "." else number.translate({ord(","): thousands, ord("."): decimal})


def _month(value: str, language: Language) -> str:
    """Say a month of a year: "July 2025"; empty for other texts."""
    found = _MONTH.fullmatch(value)
    return f"{month_names(language.code)[int(found[2]) - 1]} {found[1]}" if found else ""


def is_period(value: Any) -> bool:
    """Tell whether a value is a day or a month of a year."""
    return isinstance(value, str) and (_DATE.match(value) is not None or _MONTH.fullmatch(value) is not None)


_MONTH = re.compile(r"([12]\d{3})-(0[1-9]|1[0-2])")


def _date(value: str, style: int, language: Language, today: date | None) -> str:
    found = _DATE.match(value)
    if not found:
        return ""
    try:
        day = date(*(int(part) for part in found.groups()))
    except ValueError:
        return ""
    slots = {
        "day": str(day.day),
        "month": month_names(language.code)[day.month - 1],
        "year": str(day.year),
        "nth": language.speech["nths"][day.day - 1],
        "dd": found[3],
        "mm": found[2],
        "m": str(day.month),
    }
    way = style % DATE_STYLES
    if today is None or is_far(day, today):
        return fill(language.speech["dates"][way], slots)
    near = _near(day, today, NEAR_STYLES[style // (DATE_STYLES * CLOCK_STYLES) % len(NEAR_STYLES)], language)
    return fill(near or language.speech["days"][way], {**slots, "weekday": day_names(language.code)[day.weekday()]})


def is_far(day: date, today: date) -> bool:
    """Tell whether a date is so far from today that its year is said."""
    return abs((day - today).days) >= _FAR


def _near(day: date, today: date, style: str, language: Language) -> str:
    """Return the template for a date near today in a speaker's style; empty if the plain date is said."""
    speech, ahead = language.speech, (day - today).days
    weeks = (day - timedelta(days=day.weekday()) - today + timedelta(days=today.weekday())).days // 7
    if style == "dated" or (style == "named" and abs(ahead) > 1):
        return ""
    if ahead in speech["near"]:
        return str(speech["near"][ahead])
    if 0 < ahead < len(WEEKDAYS):
        return str(speech["weekday"])
    return str(speech["weekday_next"]) if ahead > 0 and weeks == 1 else ""


def _datetime(value: str, style: int, language: Language, today: date | None) -> str:
    found = _DATETIME.match(value)
    if not found:
        return ""
    day = _date(found[1], style, language, today)
    if (found[2], found[3], found[4] or "00") == ("00", "00", "00"):
        return day  # midnight: only the date is known
    clock = _clock(int(found[2]), found[3], found[4] or "00", style, language.speech)
    return fill(language.speech["moment"], {"day": day, "clock": clock}) if day else ""


def _time(value: str, style: int, speech: Mapping[str, Any]) -> str:
    found = _TIME.match(value)
    return _clock(int(found[1]), found[2], found[3] or "00", style, speech) if found and int(found[1]) < 24 else ""


def name_at(pointer: str, label: str) -> str:
    """Return the last word of the name at a pointer if it means a name; else `label`."""
    tokens = name_tokens(str(pointer).rpartition("/")[2])
    return tokens[-1] if tokens and tokens[-1] in _NAMING else label


def _clock(hour: int, minutes: str, seconds: str, style: int, speech: Mapping[str, Any]) -> str:
    slots = {
        "hour": str(hour),
        "minutes": minutes,
        "seconds": seconds,
        "twelve": str(hour % 12 or 12),
        "half": speech["halves"][hour >= 12],
    }
    if seconds != "00":
        return fill(speech["seconds"], slots)
    ways = speech["sharp" if minutes == "00" else "clocks"]
    return fill(ways[style // DATE_STYLES % CLOCK_STYLES], slots)


def _text(value: str, label: str, speech: Mapping[str, Any]) -> str:
    last, value = label.rpartition(" ")[2], bare_code(value, label)
    if last == "currency" and re.fullmatch(r"[a-z]{3}", value):
        return value.upper()
    prose = (
        _IN_SMALL_LETTERS.search(value) and value.partition(" ")[0] not in DETERMINERS
    )  # "a clash with work" is a noun phrase
    longest = 2 if last in _WRITTEN else _PHRASE if prose else _NAME
    if len(value.split()) > longest or value[-1:] in (".", "!", "?") or _CLAUSE.match(value):
        opening, closing = speech["quotes"]
        return f"{opening}{value}{closing}"
    if (
        value in _CODES
        or last in _VERBATIM
        or not _NAMING.isdisjoint((last, singular(last)))
        or not _TOKEN.match(value)
        or (value.isupper() and "_" not in value and len(value) <= (_REGION if _is_said(value, last) else _ABBREVIATED))
    ):
        return value
    words = re.sub(r"(?<=[a-z]{2})(?=\d+[A-Z][a-z])|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", value)
    coded = " " in words and not any(map(is_known, words.lower().split()))  # "MojyBdeuJqj" is not three words
    return words.replace("_", " ").lower() if not (coded or _NUMBERED.search(words)) else value


def _is_said(value: str, last: str) -> bool:
    """Tell whether capitals are a word and no abbreviation: `LOW`, and any code of a status."""
    return last in _STATES or is_known(value.lower())


_NUMBERED = re.compile(r"[^\W\d]\d|\d[^\W\d]|\d$")
"""Digits that are part of a word or end a code, and count nothing."""

_CLAUSE = re.compile(r"(?:I|we|he|she|they|you|it|this|that|there|some(?:one|body|thing)|our \w+|my \w+) [a-z]+\b.")
"""The beginning of a sentence, which is quoted: "I found a lift"."""

_IN_SMALL_LETTERS = re.compile(r" [a-zäöüß]")
_PHRASE, _NAME = 3, 6
"""Maximum words of a text said without quotes: if it has lower-case words, and if it looks like a name."""

_WRITTEN = {"note", "message", "comment"}
"""Labels of messages between people, which are quoted from three words on."""

_STATES = {"status", "state"}
"""Labels of statuses, whose codes are words; those of two letters may be regions."""

_ABBREVIATED, _REGION = len("USPS"), len("TX")
"""Maximum letters of an abbreviation in capitals, and of a region."""

_VERBATIM = word_set(_LISTS, "verbatim")
"""Labels of values that are said as they are written: a code is never split into words."""


_NAMING = {"name", "namespace", "repo", "repository", "branch", "bucket", "host", "package"}
"""Labels of names, which are said as they are written."""

_ACRONYMS = re.compile(rf"(?<![:/.@])\b(?:{alternatives(words(_LISTS, 'acronyms'))})(s?)\b(?!://|[@.]\w)")


@lru_cache(maxsize=16_384)
def acronyms(label: str) -> str:
    """Return a label with its acronyms in capitals: "photo urls" -> "photo URLs"."""
    return _ACRONYMS.sub(lambda found: found[0].removesuffix(found[1]).upper() + found[1], label)


def enumerate_words(words: Sequence[str], language: Language | None = None) -> str:
    """Join words as in speech: "a, b and c"."""
    joint = (language or load_language()).speech["and"]
    return joint.join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


_VALUE, _LEADING = '0123456789"„', 4
"""Characters that may begin a value, and maximum words of a lead that a value follows after a comma."""


_CLOSING = '"“'
"""Closing quotation marks."""


LINE = "- "
"""The beginning of a line of a list."""


def in_lines(items: Iterable[str]) -> str:
    """Return items as a list with one line each."""
    return "\n".join(f"{LINE}{item}" for item in items)


def _ends_with_list(text: str) -> bool:
    return text.rpartition("\n")[2].startswith(LINE)


def sentence(*parts: str) -> str:
    """Join parts into sentences, with capitals, full stops and spaces; empty parts are skipped.

    A list in lines is followed by an empty line, without a full stop.
    """
    text = ""
    for part in (part.strip() for part in parts if part and part.strip()):
        if _ends_with_list(text):
            text += f"\n\n{part}"
            continue
        if text and text.rstrip(_CLOSING)[-1:] not in tuple(".!?:;,-"):
            text += "." if part[0].isupper() or (part[0] in _VALUE and len(text.split()) > _LEADING) else ","
        text += (" " if text else "") + part.replace('.".', '."').replace(".“.", ".“")
    text = capital(begun(text))
    return text if not text or _ends_with_list(text) or text.rstrip(_CLOSING)[-1:] in tuple(".!?") else text + "."


_BEGINNING = re.compile(r"(?<=[.!?]\s)([a-zäöü]\S*)")
_CODED = re.compile(r"[0-9@/_]|\w\.\w|[a-z][A-Z]")


def begun(text: str) -> str:
    """Return `text` with a capital first letter of each sentence but the first."""
    return _BEGINNING.sub(lambda found: capital(found[1]), text)


def capital(text: str) -> str:
    """Return `text` with a capital first letter, unless it begins with a URL, a username or another code."""
    first = text.split(" ", 1)[0]
    return text if _CODED.search(first) else text[:1].upper() + text[1:]


def state(label: str, value: Any, said: str, language: Language | None = None) -> str:
    """Return a clause that states the value of a field: "it starts on 3 May", "the amount is 97 EUR"."""
    kinds = kinds_of(label, value)
    language, label = language or load_language(), acronyms(without_unit(label)[0])
    if kinds != _DONE_IN and ((isinstance(value, list) and len(value) == 1) or _is_single(label, value)):
        label = singular(label)
        return (
            language.clause(
                "state",
                label,
                frozenset(("single",)) if value == 1 else _ONE,
                clause_slots(label, value, said, language),
            )
            or ""
        )
    return language.clause("state", label, kinds, clause_slots(label, value, said, language)) or ""


def clause_slots(label: str, value: Any, said: str, language: Language) -> dict[str, Filling]:
    """Return the slots of an English clause."""
    day = isinstance(value, str) and re.match(r"\d{4}-", value) is not None
    return {"label": acronyms(without_unit(label)[0]), "value": said, "on": language.speech["on"][day]}


def kinds_of(label: str, value: Any) -> frozenset[str]:
    """Return the kinds of a value by which rules of clauses select.

    Yes or no, a noun, a date, in what time something is done, several, a measured number, a state or kind.
    """
    label, unit = without_unit(label)
    if isinstance(value, bool):
        thing = label.rpartition(" ")[2]
        if label.startswith("is ") and can_be_noun(thing) and not is_predicate(thing):
            return _YES_THING if value else _NO_THING
        return _YES if value else _NO
    if isinstance(value, str) and _DATED.match(value):
        return _DATE_KIND
    if unit and isinstance(value, (int, float)) and label.endswith("s") and can_be_verb(label.removesuffix("s")):
        return _DONE_IN
    if is_plural(label) and isinstance(value, (int, float)) and value != 1:
        return _COUNT
    if isinstance(value, (int, float)):
        return _ONE if is_numbered(label) else _MEASURED
    sorted_so = tells_state(label.rpartition(" ")[2]) or says_kind(label)
    if isinstance(value, str) and value.isalpha() and value.islower() and sorted_so:
        return _WORD
    many = isinstance(value, str) and is_plural(label)
    return _MANY if many or (isinstance(value, list) and len(value) > 1) else _ONE


def _is_single(label: str, value: Any) -> bool:
    return is_plural(label) and isinstance(value, (int, float)) and not isinstance(value, bool) and value == 1


_YES, _NO, _MANY, _ONE = (frozenset(kinds) for kinds in (("yes",), ("no",), ("many",), ()))
_YES_THING, _NO_THING = frozenset(("yes", "yes_thing")), frozenset(("no", "no_thing"))
_COUNT, _DATE_KIND = frozenset(("many", "count")), frozenset(("date",))
_DONE_IN = frozenset(("done_in",))
_MEASURED, _WORD = frozenset(("measured",)), frozenset(("word",))
_DATED = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ].*)?$")
