"""Rows as sets of things -> a few rows that together cover most of them.

A row is the set of things that it shows, each of a kind: a tool, an edge, a pattern. The first row with a thing gains 1, the
second 1/4, the n-th 1/n^2, divided by the number of things of the kind, so that 40 tools count as much as 40,000 wordings.
The total is maximised greedily (Nemhauser, Wolsey, Fisher 1978: at least 63 % of the optimum) with lazy updates (Minoux 1978).
"""

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import ceil, fsum

Thing = tuple[str, str]
"""(kind, name)."""


def representatives(rows: Sequence[frozenset[Thing]], wanted: int) -> list[int]:
    """Return the positions of up to `wanted` rows in the order in which they are chosen.

    Of rows with the same gain, the earlier one is chosen.
    """
    return list(islice(_chosen(rows), wanted))


def rows_needed(rows: Sequence[frozenset[Thing]], share: float) -> int:
    """Return how many rows, chosen as above, show the given share of the things of each kind; it need not be the minimum."""
    of_kind = Counter(kind for kind, _ in {thing for row in rows for thing in row})
    lacking = {kind: ceil(share * count - 1e-9) for kind, count in of_kind.items()}
    seen: set[Thing] = set()
    for count, place in enumerate(_chosen(rows)):
        if all(number <= 0 for number in lacking.values()):
            return count
        for kind, _ in rows[place] - seen:
            lacking[kind] -= 1
        seen |= rows[place]
    return len(rows)


def _chosen(rows: Sequence[frozenset[Thing]]) -> Iterator[int]:
    shown = Counter[Thing]()
    of_kind = Counter(kind for kind, _ in {thing for row in rows for thing in row})
    waiting = [(-_gain(row, shown, of_kind), place) for place, row in enumerate(rows)]
    heapq.heapify(waiting)
    while waiting:
        _, place = heapq.heappop(waiting)
        gain = -_gain(rows[place], shown, of_kind)
        if waiting and (gain, place) > waiting[0]:
            heapq.heappush(waiting, (gain, place))
            continue
        yield place
        shown.update(rows[place])


def _gain(row: frozenset[Thing], shown: Mapping[Thing, int], of_kind: Mapping[str, int]) -> float:
    """Return the gain of adding a row; `fsum`, since the order of a set varies and the sum must not."""
    return fsum(1 / ((shown[thing] + 1) ** 2 * of_kind[thing[0]]) for thing in row)
