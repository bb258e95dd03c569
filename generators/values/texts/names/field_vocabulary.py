"""Fields that usually hold one of a few plain words -> those words, for schemas that list none. Data only."""

from interplay.schemas.words.lists import beside, table

_LISTS = beside(__file__)

KNOWN = table(_LISTS, "known")

COUNTED = table(_LISTS, "counted")
"""Words for counts that some sources hold in texts -> their usual range."""
