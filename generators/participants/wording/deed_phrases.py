"""A wish and its tool's operation -> the words for its completed action, and the things it asks for."""

import re
from typing import Literal

from interplay.schemas.words.lists import beside, word_set, words
from interplay.schemas.words.nouns import is_plural, singular
from interplay.schemas.words.word_classes import infinitives, participle_of

_DELETING = word_set(beside(__file__), "deleted")
"""Verbs after which a row no longer exists, unlike "cancel" or "disable"."""

_SAID_OF_MAKING = {verb: frame for frame in ("updated", "deleted", "done") for verb in words(beside(__file__), frame)}
"""Verbs of wishes whose operation is a create by its path alone -> the frame that reports them."""

_SAID_OF = {"update": "updated", "delete": "deleted", "read": "found", "list": "found", "compute": "found"}


def done_frame(operation: str, intent: str) -> str:
    """Return the frame that reports an action, by its operation and the verb of the wish."""
    frame = _SAID_OF.get(operation, "done")
    verb, *rest = intent.split()
    if operation == "create":
        frame = "created" if rest[:1] == ["up"] else _SAID_OF_MAKING.get(verb, "created")  # "set up a meeting"
    several = rest[:1] not in (["a"], ["an"]) and is_plural(wish_object(intent).rpartition(" ")[2])
    return "done" if frame == "deleted" and (several or verb not in _DELETING) else frame


def changes_thing(operation: str, intent: str) -> bool:
    """Tell whether a wish changes fields of a row, rather than takes something out of it or ends it."""
    return operation == "update" and _SAID_OF_MAKING.get(intent.partition(" ")[0], "updated") == "updated"


WishKind = Literal["look", "create", "update", "delete", "other"]


def wish_kind(intent: str) -> WishKind:
    """Return the kind of a wish by its verb: "know the price" and "see my bookings" look, "remove a card" deletes."""
    verb = intent.partition(" ")[0]
    return next((kind for kind, verbs in _KINDS if verb in verbs), "other")


_KINDS: tuple[tuple[WishKind, frozenset[str]], ...] = (
    ("look", word_set(beside(__file__), "looking")),
    ("create", word_set(beside(__file__), "created")),
    ("update", word_set(beside(__file__), "updated")),
    ("delete", _DELETING),
)

CHANGING = word_set(beside(__file__), "changing")
"""Verbs that only say that something is to be changed."""

_OWN = word_set(beside(__file__), "own")
"""Verbs whose subject is the user: the assistant cannot have talked to the reception for somebody."""


def perfect(wish: str) -> str:
    """Return a wish in the past participle: "remove the team" -> "removed the team"; empty if its verb has no known one."""
    verb, _, rest = wish.partition(" ")
    if verb in _OWN or not rest or _SECOND_VERB.search(rest):
        return ""
    done = participle_of(verb)
    return f"{done} {rest}" if done else ""


def says_deed(intent: str, label: str) -> bool:
    """Tell whether a flag or state only repeats the verb of a wish: `deleted` for "delete a comment", `cancelled` for "cancel it"."""
    verb, said = intent.partition(" ")[0], label.rpartition(" ")[2]
    verbs = _DELETING if verb in _DELETING else (verb,)
    return said in map(participle_of, verbs) or (said not in verbs and not set(infinitives(said)).isdisjoint(verbs))


_SECOND_VERB = re.compile(r"\b(?:and|or|then) (?:[a-z]+) (?:it|them|the|an?|your)\b|\bwhether\b|\bwhen\b")
"""Signs of a second verb in a wish."""

TURNING = {"convert", "transform", "translate", "run", "execute", "evaluate"}
"""Verbs whose object is not their result."""

_REST = re.compile(r" (?:to|from|of|in|into|for|with|on|at|as) .*")


def wish_object(intent: str) -> str:
    """Return verb and object of a wish without its prepositional phrases: "delete items from a library" -> "delete items"."""
    return _REST.sub("", intent)


_LIST_OF = re.compile(r"\b(?:a|the) (?:full |complete )?list of ")
_ASKED = re.compile(r"\w+(?: up)? (?:(?:all|the|my|available|existing|multiple|several) )*(?!(?:list|each|an?)\b)(.+)")


def asked_plural(intent: str) -> str:
    """Return the several things that a wish asks for: "get a list of public categories" -> "public categories"; else empty."""
    found = _ASKED.fullmatch(wish_object(_LIST_OF.sub("", intent)).partition(" by ")[0])
    many = found is not None and (is_plural(found[1]) or found[1][-2:-1].isupper())  # URLs, IPs
    return found[1] if found and many and len(found[1].split()) <= SHORT else ""


SHORT = 3
"""Maximum words of such a noun phrase."""


def head_noun(noun: str) -> str:
    """Return the last word of a noun in the singular."""
    return singular(noun.rpartition(" ")[2])
