"""A provider's batch API -> what all providers have in common: prepare, create, find again, look, cancel, read results."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from interplay.generators.models.providers.endpoint import SdkEndpoint, reason_of
from interplay.generators.models.transport.bounded_body import LARGEST
from interplay.generators.models.transport.failures import broken_answer, failure_from_body, status_failure
from interplay.generators.models.transport.transport_errors import Dropped, ServerFailed, TimedOut
from interplay.schemas.errors import ModelError

_T = TypeVar("_T")

AS_A_STREAM = {"X-Stainless-Raw-Response": "stream"}
"""Asks both SDKs for a response whose body is not read yet."""

PAGE, PAGES = 100, 20
"""Batches on one page of a provider's list, and pages that are read."""

_ID = re.compile(r"[A-Za-z0-9_.:-]{1,200}")


@dataclass(frozen=True)
class BatchProgress:
    """How far a batch is. `files` hold its results, `problems` say why it was not begun: by place, or none for all."""

    ended: bool
    done: int = 0
    files: tuple[str, ...] = ()
    problems: tuple[tuple[int | None, ModelError], ...] = ()


@dataclass(frozen=True)
class Result:
    """The outcome of one question: the body of its answer, or an error that says whether to ask again."""

    custom_id: str
    outcome: bytes | ModelError


Reader = Callable[[bytes], Awaitable[bool]]
"""Takes one line of results; tells whether to read on."""


class BatchService(Protocol):
    """One provider's batches. All may raise what `Endpoint.send` does.

    `sure` tells whether what `find` returns was certainly made from the same trace.
    """

    sure: bool
    most_requests: int
    most_bytes: int

    def line(self, custom_id: str, payload: Mapping[str, Any]) -> bytes:
        """Return a question as it stands in a batch."""
        ...

    async def prepare(self, lines: list[bytes]) -> str:
        """Do what comes before creating a batch; return the trace by which it can be found again."""
        ...

    async def create(self, trace: str, lines: list[bytes]) -> str:
        """Create a batch, and return its id."""
        ...

    async def find(self, trace: str, size: int, known: set[str]) -> tuple[str, ...]:
        """Return the ids of batches that may have been made from a trace, but none that are known."""
        ...

    async def look(self, remote: str) -> BatchProgress:
        """Return how far a batch is."""
        ...

    async def cancel(self, remote: str) -> None:
        """Ask for a batch to be ended."""
        ...

    def files(self, trace: str, progress: BatchProgress) -> tuple[str, ...]:
        """Return the files that an ended batch leaves in the account."""
        ...

    async def delete(self, file: str) -> None:
        """Delete such a file."""
        ...

    def address(self, file: str) -> str:
        """Return where a file of results is, after the base URL."""
        ...

    def read(self, row: Mapping[str, Any]) -> Result:
        """Read one row of results; raises what reading a row of another form raises."""
        ...


async def with_client(endpoint: SdkEndpoint, seconds: float, call: Callable[[Any], Awaitable[_T]]) -> _T:
    """Run an action with an SDK's client, within a time limit in seconds.

    Raises:
        ModelError: it went wrong; see `transport`.
    """
    sdk, where = endpoint.sdk, where_of(endpoint)
    try:
        async with asyncio.timeout(seconds):
            return await call(sdk.client)
    except sdk.status_error as error:
        failure = status_failure(where, endpoint.secrets, error)
    except TimeoutError:
        failure = TimedOut(f"{where} did not come to an end in {seconds:g} s with something about batches.")
    except sdk.lost as error:
        why = reason_of(endpoint.secrets, error)
        failure = Dropped(f"{where} broke the connection, or let none be made ({why}).")
    raise failure  # outside of the handlers: the SDK's error holds the request's headers, and must not be its context


async def fetch(endpoint: SdkEndpoint, path: str, **query: Any) -> dict[str, Any]:
    """Get a JSON object."""
    sdk = endpoint.sdk
    found = await with_client(
        endpoint,
        endpoint.settings.timeout,
        lambda client: client.get(path, cast_to=sdk.response, options={"params": query} if query else {}),
    )
    return read_object(endpoint, found.content)


async def pages(endpoint: SdkEndpoint, path: str, cursor: str) -> AsyncIterator[list[dict[str, Any]]]:
    """Yield a list of batches, the newest first, page by page; `cursor` is the parameter that names the last one seen."""
    query: dict[str, Any] = {"limit": PAGE}
    for _ in range(PAGES):
        page = await fetch(endpoint, path, **query)
        rows = [row for row in page.get("data") or () if isinstance(row, dict)]
        yield rows
        if not rows or page.get("has_more") is not True:
            return
        query[cursor] = id_in(endpoint, rows[-1])


async def post(endpoint: SdkEndpoint, path: str, content: bytes, seconds: float) -> dict[str, Any]:
    """Post JSON, and return the JSON object that comes back."""
    sdk = endpoint.sdk
    found = await with_client(
        endpoint, seconds, lambda client: client.post(path, cast_to=sdk.response, content=content)
    )
    return read_object(endpoint, found.content)


async def read_lines(endpoint: SdkEndpoint, path: str, seconds: float, longest: int, each: Reader) -> int:
    """Read a file line by line as it comes; return how many lines were longer than `longest` bytes, and left out."""
    sdk = endpoint.sdk

    async def read(client: Any) -> int:
        response = await client.get(path, cast_to=sdk.response, options={"headers": AS_A_STREAM})
        try:
            return await _lines(response.aiter_bytes(), longest, each)
        finally:
            await response.aclose()

    return await with_client(endpoint, seconds, read)


async def _lines(chunks: Any, longest: int, each: Reader) -> int:
    """Cut a stream into lines, without ever holding more than one of them."""
    rest, skipping, left_out = bytearray(), False, 0
    async for chunk in chunks:
        *whole, last = chunk.split(b"\n")
        for part in whole:
            if not skipping and len(rest) + len(part) <= longest:
                if not await each(bytes(rest) + part):
                    return left_out
            else:
                left_out += not skipping
            rest, skipping = bytearray(), False
        if not skipping and len(rest) + len(last) > longest:
            rest, skipping, left_out = bytearray(), True, left_out + 1
        elif not skipping:
            rest += last
    if rest and not skipping:
        await each(bytes(rest))
    return left_out


def read_object(endpoint: SdkEndpoint, body: bytes) -> dict[str, Any]:
    """Return the JSON object that a body is.

    Raises:
        ServerFailed: it is something else.
    """
    try:
        content = json.loads(body) if len(body) <= LARGEST else None
    except (ValueError, RecursionError):
        content = None
    if isinstance(content, dict):
        return content
    start = endpoint.secrets.scrub(body[:80].decode("utf-8", "replace"))
    raise ServerFailed(f"{where_of(endpoint)} answered something about batches with no JSON object: {start!r}", 200)


def answered(endpoint: SdkEndpoint, status: int, content: Any) -> bytes | ModelError:
    """Return an answer's body as if it had come by itself, or the error that its status and content tell."""
    body = json.dumps(content, separators=(",", ":")).encode()
    if status != 200:
        return failure_from_body(where_of(endpoint), endpoint.secrets, status, body.decode())
    return broken_answer(where_of(endpoint), endpoint.secrets, body) or body


def unanswered(endpoint: SdkEndpoint, what: str) -> ServerFailed:
    """Return the error for a question that a batch ended without answering: asking again helps."""
    return ServerFailed(f"{where_of(endpoint)} ended a batch without an answer to a question in it ({what}).", 408)


def where_of(endpoint: SdkEndpoint) -> str:
    """Name the model and its address."""
    return f"{endpoint.model} at {endpoint.base_url}"


def id_in(endpoint: SdkEndpoint, told: Mapping[str, Any], name: str = "id") -> str:
    """Return an id that a server gave, which becomes a part of addresses.

    Raises:
        ServerFailed: it is none.
    """
    found = told.get(name)
    if isinstance(found, str) and _ID.fullmatch(found) and found.strip("."):
        return found
    raise ServerFailed(f"{where_of(endpoint)} answered something about batches without an id.", 200)


def count_in(told: Any, *names: str) -> int:
    """Return the sum of counts that a server told, 0 for what is no count."""
    found = [told.get(name) for name in names] if isinstance(told, dict) else []
    return sum(value for value in found if type(value) is int and value > 0)
