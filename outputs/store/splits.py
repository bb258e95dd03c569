"""A task -> its split: all of a made-up world go into one; where there is a single world, the same task, or one and its twin, do."""

import hashlib
from typing import Literal

from interplay.schemas.errors import ConfigError
from interplay.schemas.json.record import Record
from interplay.schemas.records.blueprint import Blueprint

Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = ("train", "validation", "test")


class Shares(Record):
    """The share of tasks, from 0 to 1, that each split gets; test gets what the others leave."""

    train: float = 0.90
    validation: float = 0.05


DEFAULT_SHARES = Shares()


def read_shares(text: str) -> Shares:
    """Read the shares of train, validation and test, such as 0.8,0.1,0.1.

    Raises:
        ConfigError: they are not three numbers from 0 to 1 that make 1.
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
"""The place of the first world, and the golden ratio: any worlds in succession lie evenly between 0 and 1."""


def split_of(blueprint: Blueprint, shares: Shares = DEFAULT_SHARES) -> Split:
    """Return the split of a task: the same on any machine, in any order. The second world of a run is the first for tests."""
    return split_at(place_of(blueprint), shares)


def place_of(blueprint: Blueprint) -> float:
    """Return where a task lies among all, from 0 to 1."""
    if blueprint.world is None:
        return place_of_family(blueprint.family())
    return (_FIRST + blueprint.world.number * _STEP) % 1


def place_of_family(family: str) -> float:
    """Return where all blueprints with this `Blueprint.family()` lie: the same on any machine, in any order."""
    return int.from_bytes(hashlib.blake2b(family.encode(), digest_size=8).digest()) / 2**64


def split_at(place: float, shares: Shares = DEFAULT_SHARES) -> Split:
    """Return the split of all tasks that lie at `place`."""
    if place < shares.train:
        return "train"
    return "validation" if place < shares.train + shares.validation else "test"
