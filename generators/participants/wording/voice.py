"""Dialogue acts -> sentences of one speaker, from a grammar that is data: in the persona's tone, with given values."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from random import Random
from typing import Any

from interplay.generators.participants.wording.capitalisation import begun_otherwise, to_the_letter
from interplay.generators.participants.wording.habits import styled
from interplay.generators.participants.wording.inflection import Listed, Own, Wish
from interplay.generators.participants.wording.languages import (
    Filling,
    Grammar,
    Language,
    fill,
    load_grammar,
    load_language,
    part_of_day,
)
from interplay.generators.participants.wording.lexicon import Lexicon
from interplay.generators.participants.wording.value_phrases import (
    CLOCK_STYLES,
    DATE_STYLES,
    NEAR_STYLES,
    acronyms,
    enumerate_words,
    is_far,
    kinds_of,
    say,
    state,
)
from interplay.generators.phrases.labels.field_labels import without_unit
from interplay.generators.phrases.speakable_values import is_moment
from interplay.generators.phrases.topic_nouns import noun_of
from interplay.generators.values.moments import day_of
from interplay.schemas.records.blueprint import Fact, Goal
from interplay.schemas.records.recipe import Persona
from interplay.schemas.records.tool import PolicyRule
from interplay.schemas.words.nouns import plural, singular

__all__ = ["Voice", "load_grammar"]

PERSONAL = {"name", "email", "phone number", "address", "birth date", "date of birth", "city"}
"""Labels of the user's own data, in domains whose users speak of themselves."""

_TRIES = 3
"""Random wordings to try before all are searched for an unused one."""

LABELS_OR_NOUNS = {"label", "labels", "noun", "nouns", "topic"}


@lru_cache(maxsize=16_384)
def _is_of_the_day(template: str) -> bool:
    """Tell whether a template has a slot for the part of the day or the assistant's name."""
    return any(slot in template for slot in ("{part}", "{rest}", "{assistant}"))


@dataclass(frozen=True)
class WorldClock:
    """The date of a dialogue, and the hour if known."""

    day: date
    hour: int | None = None


@dataclass
class Voice:
    """One side's voice in one dialogue: draws from the grammar, and records the values that it has spoken.

    If it is `personal`, the toolset's labels of names and addresses are the user's own; labels in `own` always are. A `candid`
    user gives no reasons beyond the scenario. The English labels, nouns and wishes of a task are translated by the `lexicon` in
    any other language.
    """

    grammar: Grammar
    rng: Random
    persona: Persona
    sayings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    language: Language = field(default_factory=load_language)
    lexicon: Lexicon | None = None
    askings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    clauses: Mapping[str, str] = field(default_factory=dict)
    deeds: Mapping[str, Sequence[str]] = field(default_factory=dict)
    things: Mapping[str, str] = field(default_factory=dict)
    told: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    reasons: Mapping[str, Sequence[str]] = field(default_factory=dict)
    codes: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    candid: bool = False
    personal: bool = True
    own: frozenset[str] = frozenset()
    spoken: list[str] = field(default_factory=list)
    exact: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    latest: str = ""
    now: WorldClock | None = None
    assistant: str = ""
    moments: set[str] = field(default_factory=set)
    in_full: bool = False
    """Whether all dates are said with their year."""
    style: int = field(init=False)

    def __post_init__(self) -> None:
        """Choose how this speaker says dates and times."""
        self.style = self.rng.randrange(DATE_STYLES * CLOCK_STYLES * len(NEAR_STYLES))
        hour = None if self.now is None else self.now.hour
        parts = {name: part_of_day(hour, self.language.speech[name]) for name in ("part", "rest")}
        self._common = {**parts, "assistant": self.assistant}

    def draw(self, key: str, **slots: Filling) -> str:
        """Return one alternative of a grammar entry with its slots filled, in the persona's tone if the entry has tones."""
        if self.persona.verbosity == "brief" and key in self.grammar.get("dispensable", ()):
            return ""
        options = self.grammar[key]
        if isinstance(options, dict):  # by tone
            options = options[self.persona.tone]
        chosen = self._fresh(self.beginning(options, slots.get("value", "")))
        self.used.add(chosen)
        self.latest = chosen or self.latest
        return self.filled(chosen, slots)

    def beginning(self, options: Sequence[str], value: Filling) -> Sequence[str]:
        """Return the wordings that may begin a sentence: none with a value first if that is a name in lower case."""
        small = isinstance(value, str) and value[:1].islower() and value in self.exact
        return begun_otherwise(options) if small else options

    def _fresh(self, options: Sequence[str]) -> str:
        """Choose a wording that was not used yet, as long as there is one; silence may be repeated."""
        used, draw, count = self.used, self.rng.random, len(options)
        for _ in range(_TRIES):
            chosen = options[int(draw() * count)]
            if not chosen or chosen not in used:
                return chosen
        fresh = [option for option in options if option not in used or not option]
        return self.rng.choice(fresh or [option for option in options if option != self.latest] or options)

    def fixed(self, key: str, **slots: Filling) -> str:
        """Return the only wording of a grammar entry with its slots filled."""
        return self.filled(self.grammar[key], slots)

    def filled(self, template: str, slots: Mapping[str, Filling]) -> str:
        filled = {slot: self._filling(slot, text) for slot, text in slots.items()} if slots else slots
        return fill(template, {**self._common, **filled} if _is_of_the_day(template) else filled)

    def _filling(self, slot: str, text: Filling) -> Filling:
        """Return the filling of a slot: an English label, noun or wish in the voice's language."""
        if not isinstance(text, str):
            return text
        if self.lexicon is None:
            return acronyms(without_unit(text)[0] if slot == "label" else text) if slot in LABELS_OR_NOUNS else text
        if slot in ("label", "noun", "nouns", "same") and text:
            return self.lexicon.term(text, "label" if slot == "label" else "noun")
        return self.lexicon.wish(text) if slot == "intent" else text

    def translated(self, value: Any) -> Any:
        """Return a value of the tools in the voice's language."""
        return self.lexicon.value(value) if self.lexicon is not None and isinstance(value, str) else value

    def value(self, value: Any, label: str = "") -> str:
        """Say a value and record it as spoken."""
        translated = self.translated(self._decoded(value, label))
        foreign, value = translated == value, translated
        today = self.now.day if self.now is not None and not self.in_full else None
        said = say(value, self.style, label, self.language, today)
        if is_moment(value):
            self.moments.add(said)
        unit = without_unit(label)[1] if self.lexicon is None and type(value) in (int, float) else ""
        said = f"{said} {singular(unit) if value == 1 else unit}" if unit else said
        if foreign and isinstance(value, str) and value in said:
            self.exact.add(said)
        if isinstance(value, list):
            self.exact.update(item for item in value if isinstance(item, str) and item and item in said)
        if self.lexicon is not None and foreign and value == said and _FOREIGN.match(said):
            said = self.quoted(said)
        self.spoken.append(said)
        return said

    @contextmanager
    def days_alike(self, values: Iterable[Any]) -> Iterator[None]:
        """Within this context, say all dates with their year if one of `values` needs it."""
        days = [day for value in values if (day := day_of(value)) is not None] if self.now is not None else []
        self.in_full = len(days) > 1 and self.now is not None and any(is_far(day, self.now.day) for day in days)
        try:
            yield
        finally:
            self.in_full = False

    def _decoded(self, value: Any, label: str) -> Any:
        """Return what a coded number stands for, if a tool says so: "Saturday" for day of week 6; else the value itself."""
        if type(value) is not int or self.lexicon is not None:
            return value
        own = (codes for field, codes in self.codes.items() if label == field or label.endswith(f" {field}"))
        return next(own, {}).get(value, value)

    def quoted(self, text: str) -> str:
        """Return a text in quotation marks, as the words of somebody else."""
        opening, closing = self.language.speech["quotes"]
        return f"{opening}{text}{closing}"

    def quoted_once(self, text: str) -> str:
        """Return a text without doubled quotation marks."""
        if self.lexicon is None:
            return text
        opening, closing = self.language.speech["quotes"]
        return text.replace(opening * 2, opening).replace(closing * 2, closing)

    def enumerate(self, said: Sequence[str]) -> str:
        """Join words as in speech."""
        return enumerate_words(said, self.language)

    def to_the_letter(self, text: str) -> str:
        """Return a text with the names that were spoken since `take_spoken` in their original case."""
        for pattern, joined in self.language.speech["joined"] if self.moments else ():
            text = re.sub(pattern, joined, text)
        return to_the_letter(text, self.exact, self.spoken)

    def take_spoken(self) -> tuple[str, ...]:
        """Return and forget the values spoken since the last call."""
        taken = tuple(dict.fromkeys(self.spoken))
        self.spoken.clear()
        self.exact.clear()
        return taken

    def ordered(self, text: str) -> str:
        """Return a text with its pronouns in the word order of the language."""
        for pattern, order in self.language.speech["order"]:
            text = re.sub(pattern, order, text)
        return text

    def unknown(self, label: str) -> str:
        """Return the key of the wording for "I do not know", depending on whether there is a term for the label."""
        known = bool(label) if self.lexicon is None else self.lexicon.knows(label)
        return "unknown" if known else "unknown_that"

    def purpose(self, goal: Goal) -> str:
        """Say the purpose of a goal."""
        return goal.purpose if self.lexicon is None else self.lexicon.purpose(goal.purpose)

    def rule(self, rule: PolicyRule) -> str:
        """Return the text of a rule."""
        return rule.text if self.lexicon is None else self.lexicon.own.rules.get(rule.id, rule.text)

    def reason(self, rule: PolicyRule) -> str:
        """Return the reason of a rule, as told to users."""
        return rule.reason if self.lexicon is None else self.lexicon.reason(rule.id, rule.reason)

    def refusal(self, rule: PolicyRule) -> str:
        """Refuse by a rule, with the reason told to users, else with the text of the rule."""
        reason = self.reason(rule)
        return self.draw("refuse", reason=reason) if reason else self.draw("refuse_by", rule=self.rule(rule))

    def turned(self, intent: str, known: bool = False) -> Filling:
        """Return a wish from the assistant's view: "settle a bill" -> "settle the bill" if it is `known` which one."""
        wish = intent if self.lexicon is None else self.lexicon.wish(intent).text
        for pattern, text in (*self.language.turned, *(self.language.known if known else ())):
            wish = pattern.sub(text, wish)
        return wish if self.lexicon is None else Wish(wish)

    def run_on(self, text: str) -> str:
        """Join a topic and what is said of it to one sentence: "As for the fax, it was sent"."""
        for pattern, joined in self.language.speech["run_on"]:
            text = re.sub(pattern, joined, text, count=1)
        return text

    def is_said(self, intent: str) -> bool:
        """Tell whether the language has words for a wish."""
        return self.lexicon is None or self.lexicon.speaks_of(intent)

    def state(self, label: str, value: Any, said: str, tool: str = "") -> str:
        """State the value of a result's field, in the words of its `tool` if it has some."""
        if self.lexicon is None:
            own = self.told.get(tool, {}).get(label) or self.clauses.get(label, "")
            clause = "" if isinstance(value, bool) else own
            return fill(clause, {"value": said}) if clause else state(label, value, said, self.language)
        own = self.lexicon.clause(label, value)
        if own:
            return fill(own, {"value": said})
        slots: dict[str, Filling] = {"label": self.lexicon.term(label), "value": said}
        return self.language.clause("state", label, kinds_of(label, value), slots) or ""

    def deed(self, tool: str) -> str:
        """Return a tool's own sentence that reports its action; empty if it has none."""
        known = self.deeds.get(tool, ()) if self.lexicon is None else ()
        return self._fresh(known) if known else ""

    def why(self, tool: str) -> str:
        """Return a tool's own reason for which people ask for it; empty if it has none."""
        known = self.reasons.get(tool, ())
        if self.lexicon is not None:
            known = [said for reason in known if (said := self.lexicon.known_purpose(reason))]
        return self._fresh(known) if known else ""

    def asking(self, label: str) -> str:
        """Return a question for the value of a label; empty if none is known."""
        known = self.askings.get(label, ()) if self.lexicon is None else self.lexicon.askings(label)
        return self._fresh(known) if known else ""

    def question(self, goal: Goal) -> str:
        """Return a goal as the user's question; empty if it has none in this language."""
        return goal.question if self.lexicon is None else self.lexicon.question(goal.question)

    def styled(self, text: str, spoken: Sequence[str]) -> str:
        """Return a text in the persona's writing style; values stay unchanged."""
        return styled(text, spoken, self.persona, self.rng, self.language.speech)

    def noun(self, resource: str | None) -> str:
        """Return the noun for one row of a resource."""
        return noun_of(resource, self.names)

    def nouns(self, resource: str | None, count: int) -> Filling:
        """Return the noun for `count` rows of a resource."""
        return self.noun(resource) if count == 1 else self.many(self.noun(resource))

    def many(self, noun: str) -> Filling:
        """Return the plural of a noun."""
        return plural(noun) if self.lexicon is None else self.lexicon.many(noun)

    def speaks_of(self, text: str, noun: str) -> bool:
        """Tell whether a text contains a noun or its plural."""
        single = singular(noun)
        if self.lexicon is None:
            return single in text or plural(single) in text
        term = self.lexicon.term(single, "noun").term
        return term.noun in text or term.plural in text

    def labels(self, facts: Sequence[Fact], anew: bool = False) -> Filling:
        """Name the facts that are asked for, with "my" or "your" if they are the user's own, and with "new" if set `anew`."""
        if anew and self.lexicon is None and len(facts) == 1 and facts[0].sets and "new" not in facts[0].label.split():
            return self.named([f"new {facts[0].label}"])
        return self.named([fact.label for fact in facts])

    def named(self, labels: Sequence[str]) -> Filling:
        """Name things by their labels, with a possessive if they are the user's own."""
        speech, lexicon = self.language.speech, self.lexicon
        if lexicon is None:
            return self.enumerate(
                [fill(speech["own" if self.owns(label) else "other"], {"label": acronyms(label)}) for label in labels]
            )
        terms = [(lexicon.term(label), self.owns(label)) for label in labels]
        forms = self.language.grammar["owned"]
        return Listed([Own(term, forms) if own else term for term, own in terms], speech["and"])

    def owns(self, label: str) -> bool:
        """Tell whether a label names something of the user's own."""
        return label in self.own or (label in PERSONAL and self.personal and bool(self.sayings))


_FOREIGN = re.compile(r"(?=[^\W\d_].*\s).*\b(?!(?:von|van|de|der|den|la|le|du|bin|al)\b)[a-zäöüß]{2,}(?:\s|$|[.,!?])")
"""A value that is English text rather than a name, a number or a code: it is quoted in other languages."""
