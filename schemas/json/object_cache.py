"""A cache keyed by the identity of immutable objects, for values derived from a schema or plan."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")

LIMIT = 20_000
"""Maximum number of entries of one cache; when it is reached, the cache is emptied."""


class ObjectCache(Generic[Made]):
    """Memoises `make(source, *told)` by the identity of `source` and the equality of `told`.

    Each entry keeps its `source` alive, so that no other object can get the same id.
    """

    def __init__(self, make: Callable[..., Made], limit: int = LIMIT) -> None:
        self._make, self._limit = make, limit
        self._held: dict[tuple[Any, ...], tuple[Any, Made]] = {}

    def __call__(self, source: Any, *told: Any) -> Made:
        """Return the value made of `source`, which must not be mutated; all of `told` must be hashable."""
        key = (id(source), *told)
        held = self._held.get(key)
        if held is not None:
            return held[1]
        made = self._make(source, *told)
        if len(self._held) >= self._limit:
            self._held.clear()
        self._held[key] = (source, made)
        return made
