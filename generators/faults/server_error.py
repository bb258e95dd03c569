"""The service fails before it does anything, temporarily or permanently."""

from interplay.generators.faults.fault_effect import FaultEffect

FAULT = FaultEffect(
    errors=(
        "500 Internal Server Error: nothing was changed.",
        "503 Service Unavailable: the service behind {tool} does not respond.",
        "502 Bad Gateway: an upstream service failed. The call was not executed.",
    ),
    lasting=0.4,
)
