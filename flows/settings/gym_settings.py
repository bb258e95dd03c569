"""The `gym` section of a configuration: rewards of agents in training, and limits of the server."""

from pydantic import Field

from interplay.schemas.json.record import Record
from interplay.validators.rewards.reward_weights import RewardWeights


class GymSettings(Record):
    """Rewards and bounds of `interplay serve`; no record depends on it."""

    weights: RewardWeights = Field(RewardWeights(), description="What the parts of a reward weigh beside its outcome.")
    sessions: int = Field(1000, ge=1, le=100_000, description="Sessions that are open at a time.")
    abandoned_after: float = Field(900, gt=0, description="Seconds after which a session that nobody uses is gone.")
    body: int = Field(4_000_000, ge=1000, description="Bytes of the largest request that is read.")
