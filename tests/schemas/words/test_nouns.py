"""What several things are called, and how they are told from one."""

import pytest

from interplay.schemas.words.nouns import is_several, plural


@pytest.mark.parametrize(
    ("noun", "many"),
    [
        ("city", "cities"),
        ("box", "boxes"),
        ("day", "days"),
        ("pet", "pets"),
        ("status", "statuses"),
        ("alias", "aliases"),
        ("social media", "social media"),
        ("endpoints", "endpoints"),
        ("staff", "staff"),
    ],
)
def test_makes_plurals(noun: str, many: str) -> None:
    assert plural(noun) == many


@pytest.mark.parametrize(
    ("noun", "several"), [("orders", True), ("clinic hours", True), ("status", False), ("trip", False)]
)
def test_tells_several_things_from_one(noun: str, several: bool) -> None:
    assert is_several(noun) == several
