"""Vectors from an endpoint: in order, in batches, or an error."""

import asyncio

import pytest
from tests.generators.models.wires import ENVIRON
from tests.model_server.server import ModelServer, Settings, read_fault

from interplay.generators.models.providers.embeddings import Embeddings, open_embeddings
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.generators.models.transport.transport_errors import RateLimited, ServerFailed
from interplay.schemas.protocols import EmbeddingModel

TEXTS = tuple(f"Text {number}." for number in range(10))


def embed(texts: tuple[str, ...], batch: int, fault: str = "") -> tuple[tuple[tuple[float, ...], ...], int]:
    async def run() -> tuple[tuple[tuple[float, ...], ...], int]:
        async with ModelServer(Settings(faults=(read_fault(fault),) if fault else ())) as server:
            settings = EndpointSettings(model="m", base_url=server.openai_url, api_key_env="PLANTED_KEY")
            made = open_embeddings(settings, ENVIRON)
            model: EmbeddingModel = Embeddings(made, batch)
            try:
                return await model.embed(texts), server.seen.asked.total()
            finally:
                await made.aclose()

    return asyncio.run(run())


def test_vectors_come_in_order_whatever_the_batches() -> None:
    whole, once = embed(TEXTS, 100)
    parts, asked = embed(TEXTS, 3)
    assert whole == parts
    assert (once, asked) == (1, 4)
    assert len(set(whole)) == 10


def test_no_text_asks_nothing_and_an_empty_one_has_a_vector() -> None:
    assert embed((), 3) == ((), 0)
    assert len(embed(("", "x"), 3)[0]) == 2


def test_failures_are_those_of_every_endpoint() -> None:
    with pytest.raises(RateLimited):
        embed(TEXTS, 3, "429")
    with pytest.raises(ServerFailed):
        embed(TEXTS, 3, "html")
