"""Anthropic's batches: all questions are posted in one request, and their results read from one file.

    {"custom_id": "9f86d081", "params": {"model": "m", "max_tokens": 4096, "messages": []}}

Source: docs.anthropic.com/en/api/creating-message-batches.
"""

import json
from collections.abc import Mapping
from typing import Any

from interplay.generators.models.batches.batch_service import (
    BatchProgress,
    Result,
    answered,
    count_in,
    fetch,
    id_in,
    pages,
    post,
    unanswered,
)
from interplay.generators.models.providers.endpoint import SdkEndpoint

BATCHES = "/v1/messages/batches"
STATUSES = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
COUNTS = ("processing", "succeeded", "errored", "canceled", "expired")


class AnthropicBatches:
    """The batches of one model; see `BatchService`.

    They carry no label, and show their content only when they have ended. So `find` returns the batches of the same size
    that are newer than the newest one before creation, and the keys in the results tell which of them is meant.
    """

    sure = False
    most_requests = 100_000
    most_bytes = 250_000_000
    """Below the limit of 256 MB, with decimal or binary megabytes."""

    def __init__(self, endpoint: SdkEndpoint, transfer: float) -> None:
        """Use an endpoint; posting all questions may take `transfer` seconds."""
        self._endpoint = endpoint
        self._transfer = transfer

    def line(self, custom_id: str, payload: Mapping[str, Any]) -> bytes:
        """Return a question as its row in a batch."""
        row = {"custom_id": custom_id, "params": payload}
        return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")

    async def prepare(self, lines: list[bytes]) -> str:  # noqa: ARG002, they are sent when the batch is created
        """Return the id of the newest batch as the trace; empty if there is none."""
        page = await fetch(self._endpoint, BATCHES, limit=1)
        rows = page.get("data") or ()
        return id_in(self._endpoint, rows[0]) if rows else ""

    async def create(self, trace: str, lines: list[bytes]) -> str:  # noqa: ARG002, a batch takes no label
        """Post all questions, and return the batch's id."""
        content = b'{"requests":[' + b",".join(lines) + b"]}"
        return id_in(self._endpoint, await post(self._endpoint, BATCHES, content, self._transfer))

    async def find(self, trace: str, size: int, known: set[str]) -> tuple[str, ...]:
        """Return the unknown batches of `size` questions that are newer than the batch `trace`."""
        found: list[str] = []
        async for rows in pages(self._endpoint, BATCHES, "after_id"):
            for row in rows:
                remote = id_in(self._endpoint, row)
                if remote == trace:
                    return tuple(found)
                if remote not in known and count_in(row.get("request_counts"), *COUNTS) == size:
                    found.append(remote)
        return tuple(found)

    async def look(self, remote: str) -> BatchProgress:
        """Return the progress of a batch."""
        told = await fetch(self._endpoint, f"{BATCHES}/{remote}")
        ended = told.get("processing_status") == "ended"
        return BatchProgress(ended, count_in(told.get("request_counts"), *COUNTS[1:]), (remote,) if ended else ())

    async def cancel(self, remote: str) -> None:
        """Request the cancellation of a batch."""
        await post(self._endpoint, f"{BATCHES}/{remote}/cancel", b"{}", self._endpoint.settings.timeout)

    def files(self, trace: str, progress: BatchProgress) -> tuple[str, ...]:  # noqa: ARG002, there are none
        """Return nothing: questions and results are parts of the batch, which the provider deletes after a month."""
        return ()

    async def delete(self, file: str) -> None:
        """Do nothing: there are no files."""

    def address(self, file: str) -> str:
        """Return the path of a batch's results; an address that the server names is not used, since it would get the key."""
        return f"{BATCHES}/{file}/results"

    def read(self, row: Mapping[str, Any]) -> Result:
        """Read one row of the results."""
        result = row["result"]
        kind = result["type"]
        if kind == "succeeded":
            return Result(row["custom_id"], answered(self._endpoint, 200, result["message"]))
        if kind == "errored":
            error = result["error"]
            inner = error.get("error", error)
            return Result(row["custom_id"], answered(self._endpoint, STATUSES.get(inner.get("type"), 500), error))
        return Result(row["custom_id"], unanswered(self._endpoint, str(kind)[:80]))
