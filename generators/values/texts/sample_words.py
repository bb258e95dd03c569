"""What made-up values are drawn from: people, firms, streets and jobs out of Faker; places and plain things out of data.

Faker draws a name in up to half a millisecond, by weights, and sets a seed in as much again; thousands of values are made
of a description. So its lists are drawn from by the generator of the value itself, which takes a microsecond.
Source: Faker, `faker.providers`; its lists change between versions, so that records do: the version is pinned.
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
"""City, code of the country, country, time zone, region, its code where addresses have one, postcodes, and dialling code."""

REGIONS, AIRPORTS, CURRENCIES = words(_LISTS, "regions"), words(_LISTS, "airports"), words(_LISTS, "currencies")
LANGUAGES = words(_LISTS, "languages")
_SUBJECTS, _ACTS = rows(_LISTS, "subjects"), rows(_LISTS, "acts")
SUBJECTS = tuple(str(subject) for subject, _ in _SUBJECTS)
TOPICS = tuple(f"{subject} {act}" for subject in SUBJECTS for act, _ in _ACTS)
"""What matters, meetings and messages are about: "budget review"."""

TAGS = words(_LISTS, "tags")

LOCALES = ("en_GB", "de_DE", "fr_FR", "es_ES", "it_IT", "nl_NL", "sv_SE", "da_DK", "fi_FI", "pt_PT")
"""Where people come from whose world is no particular one."""

BY_LANGUAGE: Mapping[str, Mapping[str, float]] = {
    "en": {"en_US": 0.4, "en_GB": 0.4, "en_IE": 0.1, "en_NZ": 0.1},
    "de": {"de_DE": 0.7, "de_AT": 0.2, "de_CH": 0.1},
}
"""Where most people of a world come from, by the language that is spoken there: locales with their shares."""

_USUAL = tuple(dict.fromkeys([*LOCALES, *(locale for shares in BY_LANGUAGE.values() for locale in shares)]))

_SHORTEST, _LONGEST = 3, 11
"""Letters of a name; shorter ones are words too often."""


@cache
def region_codes(code: str) -> tuple[str, ...]:
    """Return the codes of all states or provinces of the country of one, as its addresses have them; none for other texts."""
    held = (_provider(f"address.{locale}") for locale in ("en_US", "en_CA", "en_AU"))
    codes = (getattr(provider, "states_abbr", ()) or getattr(provider, "provinces_abbr", ()) for provider in held)
    return next((tuple(found) for found in codes if code in found), ())


LOCALS = 0.85
"""Share of people who come from where their world is, if that is known."""


def person(rng: Random) -> str:
    """Return the name of somebody: first and last one from the same country."""
    given, family = _from_somewhere(rng)
    return f"{rng.choice(given)} {rng.choice(family)}"


def given_name(rng: Random) -> str:
    """Return a first name."""
    return rng.choice(_from_somewhere(rng)[0])


def family_name(rng: Random) -> str:
    """Return a last name."""
    return rng.choice(_from_somewhere(rng)[1])


def company(rng: Random) -> str:
    """Return the name of a firm: "Lindqvist Group"."""
    return f"{family_name(rng)} {rng.choice(_provider('company').company_suffixes)}"


def street(rng: Random) -> str:
    """Return an address within a town: "12 Moreau Road"."""
    return f"{rng.randint(1, 99)} {family_name(rng)} {rng.choice(('Street', 'Road', 'Avenue', 'Lane', 'Square'))}"


def job(rng: Random) -> str:
    """Return what somebody works as, in small letters."""
    return rng.choice(_jobs())


def colour(rng: Random) -> str:
    """Return the name of a colour."""
    return str(rng.choice(_provider("color").safe_colors))


def _from_somewhere(rng: Random) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return first and last names of one country: mostly that of the world, where the generator knows it."""
    locale = rng.locale if isinstance(rng, LocalRandom) else ""
    return names_of(locale) if locale and rng.random() < LOCALS else rng.choice(_names())


@cache
def names_of(locale: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the first and the last names of a locale of Faker."""
    provider = _provider(f"person.{locale}")
    return _plain(provider.first_names), _plain(provider.last_names)


@cache
def german_topics() -> Mapping[str, str]:
    """Return the topics with what they are in German: "budget review" -> "Budgetprüfung"."""
    return {f"{subject} {act}": f"{first}{last}" for subject, first in _SUBJECTS for act, last in _ACTS}


@cache
def _names() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Return the first and the last names of each locale."""
    return tuple(names_of(locale) for locale in LOCALES)


@cache
def given_names() -> frozenset[str]:
    """Return the first names of all countries that people come from unless somebody asks for others."""
    return frozenset(name for locale in _USUAL for name in names_of(locale)[0])


@cache
def family_names() -> frozenset[str]:
    """Return the last names of the same countries."""
    return frozenset(name for locale in _USUAL for name in names_of(locale)[1])


@cache
def _by_gender() -> Mapping[str, frozenset[str]]:
    providers = [_provider(f"person.{locale}") for locale in _USUAL]
    women = {name for each in providers for name in each.first_names_female}
    men = {name for each in providers for name in each.first_names_male}
    return {"female": frozenset(women - men), "male": frozenset(men - women)}


def gender_of(name: str) -> str:
    """Return "female" or "male" where only women or only men have a first name; nothing for others."""
    return next((gender for gender, names in _by_gender().items() if name in names), "")


def is_of_person(text: str) -> bool:
    """Tell whether a text is a first name and a last name of these countries."""
    first, _, last = text.partition(" ")
    return first in given_names() and last in family_names()


def _plain(names: Sequence[str]) -> tuple[str, ...]:
    """Return names of letters alone that are no words of requests: "Mark", "Will" and "Page" are."""
    taken = word_set("stop_words") | word_set("people") | TOLD | {month.lower() for month in month_names()}
    fitting = (name for name in names if name.isalpha() and _SHORTEST <= len(name) <= _LONGEST)
    return tuple(dict.fromkeys(name for name in fitting if name.lower() not in taken))


@cache
def _jobs() -> tuple[str, ...]:
    return tuple(job.lower() for job in _provider("job").jobs if job.count(" ") == 1 and job.replace(" ", "").isalpha())


@cache
def filling_words() -> frozenset[str]:
    """Return the words of texts that only fill a place: "consequatur", "lorem"."""
    return frozenset(_provider("lorem.la").word_list)


@cache
def _provider(name: str) -> Any:
    """Return the lists of Faker's provider; imported where the first value is made, since that takes a tenth of a second."""
    return import_module(f"faker.providers.{name}").Provider
