"""Word classes: what the lexicon says of a word."""

from interplay.schemas.words.word_classes import (
    can_be_noun,
    can_be_verb,
    is_known,
    is_participle,
    is_predicate,
    is_verb_alone,
    participle_of,
)


def test_words_are_of_the_classes_that_the_lexicon_names() -> None:
    assert can_be_verb("move")
    assert not can_be_verb("moves")
    assert is_verb_alone("flatten")
    assert not is_verb_alone("segment")
    assert is_participle("closed")
    assert can_be_noun("github")
    assert not is_known("github")
    assert participle_of("send") == "sent"


def test_an_ending_tells_adjectives_that_the_lexicon_lacks() -> None:
    for word in ("visible", "searchable", "deletable", "accessible"):
        assert is_predicate(word)
    for word in ("table", "timetable", "bible", "constable"):
        assert not is_predicate(word)
