"""Live values that cannot be tracked -> a copy that can be compared quickly and restored."""

import copy
import io
import operator
import pickle
from collections.abc import Sequence
from typing import Any

from interplay.generators.environments.toolkit.tracked_containers import Entry


class Frozen:
    """Copies of entries, with what they share; references to the objects in `fixed` stay references.

    They are pickled where they can be, for speed, and deep-copied else.

    Raises:
        Exception: whatever a value raises that cannot be copied.
    """

    def __init__(self, values: dict[Entry, Any], fixed: Sequence[Any] = ()) -> None:
        self._fixed = tuple(fixed)
        self._values: dict[Entry, Any] | None = None
        self.text: bytes | None = None
        try:
            stream = io.BytesIO()
            writer = _Pickler(stream, protocol=pickle.HIGHEST_PROTOCOL)
            writer.places = {id(value): place for place, value in enumerate(self._fixed)}
            writer.dump(values)
            self.text = stream.getvalue()
        except Exception:  # whatever a foreign object raises; a copy may still succeed
            self._values = self._copied(values)

    def thaw(self) -> dict[Entry, Any]:
        """Return fresh copies of the values."""
        if self.text is None:
            return self._copied(self._values or {})
        reader = _Unpickler(io.BytesIO(self.text))
        reader.fixed = self._fixed
        values: dict[Entry, Any] = reader.load()
        return values

    def is_same(self, other: "Frozen | None") -> bool:
        """Tell whether both are certainly copies of equal values; false means unknown."""
        if other is None or self.text is None or self.text != other.text or len(self._fixed) != len(other._fixed):
            return False
        return all(map(operator.is_, self._fixed, other._fixed))

    def _copied(self, values: dict[Entry, Any]) -> dict[Entry, Any]:
        return copy.deepcopy(values, {id(value): value for value in self._fixed})


class _Pickler(pickle.Pickler):
    places: dict[int, int]

    def persistent_id(self, value: Any) -> int | None:
        return self.places.get(id(value))


class _Unpickler(pickle.Unpickler):
    fixed: tuple[Any, ...]

    def persistent_load(self, place: Any) -> Any:
        return self.fixed[place]
