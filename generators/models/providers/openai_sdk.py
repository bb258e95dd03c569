"""Settings -> an endpoint over OpenAI's SDK: chat completions of any compatible server, or the Responses API."""

import os
from collections.abc import Mapping

from interplay.generators.models.providers.chat_completions import CHAT_COMPLETIONS
from interplay.generators.models.providers.endpoint import Sdk, SdkEndpoint, plain_headers, plain_options
from interplay.generators.models.providers.openai_responses import RESPONSES
from interplay.generators.models.transport.deferred_imports import deferred_reexports
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.generators.models.transport.http_client import open_http_client
from interplay.generators.models.transport.secrets import Secrets


def open_openai(settings: EndpointSettings, environ: Mapping[str, str] = os.environ) -> SdkEndpoint:
    """Return the endpoint.

    Raises:
        ConfigError: the key's variable is not set.
    """
    wire = RESPONSES if settings.api == "responses" else CHAT_COMPLETIONS
    return SdkEndpoint(settings, wire, connect, environ)


def connect(settings: EndpointSettings, secrets: Secrets) -> Sdk:
    """Open OpenAI's client over aiohttp, which takes half the processor time of its default."""
    import aiohttp  # noqa: PLC0415 - heavy, as the SDK
    import httpx2  # noqa: PLC0415

    with deferred_reexports("openai"):
        import openai  # noqa: PLC0415

    client = openai.AsyncOpenAI(
        api_key=secrets.key,
        base_url=settings.address,
        max_retries=0,
        timeout=None,
        default_query=settings.query,
        default_headers=plain_headers(settings, secrets, openai.Omit()),
        http_client=open_http_client(openai.DefaultAioHttpClient, settings.address, secrets),
    )
    lost = (openai.APIConnectionError, httpx2.HTTPError, aiohttp.ClientError, OSError)
    options = {**plain_options(openai.Omit()), "security": {"bearer_auth": True}}  # as its own methods say
    return Sdk(client, httpx2.Response, openai.APIStatusError, lost, options)
