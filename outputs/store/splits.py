"""A task -> its split. All tasks of a made-up world share one; without made-up worlds, equal tasks and all twins do."""

import hashlib
from typing import Literal

from interplay.schemas.errors import ConfigError
from interplay.schemas.json.record import Record
from interplay.schemas.records.blueprint import Blueprint

Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = ("train", "validation", "test")


class Shares(Record):
    """The shares of tasks, from 0 to 1, that train and validation get; test gets the rest."""

    train: float = 0.90
    validation: float = 0.05


DEFAULT_SHARES = Shares()


def read_shares(text: str) -> Shares:
    """Parse the shares of train, validation and test, such as 0.8,0.1,0.1.

    Raises:
        ConfigError: they are not three non-negative numbers with sum 1.
    """
    try:
        train, validation, test = (float(part) for part in text.split(","))
    except ValueError:
        train = validation = test = -1.0
    if not min(train, validation, test) >= 0 or abs(train + validation + test - 1) > 1e-6:
        raise ConfigError(
            f"--split {text}: must be three shares that make 1, of train, validation and test: 0.8,0.1,0.1"
        )
    return Shares(train=train, validation=validation)


_FIRST, _STEP = 0.34, 0.6180339887498949
"""The place of the first world, and the step (golden ratio) by which consecutive worlds spread evenly over 0 to 1."""


def split_of(blueprint: Blueprint, shares: Shares = DEFAULT_SHARES) -> Split:
    """Return the split of a task, which depends on nothing else; the second world of a run is its first one for tests."""
    return split_at(place_of(blueprint), shares)


def place_of(blueprint: Blueprint) -> float:
    """Return the position of a task from 0 to 1, by its world or else by its family."""
    if blueprint.world is None:
        return place_of_family(blueprint.family())
    return (_FIRST + blueprint.world.number * _STEP) % 1


def place_of_family(family: str) -> float:
    """Return the position from 0 to 1 that all blueprints with this `Blueprint.family()` share; deterministic."""
    return int.from_bytes(hashlib.blake2b(family.encode(), digest_size=8).digest()) / 2**64


def split_at(place: float, shares: Shares = DEFAULT_SHARES) -> Split:
    """Return the split of a position."""
    if place < shares.train:
        return "train"
    return "validation" if place < shares.train + shares.validation else "test"
