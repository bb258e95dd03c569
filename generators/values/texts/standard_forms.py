"""Last words of a field's name that promise a standard form -> a text in that form.

currency_code -> "EUR"      postalCode -> "48213"              ean     -> "4006381333931"
email_address -> "nadia.falk@example.com"                      sha1    -> "0f3c51a9..."
"""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from random import Random

from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.formatted_texts import email
from interplay.schemas.words.calendar import WEEKDAYS
from interplay.schemas.words.lists import alternatives, beside, rows, words
from interplay.schemas.words.word_classes import is_known

_LISTS = beside(__file__)

_CARDS = words(_LISTS, "cards")
_BANKS = (("DE", "37040044", 10), ("NL", "ABNA", 10), ("SE", "500", 17), ("FR", "20041010050500", 9))
"""Country, bank code, and number of digits that follow it in an IBAN."""
_BICS = words(_LISTS, "bics")
_CARD_NUMBERS = words(_LISTS, "card_numbers")
"""Numbers that card networks reserve for tests."""
_TICKERS = words(_LISTS, "tickers")
_MEDIA = words(_LISTS, "media")
MEDIA_ENDINGS = tuple(kind.partition("/")[2] for kind in _MEDIA)
"""Subtypes of media types, which many files have as extension: `png`."""

_AIRLINES = rows(_LISTS, "airlines")


def _hex(length: int, rng: Random) -> str:
    return "".join(rng.choice("0123456789abcdef") for _ in range(length))


def _barcode(rng: Random, prefix: str = "40") -> str:
    """Return an EAN-13: thirteen digits, the last of which is the check digit."""
    digits = [*map(int, prefix), *(rng.randint(0, 9) for _ in range(12 - len(prefix)))]
    total = sum(digit * (3 if place % 2 else 1) for place, digit in enumerate(digits))
    return "".join(map(str, (*digits, -total % 10)))


def _iban(rng: Random) -> str:
    """Return an IBAN with valid check digits."""
    country, bank, length = rng.choice(_BANKS)
    account = bank + "".join(str(rng.randint(0, 9)) for _ in range(length))
    counted = "".join(str(int(sign, 36)) for sign in f"{account}{country}00")
    return f"{country}{98 - int(counted) % 97:02d}{account}"


_ENDINGS: tuple[tuple[str, Callable[[Random], str]], ...] = (
    (
        "currency code|currency iso code|currency iso|currency key|currency id|iso currency",
        lambda rng: rng.choice(sample_words.CURRENCIES),
    ),
    ("iso code|iso 2|alpha 2|iso alpha 2", lambda rng: rng.choice(sample_words.CITIES)[1]),
    (
        "language code|language iso code|language iso|locale code|lang code",
        lambda rng: rng.choice(sample_words.LANGUAGES),
    ),
    ("postal code|zip code|post code|postal number|zip number", lambda rng: str(rng.randint(10000, 99999))),
    ("day of week|day of the week|day week", lambda rng: rng.choice(WEEKDAYS)),
    ("time zone|time zone id|time zone name|timezone id|timezone name", lambda rng: rng.choice(sample_words.CITIES)[3]),
    ("email address|mail address|email addr", email),
    ("ip address|ip addr", lambda rng: f"192.0.2.{rng.randint(1, 254)}"),
    ("mac|mac address|mac addr", lambda rng: ":".join(_hex(2, rng) for _ in range(6))),
    ("domain name|host name", lambda rng: f"{rng.choice(sample_words.SUBJECTS)}.example.com"),
    ("street and number|street and house number|street name and number", sample_words.street),
    ("house number|building number|housenumber|street number|door number", lambda rng: str(rng.randint(1, 99))),
    ("card brand|card scheme|card network", lambda rng: rng.choice(_CARDS)),
    ("ean|ean 13|ean13|gtin|gtin 13|barcode|ean code|bar code", _barcode),
    ("isbn|isbn 13|isbn13|isbn code|isbn number", lambda rng: _barcode(rng, "978")),
    (
        "from account|to account|source account|destination account|target account|beneficiary account|sender account|recipient account",
        lambda rng: f"AC{rng.randint(10000, 99999)}",
    ),
    ("job title|position title|role title", lambda rng: sample_words.job(rng).capitalize()),
    (
        "card number|credit card number|debit card number|credit card no|cc number",
        lambda rng: rng.choice(_CARD_NUMBERS),
    ),
    ("ticker|ticker symbol|stock symbol|stock ticker", lambda rng: rng.choice(_TICKERS)),
    ("airline iata|airline code|carrier code|airline iata code", lambda rng: rng.choice(_AIRLINES)[0]),
    ("airline icao|airline icao code", lambda rng: rng.choice(_AIRLINES)[1]),
    (
        "flight number|flight no|flight iata|flight code",
        lambda rng: f"{rng.choice(_AIRLINES)[0]}{rng.randint(100, 2999)}",
    ),
    ("flight icao|call sign|callsign", lambda rng: f"{rng.choice(_AIRLINES)[1]}{rng.randint(100, 999)}"),
    ("mime type|mimetype|content type|media type", lambda rng: rng.choice(_MEDIA)),
    (
        "hash algorithm|digest algorithm|checksum algorithm|hash function",
        lambda rng: rng.choice(("sha256", "sha512", "md5")),
    ),
    ("iban|account iban", _iban),
    (
        "cron|cron expression|cron schedule|cron string|crontab",
        lambda rng: f"{rng.choice((0, 15, 30))} {rng.randint(1, 22)} * * {rng.choice(('*', '1', '1-5'))}",
    ),
    (
        "otp|otp code|one time password|one time code|verification code|passcode",
        lambda rng: str(rng.randint(100000, 999999)),
    ),
    ("bic|swift|swift code|bic code|swift bic", lambda rng: rng.choice(_BICS)),
    ("fingerprint|sha 1|sha1|sha 1 fingerprint|commit sha|sha", lambda rng: _hex(40, rng)),
    ("hex color|hex colour|color hex|colour hex|hex color code", lambda rng: f"#{_hex(6, rng).upper()}"),
    ("sha 256|sha256|sha 256 fingerprint|thumbprint 256", lambda rng: _hex(64, rng)),
    ("md 5|md5|thumbprint", lambda rng: _hex(32, rng)),
)
_BY_ENDING = {tuple(ending.split()): maker for endings, maker in _ENDINGS for ending in endings.split("|")}
_LONGEST = max(map(len, _BY_ENDING))


def form_of(tokens: Sequence[str]) -> Callable[[Random], str] | None:
    """Return the function that makes the form that the last words of a name promise; None if they promise none."""
    lengths = range(min(_LONGEST, len(tokens)), 0, -1)
    return next((maker for length in lengths if (maker := _BY_ENDING.get(tuple(tokens[-length:])))), None)


_FORMED = re.compile(
    r"(?:the |an? )?(?:\w+ )?(iban|bic|swift code|ticker|e-?mail(?: address)?|(?:credit |debit )?card number|flight number|"
    r"(?:postal|zip) code)(?: of| for|$)",
    re.IGNORECASE,
)
_TRADED = re.compile(r"\b(?:stock|share|equit|ticker|trad(?:e|ing))", re.IGNORECASE)


def told_form_of(tokens: Sequence[str], description: str) -> Callable[[Random], str] | None:
    """Return the function that makes the form with which a description begins, or a stock symbol: "IBAN of the recipient"."""
    found = _FORMED.match(description)
    if found:
        told = found[1].lower().replace("-", "")
        return form_of("email address".split() if told.startswith("email") else told.split())
    is_symbol = tokens[-1:] in (["symbol"], ["symbols"], ["stock"], ["stocks"])
    return (lambda rng: rng.choice(_TICKERS)) if is_symbol and _TRADED.search(description) else None


_STAND_IN = re.compile(
    r"(?:your|my)[ _-][a-z][a-z _-]{1,30}|<[^<>]{1,40}>|\[[^\[\]]{1,40}\]|\{[^{}]{1,40}\}|string|text|example|x{3,}|lorem ipsum.*|foo|bar|todo|n/a"
    r"|(?!.*</).*<[a-z][a-z _-]{1,30}>.*|.*=\[[a-z][a-z _-]{1,30}\].*"
    rf"|(?:{alternatives(words(_LISTS, 'trying'))})(?:[ _-]?(?:{alternatives(words(_LISTS, 'tried'))}|[a-z]|\d{{1,3}})){{0,2}}",
    re.IGNORECASE,
)
"""Placeholders that many sources give as examples: "your email"."""

_NOTATIONS = tuple(
    (re.compile(pattern), notation)
    for pattern, notation in (
        (r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?", "%Y-%m-%dT%H:%M:%SZ"),
        (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "%Y-%m-%d %H:%M:%S"),
        (r"\d{4}-\d\d-\d\d", "%Y-%m-%d"),
    )
)


def stands_in(sample: str) -> bool:
    """Tell whether an example is a placeholder or filler text: "Recusandae eos eum ea."."""
    return bool(_STAND_IN.fullmatch(sample.strip())) or _fills(sample)


def _fills(sample: str) -> bool:
    words = re.findall(r"[^\W\d_]+", sample[:_READ].lower())
    if not words or not sample_words.filling_words().issuperset(words):
        return False
    return len(words) > _FEW or not all(map(is_known, words))


_READ, _FEW = 200, 2
"""Characters of an example that are read, and number of filler words up to which they may be English."""


def as_moment(samples: Sequence[str], moment: Callable[[], str]) -> str:
    """Return a moment, made by `moment` in ISO 8601, in the notation of all examples; empty if they are no moments."""
    for pattern, notation in _NOTATIONS:
        if samples and all(map(pattern.fullmatch, samples)):
            return datetime.fromisoformat(moment()).strftime(notation)
    return ""
