"""A list comes back with its first half, and says that it is a part."""

from typing import Any

from interplay.generators.faults.fault_effect import FaultEffect, cut_list
from interplay.generators.results.result_kinds import list_in


def suits(value: Any) -> bool:
    """Tell whether there is a second half."""
    return len(list_in(value)[1] or ()) > 1


def distort(value: Any) -> Any:
    """Return the answer with the first half of its list."""
    return cut_list(value, max(1, len(list_in(value)[1] or ()) // 2), partial=True)


FAULT = FaultEffect(suits=suits, distort=distort)
