"""Personas: each side of a person shows in what it writes, and no value changes by it."""

from random import Random

import pytest

from interplay.generators.participants.by_model.user import scenario_prompt
from interplay.generators.participants.wording.asides import say_aside
from interplay.generators.participants.wording.voice import Voice, load_grammar
from interplay.schemas.records.blueprint import Scenario
from interplay.schemas.records.recipe import Persona

SIDES = {
    "age": ("18-29", "30-44", "45-59", "60-74", "75+"),
    "expertise": ("novice", "expert"),
    "patience": ("low", "high"),
}


def asides(persona: Persona) -> set[str]:
    return {say_aside(Voice(load_grammar()["user"], Random(seed), persona), does=True) for seed in range(400)}


def share_of_asides(persona: Persona) -> float:
    drawn = [say_aside(Voice(load_grammar()["user"], Random(seed), persona), does=True) for seed in range(400)]
    return sum(map(bool, drawn)) / len(drawn)


@pytest.mark.parametrize("side", SIDES)
def test_each_side_of_a_person_shows_in_words_of_its_own(side: str) -> None:
    entries = load_grammar()["user"][f"aside_{side}"]
    for own in SIDES[side]:
        said = " ".join(asides(Persona.model_validate({side: own, "verbosity": "wordy"})))
        assert any(text in said for text in entries[own])
        assert not any(text in said for other in SIDES[side] if other != own for text in entries[other])


def test_people_seldom_speak_of_themselves_and_brief_and_terse_ones_never_do() -> None:
    assert asides(Persona(verbosity="brief", expertise="expert")) == {""}
    assert asides(Persona(tone="terse", expertise="expert")) == {""}
    assert share_of_asides(Persona()) <= 0.12
    assert 0.04 <= share_of_asides(Persona(verbosity="wordy")) <= 0.3


def test_what_is_said_besides_holds_no_value() -> None:
    grammar = load_grammar()["user"]
    texts = [*grammar["aside_wordy"], *grammar["aside_answer"]]
    texts += [text for side in SIDES for own in grammar[f"aside_{side}"].values() for text in own]
    assert not [text for text in texts if any(letter.isdigit() or letter in "{}?" for letter in text)]


def test_a_model_is_told_of_every_side_of_the_person_that_it_plays() -> None:
    plain = scenario_prompt(Scenario(), ())
    for change in (
        {"age": "75+"}, {"expertise": "novice"}, {"expertise": "expert"}, {"verbosity": "wordy"}, {"verbosity": "brief"},
        {"patience": "low"}, {"tone": "formal"}, {"habits": ("emoji",)}, {"habits": ("lowercase",)},
    ):  # fmt: skip
        assert scenario_prompt(Scenario(persona=Persona.model_validate(change)), ()) != plain
