"""Behaviours of users: what they do beyond stating their wish, when, and what of it they drop in the end."""

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
"""What a user may do that makes a dialogue longer than its task; the blueprint's expectations include its effect.

`changes_mind` happens before anything is written, `changes_mind_late` afterwards, by a request of its own. `corrects_itself`
takes back a slip, `contradicts` says two things and is asked which one holds, `mistaken` comes out when nothing is found.
`refuses_identity` holds at first, or for good. `comes_back` returns to a request that the user interrupted by the next one.
`elliptical` leaves out what can be meant in one way only; `long_memory` refers to something said two or more requests ago.
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
