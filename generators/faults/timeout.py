"""A call times out: it was not executed, and succeeds when repeated."""

from interplay.generators.faults.fault_effect import FaultEffect

FAULT = FaultEffect(
    errors=(
        "504 Gateway Timeout: no answer after 30 seconds. The call was not executed.",
        "Request timed out after 10000 ms before it was processed.",
        "TimeoutError: {tool} did not start in time; nothing was done.",
    ),
)
