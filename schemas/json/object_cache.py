"""What is worked out of a schema or plan, kept as long as that is there: found by the object itself, which nobody changes."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")

LIMIT = 20_000
"""What is kept of one kind; then all of it is forgotten, and worked out again."""


class ObjectCache(Generic[Made]):
    """Calls a function of an object and of what is told besides, once for each: two objects that are equal are two.

    The object is kept with what was made of it, so that no other one can take its place.
    """

    def __init__(self, make: Callable[..., Made], limit: int = LIMIT) -> None:
        self._make, self._limit = make, limit
        self._held: dict[tuple[Any, ...], tuple[Any, Made]] = {}

    def __call__(self, source: Any, *told: Any) -> Made:
        """Return what the function makes of an object that nobody changes; `told` can be hashed."""
        key = (id(source), *told)
        held = self._held.get(key)
        if held is not None:
            return held[1]
        made = self._make(source, *told)
        if len(self._held) >= self._limit:
            self._held.clear()
        self._held[key] = (source, made)
        return made
