"""A table of inference -> the first of its rows that holds, and what that row concludes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Rule:
    """One row of a table: where `when` holds of a case, `then` is concluded, or what `then` returns for the case.

    `example` is a case that this row decides, as calls separated by `|`, the decided one first, then those that matter
    beside it. `-> order` is a result with one order, `-> [order]` one with several, `-> {a, b}` an object of fields.
    """

    name: str
    when: Callable[[Any], Any]
    then: Any
    example: str

    def conclude(self, case: object) -> Any:
        """Return what the row concludes of a case of which it holds."""
        return self.then(case) if callable(self.then) else self.then


def always(_: object) -> bool:
    """Hold of every case: the condition of a table's last row."""
    return True


def first_rule(rules: Sequence[Rule], case: object) -> Rule | None:
    """Return the first row that holds of a case."""
    for rule in rules:
        if rule.when(case):
            return rule
    return None


def found(name: str, find: Callable[[Any], Any], example: str) -> Rule:
    """Return a row that holds where something is found, and concludes that."""
    return Rule(name, find, find, example)
