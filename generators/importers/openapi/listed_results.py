"""A GET that is told to show all of something, and whose result is written down as one of them -> a list of these.

GET /restaurants, "Get all restaurants", {"title": "Restaurant", ...}   ->  {"type": "array", "items": {"title": "Restaurant", ...}}
"""

import re
from collections.abc import Mapping
from typing import Any

from interplay.generators.importers.documents.import_notes import Notes
from interplay.schemas.json.fields import schema_type
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import singular

_ALL = re.compile(r"\b(?:all|every|lists?)\b", re.IGNORECASE)


def as_listed(path: str, told: str, returns: dict[str, Any] | None, notes: Notes) -> dict[str, Any] | None:
    """Return the schema of the result of a GET, as a list where the path and what is `told` of it speak of all such things."""
    last = path.rstrip("/").rpartition("/")[2]
    if returns is None or "{" in last or not _is_one_of(last, returns) or not _ALL.search(told):
        return returns
    notes.repair(f"returns: one {returns['title']}, though it shows all of them: taken for a list")
    return {"type": "array", "items": returns}


def _is_one_of(things: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether a schema is that of one of the things that a step of a path names: `Restaurant`, of `restaurants`."""
    many, one = name_tokens(things), name_tokens(str(schema.get("title", "")))
    named = bool(many) and many != one and [*many[:-1], singular(many[-1])] == one
    return named and schema_type(schema) == "object"
