"""Which labels people can speak of a field by."""

import pytest
from interplay.generators.phrases.speakable_values import can_be_said, words_of


@pytest.mark.parametrize("label", ["due date", "active", "expires at", "order's amount", "phone number", "has bicycle"])
def test_a_noun_a_quality_and_what_happens_can_be_said(label: str) -> None:
    assert can_be_said(label)


@pytest.mark.parametrize("label", ["keep from source", "tags filter regexp", "q"])
def test_a_clause_without_a_noun_and_a_code_cannot(label: str) -> None:
    assert not can_be_said(label)


@pytest.mark.parametrize(
    ("name", "said"),
    [("date_expires", "expires at"), ("expiresDate", "expires at"), ("date_first", "first date"), ("due_date", "due date"), ("sales_date", "sales date")],
)  # fmt: skip
def test_a_moment_is_called_by_what_happens_then(name: str, said: str) -> None:
    assert words_of(name) == said
