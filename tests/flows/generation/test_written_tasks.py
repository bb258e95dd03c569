"""Tasks that a model invents in a run: asked outside of the world, mended once, and kept or rejected with the reason."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from tests.generators.worlds import generator

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.schemas.records.chat import ChatReply, ChatRequest
from interplay.schemas.records.verdict import DatasetRecord

HOURS = {
    "wish": "know when you are open",
    "tool": "get_clinic_hours",
    "arguments": '{"location": "Mill Lane", "day": "Monday"}',
}
WRONG = HOURS | {"arguments": '{"location": "the moon", "day": "Monday"}'}


class Writer:
    """A composer that proposes these goals in turn, and finds complete what it is told to."""

    def __init__(self, *goals: dict[str, str], complete: tuple[bool, ...] = (True, True)) -> None:
        self.goals, self.complete_, self.asked = list(goals), list(complete), list[ChatRequest]()

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.asked.append(request)
        if request.output is not None and request.output.name == "completes":
            return ChatReply(value={"completes": self.complete_.pop(0), "reason": "It is another day."})
        return ChatReply(value={"situation": "A visit.", "goals": [self.goals.pop(0)]})


class Cast:
    """A cast in which the composer alone is a model."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    def player(self, role: str, _seed: int, _index: int) -> Writer | None:
        return self.writer if role == "composer" else None

    def model(self, *_role: object) -> None:
        return None

    def reviewers(self, *_role: object) -> tuple[()]:
        return ()

    @asynccontextmanager
    async def dialogue(self) -> AsyncIterator[None]:
        yield


def record(writer: Writer) -> DatasetRecord:
    base = generator("domain:clinic")
    plain: dict[Any, float] = {"single": 1.0}
    settings = RecipeSettings(patterns=plain, written=1.0, vague=0.0, evolved=0.0, tool_changes=0.0)
    config = base.config.model_copy(update={"recipes": settings})
    made = Generator(config, base.world, base.graph, "run")
    return asyncio.run(replace(made, cast=Cast(writer)).make_record(0))  # type: ignore[arg-type]


def test_what_a_model_invents_is_played_and_accepted() -> None:
    made = record(Writer(HOURS))
    assert (made.status, made.stage) == ("accepted", None)
    assert made.blueprint is not None
    assert made.blueprint.lineage.operator == "write"
    assert [goal.intent for goal in made.blueprint.goals] == ["know when you are open"]


def test_what_will_not_run_is_mended_with_the_reason() -> None:
    writer = Writer(WRONG, HOURS)
    assert record(writer).status == "accepted"
    assert "do not fit get_clinic_hours" in writer.asked[1].messages[-1].content


def test_what_is_not_complete_is_sent_back_and_then_given_up() -> None:
    writer = Writer(HOURS, HOURS, complete=(False, False))
    made = record(writer)
    assert (made.status, made.stage) == ("rejected", "compose")
    assert "It is another day." in made.verdicts[0].issues[0].message
    assert "It is another day." in writer.asked[2].messages[-1].content


def test_a_run_that_wants_such_tasks_needs_a_composer() -> None:
    with pytest.raises(ValueError, match="recipes/written"):
        RunConfig(recipes=RecipeSettings(written=0.5))


def test_the_model_is_told_of_the_world_as_json() -> None:
    writer = Writer(HOURS)
    record(writer)
    told = json.loads(writer.asked[0].messages[1].content)
    assert {"tools", "rows", "policy", "person", "task"} == set(told)
