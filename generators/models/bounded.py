"""The body of an HTTP answer -> the same, read no further than is looked at: a server may send without end."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

LARGEST = 64_000_000
"""Bytes of an answer that are read."""

LARGEST_PACKED = 64_000
"""The same of one that is compressed, though nobody asked for that: it may be a thousand times as large when unpacked."""

PLAIN = {"Accept-Encoding": "identity"}
"""What asks for answers that are not compressed."""

STREAMED = ("/content", "/results")
"""How the addresses end from which results of batches are fetched: files of any length, read line by line."""


class TooLarge(OSError):
    """An answer is larger than any that is looked at; the rest of it was not read."""

    def __init__(self, message: str, status: int) -> None:
        """Keep the answer's status."""
        super().__init__(message)
        self.status = status


def bounding() -> Callable[[Any], Awaitable[None]]:
    """Return a hook for an httpx2 client, called with a response before its body is read.

    It raises TooLarge, or reading the body does where its length is not told.
    """
    import httpx2  # noqa: PLC0415 - comes with the SDKs

    class Bounded(httpx2.AsyncByteStream):
        def __init__(self, stream: Any, largest: int, status: int) -> None:
            self._stream = stream
            self._largest = largest
            self._status = status

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for part in self._stream:
                size += len(part)
                if size > self._largest:
                    raise TooLarge(f"more than the {self._largest} bytes that are read", self._status)
                yield part

        async def aclose(self) -> None:
            await self._stream.aclose()

    async def bound(response: Any) -> None:
        if response.request.method == "GET" and response.request.url.path.endswith(STREAMED):
            return
        packed = response.headers.get("content-encoding", "identity") != "identity"
        largest = LARGEST_PACKED if packed else LARGEST
        told = response.headers.get("content-length", "")
        if told.isdigit() and int(told) > largest:
            await response.aclose()
            raise TooLarge(f"{told} bytes, more than the {largest} that are read", response.status_code)
        response.stream = Bounded(response.stream, largest, response.status_code)

    return bound
