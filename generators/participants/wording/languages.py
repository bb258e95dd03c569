"""The grammars of the package -> languages of the rules: compiled templates and rules of inflection.

A template is a text with slots, `{label}`, or `{label:den}` with a form. A slot is filled by a text or by something
inflected: a noun with its article, a wish. If a language has two forms of address, a template holds both as
`[formal|familiar]`, and the user's tone decides for both sides.
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
"""Languages of the package; the first is the one in which tasks are composed."""

ENGLISH = LANGUAGES[0]
_SLOT = re.compile(r"\{(\w+)(?::([^{}]+))?\}")
_ADDRESS = re.compile(r"\[([^\[\]|]*)\|([^\[\]]*)\]")


class Inflected(Protocol):
    """Fills a slot in the form that the slot asks for."""

    def form(self, form: str) -> str:
        """Return the text in a form; in the plain one if `form` is empty."""
        ...


Filling = str | Inflected


def as_said(filling: Filling) -> str:
    """Return the plain form of a filling."""
    return filling if isinstance(filling, str) else filling.form("")


@dataclass(frozen=True, eq=False)
class Language:
    """One language in one form of address."""

    code: str
    grammar: Grammar
    familiar: bool = False

    @cached_property
    def speech(self) -> Mapping[str, Any]:
        """How values are said and words are joined."""
        found: Mapping[str, Any] = self.grammar["speech"]
        return found

    @cached_property
    def rules(self) -> dict[str, list[tuple[frozenset[str], re.Pattern[str], str]]]:
        """The rules of clauses by name: kinds that the value must have, a pattern of its label, and the text."""
        return {
            name: [(frozenset(needs.split()), re.compile(label), text) for needs, label, text in rules]
            for name, rules in self.grammar["clauses"].items()
        }

    @cached_property
    def turned(self) -> list[tuple[re.Pattern[str], str]]:
        """Patterns and replacements that turn a user's words into the assistant's."""
        return [(re.compile(pattern), text) for pattern, text in self.speech["turned"]]

    @cached_property
    def known(self) -> list[tuple[re.Pattern[str], str]]:
        """Patterns and replacements for a wish once it is known which row it means."""
        return [(re.compile(pattern), text) for pattern, text in self.speech["known"]]

    def clause(self, name: str, label: str, kinds: frozenset[str], slots: Mapping[str, Filling]) -> str | None:
        """Return the sentence of the first rule that matches a label and the kinds of its value; None if none does."""
        fitting = _fitting(self, name, label, kinds)
        return None if fitting is None else fill(fitting[0], {**fitting[1], "words": label, **slots})


@lru_cache(maxsize=16_384)
def _fitting(language: Language, name: str, label: str, kinds: frozenset[str]) -> tuple[str, dict[str, str]] | None:
    """Return the text of the first matching rule, and the groups that its pattern finds in the label."""
    for needs, pattern, text in language.rules[name]:
        found = pattern.fullmatch(label) if needs <= kinds else None
        if found is not None:
            return text, found.groupdict()
    return None


def fill(template: str, slots: Mapping[str, Filling]) -> str:
    """Return a template with its slots filled; slots without a filling stay, and a unit in both is said once."""
    if "{" not in template:
        return template
    filled: list[str] = []
    for part in compiled(template):
        if isinstance(part, str):
            unit = filled[-1].rpartition(" ")[2] if filled else ""
            filled.append(part.removeprefix(f" {unit}") if _goes_on_with(unit, part) else part)
        else:
            filled.append(_filled(part, slots.get(part[0])))
    return "".join(filled)


def _goes_on_with(unit: str, text: str) -> bool:
    """Tell whether a text goes on with the very word before it: "5 milliseconds", " milliseconds long"."""
    return len(unit) > 1 and unit.isalpha() and text.startswith(f" {unit}") and not text[len(unit) + 1 :][:1].isalnum()


def _filled(slot: tuple[str, str, str], value: Filling | None) -> str:
    _, form, text = slot
    if value is None:
        return text
    if not isinstance(value, str):
        return value.form(form)
    return indefinite(value) if form == "a" else _asked_of_you(value) if form == "you" else value


def _asked_of_you(wish: str) -> str:
    """Return an English wish as a request to somebody else: see all users -> show me all users."""
    verb, space, rest = wish.partition(" ")
    return f"{_ASKED.get(verb, verb)}{space}{rest}"


_ASKED = table(beside(__file__), "asked")


@lru_cache(maxsize=65_536)
def compiled(template: str) -> tuple[str | tuple[str, str, str], ...]:
    """Return the parts of a template: texts, and slots as name, form and source text."""
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
    """Read the grammar of a language of the package."""
    text = (Path(__file__).parent / "grammar" / f"{language}.yaml").read_text(encoding="utf-8")
    grammar: Grammar = _with_silences(parse_yaml(text))
    return grammar


def _with_silences(said: Any) -> Any:
    """Replace a number at the beginning of a list of texts by as many empty texts."""
    if isinstance(said, Mapping):
        return {key: _with_silences(item) for key, item in said.items()}
    if isinstance(said, list) and len(said) > 1 and isinstance(said[0], int) and isinstance(said[-1], str):
        return [""] * said[0] + said[1:]
    return said


def part_of_day(hour: int | None, parts: Sequence[Sequence[Any]]) -> str:
    """Return the word for the part of the day at an hour; the last one if the hour is unknown."""
    return str(next((word for end, word in parts[:-1] if hour is not None and hour < end), parts[-1][1]))


@lru_cache(maxsize=64)
def heard_as(name: str) -> re.Pattern[str]:
    """Return a pattern of the words, in any of the languages, that are understood as `name`."""
    patterns = [load_grammar(code)["hearing"][name] for code in LANGUAGES]
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


def heard_in_month(text: str, month: int) -> bool:
    """Tell whether a lower-case text refers to something by its month: "the one in May"."""
    named = [(load_grammar(code)["hearing"]["month"], month_names(code)[month - 1].lower()) for code in LANGUAGES]
    return any(re.search(pattern.replace("{month}", name), text) for pattern, name in named)


def heard_at_place(text: str, place: int) -> bool:
    """Tell whether a lower-case text names a position in a list, counted from zero."""
    for code in LANGUAGES:
        speech = load_grammar(code)["speech"]
        number = fill(speech["number"], {"place": str(place + 1)}).lower()
        if number in text or (place < len(speech["ordinals"]) and re.search(rf"\b{speech['ordinals'][place]}", text)):
            return True
    return False


def ways_to_hear(name: str, kind: str) -> list[str]:
    """Return the words, in all languages, by which something is understood."""
    return [word for code in LANGUAGES for word in load_grammar(code)["hearing"][name][kind]]


@lru_cache(maxsize=16)
def load_language(code: str = ENGLISH, tone: str = "plain") -> Language:
    """Return a language in the form of address for a user's tone."""
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
    """Return texts, or lists or mappings of them, in one form of address."""
    if isinstance(said, str):
        return _addressed(said, familiar)
    if isinstance(said, Mapping):
        return {key: addressed_to(item, familiar) for key, item in said.items()}
    return [addressed_to(item, familiar) for item in said] if isinstance(said, Sequence) else said


@lru_cache(maxsize=16_384)
def _addressed(text: str, familiar: bool) -> str:
    return _ADDRESS.sub(lambda found: found[2 if familiar else 1], text) if "[" in text else text
