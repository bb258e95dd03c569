"""A field's schema -> the meaning of its integer codes, as its description or its alternatives tell.

{"type": "integer", "description": "Day of the week, 0 = Sunday, 1 = Monday"}   ->   {0: "Sunday", 1: "Monday"}
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from interplay.schemas.json.fields import schema_type

_PAIR = re.compile(r"(?<![\w.,-])(-?\d{1,4})['\"`]? ?(?:=|:|->|→|–|-|\bis\b|\bmeans\b) ?['\"`]?([A-Za-z]{2,20}(?: [A-Za-z]{2,20})?)(?=['\"`]?(?:[,;.|/)\n]|$| and | or ))")  # fmt: skip
_READ = 600
"""Maximum number of characters of a description that are searched for codes."""

_NONE: Mapping[int, str] = MappingProxyType({})


def codes_of(schema: Mapping[str, Any]) -> Mapping[int, str]:
    """Return code -> meaning for an integer field; empty if its description explains fewer than two codes, or two alike."""
    if schema_type(schema) != "integer":
        return _NONE
    titles = {item.get("const"): item.get("title") for item in schema.get("oneOf", ()) if isinstance(item, Mapping)}
    if titles:
        return {code: title for code, title in titles.items() if type(code) is int and isinstance(title, str)}
    return _told(str(schema.get("description", ""))[:_READ])


@lru_cache(maxsize=4_096)
def _told(description: str) -> Mapping[int, str]:
    found = {int(code): word for code, word in _PAIR.findall(description)}
    return found if len(found) > 1 and len({*found.values()}) == len(found) else _NONE
