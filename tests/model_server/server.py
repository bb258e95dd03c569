"""A model server on this machine: both providers' wire protocols, any misbehaviour, and a count of all that it saw.

    async with ModelServer(Settings(latency=0.05, faults=(read_fault("429:0.05"),))) as server:
        client = AsyncOpenAI(base_url=server.openai_url, api_key="any")

In a process of its own: `python -m tests.model_server --port 0 --latency 0.5`; then `/stats` tells what it saw, and
`/reset` forgets it and takes new settings.
"""

import asyncio
import dataclasses
import hashlib
import json
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Self

from tests.model_server import anthropic_wire, openai_wire
from tests.model_server.answers import Answer, Ask, Script, respond
from tests.model_server.batches import Batches, reply
from tests.model_server.misbehaviour import (
    BODIES,
    DELIVERIES,
    INVENTED,
    SPOILED,
    Fault,
    Settings,
    fault_for,
    latency_of,
    read_fault,
    retry_headers,
    settings_from,
    spoil,
)
from tests.model_server.wire import Connection, HttpReply, HttpRequest

ASKS = (openai_wire.CHAT, openai_wire.RESPONSES, openai_wire.EMBEDDINGS, anthropic_wire.MESSAGES)
WELL_BEHAVED = Settings()


@dataclass
class Seen:
    """What a server saw. Identities are digests of path and body; `answered` counts whole, good answers."""

    asked: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    asked_at: list[float] = field(default_factory=list)
    answered_at: list[float] = field(default_factory=list)
    count: int = 0
    errands: int = 0
    """Requests about files and batches."""
    first_ask: float = 0.0
    in_flight: int = 0
    peak: int = 0
    bytes: int = 0
    """Of all questions together."""

    def summary(self) -> dict[str, Any]:
        """Return it as JSON; times in seconds since the first question."""
        return {
            "asked": sum(self.asked.values()),
            "answered": sum(self.answered.values()),
            "distinct": len(self.asked),
            "answered_twice": sum(1 for count in self.answered.values() if count > 1),
            "outcomes": dict(sorted(self.outcomes.items())),
            "asked_at": [round(moment - self.first_ask, 4) for moment in self.asked_at],
            "answered_at": [round(moment - self.first_ask, 4) for moment in self.answered_at],
            "first_ask": self.first_ask,
            "peak": self.peak,
            "bytes": self.bytes,
            "cpu": time.process_time(),
        }


class ModelServer:
    """The server; where `keep` is set, `asks` holds every question."""

    def __init__(self, settings: Settings = WELL_BEHAVED, script: Script | None = None, keep: bool = True) -> None:
        self.script = script
        self.keep = keep
        self.port = 0
        self._server: asyncio.Server | None = None
        self._connections: set[Connection] = set()
        self.reset(settings)

    def reset(self, settings: Settings) -> None:
        """Forget all that was seen, and behave anew; files and batches stay."""
        self.settings = settings
        self.seen = Seen()
        self.asks: list[Ask] = []
        self._tokens, self._filled = max(1.0, settings.rate * settings.burst), 0.0
        self.batches = Batches(settings, self._answer_in_batch, *self._kept())

    def _kept(self) -> tuple[dict[str, bytes], dict[str, Any]]:
        return (self.batches.files, self.batches.batches) if hasattr(self, "batches") else ({}, {})

    @property
    def openai_url(self) -> str:
        """The base URL for OpenAI's clients."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def anthropic_url(self) -> str:
        """The base URL for Anthropic's clients."""
        return f"http://127.0.0.1:{self.port}"

    async def start(self, port: int = 0) -> None:
        """Listen on this machine."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connect, "127.0.0.1", port, backlog=4096)
        self.port = self._server.sockets[0].getsockname()[1]

    def _connect(self) -> Connection:
        self._connections = {connection for connection in self._connections if not connection.lost}
        connection = Connection(self.serve)
        self._connections.add(connection)
        return connection

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for connection in self._connections:
            if connection.transport is not None:
                connection.transport.abort()

    def serve(self, request: HttpRequest, connection: Connection) -> None:
        """Answer one request."""
        path = request.path.split("?")[0]
        if path in ("/stats", "/reset"):
            connection.answer(self._control(path, request), lambda: None)
            return
        asks = path in ASKS
        identity = hashlib.blake2b(path.encode() + request.body, digest_size=12).hexdigest()
        index = self._count(identity) if asks else -1
        self.seen.bytes += len(request.body) if asks else 0
        answer = self._answer(request, path, index)
        if asks:
            kind = str(answer.status) if answer.usable else "unusable"
            self.seen.outcomes[kind if answer.delivery == "whole" else answer.delivery] += 1
        good = asks and answer.status == 200 and answer.delivery == "whole" and answer.usable
        if asks and answer.delivery != "silent":
            asyncio.get_running_loop().call_later(answer.delay, self._land)
        connection.answer(answer, (lambda: self._answered(identity)) if good else (lambda: None))

    def _count(self, identity: str) -> int:
        seen = self.seen
        index = seen.count
        seen.count += 1
        seen.asked_at.append(time.monotonic())
        seen.first_ask = seen.first_ask or seen.asked_at[0]
        seen.asked[identity] += 1
        seen.in_flight += 1
        seen.peak = max(seen.peak, seen.in_flight)
        return index

    def _land(self) -> None:
        self.seen.in_flight -= 1

    def _answered(self, identity: str) -> None:
        self.seen.answered[identity] += 1
        self.seen.answered_at.append(time.monotonic())

    def _control(self, path: str, request: HttpRequest) -> HttpReply:
        if path == "/reset":
            self.reset(settings_from(json.loads(request.body or b"{}")))
        return reply(self.seen.summary())

    def _answer(self, request: HttpRequest, path: str, index: int) -> HttpReply:
        refused = self._gate(request, path, index)
        if refused is not None:
            return refused
        if index < 0:
            self.seen.errands += 1
        turn = index if index >= 0 else self.seen.errands - 1
        fault = fault_for(self.settings, turn, path, index >= 0)
        if fault is not None and fault.status:
            return self._error(path, fault.status, f"simulated {fault.kind}", retry_headers(fault.value))
        if fault is not None and fault.kind == "echo_key":
            return self._error(path, 500, f"upstream saw {json.dumps(request.headers)}")
        good = self._good(request, path, index, fault)
        return self._broken(good, fault) if fault is not None else good

    def _gate(self, request: HttpRequest, path: str, index: int) -> HttpReply | None:
        """Let in who has the key, comes at a rate that is allowed, and comes while there is no outage."""
        settings = self.settings
        given = request.headers.get("x-api-key") or request.headers.get("authorization", "").removeprefix("Bearer ")
        if settings.key and given != settings.key:
            return self._error(path, 401, f"Incorrect API key provided: {given}.")
        start, end = settings.outage
        since = time.monotonic() - self.seen.first_ask
        if index >= 0 and start <= since < end:
            outage = self._error(path, 503, "outage")
            return self._broken(outage, Fault(settings.outage_kind)) if settings.outage_kind in DELIVERIES else outage
        if index >= 0 and settings.rate and not self._take_token():
            return self._error(path, 429, "Rate limit reached.", retry_headers(settings.rate_retry_after))
        return None

    def _take_token(self) -> bool:
        now = time.monotonic()
        most = max(1.0, self.settings.rate * self.settings.burst)
        elapsed = now - self._filled if self._filled else 0.0
        self._tokens, self._filled = min(most, self._tokens + elapsed * self.settings.rate), now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def _good(self, request: HttpRequest, path: str, index: int, fault: Fault | None) -> HttpReply:
        try:
            if path == openai_wire.EMBEDDINGS:
                body = openai_wire.write_embeddings(json.loads(request.body))
            elif path in ASKS:
                body = self._ask(path, request, index, fault)
            else:
                found = self.batches.serve(request)
                return found if found is not None else self._error(path, 404, f"no such path: {path}")
        except (ValueError, KeyError, TypeError, IndexError) as error:
            return self._error(path, 400, f"{type(error).__name__}: {error}")
        return HttpReply(json.dumps(body).encode(), delay=latency_of(self.settings, index))

    def _ask(self, path: str, request: HttpRequest, index: int, fault: Fault | None) -> dict[str, Any]:
        body = json.loads(request.body)
        if path == anthropic_wire.MESSAGES and (complaint := anthropic_wire.complaint(body)):
            raise ValueError(complaint)
        readers = {openai_wire.CHAT: openai_wire.read_chat, openai_wire.RESPONSES: openai_wire.read_responses}
        ask = readers.get(path, anthropic_wire.read_messages)(index, body)
        ask = dataclasses.replace(ask, headers=request.headers, size=len(request.body))
        if self.keep:
            self.asks.append(ask)
        answer = self._decide(ask)
        if fault is not None and fault.kind in (*SPOILED, *INVENTED):
            answer = spoil(answer, fault.kind)
        writers = {openai_wire.CHAT: openai_wire.write_chat, openai_wire.RESPONSES: openai_wire.write_responses}
        return writers.get(path, anthropic_wire.write_message)(ask, answer)

    def _decide(self, ask: Ask) -> Answer:
        scripted = self.script(ask) if self.script is not None else None
        if scripted is not None:
            return scripted
        answer = respond(ask, self.settings.reply_size)
        return dataclasses.replace(answer, cached_tokens=self.settings.prompt_cached)

    def _answer_in_batch(self, path: str, body: bytes) -> dict[str, Any]:
        identity = hashlib.blake2b(path.encode() + body, digest_size=12).hexdigest()
        index = self._count(identity)
        self.seen.outcomes["batch"] += 1
        self._land()
        answer = self._ask(path, HttpRequest("POST", path, {}, body), index, None)
        self._answered(identity)
        return answer

    def _broken(self, good: HttpReply, fault: Fault) -> HttpReply:
        if fault.kind in DELIVERIES:
            return dataclasses.replace(good, delivery=DELIVERIES[fault.kind])
        if fault.kind in BODIES:
            content_type, body = BODIES[fault.kind]
            return dataclasses.replace(good, body=body, content_type=content_type, usable=False)
        return good

    def _error(self, path: str, status: int, message: str, headers: tuple[tuple[str, str], ...] = ()) -> HttpReply:
        wire = anthropic_wire if path.startswith(anthropic_wire.MESSAGES) else openai_wire
        return HttpReply(wire.error_body(status, message), status, headers=headers)


__all__ = ["Answer", "Ask", "ModelServer", "Settings", "read_fault"]
