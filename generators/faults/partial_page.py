"""A list comes back with only its first half, and the answer says that it is partial."""

from typing import Any

from interplay.generators.faults.fault_effect import FaultEffect, cut_list
from interplay.generators.results.result_kinds import list_in


def suits(value: Any) -> bool:
    """Tell whether the list has more than one item."""
    return len(list_in(value)[1] or ()) > 1


def distort(value: Any) -> Any:
    """Return the answer with only the first half of its list."""
    return cut_list(value, max(1, len(list_in(value)[1] or ()) // 2), partial=True)


FAULT = FaultEffect(suits=suits, distort=distort)
