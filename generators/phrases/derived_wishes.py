"""Wishes derived from a call or its result: to know a value, to have it changed, to have it done for each row."""

import re
from collections.abc import Sequence

from interplay.generators.phrases.labels.field_labels import MONEY, label_of, without_unit
from interplay.schemas.json.canonical import last_name
from interplay.schemas.records.phrases import ToolPhrases
from interplay.schemas.words.articles import indefinite
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import alternatives, beside, table, word_set, words
from interplay.schemas.words.nouns import PERSON_NOUNS, is_plural, plural, singular
from interplay.schemas.words.word_classes import can_be_noun, is_predicate


def for_each_of(wishes: Sequence[str], said: str, noun: str) -> str:
    """Return a wish about each listed row: made from `said`, or from another wish if that fits the `noun` better."""
    every = {wish: for_each(wish, noun) for wish in (said, *wishes)}
    return next((each for wish, each in every.items() if not each.startswith(f"{wish} ")), every[said])


def for_each(intent: str, noun: str) -> str:
    """Return a wish about each listed row: "cancel an appointment" -> "cancel each appointment"."""
    for word in dict.fromkeys((noun, noun.rpartition(" ")[2], noun.partition(" ")[0])):
        changed, count = re.subn(
            rf"\b(?:an?|the|my|one) ((?:\w+ ){{0,2}}{re.escape(word)})\b", r"each \1", intent, count=1
        )
        if count:
            return changed
    person = noun.rpartition(" ")[2] in _PEOPLE and ANYBODY.search(intent) is not None
    return ANYBODY.sub(f"each {noun}", intent, count=1) if person else f"{intent} for each {noun}"


_PEOPLE = PERSON_NOUNS | word_set("people", "mailed")
ANYBODY = re.compile(rf"\b(?:{alternatives(words(beside(__file__), 'anybody'))})\b")
"""Indefinite pronouns for people, in wishes without a noun for them: "send somebody a mail"."""


_WHICH = word_set(beside(__file__), "which")
"""Words before a participle that do not name what it was done to."""

_HAPPENING = {"opens", "closes", "starts", "ends", "begins", "departs", "arrives", "expires"}
"""Labels of times that are verbs: nobody asks for "the opens" of a shop."""


def phrased_field(phrases: ToolPhrases, pointer: str) -> str:
    """Return the name of the field at `pointer` if it belongs to the row itself, so that `phrases` may have it; else empty."""
    name = last_name(pointer)
    own = label_of(f"/{name}")
    return name if label_of(pointer) in (own, f"{phrases.noun} {own}") else ""


def know(label: str, noun: str, flag: bool = False) -> str:
    """Return the wish to know one value of a row: "know when the appointment starts", "know the price of the room"."""
    label, _ = without_unit(label)
    first, _, last = label.rpartition(" ")
    if flag and first and label.split()[0] in ("has", "have", "includes", "can", "allows", "needs", "requires"):
        return f"know whether the {noun} {_stating(label)}"
    if flag:
        quality = label.removeprefix("is ")
        kind = singular(quality.rpartition(" ")[2]) == singular(noun.rpartition(" ")[2]) and quality != noun
        return f"know whether the {noun} is {indefinite(quality) if kind else quality}"
    happens = f"{first}s" if last in ("on", "at") else label
    if happens in _HAPPENING:
        return f"know when {'it' if is_plural(noun) else f'the {noun}'} {happens}"
    *thing, done = first.split() or [""]
    if (
        last in ("on", "at")
        and len(thing) == 1
        and done.endswith("ed")
        and can_be_noun(thing[0])
        and thing[0] not in _WHICH
    ):
        return f"know when the {thing[0]} was {done}"
    if first and last in ("on", "at"):
        return f"know when the {noun} {first if first.endswith('s') else f'was {first}' if first.endswith('ed') else f'is {first}'}"
    if first and last == "until":
        return f"know until when the {noun} is {first}"
    if {label, noun} <= MONEY:  # the amount of a price is that price
        return f"know the {noun}"
    return f"know the {label}" if set(label.split()) & set(noun.split()) else f"know the {label} of the {noun}"


def askable(pointer: str, label: str, noun: str) -> bool:
    """Tell whether a value can be asked for by its label: it is in no list, not named like the row itself, and no unit."""
    named = label.partition(" ")[0] not in _PREPOSITIONS  # nobody asks for "the from name"
    own = not any(part.isdigit() for part in pointer.split("/"))
    own = own and label.rpartition(" ")[2] not in _UNITS
    return named and own and not set(label.split()) <= {*noun.split(), "value", "result"}


_PREPOSITIONS = word_set("prepositions", "common")
_UNITS = word_set(beside(__file__), "units")


def _stating(label: str) -> str:
    """Return the predicate of a flag: "has dog" -> "has a dog", "can edit" -> "can edit"."""
    verb, _, rest = label.partition(" ")
    if verb not in ("has", "have", "includes"):
        return label
    return f"{'has' if verb == 'have' else verb} {rest if is_plural(rest) else indefinite(rest)}"


_HAVING = table(beside(__file__), "having")
"""Verbs of flags -> their plural form."""


def ensure(label: str, value: str | bool) -> str:
    """Return the wish that a value be changed: "make sure that the mail sync is up to date"."""
    if not isinstance(value, bool):
        return f"make sure that the {label} {'are' if is_plural(label) else 'is'} {value}"
    head, _, last = label.removeprefix("is ").rpartition(" ")
    if head and last.endswith("ed"):
        return f"make sure that the {head.removesuffix(' is')} is {'' if value else 'not '}{last}"
    if label.startswith("is "):
        return f"make sure that it is {'' if value else 'not '}{label.removeprefix('is ')}"
    return f"make sure that the {label} is {'on' if value else 'off'}"


def know_which(noun: str, kind: str, label: str) -> str:
    """Return the wish to know which of several rows has the most or the least of something, or is the latest."""
    return f"know which {noun} has the {kind} {label}" if label else f"know which {noun} is the {kind}"


def know_which_ones(noun: str, label: str, value: str | bool) -> str:
    """Return the wish to know which rows match: "know which jobs are closed", "know which jobs have the type contract"."""
    if isinstance(value, bool):
        verb, _, rest = label.partition(" ")
        if rest and verb in _HAVING:
            return f"know which {plural(noun)} {_HAVING[verb]} {rest if is_plural(rest) else indefinite(rest)}"
        return f"know which {plural(noun)} {'' if verb == 'can' else 'are '}{label.removeprefix('is ')}"
    told = value if value.islower() and value.isascii() and "_" not in value else " ".join(name_tokens(value))
    told = re.sub(r"(?<=\d) (?=[a-z]\b)", "", told)  # "3D"
    label = label.removeprefix(f"{noun} ")
    return (
        f"know which {plural(noun)} are {told}"
        if is_predicate(told)
        else f"know which {plural(noun)} have the {label} {told}"
    )
