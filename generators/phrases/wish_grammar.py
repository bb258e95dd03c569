"""A verb phrase that was made by rules -> why nobody would say it; nothing where somebody would.

"move a task"                      nothing
"move or insert sections"          it names two things to do
"update the closed of a board"     "closed" is no noun

Each row of `OBJECTIONS` says what it finds, and has an example that it alone finds. What an author or a model wrote is not
looked at: they know better.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from interplay.schemas.words.articles import DETERMINERS
from interplay.schemas.words.lists import alternatives, beside, word_set, words
from interplay.schemas.words.nouns import singular
from interplay.schemas.words.word_classes import can_be_noun, can_be_verb, is_participle

_LISTS = beside(__file__)

LONGEST_WISH = 10
"""Words of what a person wants in one breath."""

_PREPOSITIONS = word_set("prepositions", "common", "other", "joining") | {"as", "after", "before"}
_LINKED = word_set(_LISTS, "linked")
_CLAUSES = {"if", "whether"}
_WIRE = word_set(_LISTS, "wire")
_FORMATS = alternatives(words(_LISTS, "formats"))
_FINITE = word_set("stop_words", "auxiliaries") - {"do", "be"}
_PARTICLES = word_set(_LISTS, "particles")

MACHINE = re.compile(r"[_{}<>`|\\@#=]|\b[a-z]+[A-Z]|\w\(|\d{3,}|/\w+/")
"""What is written for programs."""

_AS = re.compile(rf" (?:as|in|via|to) (?:an? )?(?:{_FORMATS})\b", re.IGNORECASE)


@dataclass(frozen=True)
class ParsedWish:
    """The words of a wish: its verb, what it is done to with the determiner before it, and all that follows."""

    verb: str
    determiner: str
    thing: tuple[str, ...]
    rest: tuple[str, ...]

    @property
    def head(self) -> str:
        """The noun that all words before it say more of; empty where there is none."""
        return self.thing[-1] if self.thing else ""


@lru_cache(maxsize=16_384)
def parsed(wish: str) -> ParsedWish:
    """Return the parts of a wish: "move a task to another section" -> move, a, (task), (to, another, section)."""
    verb, *others = wish.split() or [""]
    while others and others[0] in _PARTICLES | _LINKED:
        verb, others = f"{verb} {others[0]}", others[1:]
    determiners: list[str] = []
    while others and others[0].lower() in DETERMINERS - _PREPOSITIONS | {"of"} and (others[0] != "of" or determiners):
        determiners.append(others[0])
        others = others[1:]
    end = next((place for place, word in enumerate(others) if _ends_thing(others, place)), len(others))
    return ParsedWish(verb, " ".join(determiners), tuple(others[:end]), tuple(others[end:]))


def _ends_thing(words: Sequence[str], place: int) -> bool:
    """Tell whether what a wish is about ends before a word: before a preposition, or what was done to it."""
    word = words[place].lower().strip(",")
    done = place > 0 and is_participle(word) and words[place + 1 : place + 2] != []
    return word in _PREPOSITIONS or (done and words[place + 1].lower() in _PREPOSITIONS)


@dataclass(frozen=True)
class Objection:
    """One reason why nobody would say a wish, and a wish that has it; `found` also gets the nouns of the tool itself."""

    why: str
    found: Callable[[ParsedWish, str, Collection[str]], bool]
    example: str


def _names_nothing(found: ParsedWish, _: str, nouns: Collection[str]) -> bool:
    if found.verb.split()[-1] in _CLAUSES:
        return False
    head = found.head.strip(",").lower()
    return (not can_be_noun(head) and not (head.endswith("s") or head in nouns)) or is_participle(head)


OBJECTIONS = (
    Objection("it holds what only machines read", lambda _, wish, __: bool(MACHINE.search(wish)), "get the user_id of a task"),
    Objection("it is too long", lambda _, wish, __: len(wish.split()) > LONGEST_WISH, "get a list of all the things that are in all the folders here"),
    Objection("it does not begin with a verb", lambda found, *_: not can_be_verb(found.verb.split()[0]), "webhooks a task"),
    Objection("it names several things to choose from", lambda _, wish, __: " or " in wish, "move or insert sections"),
    Objection("it does not say what is done to what", lambda found, *_: found.verb.split()[-1] not in _CLAUSES and (not found.thing or found.thing == ("it",)), "use it"),
    Objection("it does not name a thing", _names_nothing, "update the closed of a board"),
    Objection("it speaks of how the API works", lambda found, wish, nouns: bool((_WIRE - set(nouns)) & {*map(singular, map(str.lower, found.thing)), *found.determiner.split()}) or bool(_AS.search(wish)), "get a page as markdown"),
    Objection("it is a sentence rather than a wish", lambda found, *_: found.verb.split()[-1] not in _CLAUSES and not _FINITE.isdisjoint(found.thing + found.rest), "get status if a snooze is active"),
)  # fmt: skip


def objection_to(wish: str, nouns: Collection[str] = ()) -> str:
    """Return why nobody would say a wish; nothing where somebody would. `nouns` are those of the tool's name and path."""
    found = parsed(wish)
    return next((objection.why for objection in OBJECTIONS if objection.found(found, wish, nouns)), "")
