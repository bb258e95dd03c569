"""An SDK's own HTTP client over aiohttp -> one that posts bodies with no more around each than a question needs.

The SDKs take any client of httpx2's kind. Theirs over aiohttp reads and merges the address, the headers and the timeouts of
each request anew, and takes each answer through redirects, cookies, ways to sign in and streams, none of which a question
has; cookies would even tie all questions to one of the servers behind an address. Here a body of bytes goes to a session of
aiohttp at once, and its answer is read whole. All else is left to the SDK's client, and everything where the environment
names a proxy. That overrides `OVERRIDDEN`, which httpx2 does not promise to keep: where they are gone, the SDK's own client
is used as it is, which takes longer and asks the same.
"""

from functools import partial
from typing import Any

from interplay.generators.models.transport.credentials import NO_KEY, Secrets
from interplay.schemas.errors import ConfigError

OVERRIDDEN = ("_init_transport", "_transport_for_url")
"""Methods of the client that are not public, and that are overridden or called here."""


def open_http_client(base: Any, address: str, secrets: Secrets) -> Any:
    """Return an HTTP client for an SDK and what is below an address; the SDK's own one over aiohttp is a `base`.

    Where there is no key but a secret header, as Azure's api-key, it sends nothing that might be taken for a wrong key.

    Raises:
        ConfigError: what the environment says of certificates or proxies cannot be read, or is of no use.
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
        ) from None  # it may hold a password
    if known and client.scheme_of_proxy(address).startswith("socks"):
        raise ConfigError(
            f"The environment names a SOCKS proxy for {address}, and only HTTP proxies can be asked. Set HTTP_PROXY and "
            "HTTPS_PROXY to one, as in http://proxy:3128, unset ALL_PROXY, or name the host in NO_PROXY."
        )
    return client
