"""Identifiers -> the words in them, and whether they name what stands in every call, or what is noted of each row."""

import re
from functools import lru_cache

from interplay.schemas.words.lists import beside, word_set, words
from interplay.schemas.words.word_classes import is_known, is_participle

RECORDED = word_set("moments", "recorded")
"""Words of timestamps that describe a record rather than the thing."""


def name_tokens(name: str) -> list[str]:
    """Split an identifier in any style into lower-case words: `contactIDs`, `contact-ids`, `contactids` -> ["contact", "ids"]."""
    return list(_tokens(name))


def last_word(name: str) -> str:
    """Return the last word of an identifier, or an empty text where it has none: `_`, `*`."""
    return next(reversed(_tokens(name)), "")


@lru_cache(maxsize=65_536)
def _tokens(name: str) -> tuple[str, ...]:
    spaced = re.sub(r"([A-Z]+)([A-Z](?!s(?![a-z]))[a-z])", r"\1 \2", name)
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", spaced)
    found = re.findall(r"[^\W\d_]+|[0-9]+", spaced.lower())
    return tuple(part for word in found for part in _SPELT.get(word) or _apart(word))


def _apart(word: str) -> tuple[str, ...]:
    """Return the two words that one is written of which no dictionary knows: "phonenumber", "createdat"."""
    if len(word) < _SHORTEST or word in _WHOLE:
        return (word,)
    parts = ((word.removesuffix(end), end) for end in _ENDINGS if word.endswith(end))
    apart = next(((head, end) for head, end in parts if len(head) > len("id") and is_known(head)), None)
    if apart is None and word.endswith("at") and is_participle(word.removesuffix("at")):
        apart = (word.removesuffix("at"), "at")
    return apart if apart is not None and not is_known(word) else (word,)


_ENDINGS, _WHOLE = words(beside(__file__), "endings"), word_set(beside(__file__), "whole")
_SHORTEST = 5
"""Letters at least of what is looked at for two words in it."""

_SPELT = {"ctime": ("created", "at"), "mtime": ("modified", "at"), "atime": ("accessed", "at")}
"""Words of file systems for moments -> what they stand for."""

_PASSING = {"access", "auth", "api", "session", "app", "client", "secret", "private", "bearer"}
"""Words before `token`, `key` or `secret` in names of what lets a call pass."""

_PLACES = {"base", "server", "host", "instance"}
"""Words before `url` in names of where calls go."""


@lru_cache(maxsize=16_384)
def names_identity(name: str) -> bool:
    """Tell whether a name ends in an id: petId, pet_id, also petid and uuid; but not paid or isValid, which are words."""
    last = name_tokens(name)[-1:]
    return last == ["id"] or any(token.endswith("id") and not is_known(token) for token in last)


def is_recorded(name: str) -> bool:
    """Tell whether a field is the moment at which a service notes something of a row: created_at, updatedAt."""
    return not RECORDED.isdisjoint(name_tokens(name)[:1])


def is_standing(name: str) -> bool:
    """Tell whether a parameter lets calls pass, or says where they go: it is the same in all of them (access_token, base_url)."""
    tokens = name_tokens(name)
    return lets_pass(name) or (len(tokens) > 1 and tokens[-1] == "url" and tokens[-2] in _PLACES)


def lets_pass(name: str) -> bool:
    """Tell whether a parameter holds a credential, by its name: access_token, api_key."""
    tokens = name_tokens(name)
    return len(tokens) > 1 and tokens[-1] in ("token", "key", "secret") and tokens[-2] in _PASSING


def bare_code(value: str, name: str) -> str:
    """Return the code of an enumeration without the name of its field before it: VISIBILITY_HIDDEN of `visibility` -> HIDDEN."""
    if not _CODE.fullmatch(value):
        return value
    tokens = [token.upper() for token in name_tokens(name)]
    heads = ("_".join(tokens[start:]) for start in range(len(tokens)))
    return next((value.removeprefix(f"{head}_") for head in heads if value.startswith(f"{head}_")), value)


_CODE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
