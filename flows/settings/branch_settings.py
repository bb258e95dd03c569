"""What a configuration says of branches."""

from pydantic import Field

from interplay.schemas.json.record import Record


class BranchSettings(Record):
    """How a dialogue branches: into how many continuations, how many of them with a mistake, and after which turn."""

    count: int = Field(2, ge=1, le=64, description="Continuations of each dialogue.")
    mistakes: int | None = Field(
        None,
        ge=0,
        description="How many of them are the dialogue itself with a mistake of the assistant; half where rules play it.",
    )
    turn: int | None = Field(None, ge=1, description="The message of the user that is answered in several ways.")

    def with_mistakes(self, by_rules: bool) -> int:
        """Return how many continuations have a mistake."""
        half = (self.count + 1) // 2 if by_rules else 0
        return min(self.count, half if self.mistakes is None else self.mistakes)
