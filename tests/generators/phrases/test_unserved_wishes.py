"""Wishes that no tool serves."""

import re

import pytest

from interplay.generators.participants.wording.languages import ENGLISH, LANGUAGES, load_language
from interplay.generators.participants.wording.lexicon import Lexicon
from interplay.generators.phrases.unserved_wishes import unserved_wishes
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.translation import Translation

WISHES = unserved_wishes(Toolset(name="none", tools=()))


def test_nobody_is_refused_what_a_model_can_do_without_tools() -> None:
    able = re.compile(r"\b(?:write|translate|convert|recommend|joke|how to|help me with)\b")
    assert len(WISHES) > 20
    assert not [wish for wish in WISHES if able.search(wish)]


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != ENGLISH])
def test_every_wish_can_be_said_in_each_language(language: str) -> None:
    lexicon = Lexicon(load_language(language), Translation())
    assert not [wish for wish in WISHES if not lexicon.speaks_of(wish)]
