"""Vectors of an embedding model, one for each text -> for each text that means what an earlier one means, that one, and how near they are.

As semhash does it: the first of those that are alike stays, and cosines are compared in whole blocks.
"""

from collections.abc import Sequence

import numpy as np

from interplay.validators.curation.near_duplicates import Repeat

BLOCK = 1_000
"""Number of texts that are compared with all earlier texts at once."""


def like_meanings(vectors: Sequence[Sequence[float]], threshold: float) -> dict[int, Repeat]:
    """Return, by the place of each text that repeats an earlier one, which one; `threshold` is the least cosine, from 0 to 1."""
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
