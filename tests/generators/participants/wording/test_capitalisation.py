"""Values in what is said: they have the letters that the tools take, wherever they stand and whoever writes."""

from random import Random

import pytest

from interplay.generators.participants.wording.capitalisation import to_the_letter
from interplay.generators.participants.wording.fact_phrases import say_fact
from interplay.generators.participants.wording.languages import load_language
from interplay.generators.participants.wording.lexicon import Lexicon
from interplay.generators.participants.wording.value_phrases import capital, sentence
from interplay.generators.participants.wording.voice import Voice
from interplay.schemas.records.blueprint import Fact
from interplay.schemas.records.recipe import Habit, Persona
from interplay.schemas.records.translation import Translation

HABITS: tuple[Habit, ...] = ("lowercase", "abbreviates", "exclaims", "ellipses", "emoji")
NAMES = ("summit", "silver-raven", "Quiet Prairie", "ask. then go", "with thanks", "I because", "deLorean")


def speaker(seed: int, *habits: Habit, language: str = "en") -> Voice:
    spoken = load_language(language)
    lexicon = Lexicon(spoken, Translation()) if language != "en" else None
    return Voice(spoken.grammar["user"], Random(seed), Persona(habits=habits), language=spoken, lexicon=lexicon)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("habits", [(), *((habit,) for habit in HABITS), HABITS])
def test_a_name_keeps_its_letters_in_every_hand(name: str, habits: tuple[Habit, ...], language: str) -> None:
    for seed in range(20):
        words = speaker(seed, *habits, language=language)
        fact = Fact(id="f1", goal=0, label="dir name", value=name)
        said = words.to_the_letter(sentence(capital(say_fact(words, fact, alone=True)), "Thanks"))
        assert name in words.styled(said, words.take_spoken())


def test_a_sentence_rather_begins_with_something_else_than_a_small_name() -> None:
    fact = Fact(id="f1", goal=0, label="dir name", value="summit")
    assert not [seed for seed in range(40) if say_fact(speaker(seed), fact, alone=True).startswith("summit")]


def test_what_merely_begins_like_a_name_stays_as_it_is() -> None:
    said = "Custom Fields is the title. Custom for the type. Customs are paid."
    assert to_the_letter(said, {"custom"}, ["custom", "Custom Fields"]) == (
        "Custom Fields is the title. custom for the type. Customs are paid."
    )


def test_an_answer_of_the_assistant_has_the_names_as_they_are() -> None:
    words = speaker(1)
    text = capital(f"{words.value('summit', 'dir name')} is gone. {words.value('internal', 'type')} it was")
    assert words.to_the_letter(sentence(text)) == "summit is gone. internal it was."


def test_the_names_of_a_list_keep_their_letters() -> None:
    words = speaker(1)
    text = sentence(capital(f"{words.value(['summit', 'harbor'], 'dir names')} are the names"))
    assert words.to_the_letter(text) == "summit and harbor are the names."


def test_two_names_that_begin_a_sentence_alike_are_told_the_same_way_in_any_order() -> None:
    names = ["ask. Then go", "ask. then go", "Ask. then go"]
    said = {to_the_letter("Ask. Then go.", ordered, ()) for ordered in (names, names[::-1])}
    assert len(said) == 1


def test_a_word_at_the_beginning_is_no_name_that_stands_elsewhere() -> None:
    said = "Done, I've changed the task. The status is done."
    assert to_the_letter(said, {"done"}, ["done"]) == said
