"""A toolset -> wishes that none of its tools serves, for users who ask for something else."""

from functools import lru_cache

from interplay.schemas.records.tool import Toolset
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import singular

_WISHES = {
    "tell me what the weather will be {}": ("tomorrow", "at the weekend", "in Lisbon next week", "tonight"),
    "recommend {}": ("a good restaurant nearby", "a novel for a long flight", "a film for tonight", "a quiet hotel in Porto"),
    "translate {} into {language}": ("a letter", "a menu", "a poem", "a short speech"),
    "help me with {}": ("my tax return", "my daughter's homework", "a crossword", "my application for a visa"),
    "order me {}": ("a taxi", "a pizza", "flowers for my mother", "new running shoes"),
    "check {}": ("last night's football results", "whether my train is late", "how the stock market did today"),
    "play {}": ("some music", "a song by a band that I like", "the news on the radio"),
    "write {} for me": ("a birthday card", "a limerick about cats", "a wedding speech", "a cover letter"),
    "tell me {}": ("a joke", "if my parcel has left the post office", "how to cook a risotto", "who won the election"),
    "reset {}": ("the password of my bank account", "my television", "the code of my bicycle lock"),
    "convert {}": ("a recipe from cups to grams", "my shoe size to the American one"),
}  # fmt: skip


_LANGUAGES = ("Italian", "Dutch", "Japanese", "Greek")


def unserved_wishes(toolset: Toolset) -> tuple[str, ...]:
    """Return wishes that no tool of a toolset serves: those that share a word with the name of some tool are left out."""
    return _left(tuple(tool.original_name for tool in toolset.tools))


@lru_cache(maxsize=64)
def _left(tools: tuple[str, ...]) -> tuple[str, ...]:
    names = {singular(token) for name in tools for token in name_tokens(name)}
    found = [
        text
        for frame, things in _WISHES.items()
        for thing in things
        for text in dict.fromkeys(frame.replace("{language}", language).format(thing) for language in _LANGUAGES)
    ]
    kept = [text for text in found if not {singular(word) for word in text.lower().split()[1:]} & names]
    return tuple(kept or found)
