"""What is quoted belongs to the sentence that quotes it."""

import pytest

from interplay.generators.participants.hearing.word_overlap import sentences


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Here you are. Anything else?", ["Here you are.", "Anything else?"]),
        ('I have deleted it ("Could you check this? Soon."). Done.', ['I have deleted it ("Could you check this? Soon.").', "Done."]),
        ("Ich habe „Geht das?“ gelöscht.", ["Ich habe „Geht das?“ gelöscht."]),
        ('Is it "Which way?" or "Why?"? Tell me.', ['Is it "Which way?" or "Why?"?', "Tell me."]),
        ('A 5" pipe. Shall I order it?', ['A 5" pipe.', "Shall I order it?"]),
    ],
)  # fmt: skip
def test_what_is_quoted_ends_no_sentence(text: str, parts: list[str]) -> None:
    assert sentences(text) == parts
