"""What servers send besides what the wires know: redirects, floods, other encodings."""

import asyncio
import gzip
import json

import pytest
from tests.generators.models.wires import ENVIRON, WAYS, WIRES, question

from interplay.generators.models.anthropic import open_anthropic
from interplay.generators.models.openai import open_openai
from interplay.generators.models.settings import EndpointSettings
from interplay.generators.models.transport import Rejected
from interplay.schemas.chat import ChatReply
from interplay.schemas.errors import ModelError

every_wire = pytest.mark.parametrize("wire", WIRES)
every_way = pytest.mark.parametrize("wire", WAYS)


class Raw:
    """A server that gives one answer to everything, byte by byte as it is told, and keeps what it was sent."""

    def __init__(self, answer: bytes) -> None:
        self.answer = answer
        self.heard: list[bytes] = []

    async def __aenter__(self) -> str:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        self.heard.append(head)
        [length] = [
            int(line.split(b":")[1]) for line in head.splitlines() if line.lower().startswith(b"content-length")
        ]
        await reader.readexactly(length)
        writer.write(self.answer)
        await writer.drain()
        writer.close()


async def asked_at(wire: str, address: str) -> ChatReply | ModelError:
    messages = wire == "messages"
    settings = EndpointSettings(
        model="m", provider="anthropic" if messages else "openai", base_url=address, api_key_env="PLANTED_KEY",
        api="responses" if wire == "responses" else "chat", headers_env={"x-gateway-key": "PLANTED_KEY"}, timeout=10,
    )  # fmt: skip
    opened = (open_anthropic if messages else open_openai)(settings, ENVIRON)
    try:
        return await opened.complete(question())
    except ModelError as error:
        return error
    finally:
        await opened.aclose()


@every_wire
@pytest.mark.parametrize("status", [302, 307, 308])
def test_a_key_does_not_follow_a_redirect(wire: str, status: int) -> None:
    elsewhere = Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")

    async def run() -> ChatReply | ModelError:
        async with elsewhere as other:
            moved = f"HTTP/1.1 {status} Moved\r\nlocation: {other}/v1\r\ncontent-length: 0\r\n\r\n"
            async with Raw(moved.encode()) as address:
                return await asked_at(wire, address)

    error = asyncio.run(run())
    assert isinstance(error, Rejected)
    assert "set base_url to the address itself" in str(error)
    assert elsewhere.heard == []


@every_wire
def test_an_answer_that_unpacks_to_gigabytes_is_not_unpacked(wire: str) -> None:
    packed = gzip.compress(b" " * 100_000_000)
    head = f"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: {len(packed)}\r\n\r\n"
    server = Raw(head.encode() + packed)

    async def run() -> ChatReply | ModelError:
        async with server as address:
            return await asked_at(wire, address)

    assert isinstance(asyncio.run(run()), Rejected)
    assert b"accept-encoding: identity" in server.heard[0].lower()


@every_wire
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_answers_in_other_encodings_are_read(wire: str, encoding: str) -> None:
    said = {
        "chat": {"choices": [{"message": {"role": "assistant", "content": "Grüezi."}, "finish_reason": "stop"}]},
        "responses": {
            "status": "completed",
            "output": [
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Grüezi."}]}
            ],
        },
        "messages": {"content": [{"type": "text", "text": "Grüezi."}], "stop_reason": "end_turn"},
    }[wire]
    body = json.dumps(said, ensure_ascii=False).encode(encoding)

    async def run() -> ChatReply | ModelError:
        head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        async with Raw(head.encode() + body) as address:
            return await asked_at(wire, address)

    reply = asyncio.run(run())
    assert isinstance(reply, ChatReply), reply
    assert reply.content == "Grüezi."
