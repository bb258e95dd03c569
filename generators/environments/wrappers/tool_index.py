"""Tools -> an inverted index that ranks them by how well they fit a need in plain words (BM25)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import log

from interplay.schemas.records.tool import Tool, ToolRole
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, table, word_set
from interplay.schemas.words.nouns import singular

_LISTS = beside(__file__)

NAME, SUMMARY, RESOURCE, DESCRIPTION, PARAMETER = 3.0, 2.0, 2.0, 1.0, 0.3
"""Weight of a word, by the field it is in."""

DESCRIBED = 600
"""Characters of a description that are indexed."""

SATURATION, LENGTH = 1.2, 0.6
"""k1 and b of BM25."""

COMMON, FEW = 0.1, 500
"""A word in more than this share of the tools, and in more than `FEW`, affects the ranking but finds no tools if rarer words do.
"""

_ACTS = table(_LISTS, "acts")
_ACT_OF = {word: f"+{act}" for act, words in _ACTS.items() for word in words.split()}
_THINGS = {"list", "lists", "place", "post", "search", "check", "show", "look", "display", "return", "view"}
_EMPTY = (word_set("stop_words") | word_set(_LISTS, "of_interfaces")) - word_set(_LISTS, "telling")
"""Words that are not indexed."""

_WORD = re.compile(r"[a-z]{2,}|[0-9]+")


class ToolIndex:
    """An inverted index over names, summaries, descriptions, resources and parameters. Deterministic.

    Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with fields weighted as in
    BM25F. The contribution of each word to a tool's score is computed when the index is built.
    """

    def __init__(self, tools: Sequence[Tool], roles: Iterable[ToolRole]) -> None:
        by_tool = {role.tool: role for role in roles}
        counted = [_words_of(tool, by_tool.get(tool.name)) for tool in tools]
        mean = sum(sum(words.values()) for words in counted) / max(1, len(counted))
        self._names = [tool.name for tool in tools]
        self._postings: dict[str, dict[int, float]] = {}
        for number, words in enumerate(counted):
            norm = SATURATION * (1 - LENGTH + LENGTH * sum(words.values()) / mean)
            for word, weight in words.items():
                self._postings.setdefault(word, {})[number] = weight * (SATURATION + 1) / (weight + norm)
        for postings in self._postings.values():
            rarity = log(1 + (len(counted) - len(postings) + 0.5) / (len(postings) + 0.5))
            for number in postings:
                postings[number] *= rarity

    def best(self, query: str, most: int) -> list[str]:
        """Return the names of the `most` tools that fit a query best, best first; ties are in order of name."""
        wanted = [self._postings[word] for word in dict.fromkeys(_terms(query)) if word in self._postings]
        limit = max(FEW, COMMON * len(self._names))
        rare = [postings for postings in wanted if len(postings) <= limit]
        scores: dict[int, float] = {}
        for postings in rare or wanted:
            for number, score in postings.items():
                scores[number] = scores.get(number, 0.0) + score
        if rare:
            _raise(scores, [postings for postings in wanted if len(postings) > limit])
        ranked = sorted(scores, key=lambda number: (-scores[number], self._names[number]))
        return [self._names[number] for number in ranked[:most]]


def _raise(scores: dict[int, float], common: Sequence[Mapping[int, float]]) -> None:
    """Add the scores of common words to the tools that a rare word has found."""
    for postings in common:
        for number in scores:
            scores[number] += postings.get(number, 0.0)


def _words_of(tool: Tool, role: ToolRole | None) -> Mapping[str, float]:
    """Return word -> frequency in a tool, weighted by field."""
    counted: dict[str, float] = {}
    resource = [role.operation, *name_tokens(role.resource or "")] if role is not None else []
    parameters = [word for name in tool.properties for word in name_tokens(name)]
    fields = (
        (NAME, " ".join(name_tokens(tool.original_name) + name_tokens(tool.name))),
        (SUMMARY, f"{tool.summary} {' '.join(tool.phrases.wishes)}"),
        (RESOURCE, " ".join(resource)),
        (DESCRIPTION, tool.description[:DESCRIBED]),
        (PARAMETER, " ".join(parameters)),
    )
    for weight, text in fields:
        for word in _terms(text):
            counted[word] = counted.get(word, 0.0) + weight
    return counted


def _terms(text: str) -> Iterator[str]:
    """Yield the index terms of a text: verbs as acts, nouns as stems.

    A word that may be noun or verb counts as a verb only at the beginning of the text: not in "see the lists of a board".
    """
    for place, word in enumerate(_WORD.findall(text.lower())):
        if word not in _EMPTY:
            yield (_ACT_OF.get(word) if place == 0 or word not in _THINGS else None) or _stem(word)


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    """Return a rough stem of a word: the same one for cancels, cancelled and cancelling."""
    word = singular(word)
    for ending in ("ations", "ation", "ings", "ing", "ed", "er", "ment", "al"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 4 and (word.endswith("e") or word[-1] == word[-2]) else word
