"""An SDK's own HTTP client over aiohttp -> one that posts bodies with no more around each than a question needs.

The SDKs take any client of httpx2's kind. Theirs over aiohttp reads and merges the address, the headers and the timeouts of
each request anew, and takes each answer through redirects, cookies, ways to sign in and streams, none of which a question
has; cookies would even tie all questions to one of the servers behind an address. Here a body of bytes goes to a session of
aiohttp at once, and its answer is read whole. All else is left to the SDK's client, and everything where the environment
names a proxy. That overrides `OVERRIDDEN`, which httpx2 does not promise to keep: where they are gone, the SDK's own client
is used as it is, which takes longer and asks the same.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from http.cookiejar import DefaultCookiePolicy
from typing import Any
from urllib.request import getproxies

from interplay.generators.models.transport.bounded_body import (
    bound_response,
    drop_untrusted_headers,
    is_plain,
    read_bounded,
)
from interplay.generators.models.transport.credentials import NO_KEY, Secrets
from interplay.schemas.errors import ConfigError

CONNECTIONS = 4096
"""Connections that a client may hold; the limits above it decide how many are used."""

BODY = "interplay.body"
"""The extension of a request that holds the bytes to post."""

PLACEHOLDERS = (("authorization", f"Bearer {NO_KEY}"), ("x-api-key", NO_KEY))
"""What the SDKs, which insist on a key, send where there is none."""

OTHERS = ("params", "data", "files", "json", "cookies", "extensions")
"""What a question has none of, beside its body."""


OVERRIDDEN = ("_init_transport", "_transport_for_url")
"""Methods of the client that are not public, and that are overridden or called here."""


def open_http_client(base: Any, address: str, secrets: Secrets) -> Any:
    """Return an HTTP client for an SDK and what is below an address; the SDK's own one over aiohttp is a `base`.

    Where there is no key but a secret header, as Azure's api-key, it sends nothing that might be taken for a wrong key.

    Raises:
        ConfigError: what the environment says of certificates or proxies cannot be read, or is of no use.
    """
    known = all(callable(getattr(base, name, None)) for name in OVERRIDDEN)
    kind, broken = _posting(base) if known else _plain(base)
    try:
        client = kind(address, secrets.key == NO_KEY and bool(secrets.headers))
    except OSError as error:
        raise ConfigError(
            f"The certificates that are trusted cannot be read ({error}). "
            f"Correct SSL_CERT_FILE or SSL_CERT_DIR in the environment, or unset it."
        ) from error
    except (ValueError, broken):
        raise ConfigError(
            "A proxy's address cannot be read. Correct HTTP_PROXY, HTTPS_PROXY or ALL_PROXY in the environment, "
            "as in http://proxy:3128, or unset it."
        ) from None  # it may hold a password
    if known and client.scheme_of_proxy(address).startswith("socks"):
        raise ConfigError(
            f"The environment names a SOCKS proxy for {address}, and only HTTP proxies can be asked. Set HTTP_PROXY and "
            "HTTPS_PROXY to one, as in http://proxy:3128, unset ALL_PROXY, or name the host in NO_PROXY."
        )
    return client


def _plain(base: Any) -> tuple[Any, type[Exception]]:
    """Return what opens the SDK's own client, with the same bounds, and what that raises at a bad address."""
    import httpx2  # noqa: PLC0415

    def opened(address: str, keyless: bool) -> Any:  # noqa: ARG001 - the server decides what a wrong key is
        limits = httpx2.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS)
        hooks = {"response": [bound_response()]}
        return base(limits=limits, timeout=None, follow_redirects=False, event_hooks=hooks)

    return opened, httpx2.InvalidURL


@lru_cache(maxsize=2)
def _posting(base: Any) -> tuple[Any, type[Exception]]:
    """Return the kind of such clients, and what they raise at an address that cannot be read."""
    import aiohttp  # noqa: PLC0415 - comes with the SDKs, whose import takes half a second
    import httpx2  # noqa: PLC0415

    limits = httpx2.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS)
    forever = aiohttp.ClientTimeout(total=None, sock_connect=None)  # how long an answer may take is said by who asks

    class Late(httpx2.AsyncBaseTransport):
        """The SDK's own transport, imported only where a request is no question."""

        def __init__(self, opens: Callable[[], Any]) -> None:
            self.opens = opens
            self.opened: Any = None

        async def handle_async_request(self, request: Any) -> Any:
            self.opened = self.opened or self.opens()
            return await self.opened.handle_async_request(request)

        async def aclose(self) -> None:
            if self.opened is not None:
                await self.opened.aclose()

    class Posting(base):  # type: ignore[misc]
        def __init__(self, address: str, keyless: bool) -> None:
            self.keyless = keyless
            self.direct = not getproxies()
            plain = self.direct and address.startswith("http:")  # what is trusted takes long to read
            self.trusted = False if plain else httpx2.create_ssl_context()
            super().__init__(
                verify=self.trusted,
                limits=limits,
                timeout=None,
                follow_redirects=False,  # a key is for one host
                event_hooks={"response": [bound_response()]},
            )
            self.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=()))  # it fails at some that it took
            self.addresses: dict[str, httpx2.URL] = {}
            self.session: aiohttp.ClientSession | None = None

        def scheme_of_proxy(self, address: str) -> str:
            proxy = getattr(self._transport_for_url(httpx2.URL(address)), "proxy", None)
            return "" if proxy is None else str(proxy.url.scheme)

        def _init_transport(self, **given: Any) -> Any:
            return Late(partial(super()._init_transport, **given))

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
            kept = limits.keepalive_expiry
            return aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=CONNECTIONS, keepalive_timeout=kept, ssl=self.trusted),
                cookie_jar=aiohttp.DummyCookieJar(),
                auto_decompress=False,
                timeout=forever,
            )

        async def aclose(self) -> None:
            await super().aclose()
            if self.session is not None:
                await self.session.close()

    return Posting, httpx2.InvalidURL
