"""A toolset -> wishes that none of its tools serves, for users who ask for something else."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from interplay.schemas.records.tool import Toolset
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, table
from interplay.schemas.words.nouns import singular

_WISHES: Mapping[str, Sequence[str]] = table(beside(__file__), "wishes")


def unserved_wishes(toolset: Toolset) -> tuple[str, ...]:
    """Return wishes that no tool of a toolset serves: those that share a word with the name of some tool are left out."""
    return _left(tuple(tool.original_name for tool in toolset.tools))


@lru_cache(maxsize=64)
def _left(tools: tuple[str, ...]) -> tuple[str, ...]:
    names = {singular(token) for name in tools for token in name_tokens(name)}
    found = [frame.format(thing) for frame, things in _WISHES.items() for thing in things]
    kept = [text for text in found if not {singular(word) for word in text.lower().split()[1:]} & names]
    return tuple(kept or found)
