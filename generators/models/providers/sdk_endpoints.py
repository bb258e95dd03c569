"""Settings -> an endpoint over the SDK of its provider: OpenAI's, for any compatible server too, or Anthropic's."""

import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from interplay.generators.models.providers.anthropic_messages import MESSAGES
from interplay.generators.models.providers.chat_completions import CHAT_COMPLETIONS
from interplay.generators.models.providers.endpoint import Sdk, SdkEndpoint, plain_headers, plain_options
from interplay.generators.models.providers.openai_responses import RESPONSES
from interplay.generators.models.transport.credentials import Secrets
from interplay.generators.models.transport.deferred_imports import deferred_reexports
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.generators.models.transport.http_client import open_http_client


def open_endpoint(settings: EndpointSettings, environ: Mapping[str, str] = os.environ) -> SdkEndpoint:
    """Return the endpoint of one model.

    Raises:
        ConfigError: a variable that holds a key is not set.
    """
    if settings.provider == "anthropic":
        return SdkEndpoint(settings, MESSAGES, connect, environ)
    return SdkEndpoint(settings, RESPONSES if settings.api == "responses" else CHAT_COMPLETIONS, connect, environ)


def connect(settings: EndpointSettings, secrets: Secrets, package: str = "") -> Sdk:
    """Open the SDK's client over aiohttp, which takes at most half the processor time of its default.

    Both SDKs are generated alike, and each package is called as its provider.
    """
    import aiohttp  # noqa: PLC0415 - heavy, as the SDKs
    import httpx2  # noqa: PLC0415

    package = package or settings.provider
    with deferred_reexports(package):
        sdk = import_module(package)
    options: dict[str, Any] = plain_options(sdk.Omit())
    given: dict[str, Any] = {
        "api_key": secrets.key,
        "base_url": settings.address,
        "max_retries": 0,
        "timeout": None,
        "default_query": settings.query,
        "default_headers": plain_headers(settings, secrets, sdk.Omit()),
        "http_client": open_http_client(sdk.DefaultAioHttpClient, settings.address, secrets),
    }
    if package == "anthropic":
        client = sdk.AsyncAnthropic(**given, open_telemetry=False)
    else:
        client = sdk.AsyncOpenAI(**given)
        options["security"] = {"bearer_auth": True}  # as its own methods say
    lost = (sdk.APIConnectionError, httpx2.HTTPError, aiohttp.ClientError, OSError)
    return Sdk(client, httpx2.Response, sdk.APIStatusError, lost, options)
