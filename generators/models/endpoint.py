"""Settings and a wire -> an endpoint: the SDK's connection, one attempt per request, and errors that say what to do."""

import gc
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from interplay.generators.models.posting import Postbox, Sdk
from interplay.generators.models.secrets import Secrets, read_secrets
from interplay.generators.models.settings import EndpointSettings
from interplay.generators.models.wire import Wire
from interplay.schemas.chat import ChatReply, ChatRequest
from interplay.schemas.errors import ModelError
from interplay.schemas.json_text import may_hold_halves, without_halves

Connect = Callable[[EndpointSettings, Secrets], Sdk]


@contextmanager
def uncollected() -> Iterator[None]:
    """Import an SDK without the garbage collector, which finds nothing in thousands of new classes for a sixth longer."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class SdkEndpoint:
    """One model behind one address, over its provider's SDK, which is imported when the first request is sent.

    It belongs to the event loop of that request, until it is closed.

    Bodies are posted as bytes (`posting.py`): an SDK's typed methods would walk each message on the way out, and build a
    model of each answer on the way in, for several times the processor time.
    """

    def __init__(
        self, settings: EndpointSettings, wire: Wire, connect: Connect, environ: Mapping[str, str] = os.environ
    ) -> None:
        """Read the keys; nothing is opened yet.

        Raises:
            ConfigError: a variable that is needed is not set.
        """
        self.settings = settings
        self.secrets = read_secrets(settings, environ)
        self._wire = wire
        self._connect = connect
        self._sdk: Sdk | None = None
        self._postbox: Postbox | None = None

    @property
    def model(self) -> str:
        """The model's name, as the provider knows it."""
        return self.settings.model

    @property
    def base_url(self) -> str:
        """The address, without credentials."""
        return self.settings.address

    @property
    def path(self) -> str:
        """What is asked there, after the base URL."""
        return self._wire.path

    @property
    def sdk(self) -> Sdk:
        """The SDK, whose client also serves what has no seam here: files and batches."""
        if self._sdk is None:
            with uncollected():
                self._sdk = self._connect(self.settings, self.secrets)
        return self._sdk

    def payload(self, request: ChatRequest) -> dict[str, Any]:
        """Return the exact body to send."""
        return self._wire.payload(self.settings, request)

    async def send(self, payload: Mapping[str, Any]) -> bytes:
        """Ask once, and return the answer's body as it came.

        Raises:
            ModelUnavailable: no answer; the subclass says why and whether to ask again.
            ModelError: the endpoint refuses to take this request.
        """
        if self._postbox is None:
            self._postbox = Postbox(self.sdk, self.settings, self.secrets, self.path)
        return await self._postbox.post(payload)

    def parse(self, request: ChatRequest, body: bytes) -> ChatReply:
        """Read an answer's body.

        Raises:
            ModelError: it is not an answer.
        """
        try:
            return self._wire.parse(self.settings, request, _content(body))
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
            what = f"{type(error).__name__}: {str(error)[:200]}"
        raise ModelError(f"{self.model} at {self.base_url} gave an answer of an unknown form ({what}).")

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Ask once, without a journal, a budget or a second attempt.

        Raises:
            ModelError: no answer, or none that can be read.
        """
        return self.parse(request, await self.send(self.payload(request)))

    async def aclose(self) -> None:
        """Close the connections."""
        if self._postbox is not None:
            postbox, self._postbox = self._postbox, None
            await postbox.aclose()
        if self._sdk is not None:
            sdk, self._sdk = self._sdk, None
            await sdk.client.close()


def _content(body: bytes) -> Any:
    """Return what a body holds, without the halves of characters that some tokens are."""
    text = body.decode("utf-8", "replace")
    content = json.loads(text)
    return without_halves(content) if may_hold_halves(text) else content
