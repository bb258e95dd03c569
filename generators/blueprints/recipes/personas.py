"""Draws -> the persona of a user: its manner, what it knows, how it writes."""

from collections.abc import Mapping
from random import Random
from typing import get_args

from interplay.generators.blueprints.recipes.draws import draws_of_chance, pick
from interplay.generators.values.texts import sample_words
from interplay.schemas.records.recipe import AgeBand, Habit, Persona, Tone, Verbosity

HABIT = 0.16
"""Chance of each habit of writing."""

HABITS: tuple[Habit, ...] = ("lowercase", "abbreviates", "exclaims", "emoji", "ellipses")


LENGTHS: Mapping[Tone, tuple[Verbosity, ...]] = {"terse": ("brief",), "chatty": ("normal", "wordy")}
"""How much somebody writes whose tone says so."""


def draw_persona(rng: Random) -> Persona:
    """Return a persona of chance."""
    return persona_of(draws_of_chance(rng), rng)


def persona_of(drawn: Mapping[str, float], rng: Random) -> Persona:
    """Return the persona at a place in each dimension; its name and habits are of chance."""
    tone = pick(get_args(Tone), drawn["tone"])
    return Persona(
        tone=tone,
        patience=pick(("low", "normal", "high"), drawn["patience"]),
        name=sample_words.given_name(rng),
        age=pick(get_args(AgeBand), drawn["age"]),
        expertise=pick(("novice", "regular", "expert"), drawn["expertise"]),
        verbosity=pick(LENGTHS.get(tone, get_args(Verbosity)), drawn["verbosity"]),
        habits=tuple(habit for habit in HABITS if rng.random() < HABIT),
    )
