"""Grammars that ship with the package -> languages that the rules speak: templates, compiled once, and how words bend.

A template is a text with slots, `{label}` or `{label:den}` with a form. What fills a slot is a text, or something that takes
forms: a noun with its article, a wish. Where a language has two forms of address, a template holds both as
`[formal|familiar]`, and the tone of the user decides for both sides.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol

from interplay.schemas.json.yaml_text import parse_yaml
from interplay.schemas.words.articles import indefinite
from interplay.schemas.words.calendar import month_names
from interplay.schemas.words.lists import beside, table

Grammar = Mapping[str, Any]
LANGUAGES = ("en", "de")
"""Languages that ship; the first is the one in which tasks are composed."""

ENGLISH = LANGUAGES[0]
_SLOT = re.compile(r"\{(\w+)(?::([^{}]+))?\}")
_ADDRESS = re.compile(r"\[([^\[\]|]*)\|([^\[\]]*)\]")


class Inflected(Protocol):
    """Something that fills a slot in the form that the slot asks for."""

    def form(self, form: str) -> str:
        """Return it in a form; the plain one, where none is named."""
        ...


Filling = str | Inflected


def as_said(filling: Filling) -> str:
    """Return what fills a slot in its plain form."""
    return filling if isinstance(filling, str) else filling.form("")


@dataclass(frozen=True, eq=False)
class Language:
    """One language in one form of address."""

    code: str
    grammar: Grammar
    familiar: bool = False

    @cached_property
    def speech(self) -> Mapping[str, Any]:
        """How values are said and words joined."""
        found: Mapping[str, Any] = self.grammar["speech"]
        return found

    @cached_property
    def rules(self) -> dict[str, list[tuple[frozenset[str], re.Pattern[str], str]]]:
        """The rules of clauses by their name: what they ask of a value, the pattern of its label, and the text."""
        return {
            name: [(frozenset(needs.split()), re.compile(label), text) for needs, label, text in rules]
            for name, rules in self.grammar["clauses"].items()
        }

    @cached_property
    def turned(self) -> list[tuple[re.Pattern[str], str]]:
        """What becomes of a user's words when the assistant takes them up: patterns, and what stands there instead."""
        return [(re.compile(pattern), text) for pattern, text in self.speech["turned"]]

    @cached_property
    def known(self) -> list[tuple[re.Pattern[str], str]]:
        """What becomes of a wish about something once it is known which one: patterns, and what stands there instead."""
        return [(re.compile(pattern), text) for pattern, text in self.speech["known"]]

    def clause(self, name: str, label: str, kinds: frozenset[str], slots: Mapping[str, Filling]) -> str | None:
        """Return the sentence of the first rule that fits a label and what its value is like, if one does."""
        fitting = _fitting(self, name, label, kinds)
        return None if fitting is None else fill(fitting[0], {**fitting[1], "words": label, **slots})


@lru_cache(maxsize=16_384)
def _fitting(language: Language, name: str, label: str, kinds: frozenset[str]) -> tuple[str, dict[str, str]] | None:
    """Return the text of the first rule that fits, and the words that it takes out of the label."""
    for needs, pattern, text in language.rules[name]:
        found = pattern.fullmatch(label) if needs <= kinds else None
        if found is not None:
            return text, found.groupdict()
    return None


def fill(template: str, slots: Mapping[str, Filling]) -> str:
    """Return a template with its slots filled; one that nothing fills stays as it is."""
    if "{" not in template:
        return template
    parts = compiled(template)
    return "".join([part if isinstance(part, str) else _filled(part, slots.get(part[0])) for part in parts])


def _filled(slot: tuple[str, str, str], value: Filling | None) -> str:
    _, form, text = slot
    if value is None:
        return text
    if not isinstance(value, str):
        return value.form(form)
    return indefinite(value) if form == "a" else _asked_of_you(value) if form == "you" else value


def _asked_of_you(wish: str) -> str:
    """Return what an English wish is where somebody else is asked to do it: see all users -> show me all users."""
    verb, space, rest = wish.partition(" ")
    return f"{_ASKED.get(verb, verb)}{space}{rest}"


_ASKED = table(beside(__file__), "asked")


@lru_cache(maxsize=65_536)
def compiled(template: str) -> tuple[str | tuple[str, str, str], ...]:
    """Return the parts of a template: texts, and slots as name, form and the text that they stand for."""
    parts: list[str | tuple[str, str, str]] = []
    place = 0
    for found in _SLOT.finditer(template):
        if found.start() > place:
            parts.append(template[place : found.start()])
        parts.append((found[1], found[2] or "", found[0]))
        place = found.end()
    return (*parts, template[place:]) if place < len(template) else tuple(parts)


@lru_cache(maxsize=8)
def load_grammar(language: str = ENGLISH) -> Grammar:
    """Read the grammar of a language that ships with the package."""
    text = (Path(__file__).parent / "grammar" / f"{language}.yaml").read_text(encoding="utf-8")
    grammar: Grammar = _with_silences(parse_yaml(text))
    return grammar


def _with_silences(said: Any) -> Any:
    """Return texts with as many empty ones in place of the number that a list of them begins with."""
    if isinstance(said, Mapping):
        return {key: _with_silences(item) for key, item in said.items()}
    if isinstance(said, list) and len(said) > 1 and isinstance(said[0], int) and isinstance(said[-1], str):
        return [""] * said[0] + said[1:]
    return said


def part_of_day(hour: int | None, parts: Sequence[Sequence[Any]]) -> str:
    """Return the word of the first part of the day that ends after an hour; the last one is for hours that nobody knows."""
    return str(next((word for end, word in parts[:-1] if hour is not None and hour < end), parts[-1][1]))


@lru_cache(maxsize=64)
def heard_as(name: str) -> re.Pattern[str]:
    """Return the pattern of words that are taken to do something, in any of the languages."""
    patterns = [load_grammar(code)["hearing"][name] for code in LANGUAGES]
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


def heard_in_month(text: str, month: int) -> bool:
    """Tell whether a text, in small letters, means something by its month: "the one in May"."""
    named = [(load_grammar(code)["hearing"]["month"], month_names(code)[month - 1].lower()) for code in LANGUAGES]
    return any(re.search(pattern.replace("{month}", name), text) for pattern, name in named)


def heard_at_place(text: str, place: int) -> bool:
    """Tell whether a text, in small letters, names a place in a list, counted from zero."""
    for code in LANGUAGES:
        speech = load_grammar(code)["speech"]
        number = fill(speech["number"], {"place": str(place + 1)}).lower()
        if number in text or (place < len(speech["ordinals"]) and re.search(rf"\b{speech['ordinals'][place]}", text)):
            return True
    return False


def ways_to_hear(name: str, kind: str) -> list[str]:
    """Return the words, in all languages, by which something is heard."""
    return [word for code in LANGUAGES for word in load_grammar(code)["hearing"][name][kind]]


@lru_cache(maxsize=16)
def load_language(code: str = ENGLISH, tone: str = "plain") -> Language:
    """Return a language as it is spoken with somebody of a tone."""
    grammar = load_grammar(code)
    return _in_address(code, tone in grammar["familiar"]) if "familiar" in grammar else _in_address(code, None)


@lru_cache(maxsize=16)
def _in_address(code: str, familiar: bool | None) -> Language:
    grammar = load_grammar(code)
    if familiar is None:
        return Language(code, grammar)
    said: Grammar = addressed_to(grammar, familiar)
    return Language(code, said, familiar)


def addressed_to(said: Any, familiar: bool) -> Any:
    """Return texts, lists or mappings of them, in one form of address."""
    if isinstance(said, str):
        return _addressed(said, familiar)
    if isinstance(said, Mapping):
        return {key: addressed_to(item, familiar) for key, item in said.items()}
    return [addressed_to(item, familiar) for item in said] if isinstance(said, Sequence) else said


@lru_cache(maxsize=16_384)
def _addressed(text: str, familiar: bool) -> str:
    return _ADDRESS.sub(lambda found: found[2 if familiar else 1], text) if "[" in text else text
