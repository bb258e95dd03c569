"""Overlap of content words: how much of a wish, a label or a name occurs in a text."""

import re
from functools import lru_cache

from interplay.schemas.words.lists import beside, word_set

_WORD = re.compile(r"[^\W_]+")
_SENTENCE = re.compile(r"(?:[^.!?;:\n]|[.!?;:](?=[^\s\"'”’)*_.!?;:]))+(?:[.!?;:]+|\n|$)")
"""Up to a punctuation mark that is not within a word (nora.lind, 10:15), or to the end of the line."""

_QUOTED = re.compile(r"[\"“„][^\"“”„\n]{1,1000}[\"“”]")
_MARK = re.compile(r"[.!?;:]")

_EMPTY = word_set(beside(__file__))
_STEM = 4
QUESTION_MARKS = ("?", "？", "؟", ";")
"""Question marks of most scripts, the last one Greek."""


def asks(text: str) -> bool:
    """Tell whether a text ends with a question."""
    return text.rstrip(" \n\t\"'”’)*_").endswith(QUESTION_MARKS)


@lru_cache(maxsize=8192)
def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text."""
    return frozenset(_stem(word) for word in _WORD.findall(text.lower()) if word not in _EMPTY)


def _stem(word: str) -> str:
    return word[: max(_STEM, len(word) - 2)] if word.isalpha() else word


def _stands(stem: str, said: frozenset[str]) -> bool:
    return stem in said or any(
        len(min(stem, other, key=len)) >= _STEM and (other.startswith(stem) or stem.startswith(other)) for other in said
    )


def share(of: str, text: str, without: str = "") -> float:
    """Return the share of the content words of `of`, except those of `without`, that occur in `text`; 0 if it has none."""
    wanted = content_stems(of) - content_stems(without)
    said = content_stems(text)
    return sum(_stands(stem, said) for stem in wanted) / len(wanted) if wanted else 0.0


def names(text: str, label: str) -> bool:
    """Tell whether all content words of a label occur in a text."""
    return bool(content_stems(label)) and share(label, text) == 1.0


def plain(text: str) -> str:
    """Return a text in lower case, with straight apostrophes."""
    return text.lower().replace("’", "'")


def sentences(text: str) -> list[str]:
    """Return the sentences and clauses of a text; a quotation is part of its sentence."""
    marked = _QUOTED.sub(lambda quoted: _MARK.sub("_", quoted[0]), text)
    found = (text[part.start() : part.end()].strip() for part in _SENTENCE.finditer(marked))
    return [part for part in found if part]
