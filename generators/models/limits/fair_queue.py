"""Waiting requests of several roles -> the next one, so that each role gets its share and none starves."""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

_T = TypeVar("_T")


class FairQueue(Generic[_T]):
    """A weighted fair queue.

    Each role has a clock that advances by 1/weight with every request taken; the role with the lowest clock is next.
    Source: start-time fair queueing (Goyal, Vin, Cheng, 1996, section 2), with all requests of equal length.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        """Start empty; a role without a weight has weight 1."""
        self._weights = weights
        self._waiting: dict[str, deque[_T]] = {}
        self._clocks: dict[str, float] = {}
        self._now = 0.0
        self._length = 0

    def __len__(self) -> int:
        """Return the number of waiting items."""
        return self._length

    def push(self, role: str, item: _T, first: bool = False) -> None:
        """Queue an item behind those of its role, or with `first` before them."""
        waiting = self._waiting.get(role)
        if waiting is None:
            waiting = self._waiting[role] = deque()
        if not waiting:
            self._clocks[role] = max(self._clocks.get(role, 0.0), self._now)
        if first:
            waiting.appendleft(item)
        else:
            waiting.append(item)
        self._length += 1

    def pop(self) -> tuple[str, _T]:
        """Remove and return the role and the next item; the queue must not be empty."""
        clocks = self._clocks
        role = min((role for role, waiting in self._waiting.items() if waiting), key=lambda role: clocks[role])
        self._now = clocks[role]
        clocks[role] += 1 / self._weights.get(role, 1.0)
        self._length -= 1
        return role, self._waiting[role].popleft()

    def take_out(self, unwanted: Callable[[_T], bool]) -> list[_T]:
        """Remove and return all items for which `unwanted` is true."""
        items = [item for waiting in self._waiting.values() for item in waiting if unwanted(item)]
        if items:
            self._waiting = {
                role: deque(item for item in waiting if not unwanted(item)) for role, waiting in self._waiting.items()
            }
            self._length -= len(items)
        return items
