"""A paging argument -> the value that requests the first page, since no user is asked for an offset."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from interplay.schemas.json.fields import schema_type
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import word_set

USUAL = 20
"""Page size to request where it can be chosen."""

SIZES = word_set("paging", "sizes")
_SKIPPED = word_set("paging", "skipped")
_PAGING = word_set("paging", "sizes", "skipped", "pages", "marks")
_KNOWN = word_set("paging")


@lru_cache(maxsize=65_536)
def is_paging(name: str) -> bool:
    """Tell by its name whether an argument only selects a part of a list: `page_size`, `offset`."""
    tokens = set(name_tokens(name))
    return not _PAGING.isdisjoint(tokens) and tokens <= _KNOWN


def first_page(name: str, schema: Mapping[str, Any]) -> int | None:
    """Return the number with which a call shows the beginning of a list; None if the argument is not a paging number."""
    if not is_paging(name) or schema_type(schema) not in ("integer", "number"):
        return None
    tokens = set(name_tokens(name))
    least = schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
    if tokens & _SKIPPED:
        return int(max(least, 0))
    if tokens & SIZES:
        return int(max(least, min(schema.get("maximum", USUAL), USUAL)))
    first = least if "minimum" in schema else 1
    return int(first) if "page" in tokens else None
