"""Texts whose vectors point the same way repeat the first of them that stays."""

from interplay.validators.curation.near_duplicates import BLOCK, like_meanings


def test_the_first_of_those_that_are_alike_stays() -> None:
    found = like_meanings([(1, 0), (0, 1), (2, 0.02), (0, 3), (1, 0.01)], 0.99)
    assert {place: repeat.of for place, repeat in found.items()} == {2: 0, 3: 1, 4: 0}


def test_repeats_are_found_across_blocks_and_nothing_is_no_repeat() -> None:
    vectors = [(1.0, 0.0)] + [(0.0, 0.0)] * BLOCK + [(5.0, 0.0)]
    assert {place: repeat.of for place, repeat in like_meanings(vectors, 0.9).items()} == {BLOCK + 1: 0}
    assert like_meanings([], 0.9) == {}
