"""Domains, phone numbers and card numbers that standards reserve for examples."""

import re

from interplay.schemas.words.lists import word_set

_FICTIONAL_PHONE = re.compile(
    r"1?\d{3}55501\d\d"
    r"|44(?:7700900|2079460|1(?:1[3-8]|21|31|41|51|61)4960|1914980|1632960|2896496|2920180|8081570|9098790|3069990)\d{3}"
)


def is_reserved_domain(domain: str) -> bool:
    """Tell whether a domain is reserved by RFC 2606 or RFC 6761, or below one that is: shop.example.com."""
    parts = domain.casefold().split(".")
    return not word_set("reserved", "domains").isdisjoint(".".join(parts[at:]) for at in range(len(parts)))


def is_reserved_phone(digits: str) -> bool:
    """Tell whether a phone number is one for fiction: +1 ... 555 0100 to 0199, or a British drama number.

    Sources: NANPA; Ofcom, telephone numbers for use in TV and radio drama programmes.
    """
    return _FICTIONAL_PHONE.fullmatch(digits) is not None


def is_reserved_card(digits: str) -> bool:
    """Tell whether the digits are a test card number of a payment service."""
    return digits in word_set("reserved", "test_cards")
