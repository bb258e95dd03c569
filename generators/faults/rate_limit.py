"""A call is refused because there were too many: it was not executed, and succeeds when repeated."""

from interplay.generators.faults.fault_effect import FaultEffect

FAULT = FaultEffect(
    errors=(
        "429 Too Many Requests: retry after 2 seconds.",
        "429: rate limit reached for {tool}. Please slow down and try again.",
        "Rate limit exceeded (60 calls per minute). Retry-After: 1",
    ),
)
