"""What the names of fields say by their form alone."""

import pytest

from interplay.schemas.words.identifiers import last_word, name_tokens, names_identity


def test_an_id_is_told_from_a_word_that_ends_like_one() -> None:
    assert [name for name in "id petId pet_id pet-ID petid uuid gid".split() if not names_identity(name)] == []
    assert [name for name in "paid isPaid highest_bid void valid grid ids name".split() if names_identity(name)] == []


def test_two_words_written_as_one_are_told_apart_and_one_word_stays_one() -> None:
    apart = {"userid": "user id", "phonenumber": "phone number", "imageurl": "image url", "createdat": "created at"}
    assert {name: " ".join(name_tokens(name)) for name in apart} == apart
    whole = "username filename datetime candidate validate estate android grid format beat covid".split()
    assert [name for name in whole if name_tokens(name) != [name]] == []


def test_words_of_every_script_are_words() -> None:
    said = {"订单编号": ["订单编号"], "prénomClient": ["prénom", "client"], "größe_2": ["größe", "2"], "_": [], "*": []}
    assert {name: name_tokens(name) for name in said} == said
    assert {name: last_word(name) for name in said} == {name: (words or [""])[-1] for name, words in said.items()}


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("getallproducts", ["get", "all", "products"]),
        ("addtocart", ["add", "to", "cart"]),
        ("deleterecord", ["delete", "record"]),
        ("getproductcategory", ["get", "product", "category"]),
        ("getproductbyname", ["get", "product", "by", "name"]),
        ("allcategories", ["all", "categories"]),
    ],
)
def test_calls_that_are_written_together_are_taken_apart(name: str, tokens: list[str]) -> None:
    assert name_tokens(name) == tokens


@pytest.mark.parametrize(
    "name",
    ["address", "additional", "generated", "editorial", "getaway", "payload", "updates", "allergy", "blockchain"],
)
def test_words_that_begin_like_a_verb_stay_whole(name: str) -> None:
    assert name_tokens(name) == [name]


def test_a_word_without_end_stays_whole() -> None:
    assert name_tokens("get" + "a" * 100_000) == ["get" + "a" * 100_000]
