"""A dialogue's words -> its acts and states, read with the validators' ways of recognising what a text says."""

from collections.abc import Mapping
from typing import Any

from interplay.generators.participants.hearing_assistants import AssistantReader
from interplay.generators.participants.hearing_users import UserReader
from interplay.generators.participants.listening import Ear, Listener
from interplay.schemas.blueprint import Blueprint
from interplay.schemas.dialogue import Trajectory
from interplay.schemas.tools import Tool
from interplay.validators.confirmation import affirms, denies
from interplay.validators.declining import declines_in_words
from interplay.validators.mentions import mentions
from interplay.validators.text import normalised


def figures(text: str) -> frozenset[Any]:
    """Return the numbers, days and times that a text names."""
    said = normalised(text)
    return frozenset({*said.numbers, *said.moments.days, *said.moments.times})


EAR = Ear(says=mentions, affirms=affirms, denies=denies, declines=declines_in_words, figures=figures)


def open_listener(blueprint: Blueprint, own: Mapping[str, Tool] | None = None) -> Listener:
    """Return who follows one dialogue about a blueprint; `own` are the tools of the user, by name."""
    return Listener(blueprint, UserReader(EAR), AssistantReader(EAR, own or {}))


def tagged(trajectory: Trajectory, blueprint: Blueprint, own: Mapping[str, Tool] | None = None) -> Trajectory:
    """Return a trajectory whose messages all carry acts and states: those that models wrote are read from their words."""
    before, since = trajectory.messages[: blueprint.begins], trajectory.messages[blueprint.begins :]
    if all(message.state is not None or message.role == "tool" for message in since):
        return trajectory
    return trajectory.model_copy(update={"messages": (*before, *open_listener(blueprint, own).hear(since))})
