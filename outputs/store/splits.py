"""Turns the family of a task into its split, so that the same task, or one and its twin, never stand in two of them."""

import hashlib
from typing import Literal

from interplay.schemas.json.record import Record

Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = ("train", "validation", "test")


class Shares(Record):
    """The share of tasks, from 0 to 1, that each split gets; test gets what the others leave."""

    train: float = 0.90
    validation: float = 0.05


DEFAULT_SHARES = Shares()


def split_of(family: str, shares: Shares = DEFAULT_SHARES) -> Split:
    """Return the split of all blueprints with this `Blueprint.family()`: the same on any machine, in any order."""
    place = int.from_bytes(hashlib.blake2b(family.encode(), digest_size=8).digest()) / 2**64
    if place < shares.train:
        return "train"
    return "validation" if place < shares.train + shares.validation else "test"
