"""A body -> the answer's body, with an SDK's address and headers, for a third of the processor time that the SDK takes.

The SDK sends the first request itself. What it made of it (the address, the headers with the key) is kept, and whatever
comes after it is posted with the same over connections of aiohttp's own. A refusal or a break is told in the same way.
"""

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import orjson

from interplay.generators.models.bounded import TooLarge, read_bounded
from interplay.generators.models.failures import retry_after, spoiled, status_failure, told_failure
from interplay.generators.models.secrets import Secrets
from interplay.generators.models.settings import EndpointSettings
from interplay.generators.models.transport import Dropped, Rejected, TimedOut
from interplay.schemas.errors import ModelError

CONNECTIONS = 4096
"""Connections that a client may hold; how many are used is for the limits above it to say."""

ITS_OWN = ("host", "connection", "content-length", "transfer-encoding", "accept-encoding", "idempotency-key", "cookie")
"""Headers that belong to one request, or to whoever sends it."""

ERROR = 400
"""Statuses from here on are no answers."""


@dataclass(frozen=True)
class Sdk:
    """An SDK's asynchronous client, its own retries and timeouts off, and how it says what went wrong."""

    client: Any
    http: Any
    """What it sends with: its hooks hear of each request."""
    response: type
    """What a raw answer is."""
    status_error: type[Exception]
    lost: tuple[type[Exception], ...]
    """What is raised where there is no connection, or it breaks."""


class Postbox:
    """Where bodies for one path of one endpoint are posted. It belongs to the event loop of its first request."""

    def __init__(self, sdk: Sdk, settings: EndpointSettings, secrets: Secrets, path: str) -> None:
        """Listen to what the SDK sends; nothing is opened yet."""
        self._sdk, self._settings, self._secrets, self._path = sdk, settings, secrets, path
        self._where = f"{settings.model} at {settings.address}"
        self._known: tuple[Any, dict[str, str]] | None = None
        self._session: Any = None
        hooks = sdk.http.event_hooks
        sdk.http.event_hooks = {**hooks, "request": [*hooks["request"], self._hear]}

    async def post(self, payload: Mapping[str, Any]) -> bytes:
        """Post a body once, within the timeout, and return that of the answer.

        Raises:
            ModelError: no answer, or a refusal; see `transport`.
        """
        content = as_bytes(payload)
        settings, where = self._settings, self._where
        failure: ModelError | None
        try:
            async with asyncio.timeout(settings.timeout):
                body, failure = await (self._by_sdk(content) if self._known is None else self._alike(content))
        except self._sdk.status_error as error:
            failure = status_failure(where, self._secrets, error)
        except TimeoutError:
            failure = TimedOut(
                f"{where} gave no whole answer in {settings.timeout:g} s. Raise its timeout if it needs more."
            )
        except self._sdk.lost as error:
            if isinstance(bottom(error), TooLarge):
                failure = Rejected(f"{where} answered with {bottom(error)}.", 200)
            else:
                reason = reason_of(self._secrets, error)
                failure = Dropped(f"{where} broke the connection, or let none be made ({reason}).")
        if failure is not None:
            raise failure  # outside of the handlers: an error may hold the request's headers, and must not be its context
        return body

    async def _hear(self, request: Any) -> None:
        """Keep where the SDK sends a body for this path, and with which headers."""
        if request.method == "POST" and request.url.path.endswith(self._path):
            headers = {name: value for name, value in request.headers.items() if name.lower() not in ITS_OWN}
            self._known = (str(request.url), headers)

    async def _by_sdk(self, content: bytes) -> tuple[bytes, ModelError | None]:
        response = await self._sdk.client.post(self._path, cast_to=self._sdk.response, content=content)
        return self._read(response.content)

    async def _alike(self, content: bytes) -> tuple[bytes, ModelError | None]:
        assert self._known is not None
        url, headers = self._known
        if self._session is None:
            self._session = _connections(url)
        async with self._session.post(url, data=content, headers=headers) as response:
            body = await read_bounded(response)
        if response.status < ERROR:
            return self._read(body)
        wait = retry_after(response.headers, time.time())
        return b"", told_failure(self._where, self._secrets, response.status, body.decode("utf-8", "replace"), wait)

    def _read(self, body: bytes) -> tuple[bytes, ModelError | None]:
        """Return an answer's body without secrets, and what is wrong with it."""
        body = self._secrets.scrub_body(body)
        return body, spoiled(self._where, self._secrets, body)

    async def aclose(self) -> None:
        """Close the connections."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()


def as_bytes(payload: Mapping[str, Any]) -> bytes:
    """Return a body as it is sent."""
    try:
        return orjson.dumps(payload)
    except TypeError:  # integers beyond 64 bits, half characters
        return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _connections(url: str) -> Any:
    """Open nothing yet; proxies and certificates are those that the environment names, as for the SDKs."""
    import aiohttp  # noqa: PLC0415 - the SDK is imported by now
    import httpx2  # noqa: PLC0415

    connector = aiohttp.TCPConnector(limit=CONNECTIONS, ssl=httpx2.create_ssl_context())
    jar, patience = aiohttp.DummyCookieJar(), aiohttp.ClientTimeout()
    return aiohttp.ClientSession(connector=connector, timeout=patience, cookie_jar=jar, proxy=proxy_for(url))


def proxy_for(url: str) -> str | None:
    """Return the proxy that the environment names for an address, if any; aiohttp would look for it at each request."""
    parts = urlsplit(url)
    proxies = getproxies()
    if not parts.hostname or proxy_bypass(parts.hostname):
        return None
    found = proxies.get(parts.scheme) or proxies.get("all")
    return found if found is None or "://" in found else f"http://{found}"


def bottom(error: BaseException) -> BaseException:
    """Return what lies at the bottom of an SDK's error, which by itself only says `Connection error.`"""
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def reason_of(secrets: Secrets, error: BaseException) -> str:
    """Return in a line what lies at the bottom of an SDK's error."""
    error = bottom(error)
    return " ".join(secrets.scrub(f"{type(error).__name__}: {error}").split())[:200]
