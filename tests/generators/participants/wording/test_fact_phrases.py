"""Moments of a thing: the start is said as such, an end with what it is."""

from random import Random

import pytest

from interplay.generators.participants.wording.fact_phrases import (
    comes_later,
    currency_beside,
    say_choice,
    say_fact,
    say_item,
)
from interplay.generators.participants.wording.voice import Voice, load_grammar
from interplay.schemas.records.blueprint import Fact
from interplay.schemas.records.recipe import Persona

SLOT = {"ends_at": "2026-04-02T11:00", "day": "2026-04-02", "starts_at": "2026-04-02T10:00"}


def test_an_end_comes_later_and_a_start_does_not() -> None:
    assert comes_later(SLOT, SLOT["ends_at"])
    assert not comes_later(SLOT, SLOT["starts_at"])
    assert not comes_later(SLOT, SLOT["day"])
    assert not comes_later(SLOT, "Talk about the roadmap")


@pytest.mark.parametrize(
    ("label", "value", "said"),
    [
        ("expires at", "2026-04-14", "expire on"),
        ("block email", True, "block email"),
        ("task's completed since", "2026-02-12", "task completed since"),
    ],
)
def test_a_label_that_is_no_noun_is_said_by_what_it_says(label: str, value: str | bool, said: str) -> None:
    words = Voice(load_grammar()["user"], Random(1), Persona())
    assert said in say_fact(words, Fact(id="f1", goal=0, label=label, value=value))


def test_one_of_several_is_told_by_its_quality() -> None:
    words = Voice(load_grammar()["user"], Random(1), Persona())
    chosen = Fact(id="f1", goal=0, label="card", value={"/active": False}, choice="/0", action="a1")
    assert say_choice(words, chosen) == "the one that isn't active"


def test_an_item_of_a_list_is_shown_with_its_currency_and_its_qualities() -> None:
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    item = {"name": "Rent", "amount": 1200, "currency": "EUR", "active": False}
    assert say_item(words, item, ["/name", "/amount", "/active"], 0) == "Rent (1200 EUR, not active)"


def test_only_money_is_said_with_a_currency_and_with_its_own() -> None:
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    item = {"name": "Lamp", "totalItems": 76, "price": 5, "currencyCode": "GBP", "tax": 1, "base_currency": "EUR"}
    assert say_item(words, item, ["/name", "/totalItems", "/price"], 0) == "Lamp (total items 76, 5 GBP)"
    assert currency_beside({**item, "price_currency": "USD"}, "price") == "USD"
    assert currency_beside({"base_currency": "EUR", "quote_currency": "USD"}, "price") == ""


def test_a_moment_that_is_not_the_day_of_a_thing_is_told_with_what_it_is() -> None:
    words = Voice(load_grammar()["user"], Random(1), Persona())
    told = dict.fromkeys(("/start_date", "/starts_at", "/production_deadline", "/canceled_at", "/expiry"), "2026-04-02")
    said = [
        say_choice(words, Fact(id="f1", goal=0, label="order", value={at: day}, choice="/0", action="a1"))
        for at, day in told.items()
    ]
    assert [" ".join(one.split()[:3]) for one in said] == [
        "the one on", "the one on", "the one due", "the one canceled", "the one with",
    ]  # fmt: skip


def test_one_of_several_is_told_by_what_it_is_called_or_by_the_text_that_it_holds() -> None:
    words = Voice(load_grammar()["user"], Random(1), Persona())
    said = [
        say_choice(words, Fact(id="f1", goal=0, label=noun, value={at: text}, choice="/0", action="a1"))
        for noun, at, text in (
            ("song", "/song_name", "Lost in the Valley"),
            ("comment", "/content", "The heading is too long."),
        )
    ]
    assert "song name" not in said[0]
    assert said[1].startswith("the one with the content ")


def test_what_is_there_already_is_so_and_should_not_be_so() -> None:
    words = Voice(load_grammar()["user"], Random(1), Persona())
    fact = Fact(id="f1", goal=0, label="user's phone", value="555 0100")
    assert {say_fact(words, fact) for _ in range(8)} == {"the user's phone is 555 0100"}
