"""What an agent that acted on a task gets for it: a reward with its parts, and credits for single steps."""

from typing import Literal, get_args

from pydantic import Field

from interplay.schemas.json.record import Record
from interplay.schemas.records.verdict import Issue

Part = Literal["state", "writes", "values", "evidence", "policy", "efficiency", "format"]
PARTS: tuple[Part, ...] = get_args(Part)

Standing = Literal["judged", "unclear", "invalid"]
"""`unclear`: the user by rules could not make out what the agent said. `invalid`: the transcript is not of the task."""


class RewardWeights(Record):
    """What the parts beside the outcome weigh: each is the exponent of its score, so that 0 leaves a part out."""

    evidence: float = Field(
        1.0, ge=0, description="Arguments and statements from somewhere, looked up where that is due."
    )
    policy: float = Field(1.0, ge=0, description="Rules kept, agreement asked for, no harm done.")
    efficiency: float = Field(0.5, ge=0, description="No more calls than about twice those that are needed.")
    format: float = Field(0.5, ge=0, description="Calls and words in good form.")


class RewardPart(Record):
    """One part of a reward: a score from 0 to 1, and what speaks against more."""

    score: float
    reasons: tuple[Issue, ...] = ()


class StepCredit(Record):
    """What one call did for the task: its message in the transcript, its place there, and its share of the calls needed."""

    message: int
    call: int
    tool: str
    action: str
    credit: float


class Reward(Record):
    """What an agent gets for a task: `reward` = `outcome` times the other parts, each to the power of its weight.

    The outcome is the product of state, writes and values, all from 0 to 1; `progress` is the share of the wanted difference
    of the state that holds in the end. `ended` tells what ended it: `closed` where the agent's side did.
    """

    task: str
    seed: int = 0
    reward: float
    outcome: float = 0.0
    progress: float = 0.0
    standing: Standing = "judged"
    ended: str = ""
    reason: str = Field("", description="Why it is unclear or invalid, in words.")
    parts: dict[Part, RewardPart] = Field(default_factory=dict)
    steps: tuple[StepCredit, ...] = ()
