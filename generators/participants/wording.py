"""Dialogue acts -> sentences, from a grammar that is data: who says what, in whose tone, with which values."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from interplay.generators.participants.languages import Filling, Grammar, Language, fill, load_grammar, load_language
from interplay.generators.participants.lexicon import Adjective, Lexicon, Listed, Own, Wish
from interplay.generators.participants.speech import (
    CLOCK_STYLES,
    DATE_STYLES,
    acronyms,
    clause_slots,
    enumerate_words,
    is_plural,
    kinds_of,
    say,
    singular_of,
    state,
)
from interplay.generators.participants.styles import styled
from interplay.generators.values.phrases import noun_of, plural
from interplay.generators.values.pronouns import pronominal
from interplay.generators.values.speakable import label_of
from interplay.schemas.blueprint import Condition, Description, Fact, Goal, Persona
from interplay.schemas.canonical import at_pointer
from interplay.schemas.fields import singular
from interplay.schemas.tools import PolicyRule

__all__ = ["Words", "load_grammar"]

PERSONAL = {"name", "email", "phone number", "address", "birth date", "date of birth", "city"}
"""What belongs to the user, in domains whose users speak of themselves."""

ASIDES = 0.4
"""Chance that somebody says a word about themselves, or adds one to an answer."""

LABELS_OR_NOUNS = {"label", "labels", "noun", "nouns", "topic"}
_ONE_OF_MANY = re.compile(r"\b1 (\w+s)\b")
OWN_NAMES = {"name", "full name", "display name", "title", "label", "subject", "username", "summary", "headline"}


@dataclass
class Words:
    """One side's voice in one dialogue: draws from the grammar, and keeps the values that it has spoken.

    What a task says in English, its labels, nouns and wishes, is said by a `lexicon` in any other language.
    """

    grammar: Grammar
    rng: Random
    persona: Persona
    sayings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    language: Language = field(default_factory=load_language)
    lexicon: Lexicon | None = None
    spoken: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    latest: str = ""
    style: int = field(init=False)

    def __post_init__(self) -> None:
        """Choose how this speaker says dates and times."""
        self.style = self.rng.randrange(DATE_STYLES * CLOCK_STYLES)

    def draw(self, key: str, **slots: Filling) -> str:
        """Return one alternative of a grammar entry with its slots filled; of the persona's tone where it has tones."""
        if self.persona.verbosity == "brief" and key in self.grammar.get("dispensable", ()):
            return ""
        options = self.grammar[key]
        if isinstance(options, dict):  # its tones
            options = options[self.persona.tone]
        fresh = [option for option in options if option not in self.used or not option]
        chosen: str = self.rng.choice(fresh or [option for option in options if option != self.latest] or options)
        self.used.add(chosen)
        self.latest = chosen or self.latest
        return self._filled(chosen, slots)

    def fixed(self, key: str, **slots: Filling) -> str:
        """Return the only wording that an entry of the grammar has, with its slots filled."""
        return fill(self.grammar[key], slots) if self.lexicon is None else self._filled(self.grammar[key], slots)

    def _filled(self, template: str, slots: Mapping[str, Filling]) -> str:
        return fill(template, {slot: self._filling(slot, text) for slot, text in slots.items()})

    def _filling(self, slot: str, text: Filling) -> Filling:
        """Return what fills a slot: an English label, noun or wish as the language has it."""
        if not isinstance(text, str):
            return text
        if self.lexicon is None:
            return acronyms(text) if slot in LABELS_OR_NOUNS else text
        if slot in ("label", "noun", "nouns", "same") and text:
            return self.lexicon.term(text, "label" if slot == "label" else "noun")
        return self.lexicon.wish(text) if slot == "intent" else text

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
        translated = self.lexicon.value(value) if self.lexicon is not None and isinstance(value, str) else value
        foreign, value = translated == value, translated
        said = say(value, self.style, label, self.language)
        if self.lexicon is not None and foreign and value == said and _FOREIGN.match(said):
            said = self.quoted(said)
        self.spoken.append(said)
        return said

    def quoted(self, text: str) -> str:
        """Return a text as one that somebody else has written, in whatever language."""
        opening, closing = self.language.speech["quotes"]
        return f"{opening}{text}{closing}"

    def _quoted_once(self, text: str) -> str:
        """Return a text in which what was quoted as a value, and where it stands, is quoted once."""
        if self.lexicon is None:
            return text
        opening, closing = self.language.speech["quotes"]
        return text.replace(opening * 2, opening).replace(closing * 2, closing)

    def enumerate(self, said: Sequence[str]) -> str:
        """Join words as in speech."""
        return enumerate_words(said, self.language)

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
        own = self.sayings.get(fact.label) if self.lexicon is None else self.lexicon.sayings(fact.label)
        if own:
            said = self.rng.choice(own).replace("{value}", self.value(fact.value, fact.label))
            if self.lexicon is not None:
                return self._quoted_once(said)
            return _ONE_OF_MANY.sub(lambda found: f"1 {singular(found[1])}", said) if fact.value == 1 else said
        if isinstance(fact.value, bool):
            return self.flag(fact.label, fact.value)
        said = self.value(fact.value, fact.label)
        label = singular_of(fact.label) if isinstance(fact.value, list) and len(fact.value) == 1 else fact.label
        if fact.hint.get("type") == "identity" and fact.label.endswith(_NUMBERED):
            return self.draw("identity", label=fact.label, value=said)
        many = len(fact.value) > 1 if isinstance(fact.value, list) else is_plural(fact.label) and fact.value != 1
        verb = self.language.speech["is"][many]
        return self.draw("fact_alone" if alone else "fact", label=label, value=said, **{"is": verb})

    def wish(self, frame: str, intent: str) -> str:
        """Say a wish in a frame of the grammar; one to hear something is asked as people ask for that."""
        if self.lexicon is not None:
            wish = self.lexicon.wish(intent)
            asked = wish.asked if f"{frame}_know" in self.grammar else ""
            return self.draw(f"{frame}_know", what=asked) if asked else self.draw(frame, intent=wish)
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
            month = self.language.speech["months"][int(description.month[5:]) - 1]
            self.spoken.append(month)
            frame = f"{same}described_month"
        else:
            frame = f"{same}described_amount" if description.label else f"{same}described_time"
        return self.draw(
            frame,
            kind=self._kind(noun, description),
            noun=noun,
            label=description.label,
            month=month,
            same=description.same,
        )

    def _kind(self, noun: str, description: Description) -> Filling:
        """Return "latest" or "lowest" as it stands before what it speaks of."""
        if description.kind == "month":
            return ""
        if self.lexicon is None:
            kind: str = self.grammar["kinds"][description.kind]
            return kind
        whose = self.lexicon.term(description.label) if description.label else self.lexicon.term(noun, "noun")
        return self.lexicon.adjective(description.kind, whose)

    def elliptical_wish(self, frame: str, intent: str) -> str:
        """Say a wish with a pronoun for what it is about in a frame of the grammar."""
        short = self.elliptical(intent)
        said = self.wish(frame, short) if isinstance(short, str) and short else self.draw(frame, intent=short or intent)
        return self.ordered(said)

    def ordered(self, text: str) -> str:
        """Return a text with its pronouns where the language has them."""
        for pattern, order in self.language.speech["order"]:
            text = re.sub(pattern, order, text)
        return text

    def vague(self, noun: str) -> str:
        """Name what a wish is about, and no more."""
        many = noun.endswith("s") and not noun.endswith("ss")
        hint = self._hint("hints_many" if many else "hints", noun)
        return self.draw("vague", noun=hint if self.lexicon is None else Wish(hint))

    def _hint(self, key: str, noun: str) -> str:
        chosen: str = self.rng.choice(self.grammar[key])
        return fill(chosen, {"noun": noun} if self.lexicon is None else {"noun": self.lexicon.term(noun, "noun")})

    @property
    def that(self) -> Filling:
        """Stands for a wish that has no name."""
        return self.fixed("that") if self.lexicon is None else Wish(self.grammar["that"])

    def purpose(self, goal: Goal) -> str:
        """Say what a wish is for."""
        return goal.purpose if self.lexicon is None else self.lexicon.purpose(goal.purpose)

    def rule(self, rule: PolicyRule) -> str:
        """Return the text of a rule."""
        return rule.text if self.lexicon is None else self.lexicon.own.rules.get(rule.id, rule.text)

    def reason(self, rule: PolicyRule) -> str:
        """Return how a user is told of a rule."""
        return rule.reason if self.lexicon is None else self.lexicon.reason(rule.id, rule.reason)

    def refusal(self, rule: PolicyRule) -> str:
        """Refuse by a rule, for the reason that users are told, or in the words of the rule."""
        reason = self.reason(rule)
        return self.draw("refuse", reason=reason) if reason else self.draw("refuse_by", rule=self.rule(rule))

    def elliptical(self, intent: str) -> Filling:
        """Return a wish with a pronoun for what it is about; nothing where it has no plain object."""
        short = pronominal(intent)
        if self.lexicon is None or not short:
            return short
        return self.lexicon.wish(intent).pronominal or ""

    def turned(self, intent: str) -> Filling:
        """Turn a wish in the user's words round: "settle my bill" -> "settle your bill"."""
        wish = intent if self.lexicon is None else self.lexicon.wish(intent).text
        for pattern, text in self.language.turned:
            wish = pattern.sub(text, wish)
        return wish if self.lexicon is None else Wish(wish)

    def condition(self, condition: Condition) -> str:
        """Say what a wish depends on: "its status is open"."""
        label, noun = condition.label.removeprefix("is "), condition.noun
        if isinstance(condition.value, bool):
            slots: dict[str, Filling] = {"noun": noun} if self.lexicon is None else {}
            own = self.lexicon.condition(label, condition.value) if self.lexicon else ""
            own = own or self.language.clause("depends", label, kinds_of(label, condition.value), slots) or ""
            return own or self.fixed("depends_yes" if condition.value else "depends_no", noun=noun, label=label)
        said = self.value(condition.value, label)
        if condition.test != "is":
            said = self.draw(condition.test, value=said)
        frame = "depends_own" if label.startswith(noun) else "depends"
        frame += "_amount" if isinstance(condition.value, (int, float)) else ""
        return self._quoted_once(self.fixed(frame, noun=noun, label=label, value=said))

    def state(self, label: str, value: Any, said: str) -> str:
        """Say what a field of a result holds."""
        if self.lexicon is None:
            return state(label, value, said, self.language)
        own = self.lexicon.clause(label, value)
        if own:
            return fill(own, {"value": said})
        slots: dict[str, Filling] = {"label": self.lexicon.term(label), "value": said}
        return self.language.clause("state", label, kinds_of(label, value), slots) or ""

    def amiss(self, condition: Condition) -> str:
        """Say what holds and should not, right after what is wanted instead."""
        said = self.value(condition.value, condition.label)
        if isinstance(condition.value, bool):
            return self.draw("amiss_state", state=self.state(condition.label, condition.value, said))
        return self.draw("amiss", value=said)

    def styled(self, text: str, spoken: Sequence[str]) -> str:
        """Write a text as this person writes; values stay as they are."""
        return styled(text, spoken, self.persona, self.rng, self.language.speech)

    def flag(self, label: str, value: bool) -> str:
        """Say a yes-or-no fact: "with a dog", "it is not complete"."""
        slots = clause_slots(label, value, "", self.language)
        said = self.language.clause("flag", label, kinds_of(label, value), slots)
        return said or self.draw("yes_flag" if value else "no_flag", label=label)

    def nth(self, place: int, noun: str) -> Filling:
        """Name the place of one among several, counted from zero, before its noun: "the first"."""
        ordinals = self.language.speech["ordinals"]
        if place >= len(ordinals):
            return fill(self.language.speech["number"], {"place": str(place + 1)})
        if self.lexicon is not None:
            return Adjective(ordinals[place], self.lexicon.term(noun, "noun"))
        return fill(self.language.speech["nth"], {"nth": ordinals[place]})

    def nth_one(self, place: int, noun: str) -> str:
        """Name the place of one among several, counted from zero: "the first one"."""
        speech = self.language.speech
        if place >= len(speech["ordinals"]):
            return fill(speech["number"], {"place": str(place + 1)})
        nth = self.nth(place, noun) if self.lexicon is not None else speech["ordinals"][place]
        return fill(speech["nth_one"], {"nth": nth})

    def choice(self, fact: Fact) -> str:
        """Say which of several is meant."""
        told = list(fact.value.items())
        if not told:
            self.spoken.append(self.nth_one(int(str(fact.choice).rsplit("/", 1)[-1]), fact.label))
            return self.spoken[-1]
        parts = [
            self._told(pointer, value, "" if index == 0 else "_also", fact.label)
            for index, (pointer, value) in enumerate(told)
        ]
        return " ".join(parts)

    def _told(self, pointer: str, value: Any, also: str, noun: str) -> str:
        label = label_of(pointer)
        said = self.value(value, label)
        if label in OWN_NAMES:
            chosen: str = self.rng.choice(self.grammar[f"called{also}"])
            return self._filled(chosen, {"value": said, "noun": noun})
        if _is_date(value):
            frame = "on_day"
        elif isinstance(value, bool):
            frame = "with_flag" if value else "without_flag"
        elif isinstance(value, str) and (label.endswith("name") or (value[:1].isupper() and self.lexicon is None)):
            frame = "with_name"
        elif isinstance(value, str) and not also and len(said.split()) < _LONG:
            frame = "like"
        else:
            frame = "with_value"
        return self.fixed(f"{frame}{also}", value=said, noun=noun, label=label)

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
                parts.append(said if plain else self.fixed("item_field", label=label, value=said))
        if len(parts) > 1:
            return self.fixed("item", first=parts[0], rest=", ".join(parts[1:]))
        return "".join(parts) or fill(self.language.speech["number"], {"place": str(position + 1)})

    def noun(self, resource: str | None) -> str:
        """Return what people call one of a resource."""
        return self.names.get(str(resource)) or noun_of(resource)

    def nouns(self, resource: str | None, count: int) -> Filling:
        """Return the noun for so many of a resource."""
        return self.noun(resource) if count == 1 else self.many(self.noun(resource))

    def many(self, noun: str) -> Filling:
        """Return the noun for several of a thing."""
        return plural(noun) if self.lexicon is None else self.lexicon.many(noun)

    def labels(self, facts: Sequence[Fact]) -> Filling:
        """Name the things that are asked for, the user's own ones as such."""
        return self.named([fact.label for fact in facts])

    def named(self, labels: Sequence[str]) -> Filling:
        """Name things by their labels, the user's own ones as such."""
        speech, lexicon = self.language.speech, self.lexicon
        if lexicon is None:
            return self.enumerate(
                [fill(speech["own" if self._owns(label) else "other"], {"label": label}) for label in labels]
            )
        terms = [(lexicon.term(label), self._owns(label)) for label in labels]
        forms = self.language.grammar["owned"]
        return Listed([Own(term, forms) if own else term for term, own in terms], speech["and"])

    def _owns(self, label: str) -> bool:
        return label in PERSONAL and bool(self.sayings)


_FOREIGN = re.compile(r"(?=[A-Za-z].*\s).*\b(?!(?:von|van|de|der|den|la|le|du|bin|al)\b)[a-z]{2,}(?:\s|$|[.,!?])")
"""A value that is a text in English rather than a name, a number or a code: it is quoted in other languages."""

_NUMBERED = ("number", "code", "id")
"""Ends of labels that stand right before the value that they name: "ticket number 8818"."""

_LONG = 3
"""Words of a value that is too long to stand before a noun."""


def _is_date(value: Any) -> bool:
    return isinstance(value, str) and len(value) >= 10 and value[4:5] == "-" and value[:4].isdigit()


def _at(item: Any, pointer: str) -> Any:
    try:
        return at_pointer(item, pointer)
    except LookupError:
        return None
