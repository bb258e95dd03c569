"""The name and schema of a text field -> a text that looks like what they promise."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.code_shapes import code_like_examples
from interplay.generators.values.texts.described_values import READ, described_choices, described_examples
from interplay.generators.values.texts.example_shapes import as_examples_are
from interplay.generators.values.texts.formatted_texts import (
    by_format,
)
from interplay.generators.values.texts.ideas import (
    PARTS,
    PRINTED,
    Idea,
    draw_idea,
    is_called,
    is_written_about,
    text_about,
    told_of_thing,
)
from interplay.generators.values.texts.names.field_vocabulary import COUNTED, KNOWN
from interplay.generators.values.texts.names.name_endings import OPAQUE, PEOPLE, Maker, maker_of_ending, opaque
from interplay.generators.values.texts.names.word_makers import PERSONAL, maker_of
from interplay.generators.values.texts.numeric_texts import by_numeral
from interplay.generators.values.texts.standard_forms import as_moment, stands_in
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
"""Number of a description's examples from which on they are always used; fewer only with this probability, to vary rows."""


_TEXTS = word_set(_LISTS, "texts")
"""Words before "body" for which it is a text; else "body" only distinguishes a request field from a namesake."""

_KINDS, _PLACED = (word_set(_LISTS, name) for name in ("kinds", "placed"))
_AIRPORT, _FLYING = re.compile(r"[A-Z]{3}"), re.compile(r"\b(?:iata|airport)\b", re.IGNORECASE)
LONGEST_TOLD = 40
"""Maximum length of an example taken from a description."""

_JSON = re.compile(r"\s*[\[{]\s*[\"\[{]")
"""The beginning of a JSON value, which is no example of a text."""


def says_kind(name: str) -> bool:
    """Tell whether a field holds a kind, by its name."""
    return not _KINDS.isdisjoint(name_tokens(name)[-1:])


def by_name(tokens: list[str], schema: Mapping[str, Any], rng: Random, idea: Idea | None = None) -> str:
    """Return a text for a field by the words of its name: one that its schema gives, else a made-up one; empty if none fits.

    It is about the `idea` of the object that the field belongs to.
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
    made = made or (opaque(tokens, rng) if tokens and tokens[-1] in PRINTED else _called_as_things_are(tokens, rng))
    shown = samples or (promise.examples if made else ())
    return as_examples_are(made, shown, tokens, rng, idea) if shown else made


def _of_its_kind(tokens: Sequence[str], rng: Random) -> str:
    """Return the name of the thing that a field is named after: a person for `instructor`, a catalogued `genre`; else empty."""
    if tokens and singular(tokens[-1]) in PEOPLE:
        return sample_words.person(rng)
    concept = concept_of(" ".join(tokens)) if tokens and all(map(can_be_noun, tokens)) else None
    return draw_thing(concept, sample_words.person(rng), rng).told("name") if concept is not None else ""


class _Promise(NamedTuple):
    """What a schema and the words of a name promise of a text, independent of chance."""

    samples: list[str]
    examples: tuple[str, ...]
    """The examples in its description."""
    has_any: bool
    """Whether there are examples at all."""
    codes: tuple[str, ...]
    """Codes by a standard that the description names."""
    words: tuple[str, ...]
    description: str
    ending: Maker | None


def _promise_of(schema: Mapping[str, Any], tokens: tuple[str, ...]) -> _Promise:
    described = described_examples(schema, of_kinds=not _KINDS.isdisjoint(tokens[-1:]))
    description = str(schema.get("description", ""))[:_NOTATION_READ]
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
        maker_of_ending(words, description),
    )


_promise = ObjectCache(_promise_of)


def _samples(tokens: list[str], schema: Mapping[str, Any]) -> list[str]:
    """Return the examples of a text, line by line, without placeholders."""
    if "examples" not in schema:
        return []
    given = [item for item in schema["examples"] if isinstance(item, str) and 0 < len(item) <= 120]
    given = [item for item in given if not (_JSON.match(item) or stands_in(item) or _describes_itself(item, tokens))]
    return [line for item in given for line in (item.splitlines() if tokens[-1:] != ["body"] else [item]) if line]


def _describes_itself(sample: str, tokens: list[str]) -> bool:
    """Tell whether an example only describes its field: "name", "a random restaurant name"."""
    first, *rest = name_tokens(sample) or [""]
    said = rest if first in DETERMINERS else [first, *rest]
    return said == tokens or (first in DETERMINERS and bool(tokens) and rest[-len(tokens) :] == tokens)


_SAYING = {"const", "enum", "format", "pattern", "allOf"}


def is_promised(name: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether a text's schema, description or name tells what it holds."""
    return is_shown(name, schema) or _is_named(tuple(name_tokens(name)), str(schema.get("description", ""))[:READ])


def is_shown(name: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether a schema tells what a text holds: by constraints, examples, or a description that lists values."""
    branches = schema.get("anyOf") or schema.get("oneOf") or ()
    if not _SAYING.isdisjoint(schema) or schema.get("default"):
        return True
    if branches:  # an optional field, one branch and null, tells no more than that branch
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
    """Return a text from a schema's examples, description, or a standard named there; empty if they give none."""
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
        made = code_like_examples(schema, tokens, rng, is_code=bool(tokens) and tokens[-1] in OPAQUE)
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
    """Return codes by the standard that a description names; () if it names none."""
    return next((codes for pattern, codes in _STANDARDS if pattern.search(description)), ())


def _by_word(tokens: list[str], rng: Random, idea: Idea | None) -> str:
    """Return a text for the last word of a name that promises one; empty if none does."""
    if not tokens:
        return (idea or draw_idea("", rng)).topic.capitalize()
    told = _telling(tuple(tokens))
    if tokens[-1] == "text" and tokens[-2:-1] and (maker := maker_of(tokens[-2])) is not None:
        return maker(rng)  # `origin_text`
    for token in reversed(told):
        if token in ("first", "last") and token != tokens[-1]:
            continue
        if token in PERSONAL:
            return PERSONAL[token]((idea or draw_idea("", rng)).person, rng)
        written = text_about(idea or draw_idea("", rng), [token], rng)
        if written:
            return written
        maker = maker_of(token)
        if maker is not None and (maker is not sample_words.person or token == tokens[-1]):
            return maker(rng)  # the `user` of `user_group_prefix` is no person
    return ""


@lru_cache(maxsize=16_384)
def _telling(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a name that may tell its content, without modifiers of another noun: `image_prompt`."""
    last = max((place for place, token in enumerate(tokens) if token not in PARTS), default=len(tokens) - 1)
    known = tokens[last] in PERSONAL or is_written_about(tokens[last]) or is_called(tokens[last])
    known = known or maker_of(tokens[last]) is not None
    return tokens if known or not can_be_noun(tokens[last]) else tokens[last:]


_HEAD = re.compile(
    rf"(?:the |an? |this |your )?((?:[\w'-]+ ){{0,3}}?[\w'-]+)(?= (?:{alternatives(words(_LISTS, 'after_heads'))})\b|[.,:;(]|$)",
    re.IGNORECASE,
)
"""The noun phrase at the beginning of a description: "The Spotify URL" of "The Spotify URL for the object."."""


def _by_head(description: str, rng: Random, idea: Idea | None) -> str:
    """Return a text for the noun at the start of a description, as if the field were named so; empty if that promises none."""
    head = _head_of(description)
    ending = maker_of_ending(head, "")
    made = ending(rng, idea) if ending is not None else ""
    return made or (_by_word([head[-1]], rng, idea) if head else "")


@lru_cache(maxsize=16_384)
def _head_of(description: str) -> tuple[str, ...]:
    """Return the words of the noun phrase at the beginning of a description; () if there is none."""
    found = _HEAD.match(description.strip())
    return tuple(name_tokens(found[1])) if found else ()


def is_counted(tokens: Sequence[str]) -> bool:
    """Tell whether a text holds a count."""
    return tokens[-1:] != [] and tokens[-1] in COUNTED


def _plain_word(tokens: list[str], rng: Random, samples: Sequence[str]) -> str:
    """Return a plain word or a number for the last word of a name; empty if that promises none.

    If the `samples` are other words, the name means another thing: a `position` that may be "marketing" is none on a page.
    """
    count, known = _counts_and_words(tuple(tokens))
    if not samples and count:
        return str(rng.randint(*COUNTED[count]))
    meant = not samples or not any(map(str.isalpha, samples)) or not set(known).isdisjoint(map(str.lower, samples))
    return rng.choice(known) if known and meant else ""


@lru_cache(maxsize=16_384)
def _counts_and_words(tokens: tuple[str, ...]) -> tuple[str, Sequence[str]]:
    """Return the word of a name that promises a count, and the plain words that its last word promises."""
    said = [token for token in tokens if token not in _PLACED and not token.isdigit()]
    last = said[-1] if said else ""
    measured = (token for token in said[:-1] if token in COUNTED and token.endswith("s"))  # minutesBetweenSummaries
    count = last if last in COUNTED else next(measured, "")
    if tokens[-1:] == ("by",):
        last = "by"
    known = next((KNOWN[name] for name in ("_".join(said[-2:]), last, singular(last)) if name in KNOWN), ())
    known = () if tokens[-1:] and tokens[-1].isdigit() else known  # one of several: `district_level_1`
    known = KNOWN["direction"] if not known and tokens == ("order",) else known
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
"""Standards that descriptions name -> their codes."""

_NOTATION_READ = 200
"""Characters of a description that are searched for a notation."""


def _called_as_things_are(tokens: list[str], rng: Random) -> str:
    """Return the name of a catalogued thing that a field is named after: `assigned_subjects`; else empty."""
    own = tokens[1:] if len(tokens) > 1 and is_participle(tokens[0]) else tokens
    idea = draw_idea(own[0], rng) if len(own) == 1 and can_be_noun(own[0]) else None
    return idea.name if idea is not None and idea.thing is not None else ""
