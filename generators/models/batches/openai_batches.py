"""OpenAI's batches: a file of questions is uploaded, a batch made of it, and answers and errors read from two files.

    {"custom_id": "9f86d081", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "m", "messages": []}}

Source: platform.openai.com/docs/api-reference/batch.
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
    read_object,
    unanswered,
    where_of,
    with_client,
)
from interplay.generators.models.providers.endpoint import SdkEndpoint
from interplay.generators.models.transport.transport_errors import RateLimited, Rejected
from interplay.schemas.errors import ModelError

ENDED = ("completed", "failed", "expired", "cancelled")
CROWDED = ("token_limit_exceeded", "rate_limit_exceeded", "quota_exceeded", "request_limit_exceeded")
"""Error codes of a batch that was not started because too much is queued already."""


class OpenAiBatches:
    """The batches of one model; see `BatchService`. A batch is found again by its input file, which no other batch has."""

    sure = True
    most_requests = 50_000
    most_bytes = 190_000_000
    """Below the limit of 200 MB, with decimal or binary megabytes."""

    def __init__(self, endpoint: SdkEndpoint, transfer: float) -> None:
        """Use an endpoint; an upload may take `transfer` seconds."""
        self._endpoint = endpoint
        self._transfer = transfer

    def line(self, custom_id: str, payload: Mapping[str, Any]) -> bytes:
        """Return a question as its row in a batch."""
        row = {"custom_id": custom_id, "method": "POST", "url": f"/v1{self._endpoint.path}", "body": payload}
        return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")

    async def prepare(self, lines: list[bytes]) -> str:
        """Upload the questions, and return the file's id as the trace."""
        content = b"\n".join(lines) + b"\n"
        made = await with_client(
            self._endpoint,
            self._transfer,
            lambda client: client.files.with_raw_response.create(file=("batch.jsonl", content), purpose="batch"),
        )
        return id_in(self._endpoint, read_object(self._endpoint, made.http_response.content))

    async def create(self, trace: str, lines: list[bytes]) -> str:  # noqa: ARG002, they are in the file
        """Create a batch of the uploaded file, and return its id."""
        path = f"/v1{self._endpoint.path}"
        body = {"input_file_id": trace, "endpoint": path, "completion_window": "24h"}
        made = await post(self._endpoint, "/batches", json.dumps(body).encode(), self._endpoint.settings.timeout)
        return id_in(self._endpoint, made)

    async def find(self, trace: str, size: int, known: set[str]) -> tuple[str, ...]:  # noqa: ARG002, the file is enough
        """Return the batch of the uploaded file, if it is among the newest batches."""
        async for rows in pages(self._endpoint, "/batches", "after"):
            found = [id_in(self._endpoint, row) for row in rows if row.get("input_file_id") == trace]
            if found:
                return (found[0],)
        return ()

    async def look(self, remote: str) -> BatchProgress:
        """Return the progress of a batch."""
        told = await fetch(self._endpoint, f"/batches/{remote}")
        counts, status = told.get("request_counts"), told.get("status")
        files = tuple(
            id_in(self._endpoint, told, name) for name in ("output_file_id", "error_file_id") if told.get(name)
        )
        late = status == "completed" and count_in(counts, "completed", "failed") > 0 and not files
        problems = self._problems(told) if status == "failed" else ()
        return BatchProgress(status in ENDED and not late, count_in(counts, "completed", "failed"), files, problems)

    async def cancel(self, remote: str) -> None:
        """Request the cancellation of a batch."""
        await post(self._endpoint, f"/batches/{remote}/cancel", b"{}", self._endpoint.settings.timeout)

    def files(self, trace: str, progress: BatchProgress) -> tuple[str, ...]:
        """Return the files of questions and results; they count towards the account's storage for a month."""
        return (trace, *progress.files)

    async def delete(self, file: str) -> None:
        """Delete a file."""
        sdk, seconds = self._endpoint.sdk, self._endpoint.settings.timeout
        await with_client(self._endpoint, seconds, lambda client: client.delete(f"/files/{file}", cast_to=sdk.response))

    def address(self, file: str) -> str:
        """Return the path of a file of results."""
        return f"/files/{file}/content"

    def read(self, row: Mapping[str, Any]) -> Result:
        """Read one row of the output or error file."""
        response = row["response"]
        if response is None:
            return Result(row["custom_id"], unanswered(self._endpoint, str((row.get("error") or {}).get("code"))[:80]))
        return Result(row["custom_id"], answered(self._endpoint, int(response["status_code"]), response["body"]))

    def _problems(self, told: Mapping[str, Any]) -> tuple[tuple[int | None, ModelError], ...]:
        """Return the errors of a batch that was not started; the provider counts lines from 1."""
        errors = told.get("errors")
        rows = errors.get("data") if isinstance(errors, dict) else None
        found = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        lines = [row.get("line") for row in found or [{}]]
        places = [line - 1 if type(line) is int and line > 0 else None for line in lines]
        return tuple(zip(places, map(self._problem, found or [{}]), strict=True))

    def _problem(self, row: Mapping[str, Any]) -> ModelError:
        said = self._endpoint.secrets.scrub(f"{row.get('code') or 'no reason given'}: {row.get('message') or ''}")[:300]
        message = f"{where_of(self._endpoint)} did not begin a batch ({said})."
        if row.get("code") in CROWDED:
            return RateLimited(message)
        return Rejected(f"{message} Correct what it complains of, or ask this model without batches.", 400)
