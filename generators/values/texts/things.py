"""A catalogue of the things that APIs are about -> made-up ones: their names, what people write about them, usual numbers.

    "vacancy"                          name "Senior buyer"       description "Your work: orders and supplier talks."
    "job" with `salary`, `recruiter`   the same; with `queue`, `attempts` a background job, "send-invoices"

The catalogue is data, `things/*.json`, each a mapping of concepts:

    nouns, also  what resources of this concept are called, in plain lower-case words ("e bike"); `also` counts only if a
                 word of `beside` is among their fields
    lists        one row of each is drawn for each thing; its cells, each in English and in German, fill the texts
    texts        field -> its text, in both languages, with slots for cells, and for {person}, {city} and the like
    numbers      word of a numeric field -> lowest value, highest value, step

The cell `rated` gives the range of a rating that matches the text beside it, as shares of the scale.

To make a kind of thing realistic, add a concept.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from math import log
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import orjson

from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.formatted_texts import TODAY
from interplay.generators.values.world_seed import LocalRandom
from interplay.schemas.words.articles import indefinite
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import alternatives, word_set
from interplay.schemas.words.nouns import singular

_CATALOGUE = Path(__file__).with_suffix("")
_SURE, _WHOLE = 1, 4
"""Weight of a noun that means one concept only, and of a word about the whole API, in matching fields."""

Both = tuple[str, str]
"""A text in English and in German."""

_BUILT_IN: Mapping[str, Callable[[Random], str]] = {
    "city": lambda rng: rng.choice(sample_words.CITIES)[0],
    "country": lambda rng: rng.choice(sample_words.CITIES)[2],
    "street": sample_words.street,
    "company": sample_words.company,
    "given": sample_words.given_name,
    "job": sample_words.job,
    "year": lambda _: str(TODAY.year),
    "number": lambda rng: str(rng.randint(2, 99)),
}
"""Slots of texts that are the same in all languages, apart from those for the thing's person."""

_SLOT = re.compile(r"\{(\w+)\}")
_ARTICLE = re.compile(r"\b([Aa])n? \{(\w+)\}")
_BOUNDS = ("min", "max", "minimum", "maximum", "lowest", "highest", "total", "average")
"""Words in the names of numbers that do not say what is measured."""


class Concept(NamedTuple):
    """One kind of thing, as the catalogue describes it."""

    name: str
    beside: frozenset[str]
    lists: tuple[tuple[Mapping[str, Both], ...], ...]
    texts: Mapping[str, tuple[Both, ...]]
    numbers: Mapping[str, tuple[float, float, float]]


class Thing(NamedTuple):
    """One made-up thing: its concept, the cells that fill its texts, the choice among several texts, and its language."""

    concept: Concept
    cells: Mapping[str, Both]
    turn: int
    language: int = 0

    def told(self, field: str) -> str:
        """Return the text of a field, by the catalogue's name; empty if the catalogue has none."""
        options = self.concept.texts.get(field)
        return _filled(_turned(options, self.turn, field)[self.language], self.cells, self.language) if options else ""

    def number(self, tokens: Sequence[str]) -> tuple[float, float, float] | None:
        """Return lowest value, highest value and step of a numeric field, by the words of its name; None if unknown."""
        return _number_of(self.concept.name, tuple(tokens))

    @property
    def rated(self) -> tuple[float, float] | None:
        """The range of ratings that matches the thing's text, as shares of the scale: the cell `rated`, "0.8 1"; else None."""
        low, _, high = self.cells.get("rated", ("", ""))[0].partition(" ")
        return (float(low), float(high)) if high else None


def draw_thing(concept: Concept, person: str, rng: Random) -> Thing:
    """Return a made-up thing of a concept, which belongs to a person or is one; in German if the world's locale is."""
    first, _, last = person.partition(" ")
    cells: dict[str, Both] = {
        "person": (person, person),
        "first": (first, first),
        "last": (last.rpartition(" ")[2] or first, last.rpartition(" ")[2] or first),
    }
    for rows in concept.lists:
        cells |= rng.choice(rows)
    for slot in _slots(concept.name):
        if slot not in cells:  # the lists of a concept come first
            made = _BUILT_IN[slot](rng)
            cells[slot] = (made, made)
    german = isinstance(rng, LocalRandom) and rng.locale.startswith("de")
    return Thing(concept, cells, rng.randrange(1 << 16), int(german))


@lru_cache(maxsize=16_384)
def concept_of(noun: str, fields: tuple[str, ...] = (), about: tuple[str, ...] = ()) -> Concept | None:
    """Return the concept that a noun means, given the object's fields and what the API is `about`; None if unknown."""
    for meant in _meanings(noun):
        rated = [
            (_weight(_concept(name), fields) + _WHOLE * _spoken_of(_concept(name), about) + _SURE * sure, name)
            for name, sure in meant
        ]
        best = max(rate for rate, _ in rated)
        if best:
            return _concept(next(name for rate, name in rated if rate == best))
    return None


@lru_cache(maxsize=16_384)
def means(noun: str, concept: str) -> bool:
    """Tell whether a noun may mean a concept: a `position`, of job postings."""
    return any(name == concept for meant in _meanings(noun) for name, _ in meant)


def is_catalogued(noun: str) -> bool:
    """Tell whether the catalogue has a concept for a whole noun."""
    return noun in _nouns()


def fits(concept: Concept, fields: tuple[str, ...]) -> int:
    """Return how many distinct words of field names belong to a concept."""
    return len({singular(token) for field in fields for token in name_tokens(field)} & concept.beside)


def _weight(concept: Concept, fields: tuple[str, ...]) -> float:
    """Return how strongly the words of field names point to a concept; each counts less, the more concepts share it."""
    said = {singular(token) for field in fields for token in name_tokens(field)} & concept.beside
    return sum(1 - log(_held()[word]) / log(len(_read())) for word in sorted(said))


@cache
def _held() -> Counter[str]:
    """Return the number of concepts that have each word."""
    return Counter(word for name in _read() for word in _concept(name).beside)


def _spoken_of(concept: Concept, about: tuple[str, ...]) -> int:
    """Return how many words of an API's name start or end like a word of a concept: "clinichelp", of clinics."""
    long = tuple(word for word in concept.beside if len(word) >= _SURELY)
    return sum(singular(word) in concept.beside or word.startswith(long) or word.endswith(long) for word in about)


_SURELY = 4
"""Minimum length of a word for matching the start or end of another."""

_KINDS = word_set("nouns", "kinds")
"""Last words of nouns for kinds of something."""


def translations(noun: str, language: str) -> Callable[[str], str]:
    """Return a function that translates texts about the things that a noun may mean; it returns "" for other texts."""
    meant = next(_meanings(noun), ()) if language == "de" else ()
    forms = [form for name, _ in meant for form in _forms(name)]

    def translated(text: str) -> str:
        fitting = (made(found) for pattern, made in forms if (found := pattern.fullmatch(text)))
        return next((said for said in fitting if said), "")

    return translated


def _filled(template: str, cells: Mapping[str, Both], language: int) -> str:
    if language == 0:
        template = _ARTICLE.sub(lambda found: f"{found[1]}{indefinite(cells[found[2]][0])[1:]}", template)
    text = _SLOT.sub(lambda slot: cells[slot[1]][language], template)
    return text[:1].upper() + text[1:] if " " in text and text.endswith((".", "!", "?")) else text


def _turned(options: Sequence[Any], turn: int, field: str) -> Any:
    """Return one of several options, the same for the same turn, and independent for each field."""
    return options[(turn + sum(map(ord, field))) % len(options)]


@lru_cache(maxsize=4_096)
def _slots(name: str) -> tuple[str, ...]:
    """Return the built-in slots in the texts of a concept."""
    said = " ".join(text for options in _concept(name).texts.values() for text, _ in options)
    return tuple(slot for slot in _BUILT_IN if f"{{{slot}}}" in said)


@lru_cache(maxsize=16_384)
def _number_of(name: str, tokens: tuple[str, ...]) -> tuple[float, float, float] | None:
    said = {singular(token) for token in tokens if token not in _BOUNDS}
    known = _concept(name).numbers
    fitting = [word for word in known if set(map(singular, word.split())) == said - set(name.split())]
    fitting = fitting or [word for word in known if set(map(singular, word.split())) <= said and tokens[-1:] != ("id",)]
    return known[max(fitting, key=len)] if fitting else None


@lru_cache(maxsize=1_024)
def _forms(name: str) -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...]:
    """Return, for the texts of a concept, a pattern of the English text and a function that makes the German one of a match."""
    concept = _concept(name)
    cells = {column: {row[column][0] for row in listed} for listed in concept.lists for column in listed[0]}
    pairs = (pair for options in concept.texts.values() for pair in options)
    told = [
        (english, german) for english, german in pairs if english != german or cells.keys() & _SLOT.findall(english)
    ]
    return tuple((_pattern(english, cells), _form(german, concept.lists)) for english, german in told)


def _pattern(english: str, cells: Mapping[str, Collection[str]]) -> re.Pattern[str]:
    """Return a pattern that matches a text with its slots filled; slots of lists only with their cells."""
    parts, made = _SLOT.split(english), ""
    for place, part in enumerate(parts):
        if place % 2 == 0:
            made += re.sub(r"\b([Aa])\\ $", r"\1n?\\ ", re.escape(part))
        elif part in parts[1:place:2]:
            made += f"(?P={part})"
        else:
            made += (
                f"(?P<{part}>{alternatives(sorted(cells[part], key=len, reverse=True)) if part in cells else '.+?'})"
            )
    return re.compile(made, re.IGNORECASE)


def _form(german: str, lists: Sequence[Sequence[Mapping[str, Both]]]) -> Callable[[re.Match[str]], str]:
    """Return a function that fills a German text with the cells of a matched English one, and with the cells in their rows."""

    def made(found: re.Match[str]) -> str:
        cells = {slot: (text, text) for slot, text in found.groupdict().items()}
        for rows in lists:
            own = cells.keys() & rows[0].keys()
            row = next((row for row in rows if all(row[at][0].lower() == cells[at][0].lower() for at in own)), {})
            cells |= row if own else {}
        return _filled(german, cells, 1) if cells.keys() >= set(_SLOT.findall(german)) else ""

    return made


def _meanings(noun: str) -> Iterator[tuple[tuple[str, bool], ...]]:
    """Yield the concepts of a noun, then of its last words, as far as the catalogue has them.

    A kind of something is looked up by that first, and as "kind" last: "session type".
    """
    words = noun.split()
    named = [" ".join(words[place:]) for place in range(len(words))]
    if len(words) > 1 and words[-1] in _KINDS:
        named.insert(-1, " ".join(words[:-1]))
    return (meant for meant in map(_nouns().get, named) if meant)


@cache
def _nouns() -> Mapping[str, tuple[tuple[str, bool], ...]]:
    """Return the concepts that each noun may mean, each with whether it needs no matching field."""
    found: dict[str, dict[str, bool]] = {}
    for name, held in _read().items():
        for noun in held.get("also", ()):
            found.setdefault(noun, {})[name] = False
        for noun in (name, *held.get("nouns", ())):
            found.setdefault(noun, {})[name] = True
    return {noun: tuple(meant.items()) for noun, meant in found.items()}


@cache
def _concept(name: str) -> Concept:
    held = _read()[name]
    lists = held.get("lists", {}).values()
    return Concept(
        name,
        frozenset(map(singular, held.get("beside", ()))),
        tuple(tuple({cell: (said[0], said[1]) for cell, said in row.items()} for row in rows) for rows in lists),
        {singular(field): tuple((said[0], said[1]) for said in options) for field, options in held["texts"].items()},
        {word: (low, high, step) for word, (low, high, step) in held.get("numbers", {}).items()},
    )


@cache
def _read() -> Mapping[str, Mapping[str, Any]]:
    return {
        name: held
        for path in sorted(_CATALOGUE.glob("*.json"))
        for name, held in orjson.loads(path.read_bytes()).items()
    }
