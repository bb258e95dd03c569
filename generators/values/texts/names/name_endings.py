"""The last words of a field's name, and its description -> a function that makes such texts: `country code`, `created at`."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random

from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.formatted_texts import address_of, by_format, email, in_ascii, slugged
from interplay.generators.values.texts.ideas import Idea, draw_idea, names_thing
from interplay.generators.values.texts.names.word_makers import PERSONAL, dialled, maker_of
from interplay.generators.values.texts.numeric_texts import years_of
from interplay.generators.values.texts.past_events import BIRTH, PAST
from interplay.generators.values.texts.standard_forms import form_of, told_form_of
from interplay.schemas.words.lists import beside, word_set, words
from interplay.schemas.words.nouns import PERSON_NOUNS
from interplay.schemas.words.word_classes import can_be_noun

_LISTS = beside(__file__)

Maker = Callable[[Random, Idea | None], str]
"""A random generator and the idea of an object -> a text."""

PEOPLE = PERSON_NOUNS | {"full"}
OPAQUE = word_set(_LISTS, "opaque")
"""Last words of the names of codes."""

_ADDRESSED, _CORRESPONDING = (word_set(_LISTS, name) for name in ("addressed", "corresponding"))
_NUMBERS = word_set(_LISTS, "numbers")
_LATEST, _HAPPENING = (word_set(_LISTS, name) for name in ("latest", "happening"))
_MOMENTS, _WHEN, _ARRANGED = (word_set(_LISTS, name) for name in ("moments", "when", "arranged"))
_NOTED = tuple((*before, name) for name in words(_LISTS, "noted") for before in ((), ("event",)))
"""Whole names that are moments."""

_GROUPS, _NAMED = (word_set(_LISTS, name) for name in ("groups", "named"))
_OWN_NAMES, _PARTIES, _FIRMS = (word_set(_LISTS, name) for name in ("own", "parties", "firms"))

_MAILED = re.compile(r"\be-?mail", re.IGNORECASE)
_NETWORKED = re.compile(r"\bip(?:v4)?[ -]address", re.IGNORECASE)
_IN_TOWN = re.compile(r"\b(?:city|cities|town|country|region)\b", re.IGNORECASE)
_FOLDER = re.compile(
    r"\b(?:path|location) (?:to|of) (?:the |an? )?(?:\w+ )?(?:directory|folder|repository|worktree)\b", re.IGNORECASE
)
_TIMED = re.compile(r"\b(?:iso[ -]?8601|rfc[ -]?3339)\b", re.IGNORECASE)
_SPANS = re.compile(r"\b(?:durations?|intervals?|periods?)\b", re.IGNORECASE)
_DAYS = re.compile(
    r"\bYYYY-MM-DD(?![T ]?(?:HH|hh|T))|\b(?:iso[ -]?8601|rfc[ -]?3339)[ -](?:calendar[ -])?date\b(?![ -]?time)",
    re.IGNORECASE,
)
_SECONDS = re.compile(r"\bYYYY-MM-DD HH:MM:SS\b", re.IGNORECASE)
"""A moment in the notation of databases."""


@lru_cache(maxsize=16_384)
def maker_of_ending(name: tuple[str, ...], description: str) -> Maker | None:
    """Return a function that makes the texts that the last words of a name promise; None if they promise none."""
    promised = (promises(name, description) for promises in _PROMISES if name)
    return next((maker for maker in promised if maker is not None), None)


def _reached(name: tuple[str, ...], description: str) -> Maker | None:
    """Countries, addresses, and standard forms."""
    last = name[-1]
    if last == "country":
        return lambda rng, _: rng.choice(sample_words.CITIES)[2]
    if name[-2:] in (("country", "code"), ("country", "iso")) or name[-3:] == ("country", "iso", "2"):
        return lambda rng, _: rng.choice(sample_words.CITIES)[1]
    if last in _ADDRESSED or (last in _CORRESPONDING and _MAILED.search(description)):
        return lambda rng, _: email(rng)
    if name in (("email", "address"), ("mail", "address")):
        return lambda rng, idea: address_of(idea.person) if idea is not None else email(rng)
    formed = form_of([*name]) or told_form_of([*name], description)
    if formed is not None:
        return lambda rng, _: formed(rng)
    if last == "address" and ({"ip", "ipv"} & {*name} or _NETWORKED.search(description)):
        return lambda rng, _: by_format("ipv4", rng)
    return None


def _told_moment(name: tuple[str, ...], description: str) -> Maker | None:
    """A moment or a duration, in the notation that the description gives."""
    if name[-1] == "duration" and _TIMED.search(description):
        return lambda rng, _: by_format("duration", rng)
    if _SECONDS.search(description):
        return lambda rng, _: by_format("date-time", rng, [*name]).replace("T", " ").removesuffix("Z")
    timed = _timed(name, description)
    return (lambda rng, _: by_format(timed, rng, [*name])) if timed else None


def _timed(name: tuple[str, ...], description: str) -> str:
    """Return the format of a moment that name or description promise: `last_activity`, "An ISO 8601 timestamp"; else empty."""
    if _SPANS.search(description):
        return ""
    if _DAYS.search(description):
        return "date"
    happening = name[-1] in _HAPPENING or name[-1] in PAST or name[-1].endswith("ed")
    latest = len(name) > 1 and name[0] in _LATEST and happening
    return "date-time" if latest or _TIMED.search(description) else ""


def _placed(name: tuple[str, ...], description: str) -> Maker | None:
    """A place in words, a time zone, a year or a month."""
    last = name[-1]
    if last in ("location", "place") and _IN_TOWN.search(description):
        return lambda rng, _: rng.choice(sample_words.CITIES)[0]
    if name[-2:] == ("time", "zone"):
        return lambda rng, _: rng.choice(sample_words.CITIES)[3]
    if last == "year":
        return lambda rng, _: str(rng.randint(*years_of([*name])))
    if last == "month":
        return lambda rng, _: f"{rng.randint(1, 12):02d}"
    return None


def _named(name: tuple[str, ...], _: str) -> Maker | None:
    """A name or a slug, of what the words before it mean: `match_type_slug`."""
    last, owner = name[-1], name[:-1]
    if last == "name" and owner:
        return lambda rng, idea: _name_of(owner, rng, idea)
    if last == "slug":
        return lambda rng, idea: slugged(
            in_ascii(_name_of(owner, rng, idea) if owner else (idea or draw_idea("", rng)).name)
        )
    return None


def _numbered(name: tuple[str, ...], _: str) -> Maker | None:
    """A number or a code."""
    last = name[-1]
    if last == "iid":
        return lambda rng, _: str(rng.randint(1, 400))
    if name == ("sort", "code"):
        return lambda rng, _: str(rng.randint(100000, 999999))
    if last in _NUMBERS and maker_of(name[-2] if len(name) > 1 else "") is dialled:
        return lambda rng, _: dialled(rng)
    if last in OPAQUE or (len(name) > 1 and name[0] in ("id", "ids")):
        return lambda rng, _: opaque(name, rng)
    return None


def _noted(name: tuple[str, ...], description: str) -> Maker | None:
    """A moment by its name alone, the author of an action, or a folder."""
    last = name[-1]
    if last in _MOMENTS or (last in _WHEN and len(name) > 1) or name in _NOTED:
        return lambda rng, _: by_format("date-time", rng, [*name])
    if {"date", "day", *BIRTH} & {*name}:
        return lambda rng, _: by_format("date", rng, [*name])
    if last == "by" and name[-2:-1] and name[-2].endswith("ed") and name[-2] not in _ARRANGED:
        return lambda rng, _: sample_words.person(rng)
    if last == "path" and _FOLDER.search(description):
        return lambda rng, _: f"/projects/{rng.choice(sample_words.SUBJECTS)}"
    return None


_PROMISES = (_reached, _told_moment, _placed, _named, _numbered, _noted)
"""Tried in this order; the first that promises something decides."""


def _name_of(qualifiers: Sequence[str], rng: Random, idea: Idea | None) -> str:
    """Make a name by the words before it: `first name`, `pet name`, `file name`, `project name`."""
    for word in reversed(qualifiers):
        if word in _GROUPS:
            break
        if word in _OWN_NAMES:
            return sample_words.person(rng).split()[0]
        if word in _FIRMS:
            return sample_words.company(rng)
        if word in _PARTIES and word == qualifiers[-1]:
            return sample_words.person(rng)
        if word in PEOPLE:
            own = idea is not None and [*qualifiers] in (["full"], [idea.noun])
            return idea.person if idea is not None and own else sample_words.person(rng)
        if word in PERSONAL:
            return PERSONAL[word]((idea or draw_idea("", rng)).person, rng)
        if word in _NAMED and (maker := maker_of(word)) is not None:
            return maker(rng)
    noun = " ".join(qualifiers)
    whose = idea is not None and (noun == idea.noun or not names_thing(noun) or not any(map(can_be_noun, qualifiers)))
    return idea.name if idea is not None and whose else draw_idea(noun, rng).name


def opaque(tokens: Sequence[str], rng: Random) -> str:
    """Make a code as printed on paper: two letters, from the first word of its name, and five digits."""
    stem = next((token for token in tokens if token not in OPAQUE), "ref")
    return f"{stem[:2].upper()}{rng.randint(10000, 99999)}"
