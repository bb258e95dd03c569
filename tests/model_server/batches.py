"""Files and batches of both providers: what is uploaded, and how far it is, counted in how often it is asked for."""

import hashlib
import json
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
            found = [self._openai_object(batch) for batch in self.batches.values() if batch.input_file]
            return reply({"object": "list", "data": found, "has_more": False})
        elif parts[0] not in self.batches:
            return reply({"error": {"message": f"No batch found with id '{parts[0]}'."}}, 404)
        else:
            batch = self.batches[parts[0]]
            self._advance(batch, cancel=parts[1:] == ["cancel"])
        return reply(self._openai_object(batch))

    def _create_openai(self, body: dict[str, Any]) -> Batch:
        content = self.files[body["input_file_id"]]
        rows = [json.loads(line) for line in content.splitlines() if line.strip()]
        items = [(row["custom_id"], row["url"], row["body"]) for row in rows]
        batch = Batch(f"batch_{len(self.batches)}", body["endpoint"], items, body["input_file_id"])
        batch.problem = self._problem(batch, len(content))
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
        for custom_id, path, body in batch.items:
            batch.results[custom_id] = self._result(batch, custom_id, path, body, cancel)
        kinds = {kind for kind, _ in batch.results.values()}
        batch.status = "cancelled" if cancel else "expired" if "expired" in kinds else "completed"

    def _result(self, batch: Batch, custom_id: str, path: str, body: dict[str, Any], cancel: bool) -> tuple[str, Any]:
        if cancel:
            return "canceled", None
        draw = chance(self.settings.seed, batch.id, custom_id)
        if draw < self.settings.batch_expired:
            return "expired", None
        if draw < self.settings.batch_expired + self.settings.batch_failed:
            return "errored", "The server had an error while processing your request."
        return "succeeded", self.answer(path, json.dumps(body).encode())

    def _openai_object(self, batch: Batch) -> dict[str, Any]:
        done = [kind for kind, _ in batch.results.values()]
        output, errors = (self._openai_file(batch, good) for good in (True, False))
        problem = {
            "object": "list",
            "data": [{"code": "invalid", "message": batch.problem, "line": None, "param": None}],
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
        if not lines:
            return None
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
            found = [self._anthropic_object(batch, request) for batch in self.batches.values() if not batch.input_file]
            return reply({"data": found, "has_more": False, "first_id": None, "last_id": None})
        elif parts[0] not in self.batches:
            return reply({"type": "error", "error": {"type": "not_found_error", "message": "No such batch."}}, 404)
        else:
            batch = self.batches[parts[0]]
            if parts[1:] == ["results"]:
                lines = [anthropic_line(*item) for item in shuffled(batch)]
                return HttpReply(b"\n".join(lines), content_type="application/x-jsonl")
            self._advance(batch, cancel=parts[1:] == ["cancel"])
        return reply(self._anthropic_object(batch, request))

    def _anthropic_object(self, batch: Batch, request: HttpRequest) -> dict[str, Any]:
        done = [kind for kind, _ in batch.results.values()]
        counts = {kind: done.count(kind) for kind in ("succeeded", "errored", "canceled", "expired")}
        results = f"http://{request.headers.get('host', '')}/v1/messages/batches/{batch.id}/results"
        return {
            "id": batch.id,
            "type": "message_batch",
            "processing_status": "ended" if done else "in_progress",
            "request_counts": {"processing": len(batch.items) - len(done), **counts},
            "created_at": NO_TIME,
            "expires_at": NO_TIME,
            "ended_at": NO_TIME if done else None,
            "cancel_initiated_at": None,
            "archived_at": None,
            "results_url": results if done else None,
        }


def shuffled(batch: Batch) -> list[tuple[str, str, Any]]:
    """Return the results in an order that has nothing to do with that of the questions, as the providers do."""
    items = [(custom_id, kind, value) for custom_id, (kind, value) in batch.results.items()]
    return sorted(items, key=lambda item: chance(1, item[0]))


def openai_line(batch: Batch, custom_id: str, kind: str, value: Any) -> bytes:
    error = {"code": "batch_expired", "message": "This request could not be executed before the batch expired."}
    response: dict[str, Any] | None = {"status_code": 200, "request_id": f"req_{custom_id}", "body": value}
    if kind == "errored":
        response = {"status_code": 500, "request_id": f"req_{custom_id}", "body": {"error": {"message": value}}}
    failed = error if kind in ("expired", "canceled") else None
    row = {"id": f"{batch.id}_{custom_id}", "custom_id": custom_id, "response": None if failed else response}
    return json.dumps({**row, "error": failed}).encode()


def anthropic_line(custom_id: str, kind: str, value: Any) -> bytes:
    result: dict[str, Any] = {"type": kind}
    if kind == "succeeded":
        result["message"] = value
    if kind == "errored":
        result["error"] = {"type": "error", "error": {"type": "api_error", "message": value}}
    return json.dumps({"custom_id": custom_id, "result": result}).encode()


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
