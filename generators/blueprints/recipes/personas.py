"""Draws -> the persona of a user: tone, patience, expertise, habits of writing."""

from collections.abc import Mapping
from random import Random
from typing import get_args

from interplay.generators.blueprints.recipes.draws import draws_of_chance, pick, weighted
from interplay.generators.values.texts import sample_words
from interplay.schemas.records.recipe import AgeBand, Habit, Persona, Tone, Verbosity

HABITS: Mapping[Habit, float] = {
    "lowercase": 0.1, "abbreviates": 0.04, "exclaims": 0.03, "emoji": 0.03, "ellipses": 0.02,
}  # fmt: skip
"""Habits of writing with their chances; most people have none."""


TONES: Mapping[Tone, float] = {"plain": 0.45, "friendly": 0.25, "terse": 0.15, "formal": 0.1, "chatty": 0.05}
"""The share of users with each tone."""

LENGTHS: Mapping[Tone, tuple[Verbosity, ...]] = {"terse": ("brief",), "chatty": ("normal", "wordy")}
"""The verbosities of tones that restrict it."""


def draw_persona(rng: Random) -> Persona:
    """Return a random persona."""
    return persona_of(draws_of_chance(rng), rng)


def persona_of(drawn: Mapping[str, float], rng: Random) -> Persona:
    """Return the persona for a value in each dimension; its name and habits are random."""
    tone = weighted(TONES, drawn["tone"])
    return Persona(
        tone=tone,
        patience=pick(("low", "normal", "high"), drawn["patience"]),
        name=sample_words.given_name(rng),
        age=pick(get_args(AgeBand), drawn["age"]),
        expertise=pick(("novice", "regular", "expert"), drawn["expertise"]),
        verbosity=pick(LENGTHS.get(tone, get_args(Verbosity)), drawn["verbosity"]),
        habits=tuple(habit for habit, chance in HABITS.items() if rng.random() < chance),
    )
