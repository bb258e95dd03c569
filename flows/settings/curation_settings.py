"""The `curate` section of a configuration: what `interplay curate` looks for."""

from pathlib import Path
from typing import Literal, get_args

from pydantic import Field

from interplay.schemas.json.record import Record

Trait = Literal["tools", "edges", "patterns", "difficulty", "wording"]
TRAITS: tuple[Trait, ...] = get_args(Trait)


class SelectSettings(Record):
    """How many rows to keep, and what these are to show as much of as they can."""

    rows: int = Field(ge=1, description="Records to keep.")
    by: tuple[Trait, ...] = Field((), description="What the rows kept are to show; all of these where none is named.")


class CurationSettings(Record):
    """What is left out of exports though it was accepted."""

    near_duplicates: float | None = Field(
        0.85,
        gt=0,
        le=1,
        description="Dialogues as like an earlier one as this, values masked, stay out; null leaves all in.",
    )
    repeated_users: float | None = Field(
        None, gt=0, le=1, description="The same for what users say alone; null leaves all in."
    )
    same_meaning: float | None = Field(
        None,
        gt=0,
        le=1,
        description="Dialogues whose users mean what earlier ones do, by a cosine of the model in `embeddings`, stay out.",
    )
    contamination: tuple[Path, ...] = Field(
        (), description="Indexes of benchmarks, as `interplay benchmark-index` makes them, or files of their tasks."
    )
    secrets: bool = Field(True, description="Whether records with credentials stay out.")
    personal_data: bool = Field(
        True, description="Whether records with addresses or numbers stay out that are not of a made-up world."
    )
    select: SelectSettings | None = Field(None, description="Keep the rows that together show most; without it, all.")
