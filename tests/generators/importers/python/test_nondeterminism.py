"""Functions that answer differently each time are told apart by what they call."""

import datetime as calendar
import random
import time
import uuid
from collections.abc import Callable
from datetime import date, datetime
from random import choice
from typing import Any

import pytest

from interplay.generators.importers.python.importer import import_python, nondeterministic_calls


async def draw() -> Any:
    return random.randint(1, 6), choice([1, 2])


def stamp() -> Any:
    return {"id": uuid.uuid4().hex, "at": time.time(), "on": date.today()}


def spell() -> Any:
    return calendar.datetime.now(), datetime.now()


def steady(moment: datetime) -> Any:
    time.sleep(0)
    return random.Random(7).random(), uuid.UUID(int=1), moment.isoformat(), date(2026, 1, 1)


@pytest.mark.parametrize(
    ("function", "asked"),
    [
        (draw, ("random.choice", "random.randint")),
        (stamp, ("datetime.today", "time.time")),
        (spell, ("datetime.now",)),
        (steady, ()),
        (len, ()),
    ],
)
def test_names_what_is_asked_for(function: Callable[..., Any], asked: tuple[str, ...]) -> None:
    assert nondeterministic_calls(function) == asked


def test_the_report_of_an_import_tells() -> None:
    class Dice:
        def roll(self) -> int:
            return random.randint(1, 6)

        def now(self) -> float:
            return time.time()

    roll, now = import_python(Dice).reports
    assert roll.reasons == ()
    assert now.outcome == "imported"
    assert now.reasons == ("calls time.time: answers that differ each time fail the check that makes the calls again",)
