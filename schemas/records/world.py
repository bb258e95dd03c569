"""Which made-up world a task plays in: its rows are a function of this and of the configuration."""

from pydantic import Field

from interplay.schemas.json.record import Record


class MadeWorld(Record):
    """One of the worlds of a run; a few records share it."""

    seed: int = Field(description="The seed of all worlds of the run.")
    number: int = Field(ge=0, description="The number of the world, which follows from the index.")
    locale: str = Field("", description="Where its people come from, such as de_DE; empty: from several countries.")

    @property
    def name(self) -> str:
        """What tells it apart from all others: `0/17`."""
        return f"{self.seed}/{self.number}"
