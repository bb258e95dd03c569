"""Identifiers -> the words in them, and what they name: an identity, a timestamp, a credential, a base URL."""

import re
from functools import lru_cache

from interplay.schemas.words.lists import beside, table, word_set, words
from interplay.schemas.words.word_classes import is_known, is_noun, is_participle

RECORDED = word_set("moments", "recorded")
"""Words of timestamps that belong to the record and not to the thing itself: `created`, `updated`."""


_RECORDING = table("moments", "recording")


def moment_tokens(name: str) -> list[str]:
    """Split the name of a moment into words, with a verb as a participle: `create_time` -> ["created", "at"]."""
    tokens = name_tokens(name)
    recording = tokens[1:] in (["time"], ["date"]) and tokens[0] in _RECORDING
    return [_RECORDING[tokens[0]], "at"] if recording else tokens


def name_tokens(name: str) -> list[str]:
    """Split an identifier in any style into lower-case words: `contactIDs`, `contact-ids`, `contactids` -> ["contact", "ids"]."""
    return list(_tokens(name))


def last_word(name: str) -> str:
    """Return the last word of an identifier; "" if it has none (`_`, `*`)."""
    return next(reversed(_tokens(name)), "")


@lru_cache(maxsize=65_536)
def _tokens(name: str) -> tuple[str, ...]:
    spaced = re.sub(r"([A-Z]+)([A-Z](?!s(?![a-z]))[a-z])", r"\1 \2", name)
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", spaced)
    found = re.findall(r"[^\W\d_]+|[0-9]+", spaced.lower())
    return tuple(part for word in found for part in _SPELT.get(word) or _apart(word))


def _apart(word: str) -> tuple[str, ...]:
    """Split a run-together word that no dictionary knows into its two parts: "phonenumber", "createdat"."""
    if len(word) < _SHORTEST or word in _WHOLE:
        return (word,)
    parts = ((word.removesuffix(end), end) for end in _ENDINGS if word.endswith(end))
    apart: tuple[str, ...] | None = next(
        ((head, end) for head, end in parts if len(head) > len("id") and is_known(head)), None
    )
    if apart is None and word.endswith("at") and is_participle(word.removesuffix("at")):
        apart = (word.removesuffix("at"), "at")
    apart = apart or _called(word)
    return apart if apart is not None and not is_known(word) else (word,)


def _called(word: str) -> tuple[str, ...] | None:
    """Return the words of a run-together call: "getallproducts" -> get, all, products; none for any other word.

    What it finds by is split off too: "getproductbyname".
    """
    verb = next((verb for verb in _VERBS if word.startswith(verb) and len(word) > len(verb) + len("to")), None)
    if verb is None or len(word) > _LONGEST:
        return None
    rest = word.removeprefix(verb)
    between = next((small for small in _BETWEEN if rest.startswith(small) and is_noun(rest.removeprefix(small))), None)
    thing, by, field = rest.rpartition("by")
    if is_noun(thing) and is_known(field):
        return verb, thing, by, field
    if is_noun(rest):
        return verb, rest
    if between is not None:
        return verb, between, rest.removeprefix(between)
    cuts = ((rest[:cut], rest[cut:]) for cut in range(len(rest) - _PART, _PART - 1, -1))
    pair = next(((head, end) for head, end in cuts if is_noun(end) and is_known(head)), None)
    return (verb, *pair) if pair is not None else None


_VERBS, _BETWEEN = words(beside(__file__), "verbs"), words(beside(__file__), "between")
_LONGEST = 40
"""Maximum length of a word that is tested for a run-together call."""

_PART = 4
"""Minimum length of each of two words that a run-together call is about."""


_ENDINGS, _WHOLE = words(beside(__file__), "endings"), word_set(beside(__file__), "whole")
_SHORTEST = 5
"""Minimum length of a word that is tested for two words in it."""

_SPELT = {"ctime": ("created", "at"), "mtime": ("modified", "at"), "atime": ("accessed", "at")}
"""Abbreviations of file systems for timestamps -> the words they stand for."""

_PASSING = {"access", "auth", "api", "session", "app", "client", "secret", "private", "bearer"}
"""Words before `token`, `key` or `secret` in the names of credentials."""

_PLACES = {"base", "server", "host", "instance"}
"""Words before `url` in the names of server addresses."""


@lru_cache(maxsize=16_384)
def names_identity(name: str) -> bool:
    """Tell whether a name ends in an id: petId, pet_id, petid, uuid; but not the words paid and isValid."""
    last = name_tokens(name)[-1:]
    return last == ["id"] or any(token.endswith("id") and not is_known(token) for token in last)


def is_recorded(name: str) -> bool:
    """Tell whether a field is a timestamp of the record, set by the service: created_at, updatedAt."""
    return not RECORDED.isdisjoint(moment_tokens(name)[:1])


def is_standing(name: str) -> bool:
    """Tell whether a parameter is the same in all calls: a credential or a server address (access_token, base_url)."""
    tokens = name_tokens(name)
    return lets_pass(name) or (len(tokens) > 1 and tokens[-1] == "url" and tokens[-2] in _PLACES)


def lets_pass(name: str) -> bool:
    """Tell by its name whether a parameter holds a credential: access_token, api_key."""
    tokens = name_tokens(name)
    return len(tokens) > 1 and tokens[-1] in ("token", "key", "secret") and tokens[-2] in _PASSING


def bare_code(value: str, name: str) -> str:
    """Strip the field's name from the start of an enumeration value: VISIBILITY_HIDDEN of `visibility` -> HIDDEN."""
    if not _CODE.fullmatch(value):
        return value
    tokens = [token.upper() for token in name_tokens(name)]
    heads = ("_".join(tokens[start:]) for start in range(len(tokens)))
    return next((value.removeprefix(f"{head}_") for head in heads if value.startswith(f"{head}_")), value)


_CODE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
