"""Bytes of an HTTP/1.1 connection -> requests, and replies -> bytes, as whole or as broken as is asked for.

A protocol rather than a web framework: a request costs some 50 microseconds, so that benchmarks measure their client,
and a reply can break off anywhere.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Literal

Delivery = Literal["whole", "half", "drop", "trickle", "silent", "endless"]
TRICKLE = 0.05
"""Seconds between the bytes of a reply that trickles."""
FLOOD = b" " * 65_536
"""What comes each millisecond of a reply that never ends."""


@dataclass(frozen=True)
class HttpRequest:
    """One request; header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class HttpReply:
    """One reply, how it is delivered, and after how many seconds."""

    body: bytes
    status: int = 200
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    delivery: Delivery = "whole"
    delay: float = 0.0
    usable: bool = True
    """Whether the body is an answer."""


def head_of(reply: HttpReply) -> bytes:
    lines = [
        f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase if reply.status != 529 else 'Overloaded'}",
        f"content-type: {reply.content_type}",
        f"content-length: {len(reply.body)}",
        *(f"{name}: {value}" for name, value in reply.headers),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


class Connection(asyncio.Protocol):
    """One client's connection; `serve` gets each request and an `answer` to call once with the reply."""

    def __init__(self, serve: "Callable[[HttpRequest, Connection], None]") -> None:
        self._serve = serve
        self._buffer = bytearray()
        self._head: tuple[str, str, dict[str, str]] | None = None
        self.transport: asyncio.Transport | None = None
        self.lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002, the name is asyncio's
        self.lost = True

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (request := self._next()) is not None:
            self._serve(request, self)

    def _next(self) -> HttpRequest | None:
        if self._head is None and not self._read_head():
            return None
        assert self._head is not None
        method, path, headers = self._head
        body = self._read_body(headers)
        if body is None:
            return None
        self._head = None
        return HttpRequest(method, path, headers, body)

    def _read_head(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        first, *lines = bytes(self._buffer[:end]).decode("latin-1").split("\r\n")
        del self._buffer[: end + 4]
        method, path, _ = first.split(" ", 2)
        headers = {}
        for line in lines:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        self._head = (method, path, headers)
        return True

    def _read_body(self, headers: dict[str, str]) -> bytes | None:
        if headers.get("transfer-encoding") == "chunked":
            return self._read_chunks()
        length = int(headers.get("content-length", "0"))
        if len(self._buffer) < length:
            return None
        body = bytes(self._buffer[:length])
        del self._buffer[:length]
        return body

    def _read_chunks(self) -> bytes | None:
        if b"0\r\n\r\n" not in self._buffer:
            return None
        parts, position = [], 0
        while True:
            line_end = self._buffer.find(b"\r\n", position)
            if line_end < 0:
                return None
            size = int(self._buffer[position:line_end], 16)
            start = line_end + 2
            if len(self._buffer) < start + size + 2:
                return None
            parts.append(bytes(self._buffer[start : start + size]))
            position = start + size + 2
            if size == 0:
                del self._buffer[:position]
                return b"".join(parts)

    def answer(self, reply: HttpReply, sent: Callable[[], None]) -> None:
        """Send the reply when it is due; `sent` is called if and when all of it went out."""
        if reply.delay > 0:
            asyncio.get_running_loop().call_later(reply.delay, self._deliver, reply, sent)
        else:
            self._deliver(reply, sent)

    def _deliver(self, reply: HttpReply, sent: Callable[[], None]) -> None:
        if self.lost or self.transport is None or reply.delivery == "silent":
            return
        if reply.delivery == "drop":
            self.transport.abort()
        elif reply.delivery == "half":
            self.transport.write(head_of(reply) + reply.body[: len(reply.body) // 2])
            self.transport.close()
        elif reply.delivery == "trickle":
            self._trickle(head_of(reply) + reply.body, 0)
        elif reply.delivery == "endless":
            self.transport.write(
                b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
            )
            self._flood()
        else:
            self.transport.write(head_of(reply) + reply.body)
            sent()

    def _trickle(self, data: bytes, position: int) -> None:
        if self.lost or self.transport is None or position >= len(data):
            return
        self.transport.write(data[position : position + 1])
        asyncio.get_running_loop().call_later(TRICKLE, self._trickle, data, position + 1)

    def _flood(self) -> None:
        if self.lost or self.transport is None:
            return
        self.transport.write(b"%x\r\n%b\r\n" % (len(FLOOD), FLOOD))
        asyncio.get_running_loop().call_later(0.001, self._flood)
