"""A wish and a thing that its user names with it -> the wish about that thing: "delete the Customer webhook"."""

import re
from collections.abc import Mapping
from typing import Any

from interplay.generators.participants.wording.fact_phrases import OWN_NAMES, say_choice, with_full_name
from interplay.generators.participants.wording.voice import Voice
from interplay.generators.participants.wording.woven_facts import called, place_of, told_as
from interplay.generators.phrases.speakable_values import is_moment, label_of
from interplay.schemas.records.blueprint import Fact


def is_named(fact: Fact) -> bool:
    """Tell whether a fact names one thing of a list, and the user brings it up by itself."""
    return fact.choice is not None and fact.reveal == "opening" and fact.description is None and bool(fact.value)


def is_name_of_thing(fact: Fact) -> bool:
    """Tell whether a fact is what a thing is called that the wish may speak of: "the device's name"."""
    owner, _, own = fact.label.rpartition("'s ")
    return bool(owner) and own in OWN_NAMES and fact.choice is None and isinstance(fact.value, str)


def put_name(words: Voice, text: str, fact: Fact) -> str:
    """Return a text with the thing named where it speaks of it; empty where it does not, and in languages that inflect."""
    owner, _, own = fact.label.rpartition("'s ")
    kind = owner or own
    place = place_of(text, kind) if words.lexicon is None else None
    told = {f"/{own}": fact.value} if owner else fact.value
    return "" if place is None else f"{place[0]}{_named(words, place[1], kind, told)}{place[2]}"


def name_alone(words: Voice, fact: Fact) -> str:
    """Say in a sentence of its own which thing is meant."""
    thing = say_choice(words, fact) if words.lexicon is not None else _named(words, fact.label, fact.label, fact.value)
    return words.draw("means_one", noun=fact.label, thing=thing)


def _named(words: Voice, noun: str, kind: str, told: Mapping[str, Any]) -> str:
    """Return a thing with what tells it from others: its name beside its noun, or what its values are to it behind it.

    A name that ends with the `kind` of thing stands in place of its noun: "the Workshop device".
    """
    before, behind = noun, list[str]()
    for pointer, value in with_full_name(told):
        label = label_of(pointer)
        said = words.value(value, label)
        if label == "full name":
            behind.append(said)
        elif before == noun and re.search(rf"\b{re.escape(kind)}$", said, re.IGNORECASE):
            before = said
        elif label.rpartition(" ")[2] in OWN_NAMES:
            behind.append(called(words, said))
        elif is_moment(value):
            behind.append(words.fixed("on_day_also", value=said, noun=kind, label=label))
        else:
            behind.append(told_as(words, Fact(id="", goal=0, label=label, value=value), said))
    return " ".join(("the", before, *behind))
