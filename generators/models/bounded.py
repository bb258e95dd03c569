"""The body of an HTTP answer -> the same, read no further than is looked at: a server may send without end."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

LARGEST = 64_000_000
"""Bytes of an answer that are read."""

LARGEST_PACKED = 1_000_000
"""The same of a compressed one, which may be a thousand times as large when unpacked."""


class TooLarge(OSError):
    """An answer is larger than any that is looked at; the rest of it was not read."""


def bounding() -> Callable[[Any], Awaitable[None]]:
    """Return a hook for an httpx2 client, called with a response before its body is read; what is fetched stays unbounded.

    It raises TooLarge, or reading the body does where its length is not told.
    """
    import httpx2  # noqa: PLC0415 - comes with the SDKs

    class Bounded(httpx2.AsyncByteStream):
        def __init__(self, stream: Any, largest: int) -> None:
            self._stream = stream
            self._largest = largest

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for part in self._stream:
                size += len(part)
                if size > self._largest:
                    raise TooLarge(f"more than the {self._largest} bytes that are read")
                yield part

        async def aclose(self) -> None:
            await self._stream.aclose()

    async def bound(response: Any) -> None:
        if response.request.method != "POST":  # the results of a batch come as one file
            return
        packed = response.headers.get("content-encoding", "identity") != "identity"
        largest = LARGEST_PACKED if packed else LARGEST
        told = response.headers.get("content-length", "")
        if told.isdigit() and int(told) > largest:
            await response.aclose()
            raise TooLarge(f"{told} bytes, more than the {largest} that are read")
        response.stream = Bounded(response.stream, largest)

    return bound
