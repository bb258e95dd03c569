"""Faults of tools: what goes wrong at which call, and what is right to do then."""

from typing import Literal, get_args

from pydantic import Field

from interplay.schemas.json.record import Record

FaultKind = Literal[
    "timeout",
    "rate_limit",
    "server_error",
    "permission_denied",
    "empty_result",
    "partial_page",
    "stale_read",
    "schema_drift",
]
FAULTS: tuple[FaultKind, ...] = get_args(FaultKind)
ERRORS: tuple[FaultKind, ...] = ("timeout", "rate_limit", "server_error", "permission_denied")
"""Faults by which a call fails before it does anything; by the others, a call that reads answers otherwise than it should."""

RETRIES: dict[str, int] = {kind: 0 if kind in ("permission_denied", "schema_drift") else 1 for kind in FAULTS}
"""How often the same call is rightly made again after a fault."""


class Fault(Record):
    """One fault: the tool's call number `call`, from 1 on, goes wrong, and all later ones where it is `lasting`.

    `retry` is to make the same call once more; `other_way` to find what is wanted in an answer of another form, or, where the
    call fails for good, at `pointer` in what the action `source` has returned already; `report` to say honestly that it could
    not be done.
    """

    kind: FaultKind
    action: str = Field(description="The action that it hits.")
    tool: str
    call: int = 1
    lasting: bool = False
    text: str = Field("", description="The error text, where the call fails.")
    recovery: Literal["retry", "other_way", "report"]
    source: str = ""
    pointer: str = ""
