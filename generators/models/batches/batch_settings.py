"""The settings of batches, and of the waves in which dialogues ask their questions."""

from pydantic import Field

from interplay.generators.models.transport.bounded_body import LARGEST
from interplay.schemas.json.record import Record


class BatchSettings(Record):
    """How batches are made and followed; times are in seconds. Without `requests` and `bytes`, the provider's limits apply."""

    requests: int | None = Field(None, ge=1)
    bytes: int | None = Field(None, ge=1)
    attempts: int = Field(5, ge=1, le=100, description="In how many batches one question is asked.")
    first_look: float = Field(5.0, gt=0, description="Until a batch is looked at; then less and less often.")
    longest_look: float = Field(60.0, gt=0, description="The longest time between two looks.")
    patience: float = Field(1800.0, gt=0, description="How long a provider may give no answer about its batches.")
    deadline: float = Field(90_000.0, gt=0, description="After which a batch is cancelled.")
    ending: float = Field(600.0, gt=0, description="How long a cancelled batch may take to end.")
    transfer: float = Field(600.0, gt=0, description="For sending a batch, or reading its results.")
    longest: int = Field(LARGEST, ge=1, description="Bytes of a result that is looked at.")


class WaveSettings(Record):
    """When a wave is complete; times are in seconds."""

    most: int = Field(10_000, ge=1, description="Questions of a wave; with so many it goes out at once.")
    quiet: float = Field(1.0, ge=0, description="All wait: how long nothing new may have come.")
    linger: float = Field(30.0, gt=0, description="Some are busy elsewhere: how long nothing new may have come.")
    pause: float = Field(
        5.0, ge=0, description="Before asking again after a wave without an answer; doubled each time."
    )
    longest_pause: float = Field(600.0, ge=0)
