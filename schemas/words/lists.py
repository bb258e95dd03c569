"""Word lists kept as YAML data, read once, as tuples, sets, tables and patterns.

A list is in `data/<language>/<idea>.yaml` if several rooms use it, and beside its module if only that uses it:

    articles: a an the                    words("stop_words", "articles")       -> ("a", "an", "the")
    sums: {price: [5, 400]}               table(beside(__file__), "sums")       -> {"price": [5, 400]}

A YAML string is split at spaces; items that contain spaces are written as a YAML list.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from interplay.schemas.json.yaml_text import parse_yaml

_DATA = Path(__file__).parent / "data"
Idea = str | Path
"""The name of a file in `data`, or the path of a file beside a module."""


def beside(module: str) -> Path:
    """Return the path of the YAML file beside a module, given its `__file__`: `phrases/intents.py` -> `phrases/intents.yaml`."""
    return Path(module).with_suffix(".yaml")


@cache
def words(idea: Idea, *names: str, language: str = "en") -> tuple[str, ...]:
    """Return the distinct words of the lists `names` of an idea, in order; those of all its lists if none is named.

    Raises:
        ValueError: there is no such list, or it is not a list of strings.
    """
    held = _lists(idea, language)
    found = [word for name in names or held for word in _words(held, name, idea)]
    return tuple(dict.fromkeys(found))


@cache
def word_set(idea: Idea, *names: str, language: str = "en") -> frozenset[str]:
    """Return the words of the lists `names` of an idea as a set; those of all its lists if none is named."""
    return frozenset(words(idea, *names, language=language))


def table(idea: Idea, name: str, language: str = "en") -> Mapping[Any, Any]:
    """Return the table `name` of an idea; it must not be mutated.

    Raises:
        ValueError: there is no such table, or it is not a mapping.
    """
    found = _lists(idea, language).get(name)
    if not isinstance(found, Mapping):
        raise ValueError(f"{_path(idea, language)} must hold a table {name!r}: keys, each with a value")
    return found


def rows(idea: Idea, name: str, language: str = "en") -> tuple[Any, ...]:
    """Return the items of a list that are not plain words, such as mappings.

    Raises:
        ValueError: there is no such list.
    """
    found = _lists(idea, language).get(name)
    if not isinstance(found, list):
        raise ValueError(f"{_path(idea, language)} must hold a list {name!r}")
    return tuple(found)


def alternatives(words: Iterable[str]) -> str:
    """Return words as a regular expression that prefers the earlier ones: ("https", "http") -> "https|http"."""
    return "|".join(map(re.escape, words))


def _words(held: Mapping[str, Any], name: str, idea: Idea) -> list[str]:
    found = held.get(name)
    listed = found.split() if isinstance(found, str) else found
    if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
        raise ValueError(f"{idea} must hold a list {name!r}: words with spaces between them, or a list of texts")
    return listed


@cache
def _lists(idea: Idea, language: str) -> Mapping[str, Any]:
    path = _path(idea, language)
    held = parse_yaml(path.read_text(encoding="utf-8"))
    if not isinstance(held, dict):
        raise ValueError(f"{path} must hold lists by their names")
    return held


def _path(idea: Idea, language: str) -> Path:
    return idea if isinstance(idea, Path) else _DATA / language / f"{idea}.yaml"
