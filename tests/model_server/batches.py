"""Files and batches of both providers: what is uploaded, and how far it is, counted in how often it is asked for."""

import hashlib
import json
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.model_server.misbehaviour import Settings, chance
from tests.model_server.wire import HttpReply, HttpRequest

AnswerOne = Callable[[str, bytes], dict[str, Any]]
"""Path and body of one question -> the body of its answer."""

NO_TIME = "2026-01-31T10:00:00Z"


@dataclass
class Batch:
    """One batch of either provider: its items (custom id, path, body), and what became of each."""

    id: str
    endpoint: str
    items: list[tuple[str, str, dict[str, Any]]]
    input_file: str = ""
    polls: int = 0
    status: str = "in_progress"
    results: dict[str, tuple[str, Any]] = field(default_factory=dict)
    problem: str = ""
    code: str = "invalid"


@dataclass
class Batches:
    """All files and batches of a server; they outlive the clients that made them."""

    settings: Settings
    answer: AnswerOne
    files: dict[str, bytes] = field(default_factory=dict)
    batches: dict[str, Batch] = field(default_factory=dict)

    def serve(self, request: HttpRequest) -> HttpReply | None:
        """Answer a request about files and batches, none for any other."""
        method, path = request.method, request.path.split("?")[0]
        parts = path.strip("/").split("/")[1:]
        if parts[:1] == ["files"]:
            return self._files(method, parts[1:], request)
        if parts[:1] == ["batches"]:
            return self._openai(method, parts[1:], request)
        if parts[:2] == ["messages", "batches"]:
            return self._anthropic(method, parts[2:], request)
        return None

    def _files(self, method: str, parts: list[str], request: HttpRequest) -> HttpReply:
        if method == "POST":
            content = file_part(request)
            name = f"file-{len(self.files)}-{hashlib.blake2b(content, digest_size=4).hexdigest()}"
            self.files[name] = content
            return reply(file_object(name, content))
        if parts[0] not in self.files:
            return reply({"error": {"message": f"No such File object: {parts[0]}"}}, 404)
        if method == "DELETE":
            del self.files[parts[0]]
            return reply({"id": parts[0], "object": "file", "deleted": True})
        if parts[1:] == ["content"]:
            return HttpReply(self.files[parts[0]], content_type="application/octet-stream")
        return reply(file_object(parts[0], self.files[parts[0]]))

    def _openai(self, method: str, parts: list[str], request: HttpRequest) -> HttpReply:
        if method == "POST" and not parts:
            batch = self._create_openai(json.loads(request.body))
        elif not parts:
            page, more = self._page(request, "after", [batch for batch in self.batches.values() if batch.input_file])
            return reply({"object": "list", "data": [self._openai_object(batch) for batch in page], "has_more": more})
        elif parts[0] not in self.batches:
            return reply({"error": {"message": f"No batch found with id '{parts[0]}'."}}, 404)
        else:
            batch = self.batches[parts[0]]
            self._advance(batch, cancel=parts[1:] == ["cancel"])
        return reply(self._openai_object(batch))

    def _page(self, request: HttpRequest, cursor: str, batches: list[Batch]) -> tuple[list[Batch], bool]:
        """Return the newest batches after the one that the request names, and whether there are more."""
        query = dict(urllib.parse.parse_qsl(request.path.partition("?")[2]))
        newest = batches[::-1]
        names = [batch.id for batch in newest]
        start = names.index(query[cursor]) + 1 if cursor in query else 0
        end = start + int(query.get("limit", 20))
        return newest[start:end], end < len(newest)

    def _create_openai(self, body: dict[str, Any]) -> Batch:
        content = self.files[body["input_file_id"]]
        rows = [json.loads(line) for line in content.splitlines() if line.strip()]
        items = [(row["custom_id"], row["url"], row["body"]) for row in rows]
        batch = Batch(f"batch_{len(self.batches)}", body["endpoint"], items, body["input_file_id"])
        batch.problem = self._problem(batch, len(content))
        crowd = self.settings.batch_crowded
        if crowd and len(items) > crowd:
            batch.problem, batch.code = "Enqueued token limit reached for m.", "token_limit_exceeded"
        batch.status = "failed" if batch.problem else "validating"
        self.batches[batch.id] = batch
        return batch

    def _problem(self, batch: Batch, size: int) -> str:
        ids = [custom_id for custom_id, _, _ in batch.items]
        if len(ids) > self.settings.batch_limit or size > self.settings.batch_bytes:
            return f"The batch has {len(ids)} requests in {size} bytes, over the limit."
        if len(set(ids)) < len(ids):
            return "The custom_id of a request is used twice."
        return "" if ids else "The batch is empty."

    def _advance(self, batch: Batch, cancel: bool = False) -> None:
        if batch.status in ("completed", "expired", "cancelled", "failed"):
            return
        batch.polls += 1
        if not cancel and batch.polls < self.settings.batch_polls:
            batch.status = "in_progress"
            return
        ready = batch.polls >= self.settings.batch_polls
        for custom_id, path, body in batch.items:
            if custom_id not in batch.results and (result := self._result(batch, path, body, ready)):
                batch.results[custom_id] = result
        if cancel:
            batch.results |= {item[0]: ("canceled", None) for item in batch.items if item[0] not in batch.results}
        kinds = {kind for kind, _ in batch.results.values()}
        if len(batch.results) == len(batch.items):
            batch.status = "cancelled" if cancel else "expired" if "expired" in kinds else "completed"

    def _result(self, batch: Batch, path: str, body: dict[str, Any], ready: bool) -> tuple[str, Any] | None:
        """Return what becomes of a question, none while it is not done: drawn by what it asks, not by its id.

        That may hold the address, and so the port, which is another one in each run of the tests.
        """
        settings, draw = self.settings, chance(self.settings.seed, batch.id, json.dumps(body, sort_keys=True))
        if not ready or draw >= 1 - settings.batch_stuck:
            return None
        if draw < settings.batch_expired:
            return "expired", None
        if draw < settings.batch_expired + settings.batch_failed:
            return "errored", "The server had an error while processing your request."
        if draw < settings.batch_expired + settings.batch_failed + settings.batch_rejected:
            return "rejected", "The messages are not to be asked."
        return "succeeded", self.answer(path, json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode())

    def _openai_object(self, batch: Batch) -> dict[str, Any]:
        done = [kind for kind, _ in batch.results.values()]
        output, errors = (self._openai_file(batch, good) for good in (True, False))
        problem = {
            "object": "list",
            "data": [{"code": batch.code, "message": batch.problem, "line": None, "param": None}],
        }
        return {
            "id": batch.id,
            "object": "batch",
            "endpoint": batch.endpoint,
            "errors": problem if batch.problem else None,
            "input_file_id": batch.input_file,
            "completion_window": "24h",
            "status": batch.status,
            "output_file_id": output,
            "error_file_id": errors,
            "created_at": 0,
            "request_counts": {
                "total": len(batch.items),
                "completed": done.count("succeeded"),
                "failed": len(done) - done.count("succeeded"),
            },
        }

    def _openai_file(self, batch: Batch, good: bool) -> str | None:
        lines = [openai_line(batch, *item) for item in shuffled(batch) if (item[1] == "succeeded") is good]
        if not lines or batch.status == "in_progress":
            return None
        lines = littered(lines) if self.settings.batch_junk else lines
        name = f"file-{batch.id}-{'output' if good else 'error'}"
        self.files.setdefault(name, b"\n".join(lines) + b"\n")
        return name

    def _anthropic(self, method: str, parts: list[str], request: HttpRequest) -> HttpReply:
        if method == "POST" and not parts:
            rows = json.loads(request.body)["requests"]
            items = [(row["custom_id"], "/v1/messages", row["params"]) for row in rows]
            batch = Batch(f"msgbatch_{len(self.batches)}", "/v1/messages", items)
            problem = self._problem(batch, len(request.body))
            if problem:
                status = 413 if "limit" in problem else 400
                return reply({"type": "error", "error": {"type": "invalid_request_error", "message": problem}}, status)
            self.batches[batch.id] = batch
        elif not parts:
            own = [batch for batch in self.batches.values() if not batch.input_file]
            page, more = self._page(request, "after_id", own)
            found = [self._anthropic_object(batch, request) for batch in page]
            return reply({"data": found, "has_more": more, "first_id": None, "last_id": None})
        elif parts[0] not in self.batches:
            return reply({"type": "error", "error": {"type": "not_found_error", "message": "No such batch."}}, 404)
        else:
            batch = self.batches[parts[0]]
            if parts[1:] == ["results"]:
                lines = [anthropic_line(*item) for item in shuffled(batch)]
                lines = littered(lines) if self.settings.batch_junk else lines
                return HttpReply(b"\n".join(lines), content_type="application/x-jsonl")
            self._advance(batch, cancel=parts[1:] == ["cancel"])
        return reply(self._anthropic_object(batch, request))

    def _anthropic_object(self, batch: Batch, request: HttpRequest) -> dict[str, Any]:
        done = ["errored" if kind == "rejected" else kind for kind, _ in batch.results.values()]
        counts = {kind: done.count(kind) for kind in ("succeeded", "errored", "canceled", "expired")}
        ended = len(done) == len(batch.items)
        results = f"http://{request.headers.get('host', '')}/v1/messages/batches/{batch.id}/results"
        return {
            "id": batch.id,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": {"processing": len(batch.items) - len(done), **counts},
            "created_at": NO_TIME,
            "expires_at": NO_TIME,
            "ended_at": NO_TIME if ended else None,
            "cancel_initiated_at": None,
            "archived_at": None,
            "results_url": results if ended else None,
        }


def shuffled(batch: Batch) -> list[tuple[str, str, Any]]:
    """Return the results in an order that has nothing to do with that of the questions, as the providers do."""
    items = [(custom_id, kind, value) for custom_id, (kind, value) in batch.results.items()]
    return sorted(items, key=lambda item: chance(1, item[0]))


def openai_line(batch: Batch, custom_id: str, kind: str, value: Any) -> bytes:
    error = {"code": "batch_expired", "message": "This request could not be executed before the batch expired."}
    response: dict[str, Any] | None = {"status_code": 200, "request_id": f"req_{custom_id}", "body": value}
    if kind in ("errored", "rejected"):
        status = 500 if kind == "errored" else 400
        response = {"status_code": status, "request_id": f"req_{custom_id}", "body": {"error": {"message": value}}}
    failed = error if kind in ("expired", "canceled") else None
    row = {"id": f"{batch.id}_{custom_id}", "custom_id": custom_id, "response": None if failed else response}
    return json.dumps({**row, "error": failed}).encode()


def anthropic_line(custom_id: str, kind: str, value: Any) -> bytes:
    result: dict[str, Any] = {"type": "errored" if kind == "rejected" else kind}
    if kind == "succeeded":
        result["message"] = value
    if kind in ("errored", "rejected"):
        why = "api_error" if kind == "errored" else "invalid_request_error"
        result["error"] = {"type": "error", "error": {"type": why, "message": value}}
    return json.dumps({"custom_id": custom_id, "result": result}).encode()


def littered(lines: list[bytes]) -> list[bytes]:
    """Return the lines with others between them that no provider should write, and each of them twice."""
    junk = [
        b"no JSON at all", b"[1, 2]", b"null", b"", b'{"custom_id": 7}', b"\xff\xfe", b"[" * 100_000,
        b'{"custom_id": "0123456789abcdef0123456789abcdef", "result": {"type": "expired"}, "response": null}',
        b'{"custom_id": "x", "result": "none", "response": {"status_code": 1e999, "body": {}}}',
        b'{"custom_id": "long", "text": "' + b"x" * 3_000_000 + b'"}',
    ]  # fmt: skip
    return [*junk, *lines, *junk, *lines]


def file_object(name: str, content: bytes) -> dict[str, Any]:
    facts = {"filename": "batch.jsonl", "purpose": "batch", "status": "processed", "created_at": 0}
    return {"id": name, "object": "file", "bytes": len(content), **facts}


def file_part(request: HttpRequest) -> bytes:
    """Return the content of the field `file` of a multipart form."""
    boundary = request.headers["content-type"].split("boundary=")[1].strip('"').encode()
    for part in request.body.split(b"--" + boundary):
        head, _, content = part.partition(b"\r\n\r\n")
        if b'name="file"' in head:
            return content.removesuffix(b"\r\n")
    return b""


def reply(body: Any, status: int = 200) -> HttpReply:
    """Return a reply in JSON."""
    return HttpReply(json.dumps(body).encode(), status)
