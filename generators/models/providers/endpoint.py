"""Settings and a wire -> an endpoint over an SDK: one attempt per request, and errors that say what to do."""

import asyncio
import gc
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from interplay.generators.models.providers.wire import Wire
from interplay.generators.models.transport.bounded_body import PLAIN, TooLarge
from interplay.generators.models.transport.credentials import Secrets, read_secrets
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.generators.models.transport.failures import broken_answer, status_failure
from interplay.generators.models.transport.json_body import Tools, as_sent
from interplay.generators.models.transport.transport_errors import Dropped, Rejected, ServerFailed, TimedOut
from interplay.schemas.errors import ModelError
from interplay.schemas.json.json_text import may_hold_halves, without_halves
from interplay.schemas.records.chat import ChatReply, ChatRequest

SDK_HEADERS = (
    "X-Stainless-Lang", "X-Stainless-Package-Version", "X-Stainless-OS", "X-Stainless-Arch", "X-Stainless-Runtime",
    "X-Stainless-Runtime-Version", "X-Stainless-Async", "X-Stainless-Timeout",
)  # fmt: skip
SDK_REQUEST_HEADERS = ("X-Stainless-Retry-Count", "X-Stainless-Read-Timeout")
"""Headers in which the SDKs describe machine and request; omitted, since they take a sixteenth of a request's time."""


_MARKS = (b"\xef", b"\xff", b"\xfe")
"""First bytes of the byte order marks of UTF-8 and UTF-16; JSON never begins with them."""


@dataclass(frozen=True)
class Sdk:
    """An SDK's asynchronous client, without its retries and timeouts, and its response and error types."""

    client: Any
    response: type
    """The type of a raw response."""
    status_error: type[Exception]
    lost: tuple[type[Exception], ...]
    """The exceptions for a missing or broken connection."""
    options: Mapping[str, Any]
    """The options of each request; see `plain_options`."""


def plain_headers(settings: EndpointSettings, secrets: Secrets, omitted: object) -> dict[str, Any]:
    """Return the default headers of a client; `omitted` is the SDK's marker for a header not to send."""
    return {**dict.fromkeys(SDK_HEADERS, omitted), **PLAIN, **settings.headers, **secrets.headers}


def plain_options(omitted: object) -> dict[str, Any]:
    """Return the options of a request, all given: for each missing one the SDKs copy a default, or draw an idempotency key."""
    headers = dict.fromkeys(SDK_REQUEST_HEADERS, omitted)
    return {"headers": headers, "params": {}, "max_retries": 0, "timeout": None, "idempotency_key": ""}


Connect = Callable[[EndpointSettings, Secrets], Sdk]


async def post(sdk: Sdk, settings: EndpointSettings, secrets: Secrets, path: str, payload: Mapping[str, Any]) -> bytes:
    """POST a body once, within the timeout, and return the answer's body.

    Raises:
        ModelError: there is no answer, or a refusal; see `transport_errors`.
    """
    content = as_sent(payload)
    url = f"{settings.address}{path}"  # the SDK would join a bare path with the address each time
    where = f"{settings.model} at {settings.address}"
    body, failure = b"", None
    try:
        async with asyncio.timeout(settings.timeout):
            response = await sdk.client.post(url, cast_to=sdk.response, content=content, options=sdk.options)
        body = secrets.scrub_body(in_utf8(response.content))
        failure = broken_answer(where, secrets, body)
    except sdk.status_error as error:
        failure = status_failure(where, secrets, error)
    except TimeoutError:
        failure = TimedOut(
            f"{where} gave no whole answer in {settings.timeout:g} s. Raise its timeout if it needs more."
        )
    except sdk.lost as error:
        large = root_cause(error)
        if isinstance(large, TooLarge):
            what = f"{where} answered {large.status} with {large}."
            failure = ServerFailed(what, large.status) if large.status >= 500 else Rejected(what, large.status)
        else:
            failure = Dropped(f"{where} broke the connection, or let none be made ({reason_of(secrets, error)}).")
    if failure is not None:
        raise failure  # outside of the handlers: the SDK's error holds the request's headers, and must not be its context
    return body


def in_utf8(body: bytes) -> bytes:
    """Return a JSON body in UTF-8, without a byte order mark."""
    if body[:1] in _MARKS or b"\0" in body[:2]:
        return body.decode(json.detect_encoding(body), "replace").encode()
    return body


def root_cause(error: BaseException) -> BaseException:
    """Return the innermost cause of an SDK's error, which itself only says `Connection error.`"""
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def reason_of(secrets: Secrets, error: BaseException) -> str:
    """Return the innermost cause of an SDK's error in one line, without secrets."""
    error = root_cause(error)
    return " ".join(secrets.scrub(f"{type(error).__name__}: {error}").split())[:200]


@contextmanager
def import_without_collection() -> Iterator[None]:
    """Turn the garbage collector off while an SDK is imported, which saves a sixth of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class SdkEndpoint:
    """One model at one address, over its provider's SDK, which is imported with the first request at the latest.

    It belongs to the event loop of that request until it is closed.

    Bodies are posted as bytes through the SDK's own `post`: its typed methods would transform each message and validate each
    answer, for twice the processor time.
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
        self._tools = Tools(wire.tool)
        self._connect = connect
        self._sdk: Sdk | None = None

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
        """The path of requests, after the base URL."""
        return self._wire.path

    @property
    def sdk(self) -> Sdk:
        """The SDK, opened if necessary; files and batches use its client directly."""
        return self._sdk or self.connect()

    def connect(self) -> Sdk:
        """Import the SDK and make its client; called early, the first request need not wait for it."""
        with import_without_collection():
            self._sdk = self._sdk or self._connect(self.settings, self.secrets)
        return self._sdk

    def payload(self, request: ChatRequest) -> dict[str, Any]:
        """Return the body to send."""
        return self._wire.payload(self.settings, request, self._tools)

    async def send(self, payload: Mapping[str, Any]) -> bytes:
        """Send once, and return the answer's body.

        Raises:
            ModelUnavailable: there is no answer; the subclass says why, and whether to ask again.
            ModelError: the endpoint rejects this request.
        """
        return await post(self.sdk, self.settings, self.secrets, self.path, payload)

    def parse(self, request: ChatRequest, body: bytes) -> ChatReply:
        """Parse an answer's body.

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
            ModelError: there is no answer, or none that can be parsed.
        """
        return self.parse(request, await self.send(self.payload(request)))

    async def aclose(self) -> None:
        """Close the connections."""
        if self._sdk is not None:
            sdk, self._sdk = self._sdk, None
            await sdk.client.close()


def _content(body: bytes) -> Any:
    """Parse a body, without the lone surrogates that some tokens produce."""
    text = body.decode("utf-8", "replace")
    content = json.loads(text)
    return without_halves(content) if may_hold_halves(text) else content
