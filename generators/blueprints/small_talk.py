"""Tasks in which the right thing is to call nothing, since no tool serves what is wanted."""

from functools import lru_cache

from interplay.generators.blueprints.draft import DeadEnd
from interplay.generators.blueprints.growing import Growth
from interplay.schemas.blueprint import Goal
from interplay.schemas.fields import name_tokens, singular
from interplay.schemas.recipe import Recipe
from interplay.schemas.tools import Toolset

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


def wishes(toolset: Toolset) -> tuple[str, ...]:
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


async def small_talk(growth: Growth, name: str, recipe: Recipe) -> None:  # noqa: ARG001
    """Let the user want one to three things that no tool serves.

    Raises:
        DeadEnd: there are too few such things.
    """
    options = wishes(growth.world.environment.toolset)
    count = 1 + (growth.rng.random() < 0.35) + (growth.rng.random() < 0.15)
    if len(options) < count:
        raise DeadEnd("the tools serve all wishes that are known")
    for number, wish in enumerate(growth.rng.sample(options, count)):
        growth.draft.requests.append((number,))
        growth.draft.goals.append(Goal(intent=wish, tool="", topic=" ".join(wish.split()[-2:])))
