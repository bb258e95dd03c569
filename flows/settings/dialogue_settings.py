"""The `start` and `branches` sections of a configuration: where dialogues begin, and how they branch."""

from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from interplay.schemas.json.record import Record
from interplay.schemas.plain_file import at_home


class StartSettings(Record):
    """Where dialogues begin: after imported conversations, or after the dialogues of another workspace.

    `turn` cuts the latter after so many messages of the user and what follows each; without it, they go on where all was done.
    """

    conversations: tuple[Path, ...] = Field((), description="Files of recorded conversations, of any common shape.")
    workspace: Path | None = Field(None, description="A workspace whose accepted dialogues are gone on from.")
    records: tuple[Annotated[str, Field(coerce_numbers_to_str=True)], ...] = Field(
        (), description="Which of them, by index or id; all accepted ones without it."
    )
    turn: int | None = Field(None, ge=1, description="How many of their turns are kept.")
    share: float = Field(1.0, ge=0, le=1, description="Share of dialogues that begin so; the others begin blank.")
    found: str = Field("", description="A digest of what was found there; set by the run.")

    @model_validator(mode="after")
    def _somewhere(self) -> Self:
        if not self.conversations and self.workspace is None:
            raise ValueError("name files of conversations, or a workspace")
        if self.workspace is None and (self.records or self.turn):
            raise ValueError("records and turn are those of a workspace; name it")
        return self

    def placed(self, folder: Path) -> "StartSettings":
        """Return the settings with relative paths starting at a folder."""
        files = tuple(folder / at_home(path) for path in self.conversations)
        workspace = None if self.workspace is None else folder / at_home(self.workspace)
        return self.model_copy(update={"conversations": files, "workspace": workspace})

    def identity(self) -> dict[str, Any]:
        """Return what decides a record's bytes: the digest of what was found instead of the folders."""
        files = [path.name for path in self.conversations]
        asked = {"conversations": files, "records": list(self.records), "turn": self.turn}
        return {**asked, "share": self.share, "found": self.found}


class BranchSettings(Record):
    """How a dialogue branches: into how many continuations, how many of them with a mistake, and after which turn."""

    count: int = Field(2, ge=1, le=64, description="Continuations of each dialogue.")
    mistakes: int | None = Field(
        None,
        ge=0,
        description="How many of them are the dialogue itself with a mistake of the assistant; half where rules play it.",
    )
    turn: int | None = Field(None, ge=1, description="The message of the user that is answered in several ways.")

    @model_validator(mode="after")
    def _at_most_all(self) -> Self:
        if self.mistakes is not None and self.mistakes > self.count:
            raise ValueError(
                f"mistakes: {self.mistakes} of {self.count} continuations cannot have one; set count higher"
            )
        return self

    def with_mistakes(self, by_rules: bool) -> int:
        """Return how many continuations have a mistake."""
        half = (self.count + 1) // 2 if by_rules else 0
        return min(self.count, half if self.mistakes is None else self.mistakes)
