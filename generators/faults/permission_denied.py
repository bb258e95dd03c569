"""Access is denied permanently: calling again is useless."""

from interplay.generators.faults.fault_effect import FaultEffect

FAULT = FaultEffect(
    errors=(
        "403 Forbidden: these credentials may not call {tool}.",
        "PermissionError: access to {tool} is denied for this account.",
        "403: insufficient permissions. Retrying will not help.",
    ),
    lasting=1.0,
)
