"""A server that speaks as much of the Hub's protocol as an upload needs: repositories, preupload, LFS, commits, files."""

import base64
import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Hub:
    """What the server holds: files by branch and path, large blobs by digest; and how it misbehaves."""

    url: str = ""
    files: dict[str, dict[str, bytes]] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)
    created: list[dict[str, Any]] = field(default_factory=list)
    uploads: int = 0
    refuse_after: int | None = None
    drop_after: int | None = None
    tokens: set[str] = field(default_factory=set)


def _handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            pass

        def answer(self, status: int, body: bytes = b"", **headers: str) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def answer_json(self, value: Any, status: int = 200) -> None:
            self.answer(status, json.dumps(value).encode(), Content_Type="application/json")

        def body(self) -> bytes:
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            if listed := re.match(r"/api/datasets/.+?/.+?/tree/([^/?]+)/([^?]+)", self.path):
                paths = [path for path in hub.files.get(listed[1], {}) if path.startswith(f"{listed[2]}/")]
                rows = [{"type": "file", "path": path, "size": 1, "oid": "0"} for path in paths]
                self.answer_json(rows) if rows else self.answer(404, X_Error_Code="EntryNotFound")
                return
            found = re.match(r"/datasets/.+?/.+?/resolve/([^/]+)/(.+?)(\?.*)?$", self.path)
            content = hub.files.get(found[1], {}).get(found[2]) if found else None
            if content is None:
                self.answer(404, X_Error_Code="EntryNotFound")
            else:
                self.answer(200, content, ETag='"0123"', X_Repo_Commit="a" * 40)

        def do_PUT(self) -> None:
            content = self.body()
            if hub.refuse_after is not None and hub.uploads >= hub.refuse_after:
                self.answer(403)
                return
            if hub.drop_after is not None and hub.uploads >= hub.drop_after:
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            hub.uploads += 1
            hub.blobs[self.path.rsplit("/", 1)[-1]] = content
            self.answer(200)

        def do_POST(self) -> None:
            hub.tokens.add(self.headers.get("Authorization") or "")
            body = self.body()
            if self.path == "/api/repos/create":
                asked = json.loads(body)
                hub.created.append(asked)
                name = f"{asked.get('organization', 'me')}/{asked['name']}"
                self.answer_json({"url": f"{hub.url}/datasets/{name}"})
            elif self.path == "/api/validate-yaml":
                self.answer_json({"errors": [], "warnings": []})
            elif "/branch/" in self.path:
                self.answer_json({})
            elif "/preupload/" in self.path:
                self.answer_json({"files": [_mode(file["path"]) for file in json.loads(body)["files"]]})
            elif self.path.endswith("/info/lfs/objects/batch"):
                self.answer_json({"objects": [_object(hub, item) for item in json.loads(body)["objects"]]})
            elif "/commit/" in self.path:
                branch = self.path.split("/commit/")[1].split("?")[0]
                _commit(hub, hub.files.setdefault(branch, {}), body)
                self.answer_json(
                    {"commitUrl": f"{hub.url}/datasets/lab/hotels/commit/{'a' * 40}", "commitOid": "a" * 40}
                )
            else:
                self.answer(404)

    return Handler


def _mode(path: str) -> dict[str, Any]:
    large = path.endswith((".jsonl", ".parquet"))
    return {"path": path, "uploadMode": "lfs" if large else "regular", "shouldIgnore": False, "oid": None}


def _object(hub: Hub, item: dict[str, Any]) -> dict[str, Any]:
    if item["oid"] in hub.blobs:
        return dict(item)
    return {**item, "actions": {"upload": {"href": f"{hub.url}/lfs/{item['oid']}"}}}


def _commit(hub: Hub, files: dict[str, bytes], body: bytes) -> None:
    for line in map(json.loads, body.splitlines()):
        if line["key"] == "file":
            files[line["value"]["path"]] = base64.b64decode(line["value"]["content"])
        elif line["key"] == "lfsFile":
            files[line["value"]["path"]] = hub.blobs[line["value"]["oid"]]
        elif line["key"] == "deletedFile":
            del files[line["value"]["path"]]


@contextmanager
def served_hub() -> Iterator[Hub]:
    """Serve an empty Hub on a port of this machine."""
    hub = Hub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(hub))
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
