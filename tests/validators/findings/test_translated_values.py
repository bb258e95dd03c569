"""What stands for a value in German is read as the value."""

import time
from typing import Any

import pytest
from tests.validators.builders import make_blueprint, make_trajectory

from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.translation import Translation
from interplay.schemas.words.mentions import mentions
from interplay.validators.findings.translated_values import TranslatedValues

VALUES = {"booked": "gebucht", "bank transfer": "Überweisung", "invoice": "Rechnung", "bill": "Rechnung"}
GLOSSARY = TranslatedValues(Toolset(name="t", tools=(), translations={"de": Translation(values=VALUES)}))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Beginn ist am 3. März 2026 um 9:15 Uhr.", "2026-03-03T09:15:00"),
        ("Beginn ist am 03.03.2026 um 13 Uhr.", "2026-03-03T13:00:00"),
        ("gültig bis zum 24. Dezember 2026", "2026-12-24"),
        ("Mein Geburtstag ist der 1. Mai 1990.", "1990-05-01"),
        ("Der Betrag ist 1.234,50 EUR.", 1234.5),
        ("Der Betrag ist 48,50 EUR.", 48.5),
        ("Verletzte: nein", False),
        ("Verletzte: ja", True),
    ],
)
def test_finds_a_value_in_german_words(text: str, value: Any) -> None:
    assert mentions(text, value, {}, "injuries")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Beginn ist am 4. März 2026 um 9:15 Uhr.", "2026-03-03T09:15:00"),
        ("Beginn ist am 3. März 2026 um 10 Uhr.", "2026-03-03T09:15:00"),
        ("Der Betrag ist 48,50 EUR.", 4850),
        ("Verletzte: nein", True),
    ],
)
def test_finds_no_other_value(text: str, value: Any) -> None:
    assert not mentions(text, value, {}, "injuries")


def test_a_word_is_followed_by_the_values_that_it_stands_for() -> None:
    assert GLOSSARY.gloss("Der Status ist gebucht.", "de") == "Der Status ist gebucht (booked)."
    assert GLOSSARY.gloss("Per Überweisung?", "de") == "Per Überweisung (bank transfer)?"
    assert GLOSSARY.gloss("Eine Rechnung", "de") == "Eine Rechnung (invoice, bill)"
    assert GLOSSARY.gloss("Ungebucht, ein Buch", "de") == "Ungebucht, ein Buch"
    assert GLOSSARY.gloss("Der Status ist gebucht.", "fr") == "Der Status ist gebucht."


def test_english_dialogues_and_results_stay_as_they_are(make_task: Any) -> None:
    task, trajectory = make_task("en")
    assert GLOSSARY.glossed(trajectory, task) is trajectory
    task, trajectory = make_task("de")
    assert [message.content for message in GLOSSARY.glossed(trajectory, task).messages] == [
        "gebucht (booked)",
        "gebucht",
    ]


@pytest.fixture
def make_task() -> Any:
    def make(language: str) -> tuple[Blueprint, Trajectory]:
        task = make_blueprint()
        scenario = task.scenario.model_copy(update={"language": language})
        said = (Message(role="user", content="gebucht"), Message(role="tool", content="gebucht", tool_call_id="c1"))
        return task.model_copy(update={"scenario": scenario}), make_trajectory().model_copy(update={"messages": said})

    return make


def test_glosses_a_long_row_of_marks_in_linear_time() -> None:
    started = time.process_time()
    assert GLOSSARY.gloss(f"Ist gebucht{'.' * 100_000}x?! ", "de") == f"Ist gebucht{'.' * 100_000}x (booked)?! "
    assert time.process_time() - started < 5
