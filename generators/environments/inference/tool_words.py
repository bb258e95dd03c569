"""Words in names of tools, paths and fields -> verbs, nouns, and the resource that a word names."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import get_args

from interplay.schemas.records.tool import Operation
from interplay.schemas.words.identifiers import is_standing, name_tokens
from interplay.schemas.words.lists import beside, table, word_set, words
from interplay.schemas.words.nouns import singular

LISTS = beside(__file__)
"""The word lists, as data."""

VERBS: Mapping[str, Operation] = {
    word: does for does in get_args(Operation) for word in table(LISTS, "verbs").get(does, "").split()
}
"""Verb in a name -> operation."""

ENVELOPES = words(LISTS, "envelopes")
"""Names of fields that hold the rows of a response, or the row of a request."""

ID_WORDS = word_set(LISTS, "identities")
HOLDERS = word_set(LISTS, "holders")
"""Fields that hold a part of the row itself, such as its metadata, rather than another row."""

OWN_IDENTITIES = ("id", "uuid", "gid", "guid")
"""Names of identities that are the same for all resources."""

SELF = {"me", "self", "current", "whoami"}
SELECTORS = {"field", "fields", "filter", "format", "ext", "extension"}
"""Path parameters that select what is shown of a row, not the row."""

VARIANTS = word_set(LISTS, "variants")
"""Words of parameters that select a variant of a row, not its parent."""

ALONE = word_set(LISTS, "alone")
"""Plural words for a single answer."""

PEOPLE = word_set(LISTS, "people")
VAGUE = word_set(LISTS, "vague")
"""Nouns too general to name a resource."""

SEARCH = word_set(LISTS, "search")
"""Words of parameters that search for a text anywhere in a row."""

FROM, UNTIL = word_set(LISTS, "from"), word_set(LISTS, "until")
"""Words of parameters that are a lower, or an upper, bound."""

_ENDS = word_set(LISTS, "ends")

_FILLERS = {"by", "id", "a", "an", "the", "all", "with", "for"}
VERSION = re.compile(r"^(v\d+(\.\d+)*|api|rest|\d+([.-]\d+)*)$", re.IGNORECASE)


def bounding(tokens: Sequence[str]) -> list[str]:
    """Return the words of a parameter's name that make it a bound; `start` and `end` only where no other word does.

    [date, start, before] -> [before]
    [start, date]         -> [start]
    """
    bounds = [token for token in tokens if token in FROM or token in UNTIL]
    return [token for token in bounds if token not in _ENDS] or bounds


def is_lower_bound(tokens: Sequence[str]) -> bool:
    """Tell whether a bound is a lower one, by the first word that makes it a bound."""
    return bounding(tokens)[0] in FROM


def verb_of(name: str) -> tuple[Operation | None, list[str]]:
    """Return the operation of the verb in a tool's name, and the words after it: `get-user` -> ("read", ["user"])."""
    tokens = [token for token in name_tokens(name) if not VERSION.match(token)]
    for position, token in enumerate(tokens[:3]):
        if token in VERBS:
            after, before = (
                [word for word in part if word not in _FILLERS] for part in (tokens[position + 1 :], tokens[:position])
            )
            return VERBS[token], after or before
    if tokens and tokens[-1] in VERBS and len(tokens) > 1:
        return VERBS[tokens[-1]], tokens[:-1]
    return None, tokens


def literal_verb(literal: str) -> Operation | None:
    """Return the operation of the verb that a path literal starts with: `findByStatus` -> "list"; none if there is no verb."""
    tokens = name_tokens(literal)
    return VERBS.get(tokens[0]) if tokens else None


@lru_cache(maxsize=65_536)
def resource_name(literal: str) -> str:
    """Return the resource name for a path literal or noun: `museum-hours` -> `museum_hour`."""
    tokens = name_tokens(literal)
    return "_".join([*tokens[:-1], singular(tokens[-1])]) if tokens else "thing"


def singular_tokens(name: str) -> list[str]:
    """Return the words of a name, each in the singular."""
    return [singular(token) for token in name_tokens(name)]


def is_plural(literal: str) -> bool:
    """Tell whether a literal is a plural."""
    tokens = name_tokens(literal)
    return bool(tokens) and singular(tokens[-1]) != tokens[-1]


@lru_cache(maxsize=65_536)
def stem_of(name: str) -> str | None:
    """Return the resource in the name of an identifier: `owner_id`, `idOwner` -> "owner"; none for other names."""
    tokens = name_tokens(name)
    if len(tokens) > 1 and tokens[-1] in ID_WORDS:
        return "_".join([*tokens[:-2], singular(tokens[-2])])
    if len(tokens) > 1 and tokens[0] in ("id", "ids"):
        return "_".join([*tokens[1:-1], singular(tokens[-1])])
    return None


def same_noun(left: str, right: str) -> bool:
    """Tell whether two resource names end in the same noun: `customer_address` and `address`."""
    return left == right or left.endswith(f"_{right}") or right.endswith(f"_{left}")


def known_resource(name: str, known: Collection[str]) -> str | None:
    """Return the known resource that a path parameter names: `projectKey` -> project, `username` -> user."""
    stem = stem_of(name)
    if stem is not None:
        while stem and stem not in known:
            stem = stem.partition("_")[2]
        return stem or None
    joined = "".join(name_tokens(name))
    for ending in ("name", "id", "key", "number", "code", "no"):
        if joined.endswith(ending) and joined[: -len(ending)] in known:
            return joined[: -len(ending)]
    return joined if joined in known else None


def bare_name(name: str) -> str:
    """Return the field that a parameter filters by: `filter[status]`, `filter_status` and `status_filter` -> status.

    Source: JSON:API 1.1, section 6.7, filtering.
    """
    tokens = name_tokens(name)
    if len(tokens) == 1 or "filter" not in (tokens[:1] + tokens[-1:]):
        return name
    return "_".join(tokens[1:] if tokens[0] == "filter" else tokens[:-1])


_TECHNICAL, _STEERING = (
    frozenset(tuple(name.split()) for name in words(LISTS, idea)) for idea in ("technical", "steering")
)
VIEWS = word_set(LISTS, "views")
"""Words of query parameters that select rows or parts of them, and so are not fields of a new row."""


@lru_cache(maxsize=16_384)
def is_technical_name(name: str) -> bool:
    """Tell whether a name is about the request: a trace, an ETag, a header."""
    return tuple(token for token in name_tokens(name) if token not in ("x", "http", "header")) in _TECHNICAL


def steers(name: str) -> bool:
    """Tell whether an argument of a function is an option of the call, and so not a field of what it makes."""
    return tuple(name_tokens(name)) in _STEERING or is_standing(name)
