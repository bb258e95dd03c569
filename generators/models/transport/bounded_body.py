"""The body of an HTTP answer, read up to a limit, since a server may send without end."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

LARGEST = 64_000_000
"""Most bytes of an answer that are read."""

LARGEST_PACKED = 64_000
"""The same for a compressed body, which was not requested and may grow a thousandfold when unpacked."""

PACKINGS = ("gzip", "deflate")
"""The accepted compressions, applied once; others, or two in a row, could unpack to any size."""

PLAIN = {"Accept-Encoding": "identity"}
"""Header that requests uncompressed answers."""

STREAMED = ("/content", "/results")
"""Endings of the paths of batch results: files of any length, which are read line by line."""


class TooLarge(OSError):
    """An answer exceeds the limit; the rest of it was not read."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def bound_response() -> Callable[[Any], Awaitable[None]]:
    """Return a response hook for an httpx2 client, which drops untrusted headers and bounds the body.

    It raises `TooLarge`, or reading the body does if its length is not declared.
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
    """Tell whether aiohttp's headers of an answer have nothing for `drop_untrusted_headers`; a faster check than on httpx2's."""
    return "content-encoding" not in headers and not any(";" in kind for kind in headers.getall("content-type", ()))


def drop_untrusted_headers(headers: Any) -> None:
    """Remove from httpx2's headers of an answer what could make reading it fail or never end.

    These are compressions other than `PACKINGS`, and charsets other than UTF-8: some names of Python's codecs are
    compressions, or no text encodings.
    """
    packing = headers.get("content-encoding")
    if packing is not None and packing.strip().lower() not in PACKINGS:
        del headers["content-encoding"]
    kind, _, told = headers.get("content-type", "").partition(";")
    if told and told.strip().lower() != "charset=utf-8":
        headers["content-type"] = kind


async def read_bounded(answer: Any, headers: Any) -> bytes:
    """Return the raw body of an aiohttp answer with these headers.

    Raises:
        TooLarge: it exceeds the limit.
    """
    largest, size, parts = _largest(headers, answer.status), 0, list[bytes]()
    while part := await answer.content.readany():
        size += len(part)
        if size > largest:
            raise _beyond(largest, answer.status)
        parts.append(part)
    return b"".join(parts)


def _largest(headers: Any, status: int) -> int:
    """Return the limit in bytes for an answer with these headers.

    Raises:
        TooLarge: its declared length exceeds the limit.
    """
    largest = LARGEST_PACKED if "content-encoding" in headers else LARGEST
    told = headers.get("content-length", "")
    if told.isdigit() and int(told) > largest:
        raise TooLarge(f"{told} bytes, more than the {largest} that are read", status)
    return largest


def _beyond(largest: int, status: int) -> TooLarge:
    return TooLarge(f"more than the {largest} bytes that are read", status)
