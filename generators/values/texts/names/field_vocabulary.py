"""Fields of which people have a few plain words -> those words, where a schema lists none. Data only."""

from interplay.schemas.words.lists import beside, table

_LISTS = beside(__file__)

KNOWN = table(_LISTS, "known")

COUNTED = table(_LISTS, "counted")
"""What some sources count in texts -> the numbers that are usual."""
