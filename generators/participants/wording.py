"""Dialogue acts -> sentences, from a grammar that is data: who says what, in whose tone, with which values."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from interplay.generators.participants.speech import (
    CLOCK_STYLES,
    DATE_STYLES,
    MONTHS,
    acronyms,
    article,
    enumerate_words,
    is_plural,
    ordinal,
    say,
    singular_of,
    state,
)
from interplay.generators.participants.styles import styled
from interplay.generators.values.phrases import noun_of, plural
from interplay.generators.values.speakable import label_of
from interplay.schemas.blueprint import Condition, Description, Fact, Persona
from interplay.schemas.canonical import at_pointer
from interplay.schemas.fields import singular
from interplay.schemas.yaml_text import parse_yaml

Grammar = Mapping[str, Any]
PERSONAL = {"name", "email", "phone number", "address", "birth date", "date of birth", "city"}
"""What belongs to the user, in domains whose users speak of themselves."""

ASIDES = 0.4
"""Chance that somebody says a word about themselves, or adds one to an answer."""

LABELS_OR_NOUNS = {"label", "labels", "noun", "nouns", "topic"}
_ONE_OF_MANY = re.compile(r"\b1 (\w+s)\b")
OWN_NAMES = {"name", "full name", "display name", "title", "label", "subject", "username", "summary", "headline"}


@lru_cache(maxsize=8)
def load_grammar(language: str = "en") -> Grammar:
    """Read the grammar of a language that ships with the package."""
    text = (Path(__file__).parent / "grammar" / f"{language}.yaml").read_text(encoding="utf-8")
    grammar: Grammar = parse_yaml(text)
    return grammar


@dataclass
class Words:
    """One side's voice in one dialogue: draws from the grammar, and keeps the values that it has spoken."""

    grammar: Grammar
    rng: Random
    persona: Persona
    sayings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    spoken: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    latest: str = ""
    style: int = field(init=False)

    def __post_init__(self) -> None:
        """Choose how this speaker says dates and times."""
        self.style = self.rng.randrange(DATE_STYLES * CLOCK_STYLES)

    def draw(self, key: str, **slots: str) -> str:
        """Return one alternative of a grammar entry with its slots filled; of the persona's tone where it has tones."""
        if self.persona.verbosity == "brief" and key in self.grammar.get("dispensable", ()):
            return ""
        options = self.grammar[key]
        if isinstance(options, Mapping):
            options = options[self.persona.tone]
        fresh = [option for option in options if option not in self.used or not option]
        chosen: str = self.rng.choice(fresh or [option for option in options if option != self.latest] or options)
        self.used.add(chosen)
        self.latest = chosen or self.latest
        for slot, text in slots.items():
            chosen = chosen.replace(f"{{{slot}}}", acronyms(text) if slot in LABELS_OR_NOUNS else text)
        return chosen

    def aside(self) -> str:
        """Return what shows of a person besides what it wants: how it knows its way, its age, its patience; mostly nothing.

        Those who are brief say none of it, those who are wordy always something. It holds no value and asks for nothing.
        """
        persona, rng = self.persona, self.rng
        if persona.verbosity == "brief" or persona.tone == "terse":
            return ""
        kinds = {"expertise": persona.expertise, "age": persona.age, "patience": persona.patience}
        fitting = [(f"aside_{kind}", own) for kind, own in kinds.items() if own in self.grammar[f"aside_{kind}"]]
        wordy = persona.verbosity == "wordy"
        said = [self.draw_of(*rng.choice(fitting))] if fitting and (wordy or rng.random() < ASIDES) else []
        if wordy and (not said or rng.random() < ASIDES):
            said.append(self.draw("aside_wordy"))
        return " ".join(said)

    def draw_of(self, key: str, kind: str) -> str:
        """Return one alternative of an entry that has some for each kind of person."""
        chosen: str = self.rng.choice(self.grammar[key][kind])
        return chosen

    def afterthought(self) -> str:
        """Return what a wordy person adds to an answer now and then."""
        return self.draw("aside_answer") if self.persona.verbosity == "wordy" and self.rng.random() < ASIDES else ""

    def value(self, value: Any, label: str = "") -> str:
        """Say a value and remember it as spoken."""
        said = say(value, self.style, label)
        self.spoken.append(said)
        return said

    def take_spoken(self) -> tuple[str, ...]:
        """Return what was spoken since the last time."""
        taken = tuple(dict.fromkeys(self.spoken))
        self.spoken.clear()
        return taken

    def fact(self, fact: Fact, alone: bool = False) -> str:
        """Say a fact that the user tells."""
        if fact.description is not None:
            return self.described(fact.label, fact.description)
        if fact.choice is not None:
            return self.choice(fact)
        own = self.sayings.get(fact.label)
        if own:
            said = self.rng.choice(own).replace("{value}", self.value(fact.value, fact.label))
            return _ONE_OF_MANY.sub(lambda found: f"1 {singular(found[1])}", said) if fact.value == 1 else said
        if isinstance(fact.value, bool):
            return self.flag(fact.label, fact.value)
        said = self.value(fact.value, fact.label)
        label = singular_of(fact.label) if isinstance(fact.value, list) and len(fact.value) == 1 else fact.label
        if fact.hint.get("type") == "identity":
            return self.draw("identity", label=fact.label, value=said)
        many = len(fact.value) > 1 if isinstance(fact.value, list) else _counted(fact)
        return self.draw("fact_alone" if alone else "fact", label=label, value=said, **{"is": "are" if many else "is"})

    def wish(self, frame: str, intent: str) -> str:
        """Say a wish in a frame of the grammar; one to hear something is asked as people ask for that."""
        verb, _, rest = intent.partition(" ")
        return (
            self.draw(f"{frame}_know", what=rest)
            if verb == "know" and f"{frame}_know" in self.grammar
            else self.draw(frame, intent=intent)
        )

    def described(self, noun: str, description: Description) -> str:
        """Mean one of several by what it stands out by: "my latest order", "the room with the lowest price", "the one in May".

        What such an item refers to is meant in the same way: "the same doctor as for the appointment in May".
        """
        same, month = "same_" if description.same else "", ""
        if description.kind == "month":
            month = MONTHS[int(description.month[5:]) - 1]
            self.spoken.append(month)
            frame = f"{same}described_month"
        else:
            frame = f"{same}described_amount" if description.label else f"{same}described_time"
        return self.draw(
            frame, kind=description.kind, noun=noun, label=description.label, month=month, same=description.same
        )

    def condition(self, condition: Condition) -> str:
        """Say what a wish depends on: "its status is open"."""
        label = condition.label.removeprefix("is ")
        if isinstance(condition.value, bool):
            return f"the {condition.noun} is {label}" if condition.value else f"the {condition.noun} is not {label}"
        said = self.value(condition.value, label)
        if condition.test != "is":
            said = self.draw(condition.test, value=said)
        return (
            f"the {label} is {said}"
            if label.startswith(condition.noun)
            else f"the {condition.noun}'s {label} is {said}"
        )

    def amiss(self, condition: Condition) -> str:
        """Say what holds and should not, right after what is wanted instead."""
        said = self.value(condition.value, condition.label)
        if isinstance(condition.value, bool):
            return self.draw("amiss_state", state=state(condition.label, condition.value, said))
        return self.draw("amiss", value=said)

    def styled(self, text: str, spoken: Sequence[str]) -> str:
        """Write a text as this person writes; values stay as they are."""
        return styled(text, spoken, self.persona, self.rng)

    def flag(self, label: str, value: bool) -> str:
        """Say a yes-or-no fact: "with a dog", "it is not complete"."""
        first, _, rest = label.partition(" ")
        if first in ("has", "have", "with", "include", "includes") and rest:
            return f"{'with' if value else 'without'} {rest if is_plural(rest) else article(rest)}"
        if first in ("in", "on", "under") and rest:
            return f"it should {'be' if value else 'not be'} {label}"
        if first in ("is", "are", "be") and rest:
            return f"it {'is' if value else 'is not'} {rest}"
        if not rest and label.endswith(("ed", "e", "able", "ible", "ic", "al")):
            return f"it should {'be' if value else 'not be'} {label}"
        if label.endswith("s"):
            return f"{'with' if value else 'without'} {label}"
        return self.draw("yes_flag" if value else "no_flag", label=label)

    def choice(self, fact: Fact) -> str:
        """Say which of several is meant."""
        told = list(fact.value.items())
        if not told:
            self.spoken.append(ordinal(int(str(fact.choice).rsplit("/", 1)[-1])))
            return self.spoken[-1]
        parts = [self._told(pointer, value, first=index == 0) for index, (pointer, value) in enumerate(told)]
        return " ".join(parts)

    def _told(self, pointer: str, value: Any, first: bool) -> str:
        label = label_of(pointer)
        said = self.value(value, label)
        if label in OWN_NAMES:
            return self.rng.choice((said, f"the one called {said}") if first else (f"called {said}",))
        if _is_date(value):
            return f"the one on {said}" if first else f"on {said}"
        if isinstance(value, bool):
            return f"{'the one ' if first else 'and '}{'with' if value else 'without'} {label}"
        if isinstance(value, str) and (label.endswith("name") or value[:1].isupper()):
            return f"the one with {said}" if first else f"with {said}"
        if isinstance(value, str):
            return (
                f"the {said} one"
                if first and len(said.split()) < 3
                else f"the one with {label} {said}"
                if first
                else f"with {label} {said}"
            )
        return f"the one with {label} {said}" if first else f"with {label} {said}"

    def item(self, item: Any, pointers: Sequence[str], position: int) -> str:
        """Describe one item of a list by some of its fields."""
        if not isinstance(item, Mapping):
            return self.value(item)
        parts = []
        for pointer in pointers:
            value = _at(item, pointer)
            if value not in (None, "", [], {}):
                label = label_of(pointer)
                said = self.value(value, label)
                plain = isinstance(value, str) and not isinstance(value, bool)
                parts.append(said if plain else f"{label} {said}")
        return f"{parts[0]} ({', '.join(parts[1:])})" if len(parts) > 1 else "".join(parts) or f"number {position + 1}"

    def noun(self, resource: str | None) -> str:
        """Return what people call one of a resource."""
        return self.names.get(str(resource)) or noun_of(resource)

    def nouns(self, resource: str | None, count: int) -> str:
        """Return the noun for so many of a resource."""
        return self.noun(resource) if count == 1 else plural(self.noun(resource))

    def labels(self, facts: Sequence[Fact]) -> str:
        """Name the things that are asked for, the user's own ones as such."""
        return enumerate_words(
            [f"{'your' if fact.label in PERSONAL and self.sayings else 'the'} {fact.label}" for fact in facts]
        )


def _counted(fact: Fact) -> bool:
    return isinstance(fact.value, int | float) and is_plural(fact.label) and fact.value != 1


def _is_date(value: Any) -> bool:
    return isinstance(value, str) and len(value) >= 10 and value[4:5] == "-" and value[:4].isdigit()


def _at(item: Any, pointer: str) -> Any:
    try:
        return at_pointer(item, pointer)
    except LookupError:
        return None
