"""A noun for things that a standard enumerates -> their entries, each with matching name, codes and symbol.

currency  ->  Swiss Franc, CHF          country  ->  Austria, AT, AUT
language  ->  Portuguese, pt            locale   ->  German (Austria), de-AT

The entries are those of the countries of made-up places. Babel is imported on first use.
Source: ISO 4217, ISO 3166-1, ISO 639-1 and Unicode CLDR, by Babel.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from interplay.generators.values.texts import sample_words
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, table, word_set
from interplay.schemas.words.nouns import singular

if TYPE_CHECKING:
    from babel import Locale

_LISTS = beside(__file__)
_NOUNS = word_set(_LISTS, "nouns")
_FORMS: Mapping[tuple[str, ...], str] = {
    tuple(name.split()): form for form, names in table(_LISTS, "forms").items() for name in names
}

Entry = Mapping[str, str]
"""The forms of one entry: `name`, `code`, `letters` (three-letter code), `short`, `symbol`."""


@lru_cache(maxsize=4_096)
def standard_noun(noun: str) -> str:
    """Return the standard that enumerates the things that a noun means; empty for most nouns."""
    last = singular((name_tokens(noun) or [""])[-1])
    return last if last in _NOUNS else ""


def entries_of(noun: str) -> tuple[Entry, ...]:
    """Return the entries of the standard for a noun; () if there is none."""
    standard = standard_noun(noun)
    return _entries()[standard] if standard else ()


def told_of(entry: Entry, noun: str, tokens: Sequence[str]) -> str:
    """Return the form of an entry that a field holds, by the words of its name; empty if it holds something else."""
    return entry.get(_form(tuple(tokens), noun), "")


@lru_cache(maxsize=4_096)
def _form(tokens: tuple[str, ...], noun: str) -> str:
    own = {*noun.split(), standard_noun(noun)}
    while tokens and tokens[0] in own:
        tokens = tokens[1:]
    return _FORMS.get(tokens, "") if tokens else "code"


_LOCALE = re.compile(r"[a-z]{2}([-_])[A-Z]{2}")


@lru_cache(maxsize=4_096)
def written_alike(noun: str, sample: str) -> tuple[str, ...]:
    """Return all entries in the form of an example: for `USA`, countries by three letters; () if it is no entry."""
    standard = standard_noun(noun)
    located = _LOCALE.fullmatch(sample) if standard in ("language", "locale") else None
    if located:
        return tuple(entry["code"].replace("-", located[1]) for entry in entries_of("locale"))
    known = {"country": _countries, "currency": _currencies, "language": _languages}.get(standard)
    for spelt in _SPELLINGS if known is not None else ():
        for entry in known(_english(), ()) if known is not None else ():
            form = next((form for form, told in entry.items() if spelt(told) == sample), "")
            if form:
                return tuple(dict.fromkeys(spelt(other[form]) for other in entries_of(noun) if form in other))
    return ()


_SPELLINGS: tuple[Callable[[str], str], ...] = (str, str.lower, str.upper)


@cache
def _entries() -> Mapping[str, tuple[Entry, ...]]:
    from babel.languages import get_official_languages  # noqa: PLC0415  (slow to import)
    from babel.numbers import get_territory_currencies  # noqa: PLC0415

    english = _english()
    lands = tuple(dict.fromkeys(place[1] for place in sample_words.CITIES))
    spoken = {land: (get_official_languages(land) or ("en",))[0] for land in lands}
    return {
        "country": _countries(english, lands),
        "currency": _currencies(english, [code for land in lands for code in get_territory_currencies(land)]),
        "language": _languages(english, spoken.values()),
        "locale": tuple(
            {
                "name": f"{english.languages[language]} ({english.territories[land]})",
                "code": f"{language}-{land}",
                "land": english.territories[land],
            }
            for land, language in spoken.items()
        ),
    }


def _english() -> "Locale":
    from babel import Locale  # noqa: PLC0415  (slow to import)

    return Locale.parse("en")


def _countries(english: "Locale", codes: Iterable[str]) -> tuple[Entry, ...]:
    """Return entries of countries by their codes; of all countries if no code is given."""
    names, letters = english.territories, _letters()
    wanted = dict.fromkeys(codes) or dict.fromkeys(map(str, names))
    return tuple(
        {"name": names[code], "code": code, "letters": letters[code], "short": names[code]}
        for code in wanted
        if code in letters
    )


@cache
def _letters() -> Mapping[str, str]:
    """Return a mapping of two-letter to three-letter country codes."""
    from babel.core import get_global  # noqa: PLC0415  (slow to import)

    found: dict[str, str] = {}
    for old, new in get_global("territory_aliases").items():
        if len(new) == 1 and len(old) == len("AUT") and old.isalpha() and not found.get(new[0], "").startswith(new[0]):
            found[new[0]] = old
    return found


def _currencies(english: "Locale", codes: Iterable[str]) -> tuple[Entry, ...]:
    codes, symbols = dict.fromkeys(codes) or english.currencies, english.currency_symbols
    return tuple(
        {
            "name": english.currencies[code],
            "code": code,
            "letters": code,
            "short": code,
            "symbol": symbols.get(code, code),
        }
        for code in codes
    )


def _languages(english: "Locale", codes: Iterable[str]) -> tuple[Entry, ...]:
    codes = dict.fromkeys(codes) or english.languages
    return tuple({"name": english.languages[code], "code": code, "short": code} for code in codes)
