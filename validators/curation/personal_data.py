"""A text -> the mail addresses and phone, card and account numbers in it that may be real.

Values that standards reserve for examples do not count: example.com (RFC 2606), +1 555 0100 to 0199 and Ofcom's drama numbers,
and test card numbers of payment services. Card and account numbers count only if their check digits are right.
"""

import re
from collections.abc import Iterator

from interplay.schemas.words.reserved import is_reserved_card, is_reserved_domain, is_reserved_phone

_MAIL = re.compile(r"[\w.+%-]{1,64}@(?P<domain>[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})")
_PHONE = re.compile(
    r"(?<![\w.+-])(?:\+\d{1,3}(?:[ .()/-]{0,2}\d){6,13}|\(\d{3}\) ?\d{3}[ -]\d{4}|\d{3}-\d{3}-\d{4})(?![\w-])"
)
_CARD = re.compile(r"(?<![\w.-])[3-6]\d{3}(?:[ -]?\d){9,15}(?![\w-])")
_ACCOUNT = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?!\w)")
_NOT_DIGITS = re.compile(r"\D")


def personal_data(text: str) -> Iterator[tuple[str, str]]:
    """Yield (kind, value as written) for each finding; kinds are `mail`, `phone`, `card` and `account`."""
    for found in _MAIL.finditer(text):
        if not is_reserved_domain(found["domain"]):
            yield "mail", found[0]
    for found in _CARD.finditer(text):
        number = _NOT_DIGITS.sub("", found[0])
        if _has_check_digit(number) and not is_reserved_card(number):
            yield "card", found[0]
    for found in _ACCOUNT.finditer(text):
        if _is_account(found[0].replace(" ", "")):
            yield "account", found[0]
    for found in _PHONE.finditer(text):
        number = _NOT_DIGITS.sub("", found[0])
        if not is_reserved_phone(number):
            yield "phone", found[0]


def _has_check_digit(number: str) -> bool:
    """Tell whether a number has a valid Luhn check digit (ISO/IEC 7812-1), and not only one digit repeated."""
    weighed = [int(digit) * (1 + (place % 2 == 0)) for place, digit in enumerate(reversed(number), start=1)]
    return sum(value - 9 * (value > 9) for value in weighed) % 10 == 0 and len(set(number)) > 1


def _is_account(number: str) -> bool:
    """Tell whether an IBAN has a valid length and valid check digits (ISO 13616)."""
    turned = "".join(str(int(letter, 36)) for letter in number[4:] + number[:4])
    return 15 <= len(number) <= 34 and int(turned) % 97 == 1
