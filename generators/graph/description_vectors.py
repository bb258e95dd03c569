"""Descriptions of fields -> how similar they are, by sparse TF-IDF vectors under an inverted index.

"Unique number of the flight" -> {"flight": 0.71, "unique": 0.42, ...}, each text once, of length 1
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from interplay.schemas.words.lists import word_set

LENGTH = 400
"""Characters of a description that are read."""

TERMS = 40
"""Terms of one description that are kept: those of the highest weight."""

COMMON = 400
"""Terms in more descriptions than this find no neighbours; they still count when two are compared."""

NEIGHBOURS = 20

_WORD = re.compile(r"[a-z]{3,}")
_STOP = word_set("stop_words")


def terms_of(text: str) -> list[str]:
    """Return the terms of a description, in order, without stop words."""
    return [term for term in _WORD.findall(text[:LENGTH].lower()) if term not in _STOP]


class Descriptions:
    """TF-IDF vectors of distinct texts, with an index to find neighbours."""

    def __init__(self, texts: Iterable[str]) -> None:
        counted = {text: Counter(terms_of(text)) for text in dict.fromkeys(texts)}
        spread = Counter(term for counts in counted.values() for term in counts)
        rarity = {term: math.log((1 + len(counted)) / (1 + count)) + 1 for term, count in spread.items()}
        self._vectors = {text: _vector(counts, rarity) for text, counts in counted.items()}
        self._postings: dict[str, list[str]] = defaultdict(list)

    def index(self, texts: Iterable[str]) -> None:
        """Let `texts`, which must be known, be found as neighbours."""
        for text in dict.fromkeys(texts):
            for term in self._vectors[text]:
                self._postings[term].append(text)

    def cosine(self, left: str, right: str) -> float:
        """Return the cosine of two known texts, from 0 to 1."""
        first, second = sorted((self._vectors.get(left, {}), self._vectors.get(right, {})), key=len)
        return min(1.0, sum(weight * second.get(term, 0.0) for term, weight in first.items()))

    def shared(self, left: str, right: str) -> list[str]:
        """Return the terms that two known texts share, by descending weight."""
        first, second = self._vectors.get(left, {}), self._vectors.get(right, {})
        return sorted((term for term in first if term in second), key=lambda term: (-first[term] * second[term], term))

    def neighbours(self, text: str, least: float) -> list[str]:
        """Return the indexed texts whose cosine is at least `least`, best first."""
        found: dict[str, float] = defaultdict(float)
        vector = self._vectors.get(text, {})
        for term, weight in vector.items():
            posting = self._postings.get(term, ())
            for other in posting if len(posting) <= COMMON else ():
                found[other] += weight * self._vectors[other][term]
        near = sorted(found, key=lambda other: (-found[other], other))[:NEIGHBOURS]
        ranked = sorted((-self.cosine(text, other), other) for other in near)
        return [other for negative, other in ranked if -negative >= least]


def _vector(counts: Mapping[str, int], rarity: Mapping[str, float]) -> dict[str, float]:
    weighted = {term: (1 + math.log(count)) * rarity[term] for term, count in counts.items()}
    kept = sorted(weighted, key=lambda term: (-weighted[term], term))[:TERMS]
    length = math.sqrt(sum(weighted[term] ** 2 for term in kept))
    return {term: weighted[term] / length for term in kept}
