"""A field's schema -> what its numbers stand for, where its description or its alternatives say so.

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
"""Characters of a description in which codes are looked for."""

_NONE: Mapping[int, str] = MappingProxyType({})


def codes_of(schema: Mapping[str, Any]) -> Mapping[int, str]:
    """Return what the numbers of a field stand for; nothing where fewer than two of them are told, or two mean the same."""
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
