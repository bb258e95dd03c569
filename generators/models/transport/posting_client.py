"""An SDK's HTTP client that posts a body of bytes, and reads the answer whole, with little overhead; see `http_client`.

It is imported when a client is opened: its imports come with the SDKs, and take half a second.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from http.cookiejar import DefaultCookiePolicy
from typing import Any
from urllib.request import getproxies

import aiohttp
import httpx2

from interplay.generators.models.transport.bounded_body import (
    bound_response,
    drop_untrusted_headers,
    is_plain,
    read_bounded,
)
from interplay.generators.models.transport.credentials import NO_KEY

CONNECTIONS = 4096
"""Most connections of a client; `limits` decides how many are used."""

LIMITS = httpx2.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS)
FOREVER = aiohttp.ClientTimeout(total=None, sock_connect=None)
"""No timeout: callers set their own."""

BODY = "interplay.body"
"""The extension of a request that holds the bytes to post."""

PLACEHOLDERS = (("authorization", f"Bearer {NO_KEY}"), ("x-api-key", NO_KEY))
"""Headers that the SDKs send without a key."""

OTHERS = ("params", "data", "files", "json", "cookies", "extensions")
"""Arguments that a question does not use; a request with any of them is left to the SDK's client."""


class _Late(httpx2.AsyncBaseTransport):
    """The SDK's own transport, opened with the first request that is not a question."""

    def __init__(self, opens: Callable[[], Any]) -> None:
        self.opens = opens
        self.opened: Any = None

    async def handle_async_request(self, request: Any) -> Any:
        self.opened = self.opened or self.opens()
        return await self.opened.handle_async_request(request)

    async def aclose(self) -> None:
        if self.opened is not None:
            await self.opened.aclose()


def plain_client(base: Any, address: str, keyless: bool) -> Any:  # noqa: ARG001 - the server decides what a wrong key is
    """Open the SDK's own client, with the same limits."""
    return base(limits=LIMITS, timeout=None, follow_redirects=False, event_hooks={"response": [bound_response()]})


_OfSdk: Any = object
"""Placeholder for the class of the SDK's client, which `posting_kind` adds as a base."""


class _Posting(_OfSdk):  # type: ignore[misc]
    """Posts the bytes of a question itself, and leaves all other requests to the SDK's client, its base class."""

    def __init__(self, address: str, keyless: bool) -> None:
        self.keyless = keyless
        self.direct = not getproxies()
        plain = self.direct and address.startswith("http:")  # reading the trusted certificates takes long
        self.trusted = False if plain else httpx2.create_ssl_context()
        super().__init__(
            verify=self.trusted,
            limits=LIMITS,
            timeout=None,
            follow_redirects=False,  # a key is for one host
            event_hooks={"response": [bound_response()]},
        )
        self.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=()))  # some cookies would make the jar fail
        self.addresses: dict[str, httpx2.URL] = {}
        self.session: aiohttp.ClientSession | None = None

    def scheme_of_proxy(self, address: str) -> str:
        proxy = getattr(self._transport_for_url(httpx2.URL(address)), "proxy", None)
        return "" if proxy is None else str(proxy.url.scheme)

    def _init_transport(self, **given: Any) -> Any:
        return _Late(partial(super()._init_transport, **given))

    def build_request(self, method: str, url: Any, **given: Any) -> Any:
        if self.keyless:
            given["headers"] = httpx2.Headers(
                [item for item in httpx2.Headers(given["headers"]).multi_items() if item not in PLACEHOLDERS]
            )
        content = given.get("content")
        more = not self.direct or any(given.get(name) for name in OTHERS)
        if more or method.upper() != "POST" or not isinstance(content, bytes):
            return super().build_request(method, url, **given)
        if url not in self.addresses:
            self.addresses[url] = httpx2.URL(url)
        stream, told = httpx2.ByteStream(content), {BODY: content}
        return httpx2.Request("POST", self.addresses[url], headers=given["headers"], stream=stream, extensions=told)

    async def send(self, request: Any, *, stream: bool = False, **given: Any) -> Any:
        content = request.extensions.get(BODY)
        if content is None or stream:
            return await super().send(request, stream=stream, **given)
        session = self.session = self.session or self.opened()
        asked = session.post(str(request.url), data=content, headers=request.headers, allow_redirects=False)
        async with asked as answer:
            headers, plain = httpx2.Headers(answer.raw_headers), is_plain(answer.headers)
            if not plain:
                drop_untrusted_headers(headers)
            body = await read_bounded(answer, answer.headers if plain else headers)
            return httpx2.Response(answer.status, headers=headers, content=body, request=request)

    def opened(self) -> aiohttp.ClientSession:
        kept = LIMITS.keepalive_expiry
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=CONNECTIONS, keepalive_timeout=kept, ssl=self.trusted),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            timeout=FOREVER,
        )

    async def aclose(self) -> None:
        await super().aclose()
        if self.session is not None:
            await self.session.close()


@lru_cache(maxsize=2)
def posting_kind(base: Any) -> Any:
    """Return the class of posting clients over `base`, the class of an SDK's client."""
    return type("Posting", (_Posting, base), {})
