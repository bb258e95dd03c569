"""Word classes: what the lexicon says of a word, read without building all of it."""

import lemminflect
import pytest
from lemminflect.codecs.InflectionLUCodec import InflectionLUCodec
from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec

from interplay.schemas.words.word_classes import can_be_noun, can_be_verb, is_known, is_participle, participle_of


def test_words_are_of_the_classes_that_the_lexicon_names() -> None:
    assert can_be_verb("move")
    assert not can_be_verb("moves")
    assert is_participle("closed")
    assert can_be_noun("github")
    assert not is_known("github")
    assert participle_of("send") == "sent"


@pytest.mark.parametrize("of_lemmas", [True, False])
def test_each_word_is_read_as_the_whole_lexicon_has_it(of_lemmas: bool) -> None:
    assert is_known("run")  # the lexicon is there
    lemmas, inflections = lemminflect.Lemmatizer(), lemminflect.Inflections()
    if of_lemmas:
        whole, read = LemmaLUCodec.load(lemmas.lemma_lu_fn), lemmas.lemma_dict
    else:
        whole, read = InflectionLUCodec.load(inflections.infl_lu_fn), inflections.infl_dict
    words = [*list(whole)[::97], *list(whole)[-3:], "be", "can"]
    assert {word: read.get(word) for word in words} == {word: whole.get(word) for word in words}
    assert read.get("none such", {}) == {}
