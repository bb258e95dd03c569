"""What the names of fields say by their form alone."""

from interplay.schemas.words.identifiers import names_identity


def test_an_id_is_told_from_a_word_that_ends_like_one() -> None:
    assert [name for name in "id petId pet_id pet-ID petid uuid gid".split() if not names_identity(name)] == []
    assert [name for name in "paid isPaid highest_bid void valid grid ids name".split() if names_identity(name)] == []
