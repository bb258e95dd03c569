"""Settings -> an endpoint over Anthropic's SDK and its Messages API."""

import os
from collections.abc import Mapping

from interplay.generators.models.providers.anthropic_messages import MESSAGES
from interplay.generators.models.providers.endpoint import Sdk, SdkEndpoint, plain_headers, plain_options
from interplay.generators.models.transport.deferred_imports import deferred_reexports
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.generators.models.transport.http_client import open_http_client
from interplay.generators.models.transport.secrets import Secrets


def open_anthropic(settings: EndpointSettings, environ: Mapping[str, str] = os.environ) -> SdkEndpoint:
    """Return the endpoint.

    Raises:
        ConfigError: the key's variable is not set.
    """
    return SdkEndpoint(settings, MESSAGES, connect, environ)


def connect(settings: EndpointSettings, secrets: Secrets) -> Sdk:
    """Open Anthropic's client over aiohttp, which takes a third of the processor time of its default."""
    import aiohttp  # noqa: PLC0415 - heavy, as the SDK
    import httpx2  # noqa: PLC0415

    with deferred_reexports("anthropic"):
        import anthropic  # noqa: PLC0415

    client = anthropic.AsyncAnthropic(
        api_key=secrets.key,
        base_url=settings.address,
        max_retries=0,
        timeout=None,
        default_query=settings.query,
        default_headers=plain_headers(settings, secrets, anthropic.Omit()),
        open_telemetry=False,
        http_client=open_http_client(anthropic.DefaultAioHttpClient, settings.address, secrets),
    )
    lost = (anthropic.APIConnectionError, httpx2.HTTPError, aiohttp.ClientError, OSError)
    return Sdk(client, httpx2.Response, anthropic.APIStatusError, lost, plain_options(anthropic.Omit()))
