"""Texts of the shape that the examples of their field have."""

import re
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from interplay.generators.values.schema_values import make_valid
from interplay.generators.values.texts.example_shapes import alike, identifies, varied
from interplay.generators.values.texts.ideas import draw_idea

SEEDS = range(60)


def made(name: str, *examples: str, **schema: Any) -> list[str]:
    field = {"type": "string", "examples": list(examples), **schema}
    return [make_valid(field, Random(seed), name) for seed in SEEDS]


@pytest.mark.parametrize(
    ("text", "example"),
    [
        ("inactive", "TX"),
        ("A tenant for day-to-day use.", "mobile"),
        ("quiet", "user.signup"),
        ("VA65125", "32 120 377 720"),
        ("lime", "#ffffff"),
        ("39 Kjær Square", "Suite 888"),
        ("https://www.example.com/a", "light"),
        ("nora@example.com", "left"),
        ("RE65125", "bob"),
        ("Sweden", "US"),
        ("open", "equals(id,[1])"),
    ],
)
def test_a_text_of_another_shape_is_refused(text: str, example: str) -> None:
    assert not alike(text, [example])


@pytest.mark.parametrize(
    ("text", "example"),
    [
        ("12 Moreau Road", "123 Main st."),
        ("billing.update", "user.signup"),
        ("Budget review", "Acme Corp"),
        ("Budget review", "Pro"),
        ("Europe/Oslo", "America/Los_Angeles"),
        ("nora.berg@example.com", "brad@pitt.com"),
        ("garden-meeting.txt", "my_audience.csv"),
        ("192.0.2.7", "192.168.1.252"),
        ("The costs are still open, as agreed.", "These are public notes which all see."),
    ],
)
def test_a_text_of_the_same_shape_stays(text: str, example: str) -> None:
    assert alike(text, [example])


@pytest.mark.parametrize(
    ("name", "example", "shape"),
    [
        ("dlNum", "646673153", r"\d{9}"),
        ("phone", "555-555-1234", r"\d{3}-\d{3}-\d{4}"),
        ("vat_number", "32 120 377 720", r"\d\d \d{3} \d{3} \d{3}"),
        ("company_gid", "12345", r"\d{5}"),
        ("phone", "+1 555-123-4567 ext. 891", r"\+1 \d{3}-\d{3}-\d{4} ext\. \d{3}"),
        ("task_id", "Opnel5aKBz", r"[A-Z][a-z]{4}\d[a-z][A-Z]{2}[a-z]"),
    ],
)
def test_numbers_that_identify_differ_from_row_to_row(name: str, example: str, shape: str) -> None:
    values = made(name, example)
    assert all(re.fullmatch(shape, value) for value in values)
    assert example not in values
    assert len(set(values)) > len(SEEDS) / 2


def test_an_example_is_seldom_repeated_where_others_like_it_can_be_made() -> None:
    values = made("name", "Acme Corp")
    assert values.count("Acme Corp") < len(SEEDS) / 20
    streets = made("street", "123 Main st.")
    assert "123 Main st." not in streets
    assert all(re.match(r"\d+ \w", street) for street in streets)


def test_codes_of_regions_and_of_standards_are_such_codes() -> None:
    states = set(made("dlState", "TX"))
    assert len(states) > len(SEEDS) / 4
    assert all(re.fullmatch("[A-Z]{2}", state) for state in states)
    assert {"SWE", "AUT"} & set(made("country", "USA"))
    assert {"sv_SE", "de_DE"} & set(made("locale", "en_US"))
    assert {"English", "Dutch"} & set(made("language", "French"))
    assert all(value.islower() for value in made("currency", "usd"))


def test_joined_words_are_joined_as_in_the_example() -> None:
    assert all(re.fullmatch(r"[a-z]+\.[a-z]+", value) for value in made("name", "user.signup"))
    assert all(re.fullmatch(r"setup_[a-z]+_[a-z]+", value) for value in made("code", "setup_fee_charge"))
    assert all(re.fullmatch(r"[a-z]+\.png", value) for value in made("name", "image.png"))
    assert all(re.fullmatch(r"[a-z]+[A-Z][a-z]+", value) for value in made("templateKey", "invoiceTemplate"))
    assert re.fullmatch(r"Gift([A-Z][a-z]+){2}", varied("GiftCardHub", ["name"], Random(1)))
    assert len(set(made("name", "user.signup"))) > len(SEEDS) / 4


def test_the_words_of_a_handle_are_those_of_its_owner() -> None:
    idea = draw_idea("user", Random(1))._replace(person="Nora Åberg")
    field = {"type": "string", "examples": ["john_doe"]}
    values = {make_valid(field, Random(seed), "username", idea=idea) for seed in SEEDS}
    assert "nora_aberg" in values <= {"nora_aberg", "john_doe"}


@pytest.mark.parametrize("example", ["mobile", "light", "v1.2.3", "2019-07", "09:30"])
def test_what_cannot_be_varied_stays(example: str) -> None:
    assert varied(example, ["desc"], Random(1)) == example


@pytest.mark.parametrize(
    ("example", "does"),
    [("646673153", True), ("a1039883", True), ("123 Main st.", True), ("Tax 3", False), ("2.0", False)],
)
def test_numbers_and_codes_identify(example: str, does: bool) -> None:
    assert identifies(example) is does


def test_colours_stay_colours() -> None:
    colours: Sequence[str] = made("outline_color", "#FFFFFF")
    assert all(re.fullmatch("#[0-9A-F]{6}", colour) for colour in colours)
    assert len(set(colours)) > len(SEEDS) / 2


def test_a_brief_example_of_a_message_does_not_make_all_of_them_brief() -> None:
    assert len(set(made("comment", "hey"))) > 3


@pytest.mark.parametrize("example", ["Correction", "Duplicate booking", "by_mistake"])
def test_a_reason_that_is_about_no_topic_is_as_its_example(example: str) -> None:
    idea = draw_idea("user", Random(1))._replace(topic="")
    assert varied(example, ["reason"], Random(1), idea) == example


def test_texts_that_only_fill_a_place_are_no_examples() -> None:
    filler = "Recusandae eos eum ea."
    texts = {make_valid({"type": "string", "examples": [filler]}, Random(seed), "description") for seed in range(20)}
    assert not any("ecusandae" in text for text in texts)
