"""Values -> words: dates, times, money, lists and codes as people say them."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from interplay.schemas.fields import name_tokens, singular

MONTHS = tuple("January February March April May June July August September October November December".split())
_DATE = re.compile(r"^(\d{4})-(\d{2})-(\d{2})$")
_DATETIME = re.compile(r"^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s?(?:Z|UTC|[+-]\d{2}:?\d{2})?$")
_TIME = re.compile(r"^(\d{2}):(\d{2})(?::(\d{2}))?(?:Z|\.\d+Z?)?$")
_TOKEN = re.compile(
    r"^(?:[A-Z]{2,}(?:[_-][A-Z0-9]+)*|[a-z]+(?:[_-][a-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+)$"
)
_CODES = {"EUR", "USD", "GBP", "CHF", "SEK", "AUD", "CAD", "JPY", "NOK"}
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()


DATE_STYLES, CLOCK_STYLES = 4, 2
"""Ways of saying a date, and of saying a time."""


def say(value: Any, style: int, label: str = "") -> str:
    """Return a value as people say it; `style` chooses among ways, which one speaker keeps, the label tells codes from words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return enumerate_words([say(item, style, label) for item in value])
    if isinstance(value, Mapping):
        return enumerate_words([say(item, style, name_at(pointer, label)) for pointer, item in value.items()])
    if isinstance(value, int | float):
        return _number(value, label)
    if not isinstance(value, str):
        return "nothing"
    return _date(value, style) or _datetime(value, style) or _time(value, style) or _text(value, label)


def _number(value: float, label: str) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    coded = any(word in label for word in ("number", "id", "year", "code", "month", "phone", "zip"))
    if isinstance(value, int):
        return str(value) if coded or abs(value) < 10_000 else f"{value:,}"
    return f"{value:,.2f}" if round(value, 2) == value and abs(value) < 1e6 else repr(value)


def _date(value: str, style: int) -> str:
    found = _DATE.match(value)
    if not found:
        return ""
    try:
        day = date(*(int(part) for part in found.groups()))
    except ValueError:
        return ""
    month = MONTHS[day.month - 1]
    ways = (
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"the {_nth(day.day)} of {month} {day.year}",
        f"{month} {_nth(day.day)}, {day.year}",
    )
    return ways[style % DATE_STYLES]


def _nth(day: int) -> str:
    return f"{day}{'th' if 10 < day < 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"


def _datetime(value: str, style: int) -> str:
    found = _DATETIME.match(value)
    if not found:
        return ""
    day = _date(found[1], style)
    clock = _clock(int(found[2]), found[3], found[4] or "00", style)
    return f"{day} at {clock}" if day else ""


def _time(value: str, style: int) -> str:
    found = _TIME.match(value)
    return _clock(int(found[1]), found[2], found[3] or "00", style) if found and int(found[1]) < 24 else ""


def name_at(pointer: str, label: str) -> str:
    """Return the name of the field at a pointer, or the label where that says nothing."""
    tokens = name_tokens(str(pointer).rpartition("/")[2])
    return tokens[-1] if tokens and tokens[-1] in _SLUGGED else label


def _clock(hour: int, minutes: str, seconds: str, style: int) -> str:
    if seconds != "00":
        return f"{hour}:{minutes}:{seconds}"
    half = "am" if hour < 12 else "pm"
    twelve = hour % 12 or 12
    short = f"{twelve} {half}" if minutes == "00" else f"{twelve}:{minutes} {half}"
    return (f"{hour}:{minutes}", short)[style // DATE_STYLES % CLOCK_STYLES]


def _text(value: str, label: str) -> str:
    last = label.rpartition(" ")[2]
    if last == "currency" and re.fullmatch(r"[a-z]{3}", value):
        return value.upper()
    if len(value.split()) > 6 or value[-1:] in (".", "!", "?"):
        return f'"{value}"'
    if (
        value in _CODES
        or last in _VERBATIM
        or ("-" in value and last in _SLUGGED)
        or not _TOKEN.match(value)
        or (value.isupper() and len(value) <= 4 and "_" not in value)
    ):
        return value
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", value).replace("_", " ").replace("-", " ")
    return words.lower() if not re.search(r"\d", value) else value


_VERBATIM = {
    "username",
    "login",
    "handle",
    "password",
    "email",
    "nickname",
    "file",
    "filename",
    "path",
    "folder",
    "id",
    "number",
    "code",
    "key",
    "reference",
}
"""Labels of what is written as it is, in whatever letters: a code is never read as words."""


_SLUGGED = {"name", "namespace", "repo", "repository", "branch", "bucket", "host", "package"}
"""Labels of what is written as it is where its words are joined by hyphens: a name in an address."""

_ACRONYMS = re.compile(
    r"\b(?:url|id|api|qr|vat|iban|sku|pdf|ip|dns|ssl|ooo|utc|html|csv|gps|sms|vpc|cpu|sso|saml|ssh|ssd)(s?)\b"
)


def acronyms(label: str) -> str:
    """Return the words of a label with those in capitals that people spell out: "photo urls" -> "photo URLs"."""
    return _ACRONYMS.sub(lambda found: found[0].removesuffix(found[1]).upper() + found[1], label)


def enumerate_words(words: Sequence[str]) -> str:
    """Join words as in speech: "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def ordinal(position: int) -> str:
    """Name the place of one among several, counted from zero."""
    return f"the {_ORDINALS[position]} one" if position < len(_ORDINALS) else f"number {position + 1}"


_VALUE, _LEADING = '0123456789"', 4
"""What a value may begin with; words of a lead at most that a value is joined to by a comma."""


def sentence(*parts: str) -> str:
    """Join parts into sentences: capitals, stops and spaces as they should be; empty parts leave no trace."""
    text = ""
    for part in (part.strip() for part in parts if part and part.strip()):
        if text and text.rstrip('"')[-1:] not in tuple(".!?:;,-"):
            text += "." if part[0].isupper() or (part[0] in _VALUE and len(text.split()) > _LEADING) else ","
        text += (" " if text else "") + part.replace('.".', '."')
    text = re.sub(r"(?<=[.!?]\s)([a-z]\S*)", lambda found: capital(found[1]), text)
    text = capital(text)
    return text if not text or text.rstrip('"')[-1:] in tuple(".!?") else text + "."


def capital(text: str) -> str:
    """Return `text` with a capital first letter, unless it begins with an address, a username or another code."""
    first = text.split(" ", 1)[0]
    return text if re.search(r"[0-9@/_]|\w\.\w|[a-z][A-Z]", first) else text[:1].upper() + text[1:]


def article(noun: str) -> str:
    """Put "a" or "an" before a noun."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


_IRREGULAR = {
    "due",
    "sent",
    "paid",
    "set",
    "built",
    "born",
    "held",
    "valid",
    "free",
    "available",
    "active",
    "open",
    "closed",
    "good",
}


def state(label: str, value: Any, said: str) -> str:
    """Return a clause that says what a field of a result holds: "it starts on 3 May", "the amount is 97 EUR"."""
    if isinstance(value, list) and len(value) == 1:
        label = singular_of(label)
    head, _, last = label.rpartition(" ")
    if isinstance(value, bool):
        return _state_flag(label, value)
    if last in ("at", "on") and head:
        verb = head.split()[-1]
        if verb.endswith("ed") or verb in _IRREGULAR:
            return f"it {'is' if verb == 'due' else 'was'} {head} {_on(value)} {said}"
        return f"it {head} {_on(value)} {said}" if verb.endswith("s") else f"the {head} time is {said}"
    if last in ("until", "till", "since", "from", "to", "by") and head.split()[-1:] and head.split()[-1] in _IRREGULAR:
        return f"it is {label} {said}"
    if label in ("opens", "closes", "starts", "ends", "begins", "departs", "arrives"):
        return f"it {label} {_on(value)} {said}"
    if label == "name":
        return f"the name is {said}"
    if last == "name" and head.split()[-1] not in (
        "first",
        "last",
        "user",
        "file",
        "display",
        "full",
        "given",
        "family",
        "middle",
    ):
        return f"the {head} is {said}"
    if head and last == "by" and head.endswith(("ed", "sent", "paid", "made", "held")):
        return f"it was {label} {said}"
    if head and last in ("to", "for", "with", "from", "in") and head.endswith(("ed", "able")):
        return f"it is {label} {said}"
    if (isinstance(value, list) and len(value) > 1) or label.endswith(("children", "people")):
        many = True
    else:
        many = is_plural(label) and isinstance(value, int | float) and value != 1
    return f"the {acronyms(label)} {'are' if many else 'is'} {said}"


def singular_of(label: str) -> str:
    """Return a label with its last word in the singular."""
    head, space, last = label.rpartition(" ")
    return f"{head}{space}{singular(last)}"


def is_plural(noun: str) -> bool:
    """Tell whether a noun is in its plural, by its ending."""
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is", "news", "alias"))


def _on(value: Any) -> str:
    return "on" if isinstance(value, str) and re.match(r"\d{4}-", value) else "at"


def _state_flag(label: str, value: bool) -> str:
    first, _, rest = label.partition(" ")
    head, _, last = label.rpartition(" ")
    if first in ("has", "have", "includes") and rest:
        many = is_plural(rest)
        return f"there {'are' if many else 'is'} {'' if value else 'no '}{rest if many or not value else article(rest)}"
    if first == "can" and rest:
        return f"it {'can' if value else 'cannot'} {rest}"
    inner, _, able = rest.rpartition(" ")
    if first in ("is", "are") and inner and able.endswith(("able", "ible")):
        return f"the {inner} is {'' if value else 'not '}{able}"
    if first in ("is", "are") and rest:
        return f"it is {'' if value else 'not '}{rest}"
    if first in ("in", "on", "under") and rest:
        return f"it is {'' if value else 'not '}{label}"
    if head and last.endswith("ed"):
        return f"the {head} {'are' if is_plural(head) else 'is'} {'' if value else 'not '}{last}"
    if not head and (label in _IRREGULAR or label.endswith(("ed", "able", "ible", "al", "ic", "ive", "te"))):
        return f"it is {'' if value else 'not '}{label}"
    return (
        f"the {label} is {'on' if value else 'off'}"
        if head == "" and len(label) < 4
        else f"the {acronyms(label)} is {'on' if value else 'off'}"
        if last in ("mode", "default", "lock", "access", "sync")
        else f"{acronyms(label)}: {'yes' if value else 'no'}"
    )
