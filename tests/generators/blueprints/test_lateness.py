"""Facts that users think of late: told with an answer to something else, before the call that takes them."""

import asyncio

import pytest
from tests.generators.worlds import shared_spec

from interplay.flows.assemble import open_graph, open_world
from interplay.flows.config import RunConfig
from interplay.flows.generation import Generator
from interplay.generators.blueprints.recipe_settings import RecipeSettings
from interplay.schemas.verdict import DatasetRecord

OPENING = ("inform_intent_clear", "inform_intent_clear_add")


def played(spec: str, count: int) -> list[DatasetRecord]:
    world = open_world([spec])
    made = Generator(
        RunConfig(toolset=(spec,), recipes=RecipeSettings(late=1.0)), world, asyncio.run(open_graph(world)), "run"
    )

    async def make() -> list[DatasetRecord]:
        return [await made.make_record(index) for index in range(count)]

    return asyncio.run(make())


@pytest.mark.parametrize("spec", ["domain:rental", "trello.yaml"])
def test_late_facts_are_told_with_an_answer_and_not_with_the_request(spec: str) -> None:
    records = played(spec if spec.startswith("domain:") else shared_spec(spec), 50)
    assert all(record.status == "accepted" for record in records)
    acts = []
    for record in records:
        assert record.blueprint is not None
        assert record.trajectory is not None
        late = {fact.id for fact in record.blueprint.scenario.facts if fact.reveal == "late"}
        said = [message for message in record.trajectory.messages if message.state and late & set(message.state.told)]
        assert {fact for message in said if message.state for fact in message.state.told} >= late
        acts += [message.act for message in said]
    assert len(acts) >= 8
    assert sum(act in OPENING for act in acts) == 0
