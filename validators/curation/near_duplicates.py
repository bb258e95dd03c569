"""Texts -> for each text that repeats an earlier one: which one, and how similar it is.

Texts are compared by their runs of three words: the Jaccard index, estimated from MinHash sketches (Broder 1997) made by
rensa. Only texts whose sketches have an equal band are compared.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rensa import RMinHash

from interplay.schemas.words.text import UNSPACED

RUN = 3
"""Number of words in a run."""

HASHES, BAND = 64, 4
"""Hashes in a sketch, and hashes in a band: of pairs with Jaccard index 0.8, all but 2 in 10,000 have an equal band."""

NEIGHBOURS = 4
"""Number of earlier texts with an equal band that each text is compared with."""

_WORD = re.compile(rf"[{UNSPACED}]|[^\s{UNSPACED}]+")
"""A word; in scripts without spaces between words, a character."""

_COMPARED_TOGETHER = 4_096
_SEED = 42

Sketches = NDArray[np.uint32]
"""One row of `HASHES` numbers per text; all zero for a text without words."""


@dataclass(frozen=True)
class Repeat:
    """That a text repeats the earlier one at position `of`; `similarity` is from 0 to 1."""

    of: int
    similarity: float


class Sketchbook:
    """The MinHash sketches of texts in the order of adding; 256 bytes each."""

    def __init__(self) -> None:
        self._made: list[Sketches] = []

    def add(self, texts: Sequence[str]) -> None:
        """Add the sketches of some texts; adding thousands at once is faster."""
        runs = [_runs(text) for text in texts]
        found = np.array(RMinHash.digests_from_token_sets(runs, num_perm=HASHES, seed=_SEED), dtype=np.uint32)
        found = found.reshape(len(texts), HASHES)
        found[[not each for each in runs]] = 0
        self._made.append(found)

    def repeats(self, threshold: float) -> dict[int, Repeat]:
        """Return position -> repeat, for each text whose similarity to an earlier one is `threshold` or more.

        Of similar texts, the first is kept, and later ones are compared with the kept ones.
        """
        return _repeats(np.concatenate(self._made), threshold) if self._made else {}


def _repeats(given: Sketches, threshold: float) -> dict[int, Repeat]:
    found: dict[int, Repeat] = {}
    for later, earlier in _candidates(given, threshold):
        if later in found:
            continue
        kept = found[earlier].of if earlier in found else earlier
        similarity = float(np.mean(given[later] == given[kept]))
        if similarity >= threshold:
            found[later] = Repeat(kept, similarity)
    return found


def _candidates(given: Sketches, threshold: float) -> Iterator[tuple[int, int]]:
    """Yield pairs of positions of similar texts, (later, earlier), in order."""
    worded = np.flatnonzero(given.any(axis=1))
    pairs = np.zeros(0, np.uint64)
    for start in range(0, HASHES, BAND):
        keys = _band(given, worded, start)
        order = np.argsort(keys, kind="stable")
        places, keys = worded[order].astype(np.uint64), keys[order]
        for distance in range(1, NEIGHBOURS + 1):
            equal = np.flatnonzero(keys[distance:] == keys[:-distance])
            earlier, later = places[equal], places[equal + distance]
            alike = _alike(given, earlier, later, threshold)
            pairs = np.union1d(pairs, later[alike] << np.uint64(32) | earlier[alike])
    for pair in pairs.tolist():
        yield pair >> 32, pair & 0xFFFFFFFF


def _band(given: Sketches, places: NDArray[np.intp], start: int) -> NDArray[np.uint64]:
    """Return a 64-bit hash of one band for each sketch; different bands have equal hashes in one of 2^64 pairs."""
    keys = np.zeros(len(places), np.uint64)
    for column in range(start, start + BAND):
        keys = (keys ^ given[places, column].astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        keys ^= keys >> np.uint64(29)
    return keys


def _alike(
    given: Sketches, earlier: NDArray[np.uint64], later: NDArray[np.uint64], threshold: float
) -> NDArray[np.bool_]:
    told = np.zeros(len(earlier), np.bool_)
    for start in range(0, len(earlier), _COMPARED_TOGETHER):
        part = slice(start, start + _COMPARED_TOGETHER)
        told[part] = (given[earlier[part]] == given[later[part]]).mean(axis=1) >= threshold
    return told


def _runs(text: str) -> list[str]:
    words = text.split() if text.isascii() else _WORD.findall(text)
    return [" ".join(words[at : at + RUN]) for at in range(max(1, len(words) - RUN + 1))] if words else []


BLOCK = 1_000
"""Number of texts compared with all earlier texts in one matrix product."""


def like_meanings(vectors: Sequence[Sequence[float]], threshold: float) -> dict[int, Repeat]:
    """Return position -> repeat, for each text whose meaning repeats an earlier one's.

    `vectors` are embeddings of the texts, and `threshold` the minimum cosine similarity, from 0 to 1. As in semhash, the first of
    similar texts is kept.
    """
    found: dict[int, Repeat] = {}
    if not vectors:
        return found
    rows = np.asarray(vectors, dtype=np.float32)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    stays = np.ones(len(rows), dtype=bool)
    for start in range(0, len(rows), BLOCK):
        block = rows[start : start + BLOCK] @ rows[: start + BLOCK].T
        for row, cosines in enumerate(block):
            place = start + row
            earlier = np.where(stays[:place], cosines[:place], -1.0)
            best = int(earlier.argmax()) if place else 0
            if place and earlier[best] >= threshold:
                stays[place] = False
                found[place] = Repeat(best, float(earlier[best]))
    return found
