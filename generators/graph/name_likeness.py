"""Two names of fields -> how similar they are: abbreviations, plurals, qualifiers, and words with most letters in common."""

from collections.abc import Mapping
from functools import lru_cache

from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, table, word_set
from interplay.schemas.words.nouns import singular

Words = tuple[str, ...]

GENERIC = word_set(beside(__file__), "generic")
"""Words that mean nothing without the thing they belong to; alone they never make an edge."""

ID_WORDS = {"id", "uuid", "guid", "gid", "uid", "key", "slug", "identifier"}
"""Last words of names that hold an identity."""

_SAME_ID = {"id", "identifier", "uid", "gid"}

LETTERS_SHARED = 0.83
"""Share of the longest common subsequence above which words count as the same (as in ToolDial)."""

NEARLY = 0.85
"""Similarity of names that differ by an abbreviation, or by a qualifier before the same noun."""

_SHORT: Mapping[str, str] = table(beside(__file__), "abbreviations")


@lru_cache(maxsize=65_536)
def words_of_name(name: str) -> Words:
    """Return the words of a name, singular and spelt out: `flight_nos` -> ("flight", "number")."""
    tokens = name_tokens(name)
    words = [_SHORT.get(word, word) for word in (singular(token) for token in tokens)]
    if len(tokens) > 1 and tokens[-1] in ("no", "nos"):
        words[-1] = "number"
    return tuple(words)


@lru_cache(maxsize=65_536)
def stem_of_words(words: Words) -> Words | None:
    """Return the words of the thing whose identity a name holds: ("user", "id") -> ("user",); None for other names."""
    if len(words) > 1 and words[-1] in ID_WORDS:
        return words[:-1]
    if len(words) > 1 and words[0] == "id":
        return words[1:]
    return None


def is_generic(words: Words) -> bool:
    """Tell whether a name means nothing without the thing it belongs to."""
    return set(words) <= GENERIC


def likeness(left: Words, right: Words) -> float:
    """Return the similarity of two names, from 0 to 1; names of identities are similar only if their things are."""
    if left == right:
        return 1.0
    stems = stem_of_words(left), stem_of_words(right)
    if stems[0] is not None or stems[1] is not None:
        if stems[0] is None or stems[1] is None:
            return 0.0
        same = left[-1] == right[-1] or {left[-1], right[-1]} <= _SAME_ID or "id" in (left[0], right[0])
        return _qualified(stems[0], stems[1]) if same else 0.0
    if left and right and left[-1] == right[-1] and left[-1] in GENERIC:
        return _qualified(left[:-1], right[:-1]) or _spelt_alike(left[:-1], right[:-1])
    if len(left) != len(right):
        return NEARLY if "".join(left) == "".join(right) else 0.0
    return _spelt_alike(left, right)


def _spelt_alike(left: Words, right: Words) -> float:
    """Return the similarity of two names of equally many words: that of the least similar pair of words."""
    if len(left) != len(right):
        return 0.0
    scores = [_same_word(*pair) for pair in zip(left, right, strict=True)]
    if len(scores) > 1 and scores.count(0.0) == 1:  # beside similar words, one may be abbreviated: `org name`
        scores = [score or _cut_short(*pair) for score, pair in zip(scores, zip(left, right, strict=True), strict=True)]
    return min(scores, default=0.0)


def _qualified(left: Words, right: Words) -> float:
    """Return the similarity of two nouns of which one may have qualifiers: `direct flight` and `flight`."""
    if left == right:
        return 1.0
    short, long = sorted((left, right), key=len)
    if not short or is_generic(short):
        return 0.0
    return NEARLY if long[-len(short) :] == short else 0.0


@lru_cache(maxsize=65_536)
def _same_word(left: str, right: str) -> float:
    if left == right:
        return 1.0
    shared = 2 * _common_letters(left, right) / (len(left) + len(right))
    return shared if shared > LETTERS_SHARED and min(len(left), len(right)) > 4 else 0.0


def _cut_short(left: str, right: str) -> float:
    short, long = sorted((left, right), key=len)
    return NEARLY if 3 <= len(short) <= 5 and long.startswith(short) and len(long) >= len(short) + 3 else 0.0


def _common_letters(left: str, right: str) -> int:
    """Return the length of the longest common subsequence of two words."""
    row = [0] * (len(right) + 1)
    for letter in left:
        before = 0
        for index, other in enumerate(right, 1):
            kept = row[index]
            row[index] = before + 1 if letter == other else max(row[index], row[index - 1])
            before = kept
    return row[-1]


def blocks(words: Words) -> set[str]:
    """Return the index keys of a name, of which similar names share at least one.

    These are each word that is not generic, its beginning, and the beginning of the whole name.
    """
    telling = [word for word in words if word not in GENERIC]
    return {*telling, *(f"{word[:3]}-" for word in telling), f"{''.join(words)[:4]}="}


def shared_words(left: Words, right: Words) -> float:
    """Return the cosine of two names as sets of words."""
    return len(set(left) & set(right)) / (len(set(left)) * len(set(right))) ** 0.5 if left and right else 0.0
