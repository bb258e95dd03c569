"""How much each part of a reward weighs, as configured."""

from pydantic import Field

from interplay.schemas.json.record import Record


class RewardWeights(Record):
    """What the parts beside the outcome weigh: each is the exponent of its score, so that 0 leaves a part out."""

    evidence: float = Field(
        1.0, ge=0, description="Arguments and statements from somewhere, looked up where that is due."
    )
    policy: float = Field(1.0, ge=0, description="Rules kept, agreement asked for, no harm done.")
    efficiency: float = Field(0.5, ge=0, description="No more calls than about twice those that are needed.")
    format: float = Field(0.5, ge=0, description="Calls and words in good form.")
