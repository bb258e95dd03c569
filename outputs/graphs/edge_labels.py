"""Words that describe an edge of the tool graph, and untrusted text made legal in XML."""

import re
from typing import Literal

from interplay.schemas.records.tool_graph import Edge

State = Literal["verified", "failed", "not run"]
STATES: tuple[State, ...] = ("verified", "not run", "failed")

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def legal(text: str) -> str:
    """Return `text` without the characters that XML 1.0 cannot represent (section 2.2): most controls, surrogates."""
    return _ILLEGAL.sub("", text)


def state_of(edge: Edge) -> State:
    """Return whether an edge was run, and whether it worked."""
    if edge.verified is None:
        return "not run"
    return "verified" if edge.verified else "failed"


def evidence_text(edge: Edge) -> str:
    """Return the evidence of an edge in one line: `resource 1.00 pet; name 0.80 pet id`."""
    return "; ".join(f"{reason.kind} {reason.score:.2f} {reason.detail}".rstrip() for reason in edge.evidence)
