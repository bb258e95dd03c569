"""How users interrupt: what they ask first is something else than what they ask for already."""

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from interplay.generators.blueprints.behaviours.interruption import comes_back
from interplay.schemas.records.blueprint import Fact, Goal, Origin


@pytest.mark.parametrize(("second", "interrupts"), [("see my mails", True), ("find a file", False)])
def test_nobody_asks_for_something_else_first_that_it_has_asked_for(second: str, interrupts: bool) -> None:
    wished = ("find a file", second)
    draft: Any = SimpleNamespace(
        requests=[(0,), (1,)],
        goals=[Goal(intent=intent, tool=intent, resource="file", topic="file") for intent in wished],
        facts=[Fact(id="f1", goal=0, label="title", value="Plan")],
        behaviours=[],
        steps=[
            SimpleNamespace(
                id=f"s{place}", request=place, goal=place, level=place, depends_on=(), withheld=None,
                origins={"/title": Origin(kind="user", fact="f1")} if place == 0 else {},
            )
            for place in (0, 1)
        ],
    )  # fmt: skip
    growth: Any = SimpleNamespace(draft=draft, rng=Random(0))
    assert comes_back(growth) is interrupts
    assert [done.at for done in draft.behaviours] == (["f1"] if interrupts else [])
