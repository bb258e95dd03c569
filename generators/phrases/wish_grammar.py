"""A wish made by rules -> the reason why nobody would say it, if there is one.

"move a task"                      no objection
"move or insert sections"          it names several things to choose from
"update the closed of a board"     "closed" is no noun

Each row of `OBJECTIONS` has an example to which it alone objects. Wishes written by an author or a model are not
checked.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from interplay.schemas.words.articles import DETERMINERS
from interplay.schemas.words.lists import alternatives, beside, word_set, words
from interplay.schemas.words.nouns import is_plural, singular
from interplay.schemas.words.word_classes import can_be_noun, can_be_verb, is_known, is_participle

_LISTS = beside(__file__)

MOST_NOUNS = 4
"""Maximum words of a noun phrase."""

LONGEST_WISH = 10
"""Maximum words of a wish."""

_PREPOSITIONS = word_set("prepositions", "common", "other", "joining") - {"not"} | {"as", "after", "before"}
_NEAR = word_set("prepositions", "nearness")
_LINKED = word_set(_LISTS, "linked")
_FOR = word_set(_LISTS, "for")
_CLAUSES = {"if", "whether", "who", "what", "where"}
_WIRE = word_set(_LISTS, "wire")
_FORMATS = alternatives(words(_LISTS, "formats"))
_FINITE = word_set("stop_words", "auxiliaries") - {"do", "be"}
_PARTICLES = word_set(_LISTS, "particles")

MACHINE = re.compile(r"[_{}<>`|\\@#=]|\b[a-z]+[A-Z]|\w\(|\d{3,}|[a-z]{4,}\d|/\w+/")
"""Notation written for programs."""

_CODES = frozenset("id ids uuid guid gid uuids guids gids".split())
_LOST_OWNER = re.compile(r" (?:by|for|to|in|with|at|on|(?!(?:need|speed|seed|feed|bed|shed|reed|weed)\b)[a-z]+ed) of ")

_AS = re.compile(rf" (?:as|in|via|to) (?:an? )?(?:{_FORMATS})\b", re.IGNORECASE)


@dataclass(frozen=True)
class ParsedWish:
    """The parts of a wish: its verb, the determiner and words of its object, and the rest."""

    verb: str
    determiner: str
    thing: tuple[str, ...]
    rest: tuple[str, ...]

    @property
    def stands(self) -> bool:
        """Whether the verb needs no object: "log out"."""
        return " " in self.verb and not self.thing and not self.rest

    @property
    def head(self) -> str:
        """The head noun of the object; empty if there is no object."""
        return self.thing[-1] if self.thing else ""


@lru_cache(maxsize=16_384)
def parsed(wish: str) -> ParsedWish:
    """Return the parts of a wish: "move a task to another section" -> move, a, (task), (to, another, section)."""
    verb, *others = wish.split() or [""]
    while others and (others[0] in _PARTICLES or (others[0] in _LINKED and (others[0] != "for" or verb in _FOR))):
        verb, others = f"{verb} {others[0]}", others[1:]
    determiners: list[str] = []
    while len(others) > 1 and (_stands_before(others) or (determiners and others[0] == "of")):
        determiners.append(others[0])
        others = others[1:]
    end = next((place for place, word in enumerate(others) if _ends_thing(others, place)), len(others))
    return ParsedWish(verb, " ".join(determiners), tuple(others[:end]), tuple(others[end:]))


def _stands_before(words: Sequence[str]) -> bool:
    """Tell whether the first of some words is a determiner of what follows: "a", or the "all" of "all of the"."""
    first, second = words[0].lower(), words[1].lower()
    if first == "that":  # "delete that order", and not "check that orders are paid"
        return second not in DETERMINERS | _PREPOSITIONS and _FINITE.isdisjoint(words)
    return first in DETERMINERS - _PREPOSITIONS and (second == "of" or second not in _PREPOSITIONS)


def _ends_thing(words: Sequence[str], place: int) -> bool:
    """Tell whether the object of a wish ends before the word at `place`: a preposition, a particle, or a participle."""
    word = words[place].lower().strip(",")
    joined = place > 0 and words[place + 1 : place + 2] != [] and words[place + 1].lower() in _PREPOSITIONS
    return (
        word in _PREPOSITIONS | _NEAR
        or (place > 0 and word in _PARTICLES)
        or (joined and (is_participle(word) or word.endswith("ing")))
    )


@dataclass(frozen=True)
class Naming:
    """The words by which a tool's source names it.

    `own` holds the words of its name and path in the singular, `many` those of them that occur in the plural, `texts` its
    summary and description in lower case, and `takes` the words of its arguments.
    """

    own: frozenset[str] = frozenset()
    many: frozenset[str] = frozenset()
    texts: str = ""
    takes: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Judged:
    """A wish to judge, its parts, and the naming of its tool."""

    wish: str
    parts: ParsedWish
    tool: Naming

    @property
    def asks(self) -> bool:
        """Whether it is an indirect question: "check whether it is open"."""
        return self.parts.verb.split()[-1] in _CLAUSES

    @property
    def nouns(self) -> frozenset[str]:
        """All words after the verb, in the singular."""
        return frozenset(singular(word.strip(",").lower()) for word in (*self.parts.thing, *self.parts.rest))


@dataclass(frozen=True)
class Objection:
    """One reason why nobody would say a wish, and an example of such a wish."""

    why: str
    holds: Callable[[Judged], bool]
    example: str


def _names_nothing(it: Judged) -> bool:
    head = it.parts.head.strip(",").lower()
    known = can_be_noun(head) or head.endswith("s") or head in it.tool.many or _is_used_as_noun(head, it.tool.texts)
    return (
        not it.asks
        and not it.parts.stands
        and (
            not known
            or not head[:1].isalpha()
            or is_participle(head)
            or (it.parts.determiner in ("a", "an") and head in DETERMINERS)
        )
    )


def _has_collections(it: Judged) -> bool:
    """Tell whether a plural precedes another noun, unless the tool's texts have that pair: "follow artists users"."""
    pairs = zip(it.parts.thing, it.parts.thing[1:], strict=False)
    return "'" not in it.wish and any(
        word.islower() and is_plural(word) and f"{word} {singular(then)}" not in it.tool.texts for word, then in pairs
    )


def _is_used_as_noun(word: str, texts: str) -> bool:
    """Tell whether a word occurs as a noun in `texts`: after an article or a similar word."""
    return re.search(rf"\b(?:an?|the|this|your|new) (?:[\w-]+ )?{re.escape(word)}\b", texts) is not None


def _is_abbreviated(it: Judged) -> bool:
    """Tell whether a wish has a short word that is neither English nor in the tool's texts."""
    words = (
        word for word in (*it.parts.thing, *it.parts.rest) if len(word) in _SHORT and word.isalpha() and word.islower()
    )
    return any(
        not is_known(word) and word not in _SAID and not re.search(rf"\b{word}\b", it.tool.texts) for word in words
    )


_UNNAMED = Naming()
_SHORT = (2, 3)
_SAID = word_set("articles", "a", "an") | word_set(_LISTS, "acronyms") | _PREPOSITIONS | DETERMINERS | _PARTICLES

_METHODS = ("post", "put", "patch")
_DEEDS = word_set(_LISTS, "deeds")


def _is_deed(it: Judged) -> bool:
    """Tell whether a wish takes an action in the path for a thing: "update the login", "run a register"."""
    return it.parts.head in _DEEDS and not _is_used_as_noun(it.parts.head, it.tool.texts)


def _says_twice(it: Judged) -> bool:
    """Tell whether one word of a wish follows upon itself, or the verb is also what it is done to: "export the export pdf"."""
    words = [singular(word.lower()) for word in (*it.parts.thing, *it.parts.rest)]
    return any(one == then for one, then in pairwise(words)) or it.parts.verb in words[:1]


def _says_no_deed(it: Judged) -> bool:
    """Tell whether a wish is only to "use" something, which the texts of its tool do not say."""
    return it.parts.verb == "use" and re.search(r"\buses?\b", it.tool.texts) is None


OBJECTIONS = (
    Objection("it holds what only machines read", lambda it: bool(MACHINE.search(it.wish)), "get the user_id of a task"),
    Objection("it is too long", lambda it: len(it.wish.split()) > LONGEST_WISH, "get the things that are in all the folders of all the people"),
    Objection("it has too many nouns in a row", lambda it: len(it.parts.thing) > MOST_NOUNS, "get load balancer frontend firewall dropped bytes metrics"),
    Objection("it does not begin with a verb", lambda it: not can_be_verb(it.parts.verb.split()[0]), "webhooks a task"),
    Objection("it names several things to choose from", lambda it: " or " in it.wish, "move or insert sections"),
    Objection("it does not say what is done to what", lambda it: not it.asks and not it.parts.stands and it.parts.thing in ((), ("it",)), "use it"),
    Objection("it says one word twice", _says_twice, "export the export pdf"),
    Objection("it does not say what is done to it", _says_no_deed, "use the details of a chat"),
    Objection("it names a code that only programs use", lambda it: len(it.parts.thing) > 1 and any(word.lower() in _CODES for word in it.parts.thing), "look up an account id"),
    Objection("it does not say what belongs to what", lambda it: bool(_LOST_OWNER.search(it.wish)), "check the favourited by of a status"),
    Objection("it breaks off", lambda it: it.wish.rpartition(" ")[2] in _PREPOSITIONS - _PARTICLES, "check the article filter by"),
    Objection("it does not name a thing", _names_nothing, "update the closed"),
    Objection("it begins with what HTTP calls it", lambda it: it.parts.verb in _METHODS and f" {it.parts.verb} " not in f" {it.tool.texts} ", "post projects"),
    Objection("it takes a deed for a thing", _is_deed, "run a register"),
    Objection("it has one where several are meant", lambda it: not it.asks and it.parts.determiner in ("a", "an") and it.parts.head.islower() and is_plural(it.parts.head) and "'s" not in it.wish, "see an events of a day"),
    Objection("it puts names of collections in a row", _has_collections, "follow artists users"),
    Objection("it speaks of how the API works", lambda it: bool((_WIRE - it.tool.many) & (it.nouns | set(it.parts.determiner.split()))) or bool(_AS.search(it.wish)), "get a page as markdown"),
    Objection("it is a sentence rather than a wish", lambda it: not it.asks and not _FINITE.isdisjoint(it.parts.thing + it.parts.rest), "get the status if a snooze is active"),
    Objection("it has an abbreviation that nobody explains", _is_abbreviated, ""),
)  # fmt: skip
"""The last one has no example, since it compares a wish with the naming of its tool."""


def without_aside(wish: str, tool: Naming) -> str:
    """Return a wish without an ending that matches neither the name and path of its tool nor its arguments.

    GET /workspaces "see workspaces of the user making the request"         see workspaces
    PATCH /users/{id}/roles "set a user's roles without removing the last"   set a user's roles
    """
    parts = parsed(wish)
    looks, known, end = parts.verb in _LOOKING, tool.own | tool.takes, len(wish.split())
    start = end - len(parts.rest)
    words = [word.strip(",").lower() for word in parts.rest]
    places = [place for place in range(len(words)) if _begins_aside(words, place)]
    for place, then in pairwise([*places, len(words)]):
        said = words[place:then]
        adds = looks or any(map(_GOES_ON, said))
        who = said[0] == "by" and said[-1] in _ACTORS  # who may do it is a matter of policy
        if said[0] == "without" or who or (adds and known.isdisjoint((*said, *map(singular, said)))):
            return " ".join(wish.split()[: start + place])
    return wish


def _begins_aside(words: Sequence[str], place: int) -> bool:
    """Tell whether an addition begins at `place`: a preposition, or a participle at the end or before a preposition."""
    ends = words[place + 1 : place + 2] == [] or words[place + 1] in _PREPOSITIONS
    return words[place] in _PREPOSITIONS | _NEAR or (is_participle(words[place]) and ends)


_LOOKING, _ACTORS = word_set(_LISTS, "looking"), word_set("people", "running")
_GOES_ON = re.compile(r"[a-z]{3,}ing").fullmatch


def objection_to(wish: str, tool: Naming = _UNNAMED) -> str:
    """Return why nobody would say a wish; empty if there is no objection. `tool` holds the naming of its tool."""
    judged = Judged(wish, parsed(wish), tool)
    return next((objection.why for objection in OBJECTIONS if objection.holds(judged)), "")
