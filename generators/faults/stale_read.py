"""A read answers as of the opening state, and says that it is an old copy."""

from typing import Any

from interplay.generators.faults.fault_effect import FaultEffect


def distort(value: Any) -> Any:
    """Return an outdated answer in an envelope that says so."""
    return {"stale": True, "warning": "Response is a cached copy and may be out of date.", "data": value}


FAULT = FaultEffect(distort=distort, outdated=True, keeps_value=True)
