"""A list comes back without its items, and says that there are some: else it could be believed."""

from typing import Any

from interplay.generators.faults.fault_effect import FaultEffect, cut_list
from interplay.generators.results.result_kinds import list_in


def suits(value: Any) -> bool:
    """Tell whether there are items to leave out."""
    return bool(list_in(value)[1])


def distort(value: Any) -> Any:
    """Return the answer without the items of its list."""
    return cut_list(value, 0)


FAULT = FaultEffect(suits=suits, distort=distort)
