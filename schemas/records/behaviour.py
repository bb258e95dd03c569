"""How users behave beside wanting something: what they do, when they do it, and what of it does not hold in the end."""

from typing import Any, Literal, get_args

from pydantic import Field

from interplay.schemas.json.record import Record

Behaviour = Literal[
    "impatient",
    "changes_mind",
    "changes_mind_late",
    "corrects_itself",
    "wanders_off",
    "asks_impossible",
    "several_at_once",
    "contradicts",
    "asks_back",
    "refuses_identity",
    "mistaken",
    "comes_back",
    "elliptical",
    "long_memory",
]
BEHAVIOURS: tuple[Behaviour, ...] = get_args(Behaviour)
"""What a user may do that makes a dialogue longer than its task; what is expected in the end follows it.

`changes_mind` before anything is written, `changes_mind_late` by a request of its own afterwards. `corrects_itself` takes
back a slip, `contradicts` says two things and is asked which one holds, `mistaken` is noticed when nothing is found.
`refuses_identity` at first, or for good. `comes_back` to a request that it interrupted by the next one. `elliptical` leaves
out what can be meant only in one way; `long_memory` means what was said two requests ago or more.
"""


class PlannedBehaviour(Record):
    """One thing that a user does in a request.

    `fact` is what it is about, `value` what the user says first and drops later. It happens in the same breath, at the
    confirmation, or when the fact `at` is asked for or offered to choose from.
    """

    kind: Behaviour
    request: int
    fact: str = ""
    value: Any = None
    when: Literal["breath", "confirmation", "question"] = "breath"
    at: str = ""
    options: tuple[Any, ...] = Field((), description="What the user could answer, where it asks back for that.")
    for_good: bool = Field(False, description="It does not give in.")
