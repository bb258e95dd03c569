"""Texts -> vectors, over any endpoint that speaks OpenAI's embeddings, some hundred texts at a time.

{"model": "m", "input": ["Book a room.", "Cancel it."], "encoding_format": "float"}
"""

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from interplay.generators.models.endpoint import Sdk, post, uncollected
from interplay.generators.models.openai import connect
from interplay.generators.models.secrets import read_secrets
from interplay.generators.models.settings import EndpointSettings
from interplay.schemas.errors import ModelError

PATH = "/embeddings"
BATCH = 256
"""Texts in one request."""

AT_ONCE = 4
"""Requests in flight."""


class OpenAIEmbeddings:
    """An embedding model; vectors come in the order of the texts."""

    def __init__(self, settings: EndpointSettings, environ: Mapping[str, str] = os.environ, batch: int = BATCH) -> None:
        """Read the key; nothing is opened yet.

        Raises:
            ConfigError: the key's variable is not set.
        """
        self.settings = settings
        self._secrets = read_secrets(settings, environ)
        self._batch = batch
        self._sdk: Sdk | None = None

    async def embed(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        """Return one vector for each text, in order.

        Raises:
            ModelError: no answer, or not one vector of one length for each text.
        """
        with uncollected():
            self._sdk = self._sdk or connect(self.settings, self._secrets)
        gate = asyncio.Semaphore(AT_ONCE)
        parts = [texts[start : start + self._batch] for start in range(0, len(texts), self._batch)]
        asked = [asyncio.create_task(self._ask(self._sdk, part, gate)) for part in parts]
        try:
            vectors = tuple(vector for part in await asyncio.gather(*asked) for vector in part)
        finally:
            for task in asked:
                task.cancel()
        if len({len(vector) for vector in vectors}) > 1:
            raise ModelError(f"{self._where} gave vectors of different lengths.")
        return vectors

    @property
    def _where(self) -> str:
        return f"{self.settings.model} at {self.settings.address}"

    async def _ask(self, sdk: Sdk, texts: Sequence[str], gate: asyncio.Semaphore) -> list[tuple[float, ...]]:
        # an empty text is refused by most servers
        payload = {"model": self.settings.model, "input": [text or " " for text in texts], "encoding_format": "float"}
        async with gate:
            body = await post(sdk, self.settings, self._secrets, PATH, payload)
        return self._read(body, len(texts))

    def _read(self, body: bytes, count: int) -> list[tuple[float, ...]]:
        try:
            rows: list[dict[str, Any]] = sorted(json.loads(body)["data"], key=lambda row: row["index"])
            vectors = [tuple(float(number) for number in row["embedding"]) for row in rows]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ModelError(f"{self._where} gave embeddings of an unknown form ({type(error).__name__}).") from None
        if len(vectors) != count:
            raise ModelError(f"{self._where} gave {len(vectors)} vectors for {count} texts.")
        return vectors

    async def aclose(self) -> None:
        """Close the connections."""
        if self._sdk is not None:
            sdk, self._sdk = self._sdk, None
            await sdk.client.close()
