"""A list comes back without its items; the answer says how many exist, so that it is not taken for a true empty list."""

from typing import Any

from interplay.generators.faults.fault_effect import FaultEffect, cut_list
from interplay.generators.results.result_kinds import list_in


def suits(value: Any) -> bool:
    """Tell whether the answer holds a list that is not empty."""
    return bool(list_in(value)[1])


def distort(value: Any) -> Any:
    """Return the answer with its list emptied."""
    return cut_list(value, 0)


FAULT = FaultEffect(suits=suits, distort=distort)
