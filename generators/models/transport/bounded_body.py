"""The body of an HTTP answer -> the same, read no further than is looked at: a server may send without end."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

LARGEST = 64_000_000
"""Bytes of an answer that are read."""

LARGEST_PACKED = 64_000
"""The same of a compressed body, which was not asked for and may grow a thousandfold when unpacked."""

PACKINGS = ("gzip", "deflate")
"""How an answer may be compressed to be unpacked, once: by other ways, and by two, it could become as large as it likes."""

PLAIN = {"Accept-Encoding": "identity"}
"""What asks for answers that are not compressed."""

STREAMED = ("/content", "/results")
"""How the addresses end from which results of batches are fetched: files of any length, read line by line."""


class TooLarge(OSError):
    """An answer is larger than any that is looked at; the rest of it was not read."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def bound_response() -> Callable[[Any], Awaitable[None]]:
    """Return a hook for an httpx2 client, called with a response before its body is read, and trusting its headers no more.

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
                    raise _beyond(self._largest, self._status)
                yield part

        async def aclose(self) -> None:
            await self._stream.aclose()

    async def bound(response: Any) -> None:
        drop_untrusted_headers(response.headers)
        if response.request.method == "GET" and response.request.url.path.endswith(STREAMED):
            return
        try:
            largest = _largest(response.headers, response.status_code)
        except TooLarge:
            await response.aclose()
            raise
        response.stream = Bounded(response.stream, largest, response.status_code)

    return bound


def is_plain(headers: Any) -> bool:
    """Tell whether there is nothing to distrust in aiohttp's headers of an answer, which finds them sooner than httpx2."""
    return "content-encoding" not in headers and not any(";" in kind for kind in headers.getall("content-type", ()))


def drop_untrusted_headers(headers: Any) -> None:
    """Take from httpx2's headers of an answer what makes reading it go wrong, or without end.

    That is unpacking it other than in a known way, and decoding it other than as UTF-8: some names of encodings are
    those of compressions, or of none that can be read by.
    """
    packing = headers.get("content-encoding")
    if packing is not None and packing.strip().lower() not in PACKINGS:
        del headers["content-encoding"]
    kind, _, told = headers.get("content-type", "").partition(";")
    if told and told.strip().lower() != "charset=utf-8":
        headers["content-type"] = kind


async def read_bounded(answer: Any, headers: Any) -> bytes:
    """Return the body of an answer to aiohttp with these headers, as it came.

    Raises:
        TooLarge: it is larger than any that is looked at.
    """
    largest, size, parts = _largest(headers, answer.status), 0, list[bytes]()
    while part := await answer.content.readany():
        size += len(part)
        if size > largest:
            raise _beyond(largest, answer.status)
        parts.append(part)
    return b"".join(parts)


def _largest(headers: Any, status: int) -> int:
    """Return how many bytes are read of an answer with these headers."""
    largest = LARGEST_PACKED if "content-encoding" in headers else LARGEST
    told = headers.get("content-length", "")
    if told.isdigit() and int(told) > largest:
        raise TooLarge(f"{told} bytes, more than the {largest} that are read", status)
    return largest


def _beyond(largest: int, status: int) -> TooLarge:
    return TooLarge(f"more than the {largest} bytes that are read", status)
