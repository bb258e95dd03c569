"""Which descriptions of fields speak of the same."""

from interplay.generators.graph.description_vectors import COMMON, Descriptions

TEXTS = ["Number of the flight, as printed", "Printed number of a flight", "Colour of the animal", "Flight"]


def test_the_nearest_text_comes_first_and_far_ones_not_at_all() -> None:
    found = Descriptions(TEXTS)
    found.index(TEXTS[1:])
    assert found.neighbours(TEXTS[0], 0.77) == [TEXTS[1]]
    assert found.cosine(TEXTS[0], TEXTS[2]) == 0


def test_shared_terms_are_told_most_telling_first() -> None:
    assert Descriptions(TEXTS).shared(TEXTS[0], TEXTS[1])[-1] == "flight"


def test_words_that_stand_everywhere_find_no_neighbours() -> None:
    texts = [f"common word{'abcdefghij'[number % 10]}{'abcdefghij' * (number // 10)}" for number in range(COMMON + 1)]
    found = Descriptions(["common", *texts])
    found.index(texts)
    assert found.neighbours("common", 0.1) == []


def test_an_unknown_text_is_like_nothing() -> None:
    assert Descriptions(TEXTS).cosine("nothing of the kind", TEXTS[0]) == 0
