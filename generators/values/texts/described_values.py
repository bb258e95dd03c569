"""The description of a text field -> the values that it lists: many sources give choices and examples only in words.

"One of: all, closed, none or open"     ->  ("all", "closed", "none", "open")
"all or a comma-separated list of: a, b" ->  ("a", "b")
"Can be `TIME`, `FIXED` or `NONE`."     ->  ("TIME", "FIXED", "NONE")
" true or false"                        ->  ("true", "false")
"Type of the order (Buy/Sell)."         ->  ("Buy", "Sell")           if the field holds a kind
"The city's code, such as 'SFO'."       ->  ("SFO",)              examples, so that other values are possible
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import word_set

READ = 400
"""Characters of a description that are read."""

MOST = 40
"""Maximum number of values taken from a list."""

_BARE = r"[A-Za-z0-9][A-Za-z0-9_.:+-]{0,39}"
_QUOTED = r"`[^`\n]{1,40}`|'[^'\n]{1,40}'|\"[^\"\n]{1,40}\""
_BETWEEN = r"\s{0,3}(?:,\s{0,3}(?:or\s|and\s)?|\||/|\sor\s|\sand\s)\s{0,3}"
_SURE = r"(?:one of(?: the following(?: values)?)?|(?:valid|allowed|possible|accepted|supported|available) (?:values|options|types)(?: are| include)?|options(?: are)?(?=:)|(?:comma[- ](?:separated|delimited) )?list of(?=:))\s{0,2}:?\s{1,3}"
_UNSURE = r"(?:can be|must be|either|values(?: are)?|options(?: are)?|one of)\s{0,2}:?\s{1,3}(?:either\s|one of\s)?"
_LISTS = (
    re.compile(
        rf"{_SURE}(?P<list>(?:{_QUOTED}|{_BARE})(?:{_BETWEEN}(?:{_QUOTED}|{_BARE})){{1,{MOST}}})", re.IGNORECASE
    ),
    re.compile(rf"{_UNSURE}(?P<list>(?:{_QUOTED})(?:{_BETWEEN}(?:{_QUOTED})){{1,{MOST}}})", re.IGNORECASE),
)
_PARTED = re.compile(r"\(([A-Za-z]{2,20}(?:/[A-Za-z]{2,20}){1,6})\)")
"""Kinds in brackets: "Type of the order (Buy/Sell)"."""
_ITEM = re.compile(rf"{_QUOTED}|{_BARE}")
_ALONE = re.compile(rf"\s*(?P<list>{_BARE}(?:,\s{_BARE}){{0,3}}\sor\s{_BARE})\s*\.?\s*")
_NO_VALUE = word_set("stop_words", "articles", "prepositions", "pronouns") | {
    "more",
    "id",
    "ids",
    "gid",
    "uuid",
    "name",
    "username",
    "field",
}
"""Words that show that a list names fields, or is no list."""


def described_choices(schema: Mapping[str, Any], of_kinds: bool = False) -> tuple[str, ...]:
    """Return the choices that a text's description lists, two or more; () if it does not clearly list any.

    If the field holds a kind (`of_kinds`), words with slashes in brackets are choices too.
    """
    description = schema.get("description")
    return _choices(description[:READ], of_kinds) if isinstance(description, str) else ()


@lru_cache(maxsize=16_384)
def _choices(text: str, of_kinds: bool) -> tuple[str, ...]:
    parted = _PARTED.search(text) if of_kinds else None
    if parted and not any(_NO_VALUE.intersection(name_tokens(item)) for item in parted[1].split("/")):
        return tuple(dict.fromkeys(parted[1].split("/")))
    alone = _ALONE.fullmatch(text)
    lists = [alone] if alone else [pattern.search(text) for pattern in _LISTS]
    for found in lists:
        if found is not None:
            items = [item.strip("`'\"").rstrip(".:") for item in _ITEM.findall(found["list"])]
            items = [item for item in items if item and item not in ("or", "and")]
            if found.end() == READ:  # the last one may be cut off
                items = items[:-1]
            if len(items) > 1 and not any(_NO_VALUE.intersection(name_tokens(item)) for item in items):
                return tuple(dict.fromkeys(items))
    return ()


_FOR_EXAMPLE = re.compile(
    rf"(?:such as|e\.g\.?,?|for example,?|for instance,?|examples?:|ex:|i\.e\.)\s{{1,2}}:?\s{{0,2}}(?P<list>(?:{_QUOTED})(?:{_BETWEEN}(?:{_QUOTED})){{0,7}})",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    rf"\((?P<told>(?:such as|e\.g\.,?|for example,?|examples?:) )?(?P<list>{_BARE}(?:,\s(?:or |and )?{_BARE}){{1,8}})(?:,? \.\.\.)?\)",
    re.IGNORECASE,
)
"""Examples in brackets: "Type of resource (e.g., pods, deployments, services, etc.)"."""
_SPELT = re.compile(r"[A-Z]{2,4}(?:[-/]?[A-Z]{2,4}){1,2}|\d{4}-\d{2}-\d{2}.*")
"""A spelt-out format such as YYYY-MM-DD, or a date, which would be outdated."""


def described_examples(schema: Mapping[str, Any], of_kinds: bool = False) -> tuple[str, ...]:
    """Return the examples that a text's description gives, in quotes or in brackets.

    If the field holds a kind (`of_kinds`), three or more words in brackets are examples even if not called so.
    """
    description = schema.get("description")
    return _examples(description[:READ], of_kinds) if isinstance(description, str) else ()


@lru_cache(maxsize=16_384)
def _examples(text: str, of_kinds: bool) -> tuple[str, ...]:
    found = _FOR_EXAMPLE.search(text)
    items = (
        [item.strip("`'\"") for item in re.findall(_QUOTED, found["list"])] if found else _in_brackets(text, of_kinds)
    )
    return tuple(dict.fromkeys(item for item in items if item.strip() and not _SPELT.fullmatch(item)))


def _in_brackets(text: str, of_kinds: bool) -> list[str]:
    found = _PLAIN.search(text)
    items = re.split(r",\s*(?:or |and )?", found["list"]) if found else []
    items = [item for item in items if item.rstrip(".") != "etc"]
    enough = found is not None and len(items) > (1 if found["told"] else 2) and (found["told"] or of_kinds)
    return items if enough and not any(_NO_VALUE & set(name_tokens(item)) for item in items) else []
