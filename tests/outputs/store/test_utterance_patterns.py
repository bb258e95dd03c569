"""Masking: two utterances in the same words with other values become one pattern."""

from interplay.outputs.store.utterance_patterns import utterance_pattern


def test_masks_spoken_values_and_numbers() -> None:
    text = "Book a table for 4 at Nonna's on 12 May 2026, or 19:30."
    assert (
        utterance_pattern(text, ["Nonna's", "12 May"])
        == "Book a table for <number> at <value> on <value> <number>, or <number>."
    )


def test_the_longest_value_goes_first() -> None:
    assert (
        utterance_pattern("From New York City to New York.", ["New York", "New York City"])
        == "From <value> to <value>."
    )


def test_leaves_words_alone_that_only_contain_a_value() -> None:
    assert (
        utterance_pattern("Is an annex in Ann's plan? Ann", ["Ann", "an"])
        == "Is <value> annex in <value>'s plan? <value>"
    )


def test_a_value_that_looks_like_a_placeholder_does_no_harm() -> None:
    assert utterance_pattern("The value of x is value.", ["x", "value"]) == "The <value> of <value> is <value>."


def test_ignores_empty_values() -> None:
    assert utterance_pattern("Hello there.", ["", "  "]) == "Hello there."


def test_a_value_that_stands_in_a_longer_word_is_found_after_it() -> None:
    assert utterance_pattern("annan ana an", ["an"]) == "annan ana <value>"
    assert utterance_pattern("aaa aa", ["aa"]) == "aaa <value>"


def test_a_value_at_both_ends_is_found() -> None:
    assert utterance_pattern("Ann and Ann", ["Ann"]) == "<value> and <value>"
