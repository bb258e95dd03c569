"""Texts that a made-up object has: what is known of such things, and no words where nothing is known."""

from random import Random
from typing import Any

import pytest

from interplay.generators.values.schema_values import make_valid
from interplay.generators.values.texts.example_shapes import varied
from interplay.generators.values.texts.ideas import draw_idea
from interplay.generators.values.texts.names.named_texts import by_name

TEXT = {"type": "string"}


def made(fields: str, name: str, required: str = "") -> Any:
    schema = {"type": "object", "properties": dict.fromkeys(fields.split(), TEXT), "required": required.split()}
    return make_valid(schema, Random(1), name)


def test_words_of_people_on_things_of_which_nothing_is_known_are_left_out() -> None:
    assert made("id name content", "gizmo").keys() == {"id", "name"}
    assert made("id name content", "gizmo", "content").keys() == {"id", "name", "content"}


def test_words_on_what_is_about_a_topic_or_in_the_catalogue_are_kept() -> None:
    assert made("id title description", "project").keys() == {"id", "title", "description"}
    assert made("id name description", "vacancy").keys() == {"id", "name", "description"}


@pytest.mark.parametrize("name", ["instructor", "reviewer", "seller"])
def test_who_somebody_is_to_others_is_a_person(name: str) -> None:
    assert len(by_name([name], {}, Random(3)).split()) > 1


def test_a_field_called_like_a_thing_holds_the_name_of_one() -> None:
    assert by_name(["ebook"], {}, Random(3)) not in ("", "ebook")
    assert by_name(["adjust", "estimate"], {}, Random(3)) == ""


def test_the_address_of_a_thing_has_its_name() -> None:
    found = made("title url image_url", "movie")
    slug = found["url"].removeprefix("https://www.example.com/")
    assert slug.split("-")[0] == found["title"].split()[0].lower()
    assert found["image_url"] == f"https://www.example.com/image/{slug}"


def test_amounts_in_digits_are_no_identities() -> None:
    digits = {"type": "string", "pattern": r"^\d+$"}
    assert len(make_valid(digits, Random(1), "credits_posted")) < 5
    assert len(make_valid(digits, Random(1), "sku")) == 18


def test_an_example_with_a_gap_in_it_is_no_value() -> None:
    assert "<" not in make_valid({"type": "string", "examples": ["<feature> success ...."]}, Random(1), "title")


@pytest.mark.parametrize("sample", ["課程_名稱", "-", "_"])
def test_an_example_without_latin_letters_has_no_place_for_words(sample: str) -> None:
    assert varied(sample, ["title"], Random(1)) == sample


def test_what_several_come_to_is_so_many_times_what_one_does() -> None:
    number = {"type": "integer"}
    fields = {"quantity": number, "weight_grams": number, "total_weight_grams": number}
    found = make_valid({"type": "object", "properties": fields}, Random(2), "tent")
    assert found["total_weight_grams"] == found["quantity"] * found["weight_grams"]


def test_what_an_example_shows_to_be_meant_is_meant() -> None:
    companies = {by_name(["company"], {"examples": ["google"]}, Random(seed)) for seed in range(20)}
    assert len(companies) > 5
    assert by_name(["position"], {"examples": ["marketing"]}, Random(1)) not in ("top", "bottom", "left", "right")
    assert by_name(["position"], {"examples": ["top"]}, Random(1)) in ("top", "bottom", "left", "right", "center")


def test_what_a_list_holds_is_of_the_kind_that_its_list_is_for() -> None:
    item = {"type": "object", "properties": dict.fromkeys(("name", "price", "quantity"), TEXT)}
    whole = {"type": "object", "properties": {"name": TEXT, "items": {"type": "array", "items": item}}}
    made_lists = [make_valid(whole, Random(seed), "shopping_list") for seed in range(8)]
    held = {entry["name"] for made_list in made_lists for entry in made_list.get("items", ())}
    assert held
    known = {draw_idea("grocery item", Random(seed)).name for seed in range(400)}
    assert len(held & known) > len(held) / 2


def test_telephone_numbers_and_codes_of_countries_look_like_such() -> None:
    number = {"type": "integer"}
    made_numbers = {make_valid(number, Random(seed), "phoneNumbers") for seed in range(20)}
    assert all(2_079_460_100 <= made <= 2_079_460_999 for made in made_numbers)
    assert len(by_name(["iso", "code"], {}, Random(3))) == len("FI")
    assert len(by_name(["currency", "iso", "code"], {}, Random(3))) == len("EUR")


def test_a_label_is_a_name_where_a_thing_has_no_other() -> None:
    task = {"type": "object", "properties": {"label": TEXT, "dueOn": {"type": "string", "format": "date"}}}
    made = make_valid({"type": "array", "items": task, "minItems": 1}, Random(1), "activities", full=False)
    assert " " in made[0]["label"]
