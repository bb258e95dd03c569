"""Which texts repeat earlier ones."""

import random

from interplay.validators.curation.near_duplicates import Sketchbook

WORDS = [f"word{number}" for number in range(3000)]


def texts(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return [" ".join(rng.choices(WORDS, k=120)) for _ in range(count)]


def changed(text: str, rng: random.Random) -> str:
    """Return a text with one word in sixty put in other words."""
    words = text.split()
    for _ in range(2):
        words[rng.randrange(len(words))] = "another"
    return " ".join(words)


def test_texts_that_are_nearly_the_same_are_found_and_others_are_not() -> None:
    rng = random.Random(5)
    sound = texts(3000, 1)
    planted = [changed(rng.choice(sound), rng) for _ in range(400)]
    book = Sketchbook()
    book.add(sound)
    book.add(planted)
    found = book.repeats(0.8)
    assert [place for place in found if place < len(sound)] == []
    assert len(found) >= 0.95 * len(planted)
    right = [(sound + planted)[repeat.of].split()[5:9] for repeat in found.values()]
    assert all(words for words in right)


def test_of_many_copies_the_first_one_stays() -> None:
    book = Sketchbook()
    book.add(["hello there my friend", *["cancel my booking for monday please"] * 40, "hello there my friend"])
    assert {place: repeat.of for place, repeat in book.repeats(0.9).items()} == {
        **dict.fromkeys(range(2, 41), 1),
        41: 0,
    }


def test_texts_without_words_repeat_nothing_and_short_ones_are_compared_as_a_whole() -> None:
    book = Sketchbook()
    book.add(["", "", "yes", "no", "yes"])
    assert {place: repeat.of for place, repeat in book.repeats(0.8).items()} == {4: 2}


def test_nothing_added_repeats_nothing() -> None:
    assert Sketchbook().repeats(0.8) == {}


def test_texts_without_spaces_between_words_are_compared_by_their_letters() -> None:
    text = "来週の月曜日の午前中に山田先生の予約を取りたいのですが、空いている時間を教えていただけますか。"
    book = Sketchbook()
    book.add([text, text.replace("月曜日", "火曜日"), "処方箋の更新をお願いします。薬はあと三日分しか残っていません。"])
    assert set(book.repeats(0.7)) == {1}
