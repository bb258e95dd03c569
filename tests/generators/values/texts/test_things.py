"""The catalogue of things: names and texts that agree, in both languages, and nouns that mean one thing or another."""

import json
from pathlib import Path
from random import Random

import pytest

from interplay.generators.values.schema_values import make_valid
from interplay.generators.values.texts import things
from interplay.generators.values.texts.ideas import draw_idea
from interplay.generators.values.texts.things import concept_of, draw_thing, translations
from interplay.generators.values.world_seed import LocalRandom
from interplay.schemas.words.identifiers import name_tokens

TEXT = {"type": "string"}
FILES = sorted(Path(things.__file__).with_suffix("").glob("*.json"))
NAMES = [" ".join(name_tokens(name)) for path in FILES for name in json.loads(path.read_text(encoding="utf-8"))]
"""What the concepts of the catalogue are called, as nouns."""


def test_every_concept_can_be_drawn_and_is_called_differently() -> None:
    for name in NAMES:
        concept = concept_of(name)
        assert concept is not None, name
        drawn = [draw_thing(concept, f"Ada Byron{seed}", Random(seed)) for seed in range(60)]
        assert len({thing.told("name") for thing in drawn}) >= 12, name
        for thing in drawn[:5]:
            for field in concept.texts:
                for told in (thing.told(field), thing._replace(language=1).told(field)):
                    assert told, (name, field)
                    assert "{" not in told, (name, field)
        assert all(low < high and step > 0 for low, high, step in concept.numbers.values()), name


def test_nouns_stand_there_in_the_words_by_which_they_are_looked_up() -> None:
    held = {name: entry for path in FILES for name, entry in json.loads(path.read_text(encoding="utf-8")).items()}
    for name, entry in held.items():
        nouns = [*entry.get("nouns", ()), *entry.get("also", ())]
        assert [noun for noun in nouns if noun != " ".join(name_tokens(noun))] == []
        assert " ".join(name_tokens(name)) in (name, *nouns)


def test_what_the_lists_of_a_kind_tell_is_not_made_up_otherwise() -> None:
    for name in NAMES:
        concept = concept_of(name)
        assert concept is not None, name
        listed = {slot for rows in concept.lists for row in rows for slot in row}
        cells = draw_thing(concept, "Ada Byron", Random(1)).cells
        for slot in listed:
            assert any(row.get(slot) == cells[slot] for rows in concept.lists for row in rows), (name, slot)


def test_a_noun_of_several_meanings_is_told_by_the_fields_beside_it() -> None:
    posting, background = concept_of("job", ("salary_min", "recruiter_id")), concept_of("job", ("queue", "attempts"))
    assert posting is not None
    assert background is not None
    assert (posting.name, background.name) == ("job posting", "background job")
    assert concept_of("zeppelin") is None


def test_the_fields_of_a_thing_agree() -> None:
    schema = {"type": "object", "properties": {"title": TEXT, "description": TEXT, "salary": {"type": "integer"}}}
    for seed in range(20):
        thing = draw_idea("vacancy", Random(seed)).thing
        assert thing is not None
        made = make_valid({**schema, "required": ["title", "description", "salary"]}, Random(seed), "vacancy")
        assert made["title"]
        assert made["description"] != made["title"]
        low, high, step = thing.concept.numbers["salary"]
        assert low <= made["salary"] <= high
        assert (made["salary"] - low) % step == 0


def test_what_a_schema_says_comes_first() -> None:
    salary = {"type": "integer", "minimum": 7, "maximum": 9}
    level = {"type": "string", "enum": ["A1", "B2"]}
    schema = {"type": "object", "required": ["salary", "name"], "properties": {"salary": salary, "name": level}}
    for seed in range(10):
        made = make_valid(schema, Random(seed), "vacancy")
        assert 7 <= made["salary"] <= 9
        assert made["name"] in level["enum"]


def test_texts_of_english_things_are_known_in_german() -> None:
    known, all_of_them = 0, 0
    for name in NAMES:
        concept, german = concept_of(name), translations(name, "de")
        assert concept is not None
        thing = draw_thing(concept, "Ada Byron", Random(name))
        for field in concept.texts:
            english = thing.told(field)
            known += (german(english) or english) == thing._replace(language=1).told(field)
            all_of_them += 1
    assert known / all_of_them > 0.98
    assert translations("vacancy", "en")("Senior Buyer") == ""


@pytest.mark.parametrize(("locale", "language"), [("de_DE", 1), ("en_GB", 0)])
def test_rows_are_in_the_language_of_their_world(locale: str, language: int) -> None:
    rng, concept = LocalRandom(4), concept_of("vacancy")
    rng.locale = locale
    assert concept is not None
    assert draw_thing(concept, "Ada Byron", rng).language == language


def test_kinds_of_something_are_called_after_it() -> None:
    fields = ("id", "name", "color", "is_active", "description")
    for noun, kind in (("session type", "session"), ("exercise type", "exercise"), ("vehicle category", "vehicle")):
        meant, own = concept_of(noun, fields), concept_of(kind, fields)
        assert meant is not None
        assert own is not None
        assert meant.name == own.name


def test_a_word_that_many_kinds_have_says_less_than_one_that_few_have() -> None:
    task = concept_of("task", ("id", "name", "description", "level"))
    assert task is not None
    assert task.name == "task"  # and no quest, for its level
