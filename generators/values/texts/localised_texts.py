"""Texts that users make up -> the same in another language, as somebody who speaks it would write them."""

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
"""What users write of a wish that was not served: their own, one for somebody to do, one that there are no words for."""


def texts_in(language: str, toolset: Toolset, resources: Sequence[str] = ()) -> Mapping[str, str]:
    """Return what users of a language write for the texts that are made up for them, on `resources` too; nothing in English."""
    return {**sentences_in(language, resources), **toolset.translation(language).texts}


@lru_cache(maxsize=32)
def things_in(language: str, resources: tuple[str, ...]) -> Callable[[str], str]:
    """Return what gives for a text about a thing of such `resources` what users of a language write; nothing for other texts."""
    known = [
        translations(noun, language)
        for noun in dict.fromkeys(noun for name in resources for noun in (whole_noun(name), spoken_noun(name)))
    ]
    return lambda text: next((said for told in known if (said := told(text))), "")


def not_served(wish: str, own: bool, language: str, toolset: Toolset) -> str:
    """Return what a user writes to a person of a wish (its `own`, or one for somebody to do) that was not served."""
    wanted, asked, unnamed = NOT_SERVED[language]
    said = wish if language == "en" else toolset.translation(language).infinitive(wish)
    return (wanted if own else asked).format(wish=said) if said else unnamed
