"""Credentials and data of people in texts."""

import pytest

from interplay.validators.curation.personal_data import personal_data
from interplay.validators.curation.secrets import LONGEST, secrets

KEY = "AKIA" + "IOSFODNN7EXAMPLE"


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Write to ada.zeller@gmail.com, please.", "mail", "ada.zeller@gmail.com"),
        ("My card is 4539 1488 0343 6467.", "card", "4539 1488 0343 6467"),
        ("To DE89 3704 0044 0532 0130 00!", "account", "DE89 3704 0044 0532 0130 00"),
        ("Call +49 170 3312345.", "phone", "+49 170 3312345"),
        ("Call (415) 200-1234.", "phone", "(415) 200-1234"),
        ('{"tel": "+4917033123456"}', "phone", "+4917033123456"),
    ],
)
def test_what_could_be_somebodys_is_found(text: str, kind: str, value: str) -> None:
    assert (kind, value) in set(personal_data(text))


@pytest.mark.parametrize(
    "text",
    [
        "Write to ada@example.com or ada@shop.test.",
        "Pay with 4242 4242 4242 4242.",
        "Card 4539 1488 0343 6468 has a wrong digit, DE88 3704 0044 0532 0130 00 too.",
        "On 2026-11-23 10:30 or 23-11-2026, for 1 234 567.00 EUR, order A-1234-5678-90, id 83047202.",
        "Call +1 555 555 0142.",
        "Call +44 7700 900317, +44 20 7946 0360 or +44 113 496 0123.",
    ],
)
def test_what_is_nobodys_is_let_pass(text: str) -> None:
    assert list(personal_data(text)) == []


def test_credentials_are_found_wherever_they_stand_in_a_long_line() -> None:
    for place in (0, LONGEST - 5, 3 * LONGEST):
        assert ("AWS Access Key", KEY) in set(secrets(f"{'x ' * (place // 2)}{KEY} end"))
    assert ("Private Key", "BEGIN RSA PRIVATE KEY") in set(secrets("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n"))


def test_ids_and_hashes_are_no_credentials() -> None:
    assert list(secrets("id 5f2b3c0e-9d1a-4c8b-8a34-7a1b2c3d4e5f, sha 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12")) == []
