"""A tool or a resource -> the noun for what it is about."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import dropwhile
from typing import Any

from interplay.generators.phrases.labels.field_labels import words_of
from interplay.generators.phrases.service_jargon import without_group
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import alternatives, beside, word_set, words
from interplay.schemas.words.nouns import singular
from interplay.schemas.words.verbs import FILLING, PARTICLES, VERBS

_LISTS = beside(__file__)


@lru_cache(maxsize=16_384)
def topic_of(name: str) -> str:
    """Return the noun in a tool's name: `list_specialties` -> "specialties"."""
    tokens = [
        token
        for token in without_group(name_tokens(name.split(".")[-1]))
        if token not in VERBS | FILLING | {"a", "an", "the", "all", "id"} and not token.isdigit()
    ]
    while len(tokens) > 1 and tokens[0] in PARTICLES:
        tokens = tokens[1:]
    cut = next(
        (index for index, token in enumerate(tokens) if token in ("by", "from", "with", "for") and index), len(tokens)
    )
    return " ".join(tokens[:cut])


def repeats_noun(value: Any, noun: Sequence[str]) -> bool:
    """Tell whether a value only repeats the noun of its resource: "type": "transactions"."""
    return isinstance(value, str) and [singular(word) for word in name_tokens(value)] == [*noun]


def hinted(name: str, intent: str) -> str:
    """Return the noun by which a person would hint at a tool: from its name, or, if that is an abbreviation, from its wish."""
    said = {singular(word) for word in name_tokens(intent)}
    topic = topic_of(name)
    spoken = " ".join(word for word in topic.split() if singular(word) in said)  # leaves out the name of the service
    if " " in spoken and re.search(rf"\b{re.escape(spoken.split()[-1])} (?!{_FOLLOWING})", intent, re.IGNORECASE):
        spoken, topic = spoken if spoken in intent.lower() else "", ""  # the words do not form one noun
    topic = spoken or (topic if len(intent.split()) < _TELLING else "")
    if len(topic) > LONGEST_ABBREVIATION:
        return topic
    asked = _ASKED.search(intent)
    if asked is not None:
        return asked[1]
    said_after = dropwhile(lambda word: word in _BEFORE_NOUNS, intent.split()[1:])
    noun = _MORE.split(" ".join(said_after), maxsplit=1)[0]
    if noun.split()[:1] and noun.split()[0] in _ANYBODY:
        return next(reversed(_NAMED.findall(intent)), _NAMELESS)
    return noun or topic or intent


_FOLLOWING = rf"(?:[a-z]+ed (?:by|to|in|for|from|on|with|at)|{alternatives(words('prepositions'))})\b"
"""What may follow a noun in a wish; before any other word, the noun is only a modifier."""


_MORE = re.compile(rf" (?:{alternatives(words('prepositions', 'common', 'other'))})\b")


_ASKED = re.compile(r"\b(?:whether|if|how|when|where|who|what|why)\b.*?\b(?:my|your|the|an?) (\w+)")
"""A wish to be told something, and the noun that it is about: "find out whether my laptop is online"."""


_NAMED = re.compile(r"\b(?:my|your|the|an?) (\w+)")


_ANYBODY = {"somebody", "someone", "something", "anybody", "anyone", "one"}
"""Indefinite pronouns as objects: "add somebody to a meeting" is about the meeting."""


_BEFORE_NOUNS = word_set(_LISTS, "before_nouns")


_NAMELESS = "answer"
"""The noun for the outcome of a wish that names nothing: "speak to somebody in person"."""


_TELLING = 3
"""Words from which on a wish says more than the tool's name."""


LONGEST_ABBREVIATION = 3


_LOOKS = word_set(_LISTS, "looks")
"""First words of a path's end that only say that it is read."""


def noun_of(resource: str | None, nouns: Mapping[str, str]) -> str:
    """Return the noun for one row of a resource: from the toolset's `nouns`, else by name: `museum_hour` -> "museum hour"."""
    if not resource:
        return "result"
    if nouns.get(resource):
        return nouns[resource]
    words = words_of("account" if resource == "me" else resource).split()
    words = words[1:] if words[0] in _LOOKS and len(words) > 1 else words
    return " ".join([*(singular(word) for word in words[:-1]), words[-1]])
