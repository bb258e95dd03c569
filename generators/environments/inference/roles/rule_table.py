"""Decision tables: the first row whose condition holds for a case decides."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Rule:
    """One row of a table: if `when` holds for a case, the conclusion is `then`, or the result of calling it with the case.

    `example` is a case decided by this row: calls separated by `|`, first the decided one, then others that it depends on.
    `-> order` is a result with one order, `-> [order]` one with several, `-> {a, b}` an object with these fields.
    """

    name: str
    when: Callable[[Any], Any]
    then: Any
    example: str

    def conclude(self, case: object) -> Any:
        """Return the conclusion for a case for which the row holds."""
        return self.then(case) if callable(self.then) else self.then


def always(_: object) -> bool:
    """Hold for every case: the condition of the last row of a table."""
    return True


def first_rule(rules: Sequence[Rule], case: object) -> Rule | None:
    """Return the first row that holds for a case; none if no row holds."""
    for rule in rules:
        if rule.when(case):
            return rule
    return None


def found(name: str, find: Callable[[Any], Any], example: str) -> Rule:
    """Return a row that holds if `find` finds something, and concludes what it finds."""
    return Rule(name, find, find, example)
