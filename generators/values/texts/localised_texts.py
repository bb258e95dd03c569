"""Texts that users make up -> the same in another language, as a native speaker would write them."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from interplay.generators.values.texts.ideas import sentences_in, spoken_noun, whole_noun
from interplay.generators.values.texts.things import translations
from interplay.schemas.records.tool import Toolset

NOT_SERVED: Mapping[str, tuple[str, str, str]] = {
    "en": (
        "I wanted to {wish}, which was not possible.",
        "I asked you to {wish}, which was not possible.",
        "What I wanted was not possible here.",
    ),
    "de": (
        "Ich wollte {wish}, und das ging nicht.",
        "Ich wollte {wish}, und das ging nicht.",
        "Was ich wollte, ging hier leider nicht.",
    ),
}
"""What users write of an unserved wish: one of their own, one for somebody else to do, one that cannot be translated."""


def texts_in(language: str, toolset: Toolset, resources: Sequence[str] = ()) -> Mapping[str, str]:
    """Return translations of the texts made up for users, including those on `resources`; none for English."""
    return {**sentences_in(language, resources), **toolset.translation(language).texts}


@lru_cache(maxsize=32)
def things_in(language: str, resources: tuple[str, ...]) -> Callable[[str], str]:
    """Return a function that translates a text about a thing of `resources`; it returns "" for other texts."""
    known = [
        translations(noun, language)
        for noun in dict.fromkeys(noun for name in resources for noun in (whole_noun(name), spoken_noun(name)))
    ]
    return lambda text: next((said for told in known if (said := told(text))), "")


def not_served(wish: str, own: bool, language: str, toolset: Toolset) -> str:
    """Return what a user writes to a person about an unserved wish, which is the user's `own` or one for somebody else to do."""
    wanted, asked, unnamed = NOT_SERVED[language]
    said = wish if language == "en" else toolset.translation(language).infinitive(wish)
    return (wanted if own else asked).format(wish=said) if said else unnamed
