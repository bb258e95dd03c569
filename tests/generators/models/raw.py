"""A server that answers byte by byte as it is told, and what the real SDKs make of it."""

import asyncio
import ssl
from typing import Any

from tests.generators.models.wires import question

from interplay.generators.models.providers.endpoint import SdkEndpoint
from interplay.generators.models.providers.sdk_endpoints import open_endpoint
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.schemas.errors import ModelError
from interplay.schemas.records.chat import ChatReply

OWN_KEY = "planted/0123+456789abcdef=="
"""A key that looks like none."""


class Raw:
    """A server that gives one answer to everything, byte by byte as it is told, and keeps what it was sent."""

    def __init__(self, answer: bytes, certificate: ssl.SSLContext | None = None, waits: bool = False) -> None:
        self.answer = answer
        self.waits = waits
        """It closes no connection before the other side does."""
        self.heard: list[bytes] = []
        self.left = asyncio.Event()
        """The other side has closed a connection."""
        self._certificate = certificate

    async def __aenter__(self) -> str:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._certificate)
        scheme = "https" if self._certificate else "http"
        return f"{scheme}://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        self.heard.append(head)
        told = [line.split(b":")[1] for line in head.splitlines() if line.lower().startswith(b"content-length")]
        await reader.readexactly(sum(map(int, told)))
        writer.write(self.answer)
        await writer.drain()
        if self.waits:
            await reader.read()
            self.left.set()
        writer.close()


def opened_at(wire: str, address: str, timeout: float = 10) -> SdkEndpoint:
    messages = wire == "messages"
    settings = EndpointSettings(
        model="m", provider="anthropic" if messages else "openai", base_url=address, api_key_env="PLANTED_KEY",
        api="responses" if wire == "responses" else "chat", headers_env={"x-gateway-key": "PLANTED_KEY"}, timeout=timeout,
    )  # fmt: skip
    return open_endpoint(settings, {"PLANTED_KEY": OWN_KEY})


async def asked_at(wire: str, address: str, times: int = 1, timeout: float = 10) -> ChatReply | ModelError:
    """Return what the last request came to."""
    opened = opened_at(wire, address, timeout)
    try:
        return [await opened.complete(question()) for _ in range(times)][-1]
    except ModelError as error:
        return error
    finally:
        await opened.aclose()


def saying(wire: str, text: str) -> dict[str, Any]:
    """What a model answers with over a wire."""
    return {
        "chat": {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]},
        "responses": {
            "status": "completed",
            "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}],
        },
        "messages": {"content": [{"type": "text", "text": text}], "stop_reason": "end_turn"},
    }[wire]


def answering(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    head = [f"HTTP/1.1 {status}", *headers, f"content-length: {len(body)}", "", ""]
    return "\r\n".join(head).encode("latin-1") + body


async def asked_of(wire: str, answer: bytes) -> ChatReply | ModelError:
    async with Raw(answer) as address:
        return await asked_at(wire, address)
