"""One index of a run: what a crash costs."""

import asyncio
from pathlib import Path

import pytest

from interplay.flows.generation.attempts import Attempts
from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import OpenedWorld, open_graph, open_world
from interplay.generators.environments.wrappers.tool_search import SearchableTools
from interplay.schemas.errors import EnvironmentFailure
from interplay.schemas.records.dialogue import ToolCall, ToolResult


class Broken(SearchableTools):
    """Tools that break in a way that nobody foresaw."""

    failure: Exception = ZeroDivisionError("never")

    async def call(self, _call: ToolCall) -> ToolResult:
        raise self.failure


class Watched(SearchableTools):
    """Tools that count how often somebody looks at their state."""

    looks = 0

    def digest(self) -> str:
        self.looks += 1
        return super().digest()


def test_gets_ready_once_for_all_shards() -> None:
    world = open_world(["domain:clinic"])
    watched = Watched(world.environment._inner)  # type: ignore[attr-defined]
    made = Generator(RunConfig(), OpenedWorld(watched, world.policy), None, "run")

    async def shards() -> None:
        for _ in range(3):
            await made.get_ready()

    asyncio.run(shards())
    assert watched.looks == 1


@pytest.mark.parametrize("failure", [EnvironmentFailure("gone"), KeyError("surprise"), RecursionError("deep")])
def test_a_crash_costs_one_index_and_its_place_goes_to_the_log_alone(
    failure: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    world = open_world(["domain:clinic"])
    graph = asyncio.run(open_graph(world))
    broken = Broken(world.environment._inner)  # type: ignore[attr-defined]
    broken.failure = failure
    made = Generator(RunConfig(), OpenedWorld(broken, world.policy), graph, "run")
    record = asyncio.run(made.make_record(0))
    assert (record.status, record.stage) == ("rejected", "crash")
    assert record.verdicts[0].issues[0].code == "crashed"
    assert record.verdicts[0].issues[0].message == f"{type(failure).__name__}: {failure}"
    assert f"{Path(__file__).name}" in caplog.text


def test_the_record_of_a_crash_holds_no_address_in_memory() -> None:
    attempts = Attempts(RunConfig(), "run")
    first, second = (attempts.lost(0, TypeError(f"not callable: {object()!r}")) for _ in range(2))
    assert first == second


def test_makes_the_same_record_again() -> None:
    world = open_world(["domain:clinic"])
    made = Generator(RunConfig(), world, asyncio.run(open_graph(world)), "run")
    assert asyncio.run(made.make_record(5)) == asyncio.run(made.make_record(5))
