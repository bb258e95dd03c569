"""An SDK's HTTP client over aiohttp -> one that posts bodies with little overhead.

The SDKs accept any client compatible with httpx2. Theirs over aiohttp parses and merges address, headers and timeouts for each
request, and handles redirects, cookies, authentication and streams for each answer, none of which a question needs; cookies
would even tie all questions to one of the servers behind an address. Here a body of bytes is passed to an aiohttp session
directly, and its answer read whole. All other requests, and all requests if the environment names a proxy, use the SDK's
client. This overrides `OVERRIDDEN`, methods that httpx2 does not guarantee: if they are missing, the SDK's client is used
unchanged, which is slower but does the same.
"""

from functools import partial
from typing import Any

from interplay.generators.models.transport.credentials import NO_KEY, Secrets
from interplay.schemas.errors import ConfigError

OVERRIDDEN = ("_init_transport", "_transport_for_url")
"""Private methods of the client that are overridden or called here."""


def open_http_client(base: Any, address: str, secrets: Secrets) -> Any:
    """Return an HTTP client for requests to an address; `base` is the class of the SDK's client over aiohttp.

    If a secret header, such as Azure's api-key, replaces the key, no placeholder key is sent.

    Raises:
        ConfigError: certificates or proxies named by the environment cannot be read or used.
    """
    import httpx2  # noqa: PLC0415 - comes with the SDKs

    from interplay.generators.models.transport.posting_client import plain_client, posting_kind  # noqa: PLC0415

    known = all(callable(getattr(base, name, None)) for name in OVERRIDDEN)
    opens = posting_kind(base) if known else partial(plain_client, base)
    try:
        client = opens(address, secrets.key == NO_KEY and bool(secrets.headers))
    except OSError as error:
        raise ConfigError(
            f"The certificates that are trusted cannot be read ({error}). "
            f"Correct SSL_CERT_FILE or SSL_CERT_DIR in the environment, or unset it."
        ) from error
    except (ValueError, httpx2.InvalidURL):
        raise ConfigError(
            "A proxy's address cannot be read. Correct HTTP_PROXY, HTTPS_PROXY or ALL_PROXY in the environment, "
            "as in http://proxy:3128, or unset it."
        ) from None  # the error may hold a password
    if known and client.scheme_of_proxy(address).startswith("socks"):
        raise ConfigError(
            f"The environment names a SOCKS proxy for {address}, and only HTTP proxies can be asked. Set HTTP_PROXY and "
            "HTTPS_PROXY to one, as in http://proxy:3128, unset ALL_PROXY, or name the host in NO_PROXY."
        )
    return client
