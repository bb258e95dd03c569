"""What a configuration says of where dialogues begin."""

from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from interplay.schemas.json.record import Record


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
        """Return the settings with paths taken from a folder."""
        files = tuple(folder / path.expanduser() for path in self.conversations)
        workspace = None if self.workspace is None else folder / self.workspace.expanduser()
        return self.model_copy(update={"conversations": files, "workspace": workspace})

    def identity(self) -> dict[str, Any]:
        """Return what decides a record's bytes: folders differ, what was found in them does not."""
        files = [path.name for path in self.conversations]
        asked = {"conversations": files, "records": list(self.records), "turn": self.turn}
        return {**asked, "share": self.share, "found": self.found}
