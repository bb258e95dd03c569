"""What a standard names one by one."""

from random import Random
from typing import Any

import pytest

from interplay.generators.values.schema_values import make_valid
from interplay.generators.values.texts.ideas import draw_idea, of_entry
from interplay.generators.values.texts.standards import entries_of, standard_noun, written_alike

TEXT: dict[str, Any] = {"type": "string"}


def rows(noun: str, *fields: str) -> list[dict[str, Any]]:
    schema = {"type": "object", "properties": dict.fromkeys(fields, TEXT), "required": list(fields)}
    return [make_valid(schema, Random(seed), noun) for seed in range(20)]


def test_name_code_and_symbol_of_a_currency_agree() -> None:
    made = rows("currency", "name", "isoCode", "shortName", "symbol")
    known = {(entry["name"], entry["code"], entry["code"], entry["symbol"]) for entry in entries_of("currency")}
    assert {tuple(row.values()) for row in made} <= known
    assert ("Swiss Franc", "CHF", "CHF", "CHF") in known
    assert len({row["name"] for row in made}) > 5


@pytest.mark.parametrize(
    ("noun", "fields", "entry"),
    [
        ("country", ("name", "iso", "iso3"), ("France", "FR", "FRA")),
        ("language", ("name", "code"), ("Portuguese", "pt")),
        ("locale", ("code", "name", "territory"), ("de-AT", "German (Austria)", "Austria")),
    ],
)
def test_countries_languages_and_locales_are_those_of_their_standards(
    noun: str, fields: tuple[str, ...], entry: tuple[str, ...]
) -> None:
    schema = {"type": "object", "properties": dict.fromkeys(fields, TEXT), "required": list(fields)}
    made = {tuple(make_valid(schema, Random(seed), noun).values()) for seed in range(150)}
    assert entry in made
    assert len(made) == len(entries_of(noun))


def test_a_row_is_of_the_entry_that_its_identity_says() -> None:
    idea = of_entry(draw_idea("currency", Random(3)), "SEK")
    assert idea.name == "Swedish Krona"
    assert of_entry(draw_idea("task", Random(3)), "SEK").entry is None


def test_only_some_nouns_are_of_a_standard() -> None:
    assert [standard_noun(noun) for noun in ("currencies", "project", "", "_")] == ["currency", "", "", ""]
    assert written_alike("country", "Atlantis") == ()
    assert "NLD" in written_alike("country", "USA")
