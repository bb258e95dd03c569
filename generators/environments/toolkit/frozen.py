"""Live values that cannot be tracked -> a copy that can be compared quickly and restored."""

import copy
import io
import operator
import pickle
from collections.abc import Sequence
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from interplay.generators.environments.toolkit.tracked_containers import SCALARS, Entry

_REFERRED = (BuiltinFunctionType, FunctionType, ModuleType, type)
"""Types of code objects, which copies refer to instead of copying."""


class Frozen:
    """Copies of entries, which keep what they share; they refer to what is not copied: `fixed` objects, code, locks, open files.

    Values are pickled if possible, for speed, and deep-copied otherwise.

    Raises:
        Exception: any exception of a value that cannot be copied.
    """

    def __init__(self, values: dict[Entry, Any], fixed: Sequence[Any] = ()) -> None:
        self._fixed = tuple(fixed)
        self._values: dict[Entry, Any] | None = None
        self.text: bytes | None = None
        stream = io.BytesIO()
        writer = _Pickler(stream, self._fixed)
        try:
            writer.dump(values)
            self.text, self._fixed = stream.getvalue(), tuple(writer.fixed)
        except Exception:  # foreign objects may raise anything; a deep copy may still succeed
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
        """Tell whether both are certainly copies of equal values; false if unknown."""
        if other is None or self.text is None or self.text != other.text or len(self._fixed) != len(other._fixed):
            return False
        return all(map(operator.is_, self._fixed, other._fixed))

    def _copied(self, values: dict[Entry, Any]) -> dict[Entry, Any]:
        return copy.deepcopy(values, {id(value): value for value in self._fixed})


class _Pickler(pickle.Pickler):
    """Pickles values, except for fixed ones; objects that cannot be copied are added to `fixed`."""

    def __init__(self, stream: io.BytesIO, fixed: Sequence[Any]) -> None:
        super().__init__(stream, protocol=pickle.HIGHEST_PROTOCOL)
        self.fixed = list(fixed)
        self._places = {id(value): place for place, value in enumerate(fixed)}
        self._kinds: dict[object, bool] = dict.fromkeys((*SCALARS, dict, list, tuple, set, frozenset), True)

    def persistent_id(self, value: Any) -> int | None:
        place = self._places.get(id(value))
        if place is None and not self._kinds.get(type(value)) and not self._is_copied(value):
            place = self._places[id(value)] = len(self.fixed)
            self.fixed.append(value)
        return place

    def _is_copied(self, value: Any) -> bool:
        """Tell whether values of this type can be copied."""
        kind = type(value)
        if kind not in self._kinds:
            self._kinds[kind] = not isinstance(value, _REFERRED) and _has_parts(value)
        return self._kinds[kind]


def _has_parts(value: Any) -> bool:
    """Tell whether an object can be pickled in principle: it has a reduced form."""
    try:
        value.__reduce_ex__(pickle.HIGHEST_PROTOCOL)
    except TypeError:
        return False
    except Exception:  # foreign objects may raise anything
        return True
    return True


class _Unpickler(pickle.Unpickler):
    fixed: tuple[Any, ...]

    def persistent_load(self, place: Any) -> Any:
        return self.fixed[place]
