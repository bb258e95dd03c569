"""Texts -> vectors, over any endpoint with OpenAI's embeddings API, some hundred texts per request.

{"model": "m", "input": ["Book a room.", "Cancel it."], "encoding_format": "float"}

Journal, budget and limits treat it as any other model: a request's messages are the texts, and the reply's value their vectors.
"""

import asyncio
import os
from collections.abc import Mapping
from functools import partial
from typing import Any

from interplay.generators.models.providers.endpoint import SdkEndpoint
from interplay.generators.models.providers.sdk_endpoints import connect
from interplay.generators.models.providers.wire import Wire
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.generators.models.transport.json_body import Tools
from interplay.schemas.errors import ModelError
from interplay.schemas.protocols import ChatModel
from interplay.schemas.records.chat import ChatMessage, ChatReply, ChatRequest

BATCH = 256
"""Most texts in one request."""

AT_ONCE = 4
"""Most requests in flight."""


def payload(settings: EndpointSettings, request: ChatRequest, _: Tools) -> dict[str, Any]:
    """Return the body to send; empty texts are replaced by a space, since most servers refuse them."""
    texts = [message.content or " " for message in request.messages]
    return {"model": settings.model, "input": texts, "encoding_format": "float"}


def parse(settings: EndpointSettings, request: ChatRequest, body: Mapping[str, Any]) -> ChatReply:
    """Parse an answer; the reply's value holds one vector per text, in order.

    Raises:
        ModelError: there are more or fewer vectors than texts.
    """
    rows = sorted(body["data"], key=lambda row: row["index"])
    vectors = [tuple(float(number) for number in row["embedding"]) for row in rows]
    if len(vectors) != len(request.messages):
        where = f"{settings.model} at {settings.address}"
        raise ModelError(f"{where} gave {len(vectors)} vectors for {len(request.messages)} texts.")
    return ChatReply(value=vectors)


EMBEDDINGS = Wire("/embeddings", payload, parse)


def open_embeddings(settings: EndpointSettings, environ: Mapping[str, str] = os.environ) -> SdkEndpoint:
    """Return the endpoint of an embedding model.

    Raises:
        ConfigError: the key's variable is not set.
    """
    return SdkEndpoint(settings, EMBEDDINGS, partial(connect, package="openai"), environ)


class Embeddings:
    """An embedding model; vectors come in the order of the texts."""

    def __init__(self, model: ChatModel, batch: int = BATCH) -> None:
        self._model = model
        self._batch = batch

    async def embed(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        """Return one vector for each text, in order.

        Raises:
            ModelError: there is no answer, or not one vector of equal length per text; see `ChatModel.complete`.
        """
        gate = asyncio.Semaphore(AT_ONCE)
        parts = [texts[start : start + self._batch] for start in range(0, len(texts), self._batch)]
        asked = [asyncio.create_task(self._ask(part, gate)) for part in parts]
        try:
            vectors = tuple(vector for part in await asyncio.gather(*asked) for vector in part)
        finally:
            for task in asked:
                task.cancel()
        if len({len(vector) for vector in vectors}) > 1:
            raise ModelError("The embedding model gave vectors of different lengths.")
        return vectors

    async def _ask(self, texts: tuple[str, ...], gate: asyncio.Semaphore) -> list[tuple[float, ...]]:
        messages = tuple(ChatMessage(role="user", content=text) for text in texts)
        async with gate:
            reply = await self._model.complete(ChatRequest(messages=messages, role="composer"))
        vectors: list[tuple[float, ...]] = reply.value
        return vectors
