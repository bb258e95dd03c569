"""Faults of tools: what fails, at which call, and how the assistant should recover."""

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
NEVER_RETRIED: tuple[FaultKind, ...] = ("permission_denied", "schema_drift")
"""Kinds after which repeating the call is never right: it would fail again, or its answer can be used."""

RETRIES: dict[str, int] = {kind: 0 if kind in NEVER_RETRIED else 1 for kind in FAULTS}
"""Kind -> how often repeating the same call is right after the fault."""


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
