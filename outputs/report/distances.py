"""Tool sequences -> how far apart they are: a weighted edit distance, averaged over a bounded sample of pairs."""

import re
from collections.abc import Collection, Sequence
from random import Random

LOOKED_UP, DONE = 0.5, 1.0
"""What a call more or less weighs: one that reads, and one that writes."""

RELATED = 0.5
"""What it weighs, of the heavier of both, that a call stands for another of a tool whose name shares a word with its own."""

PAIRS = 2000
"""Pairs that a mean is taken over at most."""


def distance(first: Sequence[str], second: Sequence[str], writes: Collection[str] = ()) -> float:
    """Return what it takes at least to make one sequence of tools the other by leaving out, adding and exchanging calls."""
    above = [0.0]
    for tool in second:
        above.append(above[-1] + _weight(tool, writes))
    for tool in first:
        row = [above[0] + _weight(tool, writes)]
        for place, other in enumerate(second):
            left_out, added = above[place + 1] + _weight(tool, writes), row[place] + _weight(other, writes)
            row.append(min(left_out, added, above[place] + _exchange(tool, other, writes)))
        above = row
    return above[-1]


def mean_distance(sequences: Sequence[Sequence[str]], writes: Collection[str] = (), seed: int = 0) -> float:
    """Return the mean distance between two sequences, over `PAIRS` pairs drawn by `seed`, or all if there are no more."""
    count = len(sequences)
    if count * (count - 1) // 2 <= PAIRS:
        pairs = [(one, two) for one in range(count) for two in range(one)]
    else:
        rng = Random(seed)
        pairs = [(one, two) for one, two in (rng.sample(range(count), 2) for _ in range(PAIRS))]
    total = sum(distance(sequences[one], sequences[two], writes) for one, two in pairs)
    return round(total / len(pairs), 3) if pairs else 0.0


def _weight(tool: str, writes: Collection[str]) -> float:
    return DONE if tool in writes else LOOKED_UP


def _exchange(tool: str, other: str, writes: Collection[str]) -> float:
    if tool == other:
        return 0.0
    heavier = max(_weight(tool, writes), _weight(other, writes))
    return heavier * (RELATED if _words(tool) & _words(other) else 1.0)


def _words(tool: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", tool)}
