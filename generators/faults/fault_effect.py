"""What a kind of fault defines: which answers it can change, what a call returns, and how the right answer is recovered."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from interplay.generators.results.result_kinds import list_in
from interplay.schemas.json.canonical import set_leaf
from interplay.schemas.records.fault import FaultKind


def is_structured(value: Any) -> bool:
    """Tell whether an answer is a non-empty object or list."""
    return isinstance(value, (dict, list)) and bool(value)


@dataclass(frozen=True)
class FaultEffect:
    """The effect of a fault: a call fails with one of `errors` before it does anything, or, without `errors`, a read is changed.

    `lasting` is the probability that the fault is permanent; at 1 it always is. `suits` tells whether an answer can be
    changed, and `distort` returns the changed one, which says that something is wrong with it. If `outdated`, `distort` gets
    the answer as of the opening state. If `restore` is given, it recovers the right answer from the changed one, and the call
    need not be repeated. If `keeps_value`, the value of the result stays the true one and only its text differs.

    A result has one text, and neither a status code nor headers: an error states these in its text, as "429" or
    "Retry-After: 1".
    """

    errors: tuple[str, ...] = ()
    lasting: float = 0.0
    suits: Callable[[Any], bool] = is_structured
    distort: Callable[[Any], Any] = lambda value: value
    restore: Callable[[Any], Any] | None = None
    outdated: bool = False
    keeps_value: bool = False


def fault_effect(kind: FaultKind) -> FaultEffect:
    """Return the `FAULT` of the module named `kind`."""
    effect: FaultEffect = import_module(f"interplay.generators.faults.{kind}").FAULT
    return effect


def cut_list(value: Any, length: int, **told: Any) -> Any:
    """Return an answer with its list, at any depth, cut to `length` items, and with the counts; unchanged if it holds no list."""
    pointer, items = list_in(value)
    if items is None:
        return value
    counted = {**told, "returned": length, "available": len(items)}
    if not pointer:
        return {**counted, "items": items[:length]}
    return {**counted, **set_leaf(value, pointer, items[:length])}
