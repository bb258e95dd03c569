"""The settings of an export besides its format: columns, splits, lengths and sizes of files; and what cannot be its target."""

import re

from pydantic import Field

from interplay.outputs.store.splits import Shares
from interplay.schemas.json.record import Record

LARGEST_FILE = 512 * 1024 * 1024


class ExportSettings(Record):
    """How the rows of an export are chosen, split and filed."""

    columns: bool = Field(True, description="Whether rows have the columns by which they are chosen.")
    shares: Shares = Field(Shares(), description="The shares of the splits.")
    hold_out: tuple[str, ...] = Field((), description="Tools, or sources of tools, that only the test split may use.")
    words_apart: bool = Field(
        False, description="Whether words beside calls are a message of their own, where rows have lists of messages."
    )
    max_tokens: int | None = Field(None, description="Dialogues with more tokens are left out, and counted.")
    tokenizer: str = Field("", description="A tokenizer.json by which tokens are counted; else characters / 4.")
    file_bytes: int = Field(LARGEST_FILE, ge=1, description="No file has many more bytes than this.")


DEFAULT_SETTINGS = ExportSettings()


def is_url(place: object) -> bool:
    """Tell whether a place is a URL, to which no export can be written; `Path` may have merged its slashes."""
    return _URL.match(str(place)) is not None


_URL = re.compile(r"[a-z][a-z0-9+.-]+:/", re.IGNORECASE)
