"""What made-up values are drawn from: people, firms, streets and jobs out of Faker; places and plain things out of data.

Faker draws a name in up to half a millisecond, by weights, and sets a seed in as much again; thousands of values are made
of a description. So its lists are drawn from by the generator of the value itself, which takes a microsecond.
Source: Faker, `faker.providers`; its lists change between versions, so that records do: the version is pinned.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from random import Random
from typing import Any

from interplay.schemas.words.calendar import month_names
from interplay.schemas.words.lists import beside, rows, word_set, words
from interplay.schemas.words.verbs import TOLD

_LISTS = beside(__file__)
CITIES: tuple[tuple[str, ...], ...] = tuple(tuple(place) for place in rows(_LISTS, "places"))
"""City, code of the country, country, time zone and region."""

REGIONS, AIRPORTS, CURRENCIES = words(_LISTS, "regions"), words(_LISTS, "airports"), words(_LISTS, "currencies")
LANGUAGES = words(_LISTS, "languages")
ADJECTIVES, NOUNS = words(_LISTS, "adjectives"), words(_LISTS, "nouns")
TOPICS, SENTENCES = words(_LISTS, "topics"), words(_LISTS, "sentences")
TAGS, ANIMALS = words(_LISTS, "tags"), words(_LISTS, "animals")

LOCALES = ("en_GB", "de_DE", "fr_FR", "es_ES", "it_IT", "nl_NL", "sv_SE", "da_DK", "fi_FI", "pt_PT")
"""Where the people of a made-up world come from."""

_SHORTEST, _LONGEST = 3, 11
"""Letters of a name; shorter ones are words too often."""


def is_filler(text: str) -> bool:
    """Tell whether a text is an adjective and a noun out of the lists: made where nothing tells what a field holds."""
    first, _, second = text.replace("-", " ").replace("_", " ").lower().partition(" ")
    return first in _fillers()[0] and second in _fillers()[1]


@cache
def _fillers() -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(word.lower() for word in ADJECTIVES), frozenset(word.lower() for word in NOUNS)


def person(rng: Random) -> str:
    """Return the name of somebody: first and last one from the same country."""
    given, family = rng.choice(_names())
    return f"{rng.choice(given)} {rng.choice(family)}"


def given_name(rng: Random) -> str:
    """Return a first name."""
    return rng.choice(rng.choice(_names())[0])


def family_name(rng: Random) -> str:
    """Return a last name."""
    return rng.choice(rng.choice(_names())[1])


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


@cache
def _names() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Return the first and the last names of each locale."""
    providers = [_provider(f"person.{locale}") for locale in LOCALES]
    return tuple((_plain(provider.first_names), _plain(provider.last_names)) for provider in providers)


@cache
def given_names() -> frozenset[str]:
    """Return all first names."""
    return frozenset(name for given, _ in _names() for name in given)


@cache
def family_names() -> frozenset[str]:
    """Return all last names."""
    return frozenset(name for _, family in _names() for name in family)


def _plain(names: Sequence[str]) -> tuple[str, ...]:
    """Return names of letters alone that are no words of requests: "Mark", "Will" and "Page" are."""
    taken = word_set("stop_words") | word_set("people") | TOLD | {month.lower() for month in month_names()}
    fitting = (name for name in names if name.isalpha() and _SHORTEST <= len(name) <= _LONGEST)
    return tuple(dict.fromkeys(name for name in fitting if name.lower() not in taken))


@cache
def _jobs() -> tuple[str, ...]:
    return tuple(job.lower() for job in _provider("job").jobs if job.count(" ") == 1 and job.replace(" ", "").isalpha())


@cache
def _provider(name: str) -> Any:
    """Return the lists of Faker's provider; imported where the first value is made, since that takes a tenth of a second."""
    return import_module(f"faker.providers.{name}").Provider
