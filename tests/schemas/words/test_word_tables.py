"""The lexicon: lines that are parsed one by one say what the library reads in whole tables."""

from lemminflect import config
from lemminflect.codecs.InflectionLUCodec import InflectionLUCodec
from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec

from interplay.schemas.words.word_tables import lexicon

EVERY = 40
"""Words that are left out between two that are compared."""


def test_words_have_the_lemmas_and_forms_of_the_librarys_own_tables() -> None:
    own = lexicon()
    for table, whole in (
        (own.Lemmatizer().lemma_dict, LemmaLUCodec.load(config.lemma_lu_fn)),
        (own.Inflections().infl_dict, InflectionLUCodec.load(config.inflection_lu_fn)),
    ):
        compared = [*list(whole)[::EVERY], "be", "can", "found", "left", "lead"]
        assert len(compared) > 800
        assert {word: table.get(word, {}) for word in compared} == {word: whole.get(word, {}) for word in compared}
        assert table.get("zzzz", {}) == {}
    assert own.getAllLemmas("found")["VERB"] == ("find", "found")
