"""The protocol of a provider's batch API (prepare, create, find, look, cancel, read), and what all providers share."""

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
"""Makes both SDKs return a response whose body is not read yet."""

PAGE, PAGES = 100, 20
"""Batches per page of a provider's list, and most pages that are read."""

_ID = re.compile(r"[A-Za-z0-9_.:-]{1,200}")


@dataclass(frozen=True)
class BatchProgress:
    """The progress of a batch; `done` counts its finished questions, `files` hold the results.

    `problems` lists errors by which it was not started: (index of the question, or None for all, error).
    """

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
"""Processes one line of results; returns whether to read on."""


class BatchService(Protocol):
    """One provider's batches; all async methods may raise what `Endpoint.send` raises.

    `sure` tells whether `find` returns only batches of that trace.
    """

    sure: bool
    most_requests: int
    most_bytes: int

    def line(self, custom_id: str, payload: Mapping[str, Any]) -> bytes:
        """Return a question as its row in a batch."""
        ...

    async def prepare(self, lines: list[bytes]) -> str:
        """Do what precedes the creation of a batch; return the trace by which it can be found again."""
        ...

    async def create(self, trace: str, lines: list[bytes]) -> str:
        """Create a batch, and return its id."""
        ...

    async def find(self, trace: str, size: int, known: set[str]) -> tuple[str, ...]:
        """Return the ids of batches of `size` questions that may belong to a trace, except known ones."""
        ...

    async def look(self, remote: str) -> BatchProgress:
        """Return the progress of a batch."""
        ...

    async def cancel(self, remote: str) -> None:
        """Request the cancellation of a batch."""
        ...

    def files(self, trace: str, progress: BatchProgress) -> tuple[str, ...]:
        """Return the files that an ended batch leaves in the account."""
        ...

    async def delete(self, file: str) -> None:
        """Delete a file that `files` returned."""
        ...

    def address(self, file: str) -> str:
        """Return the path of a file of results, after the base URL."""
        ...

    def read(self, row: Mapping[str, Any]) -> Result:
        """Read one row of results; raises one of `batch_results.UNREADABLE` for a malformed row."""
        ...


async def with_client(endpoint: SdkEndpoint, seconds: float, call: Callable[[Any], Awaitable[_T]]) -> _T:
    """Run an action with the SDK's client, within a time limit in seconds.

    Raises:
        ModelError: the action failed; see `transport_errors`.
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
    """GET a JSON object."""
    sdk = endpoint.sdk
    found = await with_client(
        endpoint,
        endpoint.settings.timeout,
        lambda client: client.get(path, cast_to=sdk.response, options={"params": query} if query else {}),
    )
    return read_object(endpoint, found.content)


async def pages(endpoint: SdkEndpoint, path: str, cursor: str) -> AsyncIterator[list[dict[str, Any]]]:
    """Yield the list of batches page by page, newest first; `cursor` is the query parameter for the last id seen."""
    query: dict[str, Any] = {"limit": PAGE}
    for _ in range(PAGES):
        page = await fetch(endpoint, path, **query)
        rows = [row for row in page.get("data") or () if isinstance(row, dict)]
        yield rows
        if not rows or page.get("has_more") is not True:
            return
        query[cursor] = id_in(endpoint, rows[-1])


async def post(endpoint: SdkEndpoint, path: str, content: bytes, seconds: float) -> dict[str, Any]:
    """POST JSON, and return the JSON object in the answer."""
    sdk = endpoint.sdk
    found = await with_client(
        endpoint, seconds, lambda client: client.post(path, cast_to=sdk.response, content=content)
    )
    return read_object(endpoint, found.content)


async def read_lines(endpoint: SdkEndpoint, path: str, seconds: float, longest: int, each: Reader) -> int:
    """Stream a file line by line; return how many lines were skipped since they have more than `longest` bytes."""
    sdk = endpoint.sdk

    async def read(client: Any) -> int:
        response = await client.get(path, cast_to=sdk.response, options={"headers": AS_A_STREAM})
        try:
            return await _lines(response.aiter_bytes(), longest, each)
        finally:
            await response.aclose()

    return await with_client(endpoint, seconds, read)


async def _lines(chunks: Any, longest: int, each: Reader) -> int:
    """Cut a stream into lines, holding no more than one line in memory."""
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
    """Parse a body as a JSON object.

    Raises:
        ServerFailed: it is none, or too large.
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
    """Return an answer's body as if it had been requested alone, or the error that its status and content mean."""
    body = json.dumps(content, separators=(",", ":")).encode()
    if status != 200:
        return failure_from_body(where_of(endpoint), endpoint.secrets, status, body.decode())
    return broken_answer(where_of(endpoint), endpoint.secrets, body) or body


def unanswered(endpoint: SdkEndpoint, what: str) -> ServerFailed:
    """Return the error for a question that a batch did not answer; it is worth asking again."""
    return ServerFailed(f"{where_of(endpoint)} ended a batch without an answer to a question in it ({what}).", 408)


def where_of(endpoint: SdkEndpoint) -> str:
    """Name the model and its address."""
    return f"{endpoint.model} at {endpoint.base_url}"


def id_in(endpoint: SdkEndpoint, told: Mapping[str, Any], name: str = "id") -> str:
    """Return an id from a server's answer, checked since it becomes part of paths.

    Raises:
        ServerFailed: there is no valid id.
    """
    found = told.get(name)
    if isinstance(found, str) and _ID.fullmatch(found) and found.strip("."):
        return found
    raise ServerFailed(f"{where_of(endpoint)} answered something about batches without an id.", 200)


def count_in(told: Any, *names: str) -> int:
    """Return the sum of counts in a server's answer; invalid ones count 0."""
    found = [told.get(name) for name in names] if isinstance(told, dict) else []
    return sum(value for value in found if type(value) is int and value > 0)
