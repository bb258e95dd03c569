"""Material of made-up values: people, firms, streets and jobs from Faker; places and plain things from data.

Faker takes up to half a millisecond to draw a weighted name, and as much again to set a seed, while a description needs
thousands of values. So the value's own generator draws from Faker's lists directly, which takes a microsecond.
Source: Faker, `faker.providers`; its lists, and with them records, change between versions: the version is pinned.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from random import Random
from typing import Any

from interplay.generators.values.world_seed import LocalRandom
from interplay.schemas.words.calendar import month_names
from interplay.schemas.words.lists import beside, rows, word_set, words
from interplay.schemas.words.verbs import TOLD

_LISTS = beside(__file__)
CITIES: tuple[tuple[str, ...], ...] = tuple(tuple(place) for place in rows(_LISTS, "places"))
"""City, country code, country, time zone, region, region code if addresses use it, postcode pattern, and dialling code."""

REGIONS, AIRPORTS, CURRENCIES = words(_LISTS, "regions"), words(_LISTS, "airports"), words(_LISTS, "currencies")
LANGUAGES = words(_LISTS, "languages")
_SUBJECTS, _ACTS = rows(_LISTS, "subjects"), rows(_LISTS, "acts")
SUBJECTS = tuple(str(subject) for subject, _ in _SUBJECTS)
TOPICS = tuple(f"{subject} {act}" for subject in SUBJECTS for act, _ in _ACTS)
"""Topics of matters, meetings and messages: "budget review"."""

TAGS = words(_LISTS, "tags")

LOCALES = ("en_GB", "de_DE", "fr_FR", "es_ES", "it_IT", "nl_NL", "sv_SE", "da_DK", "fi_FI", "pt_PT")
"""Locales of people in a world without a locale of its own."""

BY_LANGUAGE: Mapping[str, Mapping[str, float]] = {
    "en": {"en_US": 0.4, "en_GB": 0.4, "en_IE": 0.1, "en_NZ": 0.1},
    "de": {"de_DE": 0.7, "de_AT": 0.2, "de_CH": 0.1},
}
"""Language -> the locales of most people of a world in which it is spoken, with their shares."""

_USUAL = tuple(dict.fromkeys([*LOCALES, *(locale for shares in BY_LANGUAGE.values() for locale in shares)]))

_SHORTEST, _LONGEST = 3, 11
"""Minimum and maximum length of a name; shorter ones are too often words."""


@cache
def region_codes(code: str) -> tuple[str, ...]:
    """Return all state or province codes of the country that has this code; () if none has it."""
    held = (_provider(f"address.{locale}") for locale in ("en_US", "en_CA", "en_AU"))
    codes = (getattr(provider, "states_abbr", ()) or getattr(provider, "provinces_abbr", ()) for provider in held)
    return next((tuple(found) for found in codes if code in found), ())


LOCALS = 0.85
"""Share of people who come from their world's locale, if it has one."""


def person(rng: Random) -> str:
    """Return a full name: first and last name from the same country."""
    given, family = _from_somewhere(rng)
    return f"{rng.choice(given)} {rng.choice(family)}"


def given_name(rng: Random) -> str:
    """Return a first name."""
    return rng.choice(_from_somewhere(rng)[0])


def family_name(rng: Random) -> str:
    """Return a last name."""
    return rng.choice(_from_somewhere(rng)[1])


def company(rng: Random) -> str:
    """Return the name of a company: "Lindqvist Group"."""
    return f"{family_name(rng)} {rng.choice(_provider('company').company_suffixes)}"


def street(rng: Random) -> str:
    """Return a street address: "12 Moreau Road"."""
    return f"{rng.randint(1, 99)} {family_name(rng)} {rng.choice(('Street', 'Road', 'Avenue', 'Lane', 'Square'))}"


def job(rng: Random) -> str:
    """Return a job title in lower case."""
    return rng.choice(_jobs())


def colour(rng: Random) -> str:
    """Return the name of a colour."""
    return str(rng.choice(_provider("color").safe_colors))


def _from_somewhere(rng: Random) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the first and last names of one country: mostly that of the world, if the generator knows its locale."""
    locale = rng.locale if isinstance(rng, LocalRandom) else ""
    return names_of(locale) if locale and rng.random() < LOCALS else rng.choice(_names())


@cache
def names_of(locale: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the first and last names of a Faker locale."""
    provider = _provider(f"person.{locale}")
    return _plain(provider.first_names), _plain(provider.last_names)


@cache
def german_topics() -> Mapping[str, str]:
    """Return the topics with their German translations: "budget review" -> "Budgetprüfung"."""
    return {f"{subject} {act}": f"{first}{last}" for subject, first in _SUBJECTS for act, last in _ACTS}


@cache
def _names() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Return the first and last names of each locale."""
    return tuple(names_of(locale) for locale in LOCALES)


@cache
def given_names() -> frozenset[str]:
    """Return the first names of all usual locales."""
    return frozenset(name for locale in _USUAL for name in names_of(locale)[0])


@cache
def family_names() -> frozenset[str]:
    """Return the last names of all usual locales."""
    return frozenset(name for locale in _USUAL for name in names_of(locale)[1])


@cache
def _by_gender() -> Mapping[str, frozenset[str]]:
    providers = [_provider(f"person.{locale}") for locale in _USUAL]
    women = {name for each in providers for name in each.first_names_female}
    men = {name for each in providers for name in each.first_names_male}
    return {"female": frozenset(women - men), "male": frozenset(men - women)}


def gender_of(name: str) -> str:
    """Return "female" or "male" if only women or only men have a first name; else empty."""
    return next((gender for gender, names in _by_gender().items() if name in names), "")


def is_of_person(text: str) -> bool:
    """Tell whether a text is a first name and a last name of the usual locales."""
    first, _, last = text.partition(" ")
    return first in given_names() and last in family_names()


def _plain(names: Sequence[str]) -> tuple[str, ...]:
    """Return names of letters only, without words that requests may contain, such as "Mark", "Will" and "Page"."""
    taken = word_set("stop_words") | word_set("people") | TOLD | {month.lower() for month in month_names()}
    fitting = (name for name in names if name.isalpha() and _SHORTEST <= len(name) <= _LONGEST)
    return tuple(dict.fromkeys(name for name in fitting if name.lower() not in taken))


@cache
def _jobs() -> tuple[str, ...]:
    return tuple(job.lower() for job in _provider("job").jobs if job.count(" ") == 1 and job.replace(" ", "").isalpha())


@cache
def filling_words() -> frozenset[str]:
    """Return the words of filler texts: "consequatur", "lorem"."""
    return frozenset(_provider("lorem.la").word_list)


@cache
def _provider(name: str) -> Any:
    """Return a Faker provider's lists; imported on first use, since that takes a tenth of a second."""
    return import_module(f"faker.providers.{name}").Provider
