"""An argument that says which part of a list is wanted -> what shows the first part: nobody is asked for an offset."""

from collections.abc import Mapping
from typing import Any

from interplay.schemas.json.fields import schema_type
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import word_set

USUAL = 20
"""Items that a page shows where its size may be chosen."""

_PAGING = word_set("paging", "paging") | {"number", "max"}
_NUMBERING = word_set("paging", "numbering")
_SKIPPED, _SIZES, _PLACES = {"offset", "skip"}, {"limit", "size", "per", "take", "top", "pagesize"}, {"page", "number"}


def first_page(name: str, schema: Mapping[str, Any]) -> int | None:
    """Return the number with which a call shows the beginning of a list; none where an argument is for something else."""
    tokens = set(name_tokens(name))
    told = tokens - _NUMBERING if "page" in tokens else tokens
    if not tokens or not told <= _PAGING or schema_type(schema) not in ("integer", "number"):
        return None
    least = schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
    if tokens & _SKIPPED:
        return int(max(least, 0))
    if tokens & _SIZES:
        return int(max(least, min(schema.get("maximum", USUAL), USUAL)))
    first = least if "minimum" in schema else 1
    return int(first) if tokens & _PLACES else None
