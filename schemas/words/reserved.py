"""Domains, phone numbers and card numbers that standards reserve for examples."""

import re

from interplay.schemas.words.lists import word_set

_FICTIONAL_PHONE = re.compile(r"1?\d{3}55501\d\d")


def is_reserved_domain(domain: str) -> bool:
    """Tell whether a domain is set aside by RFC 2606 or RFC 6761, or is below one that is: shop.example.com."""
    parts = domain.casefold().split(".")
    return not word_set("reserved", "domains").isdisjoint(".".join(parts[at:]) for at in range(len(parts)))


def is_reserved_phone(digits: str) -> bool:
    """Tell whether the digits of a number are one of +1 ... 555 0100 to 0199, which are for fiction."""
    return _FICTIONAL_PHONE.fullmatch(digits) is not None


def is_reserved_card(digits: str) -> bool:
    """Tell whether the digits of a card are those that payment services name for tests."""
    return digits in word_set("reserved", "test_cards")
