"""Edges by nearness of meaning, with a small scripted model."""

import asyncio

import pytest
from tests.generators.graph.test_candidate_edges import TEXT, tool

from interplay.generators.environments.accounts.resource_model import resource_model
from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.graph.candidate_edges import candidate_edges
from interplay.generators.graph.embedded_edges import with_embeddings
from interplay.schemas.errors import ModelError
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.tool_graph import Edge

MEANINGS = {
    "barometer": (1.0, 0.1, 0.0),
    "pressure": (1.0, 0.0, 0.0),
    "town": (0.0, 1.0, 0.0),
    "colour": (0.0, 0.0, 1.0),
}


class Meanings:
    """Knows the meanings of a few words."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def embed(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        self.asked += texts
        return tuple(MEANINGS[text.split(".")[0].split()[-1]] for text in texts)


class Forgetful:
    async def embed(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        return ((1.0, 0.0),) * (len(texts) - 1)


TOOLS = Toolset(
    name="made",
    tools=(
        tool("measure", returns={"barometer": TEXT, "town": TEXT, "trip_id": TEXT}),
        tool("forecast", {"pressure": TEXT, "town": TEXT, "colour": TEXT}),
        tool("remember", {"pressure": TEXT}),
    ),
)


def found(model: Meanings | Forgetful) -> list[Edge]:
    resources = resource_model(infer_plan(TOOLS))
    return asyncio.run(with_embeddings(candidate_edges(TOOLS, resources), TOOLS, resources, model))


def test_near_meanings_make_edges_and_are_evidence_for_those_that_are_there() -> None:
    edges = {(edge.output, edge.consumer, edge.input): edge for edge in found(Meanings())}
    assert set(edges) == {
        ("/town", "forecast", "/town"),
        ("/barometer", "forecast", "/pressure"),
        ("/barometer", "remember", "/pressure"),
    }
    assert [item.kind for item in edges["/town", "forecast", "/town"].evidence] == ["name", "type", "embedding"]
    assert [item.kind for item in edges["/barometer", "remember", "/pressure"].evidence] == ["embedding"]


def test_each_text_is_embedded_once_and_identities_never() -> None:
    model = Meanings()
    found(model)
    assert sorted(model.asked) == ["barometer.", "colour.", "pressure.", "town."]


def test_a_model_that_loses_texts_is_an_error() -> None:
    with pytest.raises(ModelError, match="answered 4 texts with 3 vectors"):
        found(Forgetful())
