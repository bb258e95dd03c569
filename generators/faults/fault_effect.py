"""What there is to say of a kind of fault: when a draft can bear it, what a call returns, and what is right to do then."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from interplay.generators.results.result_kinds import list_in
from interplay.schemas.json.canonical import set_leaf
from interplay.schemas.records.fault import FaultKind


def is_structured(value: Any) -> bool:
    """Tell whether an answer is an object or a list with something in it."""
    return isinstance(value, (dict, list)) and bool(value)


@dataclass(frozen=True)
class FaultEffect:
    """A call fails with one of `errors` before it does anything; or, where there are none, a read answers otherwise.

    `lasting` is the chance that the fault does not pass; at 1 it never does. `suits` tells whether an answer can be
    changed, and `distort` returns the changed one, which says that something is wrong with it. Where `outdated`, it is made
    of the answer of the opening state. With `restore`, the right answer can be read out of the changed one, and the call
    need not be made again. Where `keeps_value`, the value of the result stays that of the true answer: only its text differs.

    A result has one text, and neither a status code nor headers: an error says in its text what these would, as "429" or
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
    """Return the `FAULT` of the module called so."""
    effect: FaultEffect = import_module(f"interplay.generators.faults.{kind}").FAULT
    return effect


def cut_list(value: Any, length: int, **told: Any) -> Any:
    """Return an answer with the first items of its list, however deep that lies, and with how many there are; itself where it holds no list."""
    pointer, items = list_in(value)
    if items is None:
        return value
    counted = {**told, "returned": length, "available": len(items)}
    if not pointer:
        return {**counted, "items": items[:length]}
    return {**counted, **set_leaf(value, pointer, items[:length])}
