"""The name and format of a field -> a text that looks like what they promise."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.code_shapes import code_like_examples
from interplay.generators.values.texts.described_values import READ, described_choices, described_examples
from interplay.generators.values.texts.example_shapes import as_examples_are
from interplay.generators.values.texts.field_vocabulary import COUNTED, KNOWN
from interplay.generators.values.texts.formatted_texts import (
    address_of,
    by_format,
    email,
    in_ascii,
    slugged,
)
from interplay.generators.values.texts.ideas import (
    PARTS,
    Idea,
    draw_idea,
    is_called,
    is_written_about,
    names_thing,
    text_about,
    told_of_thing,
)
from interplay.generators.values.texts.numeric_texts import by_numeral, years_of
from interplay.generators.values.texts.past_events import BIRTH, PAST
from interplay.generators.values.texts.standard_forms import as_moment, form_of, stands_in, told_form_of
from interplay.generators.values.texts.standards import told_of
from interplay.generators.values.texts.things import concept_of, draw_thing
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.words.articles import DETERMINERS
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import alternatives, beside, word_set, words
from interplay.schemas.words.nouns import singular
from interplay.schemas.words.word_classes import can_be_noun, is_participle

_LISTS = beside(__file__)

VARIED, ONE_SAMPLE = 3, 0.35
"""So many examples are used always; fewer of a description with this chance, for all rows would look alike."""


def _sum(rng: Random) -> str:
    return f"{rng.randint(2, 90)} {rng.choice('+-*')} {rng.randint(2, 90)}"


def dialled(rng: Random) -> str:
    """Return a telephone number that nobody has."""
    return f"+44 20 7946 {rng.randint(100, 999):04d}"


def _dated(rng: Random) -> str:
    return by_format("date", rng)


_BY_NAME: tuple[tuple[frozenset[str], Callable[[Random], str]], ...] = tuple(
    (frozenset(keys.split()), maker)
    for keys, maker in (
        ("phone telephone mobile fax", dialled),
        ("url uri uris link href website homepage avatar image photo picture icon logo", lambda rng: by_format("uri", rng)),
        ("cvc cvv", lambda rng: str(rng.randint(100, 999))),
        ("ip ipv4", lambda rng: by_format("ipv4", rng)),
        ("repo repository branch bucket namespace pod deployment cluster node package", lambda rng: slugged(draw_idea("repository", rng).name)),
        ("host hostname domain", lambda rng: by_format("hostname", rng)),
        ("password secret", lambda rng: f"{sample_words.family_name(rng)}-{rng.randint(1000, 9999)}"),
        ("token cursor hash etag signature checksum", lambda rng: f"{rng.getrandbits(64):016x}"),
        ("passenger customer guest owner author assignee person contact holder cardholder attendee recipient employee user", sample_words.person),
        ("pet animal dog cat", sample_words.given_name),
        ("province region county", lambda rng: rng.choice(sample_words.REGIONS)),
        ("airport iata", lambda rng: rng.choice(sample_words.AIRPORTS)),
        ("expression formula equation", _sum),
        ("city town locality origin destination dest", lambda rng: rng.choice(sample_words.CITIES)[0]),
        ("timezone tz", lambda rng: rng.choice(sample_words.CITIES)[3]),
        ("street line1 address", sample_words.street),
        ("zip postal postcode", lambda rng: str(rng.randint(10000, 99999))),
        ("currency", lambda rng: rng.choice(sample_words.CURRENCIES)),
        ("language locale lang", lambda rng: rng.choice(sample_words.LANGUAGES)),
        ("colour color", sample_words.colour),
        ("tag tags label labels category categories keyword keywords", lambda rng: rng.choice(sample_words.TAGS)),
        ("company organisation organization operator supplier bank merchant carrier brand vendor", sample_words.company),
        ("job occupation profession", sample_words.job),
        ("date deadline due birthday birth expires", _dated),
        ("time hour", lambda rng: f"{rng.randint(7, 19):02d}:{rng.choice((0, 15, 30, 45)):02d}"),
        ("version", lambda rng: f"{rng.randint(1, 4)}.{rng.randint(0, 9)}"),
        ("location place venue room hall", lambda rng: draw_idea("hall", rng).name),
        ("gender", lambda rng: rng.choice(("female", "male"))),
        ("directory dir folder", lambda rng: rng.choice(sample_words.SUBJECTS)),
        ("filename file path", lambda rng: f"{slugged(rng.choice(sample_words.TOPICS))}.txt"),
    )
)  # fmt: skip
_OWN: Mapping[str, Callable[[str, Random], str]] = {
    name: maker
    for names, maker in (
        ("email mail", lambda person, _: address_of(person)),
        ("first given firstname forename", lambda person, _: person.split()[0]),
        ("last family lastname surname", lambda person, _: person.split()[-1]),
        ("username login nickname nick handle mention acct", lambda person, rng: f"{in_ascii(person.split()[0])}{rng.randint(10, 99)}"),
    )
    for name in names.split()
}  # fmt: skip
"""What somebody is called and reached by, from the name."""

_PEOPLE = word_set("people", "served", "traders", "actors", "staff") | {"full"}
_TEXTS = word_set(_LISTS, "texts")
"""Words before "body" in what is a text; else it only tells a field from a namesake elsewhere in the request."""

_LATEST = {"last", "latest", "previous", "next"}
_HAPPENING = word_set(_LISTS, "happening")
"""What happens at a moment: `last_activity`."""

_TIMED = re.compile(r"\b(?:iso[ -]?8601|rfc[ -]?3339)\b", re.IGNORECASE)
_SPANS = re.compile(r"\b(?:durations?|intervals?|periods?)\b", re.IGNORECASE)
_DAYS = re.compile(
    r"\bYYYY-MM-DD(?![T ]?(?:HH|hh|T))|\b(?:iso[ -]?8601|rfc[ -]?3339)[ -](?:calendar[ -])?date\b(?![ -]?time)",
    re.IGNORECASE,
)

_SECONDS = re.compile(r"\bYYYY-MM-DD HH:MM:SS\b", re.IGNORECASE)
"""A moment as databases write it."""

_KINDS = {"type", "kind", "mode", "format", "unit", "category", "level", "status"}
_IN_TOWN = re.compile(r"\b(?:city|cities|town|country|region)\b", re.IGNORECASE)
_AIRPORT, _FLYING = re.compile(r"[A-Z]{3}"), re.compile(r"\b(?:iata|airport)\b", re.IGNORECASE)
LONGEST_TOLD = 40
"""Characters of an example that is taken from a description."""

_OPAQUE = word_set(_LISTS, "opaque")
_NUMBERS = {"number", "no"}


_MAILED_AT = (["email", "address"], ["mail", "address"])
_NETWORKED = re.compile(r"\bip(?:v4)?[ -]address", re.IGNORECASE)
_MAILED = re.compile(r"\be-?mail", re.IGNORECASE)
_FOLDER = re.compile(
    r"\b(?:path|location) (?:to|of) (?:the |an? )?(?:\w+ )?(?:directory|folder|repository|worktree)\b", re.IGNORECASE
)
_JSON = re.compile(r"\s*[\[{]\s*[\"\[{]")
"""The beginning of a JSON value, which people do not say."""


def says_kind(name: str) -> bool:
    """Tell whether a field says by its name which one of a few kinds something is."""
    return not _KINDS.isdisjoint(name_tokens(name)[-1:])


def by_name(tokens: list[str], schema: Mapping[str, Any], rng: Random, idea: Idea | None = None) -> str:
    """Return a text for what the words of a field's name promise: one that its schema tells, else one that is made up.

    It is about the `idea` of the object that the field belongs to. Where nothing is promised, nothing is returned.
    """
    promise = _promise(schema, tuple(tokens))
    if idea is not None and idea.entry is not None:
        told = told_of(idea.entry, idea.noun, tokens)
        if told:
            return told
    told = _told(tokens, schema, promise, rng, idea)
    if told:
        return told
    known = told_of_thing(idea, tokens) if idea is not None else ""
    if known and not promise.samples:
        return known
    samples, tokens = promise.samples, [*promise.words]
    made = known or (promise.ending(rng, idea) if promise.ending is not None else "")
    made = made or _plain_word(tokens, rng, samples)
    made = made or _by_word(tokens, rng, idea) or _by_head(promise.description, rng, idea) or _of_its_kind(tokens, rng)
    made = made or _called_as_things_are(tokens, rng)
    shown = samples or (promise.examples if made else ())
    return as_examples_are(made, shown, tokens, rng, idea) if shown else made


def _of_its_kind(tokens: Sequence[str], rng: Random) -> str:
    """Return the name of what a field is called like: an `instructor` is somebody, a `genre` one of the catalogue's; else nothing."""
    if tokens and singular(tokens[-1]) in _PEOPLE:
        return sample_words.person(rng)
    concept = concept_of(" ".join(tokens)) if tokens and all(map(can_be_noun, tokens)) else None
    return draw_thing(concept, sample_words.person(rng), rng).told("name") if concept is not None else ""


class _Promise(NamedTuple):
    """What a schema and the words of a name promise of a text, whatever chance says."""

    samples: list[str]
    examples: tuple[str, ...]
    """Those of its description."""
    has_any: bool
    """Whether there are examples at all."""
    codes: tuple[str, ...]
    """By a standard that the description names."""
    words: tuple[str, ...]
    description: str
    ending: "_Maker | None"


def _promise_of(schema: Mapping[str, Any], tokens: tuple[str, ...]) -> _Promise:
    described = described_examples(schema, of_kinds=not _KINDS.isdisjoint(tokens[-1:]))
    description = str(schema.get("description", ""))[:_READ]
    plain = tokens[-1:] == ("body",) and tokens[-2:-1] and tokens[-2] not in _TEXTS
    words = tokens[:-1] if plain else tokens
    if words[-1:] == ("country",) and schema.get("maxLength") == len("FI"):
        words = (*words, "code")
    return _Promise(
        _samples(list(tokens), schema),
        described,
        bool(schema.get("examples") or described or described_examples(schema)),
        _standard_codes(description),
        words,
        description,
        _of_ending(words, description),
    )


_promise = ObjectCache(_promise_of)


def _samples(tokens: list[str], schema: Mapping[str, Any]) -> list[str]:
    """Return the examples of a text, line by line; none that only say what is to stand in their place."""
    if "examples" not in schema:
        return []
    given = [item for item in schema["examples"] if isinstance(item, str) and 0 < len(item) <= 120]
    given = [item for item in given if not (_JSON.match(item) or stands_in(item) or _describes_itself(item, tokens))]
    return [line for item in given for line in (item.splitlines() if tokens[-1:] != ["body"] else [item]) if line]


def _describes_itself(sample: str, tokens: list[str]) -> bool:
    """Tell whether an example only says what its field is: "name", "a random restaurant name"."""
    first, *rest = name_tokens(sample) or [""]
    said = rest if first in DETERMINERS else [first, *rest]
    return said == tokens or (first in DETERMINERS and bool(tokens) and rest[-len(tokens) :] == tokens)


_SAYING = {"const", "enum", "format", "pattern", "allOf"}


def is_promised(name: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether anything says what a text holds: its schema, its description, or its name."""
    return is_shown(name, schema) or _is_named(tuple(name_tokens(name)), str(schema.get("description", ""))[:READ])


def is_shown(name: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether a schema itself says what a text holds: by its form, by examples, or by a description that names some."""
    branches = schema.get("anyOf") or schema.get("oneOf") or ()
    if not _SAYING.isdisjoint(schema) or schema.get("default"):
        return True
    if branches:  # one of them and null, as of what may be missing, says no more than that one
        return len(own := [branch for branch in branches if branch.get("type") != "null"]) != 1 or is_shown(
            name, own[0]
        )
    tokens = name_tokens(name)
    return bool(_samples(tokens, schema)) or _describes(tuple(tokens), str(schema.get("description", ""))[:READ])


@lru_cache(maxsize=65_536)
def _describes(tokens: tuple[str, ...], description: str) -> bool:
    said = {"description": description}
    kinds = not _KINDS.isdisjoint(tokens[-1:])
    return bool(described_choices(said, kinds) or described_examples(said, kinds))


@lru_cache(maxsize=65_536)
def _is_named(tokens: tuple[str, ...], description: str) -> bool:
    return bool(by_name(list(tokens), {"description": description}, Random(0)))


def _told(
    tokens: list[str], schema: Mapping[str, Any], promise: _Promise, rng: Random, idea: Idea | None = None
) -> str:
    """Return what a schema tells by examples, by its description, or by a standard that this names; mostly nothing."""
    samples, told = promise.samples, promise.examples
    if samples:
        moment = as_moment(samples, lambda: by_format("date-time", rng, tokens))
        if moment:
            return moment
        if len(samples) >= VARIED or tokens[-1:] in (["type"], ["kind"]):
            return rng.choice(samples)
    usual = idea.thing.number(tokens) if idea is not None and idea.thing is not None else None
    made = by_numeral(schema.get("format", ""), tokens, samples, rng, usual)
    if not made and promise.has_any:
        made = code_like_examples(schema, tokens, rng, is_code=bool(tokens) and tokens[-1] in _OPAQUE)
    if made:
        return made
    if told and all(map(_AIRPORT.fullmatch, told)) and _FLYING.search(schema["description"]):
        return rng.choice(sample_words.AIRPORTS)
    if told and (len(told) >= VARIED or rng.random() < ONE_SAMPLE) and max(map(len, told)) <= LONGEST_TOLD:
        return rng.choice(told)
    if tokens[-2:] == ["address", "state"]:
        return rng.choice(sample_words.REGIONS)
    return rng.choice(promise.codes) if promise.codes else ""


@lru_cache(maxsize=16_384)
def _standard_codes(description: str) -> tuple[str, ...]:
    """Return codes by the standard that a description names; nothing where it names none."""
    return next((codes for pattern, codes in _STANDARDS if pattern.search(description)), ())


_Maker = Callable[[Random, "Idea | None"], str]
"""Chance and the idea of an object -> a text."""


def _by_ending(tokens: list[str], description: str, rng: Random, idea: Idea | None) -> str:
    """Return a text for what the last words of a name promise: a place, a time, a number, a code; nothing for others."""
    maker = _of_ending(tuple(tokens), description)
    return maker(rng, idea) if maker is not None else ""


@lru_cache(maxsize=16_384)
def _of_ending(words: tuple[str, ...], description: str) -> _Maker | None:
    """Return what makes the texts that the last words of a name promise; none where they promise none."""
    tokens = list(words)
    last = tokens[-1] if tokens else ""
    if last == "country":
        return lambda rng, _: rng.choice(sample_words.CITIES)[2]
    if tokens[-2:] in (["country", "code"], ["country", "iso"]) or tokens[-3:] == ["country", "iso", "2"]:
        return lambda rng, _: rng.choice(sample_words.CITIES)[1]
    if last in ("cc", "bcc") or (
        last in ("to", "from", "sender", "recipient", "replyto") and _MAILED.search(description)
    ):
        return lambda rng, _: email(rng)
    if tokens in _MAILED_AT:
        return lambda rng, idea: address_of(idea.person) if idea is not None else email(rng)
    formed = form_of(tokens) or told_form_of(tokens, description)
    if formed is not None:
        return lambda rng, _: formed(rng)
    if last == "address" and ({"ip", "ipv"} & set(tokens) or _NETWORKED.search(description)):
        return lambda rng, _: by_format("ipv4", rng)
    if last == "duration" and _TIMED.search(description):
        return lambda rng, _: by_format("duration", rng)
    if _SECONDS.search(description):
        return lambda rng, _: by_format("date-time", rng, tokens).replace("T", " ").removesuffix("Z")
    timed = _timed(tokens, description)
    if timed:
        return lambda rng, _: by_format(timed, rng, tokens)
    if last in ("location", "place") and _IN_TOWN.search(description):
        return lambda rng, _: rng.choice(sample_words.CITIES)[0]
    if tokens[-2:] == ["time", "zone"]:
        return lambda rng, _: rng.choice(sample_words.CITIES)[3]
    if last == "year":
        return lambda rng, _: str(rng.randint(*years_of(tokens)))
    if last == "month":
        return lambda rng, _: f"{rng.randint(1, 12):02d}"
    if len(tokens) > 1 and last == "name":
        return lambda rng, idea: _name_of(tokens[:-1], rng, idea)
    if last == "iid":
        return lambda rng, _: str(rng.randint(1, 400))
    if last == "slug":
        owned = len(tokens) > 1  # the slug of what it speaks of: `match_type_slug`
        return lambda rng, idea: slugged(
            in_ascii(_name_of(tokens[:-1], rng, idea) if owned else (idea or draw_idea("", rng)).name)
        )
    if tokens == ["sort", "code"]:
        return lambda rng, _: str(rng.randint(100000, 999999))
    if last in _NUMBERS and _maker_of(tokens[-2] if len(tokens) > 1 else "") is dialled:
        return lambda rng, _: dialled(rng)
    if last in _OPAQUE or (len(tokens) > 1 and tokens[0] in ("id", "ids")):
        return lambda rng, _: opaque(tokens, rng)
    if last in ("timestamp", "datetime") or (last in _WHEN and len(tokens) > 1) or tokens in _NOTED:
        return lambda rng, _: by_format("date-time", rng, tokens)
    if {"date", "day", *BIRTH} & set(tokens):
        return lambda rng, _: by_format("date", rng, tokens)
    if last == "by" and tokens[-2:-1] and tokens[-2].endswith("ed") and tokens[-2] not in _ARRANGED:
        return lambda rng, _: sample_words.person(rng)
    if last == "path" and _FOLDER.search(description):
        return lambda rng, _: f"/projects/{rng.choice(sample_words.SUBJECTS)}"
    return None


def _by_word(tokens: list[str], rng: Random, idea: Idea | None) -> str:
    """Return a text for the last word of a name that promises any; nothing where none does."""
    if not tokens:
        return (idea or draw_idea("", rng)).topic.capitalize()
    told = _telling(tuple(tokens))
    if tokens[-1] == "text" and tokens[-2:-1] and (maker := _maker_of(tokens[-2])) is not None:
        return maker(rng)  # `origin_text`
    for token in reversed(told):
        if token in ("first", "last") and token != tokens[-1]:
            continue
        if token in _OWN:
            return _OWN[token]((idea or draw_idea("", rng)).person, rng)
        written = text_about(idea or draw_idea("", rng), [token], rng)
        if written:
            return written
        maker = _maker_of(token)
        if maker is not None and (maker is not sample_words.person or token == tokens[-1]):
            return maker(rng)  # the prefix of a user group is nobody
    return ""


@lru_cache(maxsize=16_384)
def _telling(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a name that may say what it holds: not those before another thing, of `image_prompt`."""
    last = max((place for place, token in enumerate(tokens) if token not in PARTS), default=len(tokens) - 1)
    known = tokens[last] in _OWN or is_written_about(tokens[last]) or is_called(tokens[last])
    known = known or _maker_of(tokens[last]) is not None
    return tokens if known or not can_be_noun(tokens[last]) else tokens[last:]


@lru_cache(maxsize=4_096)
def _maker_of(word: str) -> Callable[[Random], str] | None:
    """Return what makes the texts that one word of a name promises; none where it promises none."""
    said = {word, singular(word)}
    return next((maker for keys, maker in _BY_NAME if not said.isdisjoint(keys)), None)


_HEAD = re.compile(
    rf"(?:the |an? |this |your )?((?:[\w'-]+ ){{0,3}}?[\w'-]+)(?= (?:{alternatives(words(_LISTS, 'after_heads'))})\b|[.,:;(]|$)",
    re.IGNORECASE,
)
"""What a description begins with: "The Spotify URL" of "The Spotify URL for the object."."""


def _by_head(description: str, rng: Random, idea: Idea | None) -> str:
    """Return a text for what a description begins with, as if the field were called that; nothing where that promises none."""
    tokens = list(_head_of(description))
    return (_by_ending(tokens, "", rng, idea) or _by_word(tokens[-1:], rng, idea)) if tokens else ""


@lru_cache(maxsize=16_384)
def _head_of(description: str) -> tuple[str, ...]:
    """Return the words that a description begins with; nothing where it begins with no noun."""
    found = _HEAD.match(description.strip())
    return tuple(name_tokens(found[1])) if found else ()


def is_counted(tokens: Sequence[str]) -> bool:
    """Tell whether a text holds how many there are of something."""
    return tokens[-1:] != [] and tokens[-1] in COUNTED


_PLACED = {"in", "out", "to", "from", "by"}


def _plain_word(tokens: list[str], rng: Random, samples: Sequence[str]) -> str:
    """Return a plain word, or a number, for what a field's last word promises; nothing where it promises none.

    Where `samples` are other words, another thing is meant: a `position` that may be "marketing" is none on a page.
    """
    count, known = _counts_and_words(tuple(tokens))
    if not samples and count:
        return str(rng.randint(*COUNTED[count]))
    meant = not samples or not any(map(str.isalpha, samples)) or not set(known).isdisjoint(map(str.lower, samples))
    return rng.choice(known) if known and meant else ""


@lru_cache(maxsize=16_384)
def _counts_and_words(tokens: tuple[str, ...]) -> tuple[str, Sequence[str]]:
    """Return the word of a name that says what is counted, and the plain words that its last word promises."""
    said = [token for token in tokens if token not in _PLACED and not token.isdigit()]
    last = said[-1] if said else ""
    measured = (token for token in said[:-1] if token in COUNTED and token.endswith("s"))  # minutesBetweenSummaries
    count = last if last in COUNTED else next(measured, "")
    if tokens[-1:] == ("by",):
        last = "by"
    known = KNOWN.get(last) or KNOWN.get(singular(last)) or (KNOWN["direction"] if tokens == ("order",) else ())
    if last in ("sort", "by") and {"sort", "sorted", "order", "ordered", "group"} & set(tokens):
        known = ("name", "date")
    return count, known


_STANDARDS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (
        re.compile(r"\bISO 3166-1 alpha-2\b|\btwo-letter country code", re.IGNORECASE),
        tuple(city[1] for city in sample_words.CITIES),
    ),
    (re.compile(r"\bISO 639-1\b", re.IGNORECASE), sample_words.LANGUAGES),
    (re.compile(r"\bISO 4217\b", re.IGNORECASE), sample_words.CURRENCIES),
    (
        re.compile(r"\bairport code\b|\bcode (?:of|for) (?:the )?(?:\w+ )?airport\b", re.IGNORECASE),
        sample_words.AIRPORTS,
    ),
)
"""Standards that descriptions name -> codes by them."""
_NOTED = tuple(
    [*before, name]
    for name in ("created", "updated", "modified", "start", "end", "since", "until")
    for before in ((), ("event",))
)
"""Names that, alone, are those of moments."""
_WHEN = ("at", "on", "since", "until")
_ARRANGED = {"sorted", "ordered", "grouped", "filtered", "supported", "followed", "required"}
_READ = 200
"""Characters of a description in which a notation of time is looked for."""


def _timed(tokens: list[str], description: str) -> str:
    """Return the format of a moment that name or description promise: `last_activity`, "An ISO 8601 timestamp"."""
    if _SPANS.search(description):
        return ""
    if _DAYS.search(description):
        return "date"
    happening = tokens[-1:] and (tokens[-1] in _HAPPENING or tokens[-1] in PAST or tokens[-1].endswith("ed"))
    latest = len(tokens) > 1 and tokens[0] in _LATEST and happening
    return "date-time" if latest or _TIMED.search(description) else ""


def _called_as_things_are(tokens: list[str], rng: Random) -> str:
    """Return what one of the things is called that a field is named after, where they are known: `assigned_subjects`."""
    own = tokens[1:] if len(tokens) > 1 and is_participle(tokens[0]) else tokens
    idea = draw_idea(own[0], rng) if len(own) == 1 and can_be_noun(own[0]) else None
    return idea.name if idea is not None and idea.thing is not None else ""


def _name_of(qualifiers: list[str], rng: Random, idea: Idea | None) -> str:
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
        if word in _PEOPLE:
            return (
                idea.person if idea is not None and qualifiers in (["full"], [idea.noun]) else sample_words.person(rng)
            )
        if word in _OWN:
            return _OWN[word]((idea or draw_idea("", rng)).person, rng)
        if word in _NAMED:
            return next(maker(rng) for keys, maker in _BY_NAME if word in keys)
    own = " ".join(qualifiers)
    whose = idea is not None and (own == idea.noun or not names_thing(own) or not any(map(can_be_noun, qualifiers)))
    return idea.name if idea is not None and whose else draw_idea(own, rng).name


_GROUPS = word_set(_LISTS, "groups")
"""What people belong to or have, and what is not called after one of them: a customer group."""

_OWN_NAMES, _PARTIES, _FIRMS = (word_set(_LISTS, name) for name in ("own", "parties", "firms"))
"""Words before "name" in what somebody is called, in what people are called that things go between, and in what firms are called."""

_NAMED = word_set(_LISTS, "named")
"""Words that say what kind of name a name is."""


def opaque(tokens: list[str], rng: Random) -> str:
    """Make a code as printed on papers: two letters and five digits, after the first word of its name."""
    stem = next((token for token in tokens if token not in _OPAQUE), "ref")
    return f"{stem[:2].upper()}{rng.randint(10000, 99999)}"
