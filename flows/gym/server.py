"""Tasks, sessions and rewards over HTTP with JSON; one process serves all.

    GET  /tasks?split=train&pattern=sequential&difficulty=0.2,0.6&pass_rate=0.1,0.9&offset=0&limit=100
    GET  /tasks/ID                                                    -> one task, with its prompt and tools
    GET  /tools                                                       -> all tools of the toolset
    POST /sessions                {"task": "...", "seed": 0}          -> session, system prompt, tools, the user's first words
    POST /sessions/NAME/call      {"tool": "...", "arguments": {}}    -> what the call came to
    POST /sessions/NAME/say       {"text": "..."}                     -> what the user says next
    POST /sessions/NAME/close                                         -> the reward
    POST /verify                  {"task": "...", "messages": [...]}  -> the same reward for a finished transcript
    GET  /status                                                      -> sessions, rewards, what was lacking
    GET  /                                                            -> the same for people: a page that is made again

Errors are {"error": {"kind": ..., "message": ...}} with a fitting status.
"""

import hmac
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, TypeVar

from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import Field, ValidationError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import interplay
from interplay.flows.gym.catalogue import Catalogue
from interplay.flows.gym.live_page import HEADERS, STYLE, live_page
from interplay.flows.gym.mcp_server import McpGym
from interplay.flows.gym.open_sessions import TooManySessions, UnknownSession
from interplay.flows.gym.service import GymService, UnknownTask
from interplay.flows.gym.session import AgentCall, SessionOver, Step
from interplay.outputs.viewer.viewer_pages import ASSETS, asset
from interplay.schemas.errors import InterplayError
from interplay.schemas.json.record import Record

Asked = TypeVar("Asked", bound=Record)

LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")
MOST_LISTED = 1000
MOST_MESSAGES = 2000
MOST_CALLS = 64
MOST_SEED = 2**31 - 1


class OpenRequest(Record):
    """Which task to open; with another seed the user finds other words."""

    task: str = Field(max_length=200)
    seed: int = Field(0, ge=0, le=MOST_SEED)


class CallRequest(Record):
    """One call, or several that are made together, with words beside them if there are any."""

    tool: str = Field("", max_length=200)
    arguments: dict[str, Any] | str = Field(default_factory=dict)
    calls: tuple[AgentCall, ...] = Field((), max_length=MOST_CALLS)
    text: str = ""

    def made(self) -> tuple[AgentCall, ...]:
        """Return all calls."""
        return self.calls or (AgentCall(tool=self.tool, arguments=self.arguments),)


class SayRequest(Record):
    """What the agent says to the user."""

    text: str


class VerifyRequest(Record):
    """A transcript in messages of OpenAI's chat API."""

    task: str = Field(max_length=200)
    messages: tuple[dict[str, Any], ...] = Field(max_length=MOST_MESSAGES)
    seed: int = Field(0, ge=0, le=MOST_SEED)


class InvalidRequest(InterplayError):
    """The body of a request is not what is expected."""


STATUS: Mapping[type[InterplayError], int] = {
    UnknownSession: 404, UnknownTask: 404, SessionOver: 409, InvalidRequest: 422, TooManySessions: 429
}  # fmt: skip


def gym_app(catalogue: Catalogue, token: str = "", hosts: tuple[str, ...] = LOOPBACK) -> FastAPI:
    """Return the server of a catalogue, over HTTP, and over MCP where that is installed.

    With a `token`, requests have to bear it, and without they have to name a host of `hosts`.
    """
    service = GymService(catalogue)
    mcp = McpGym(service)
    app = FastAPI(
        title="interplay gym", version=interplay.__version__, docs_url=None, redoc_url=None, lifespan=mcp.running
    )
    app.add_middleware(_Bounded, most=catalogue.config.gym.body)
    app.router.routes.extend(mcp.routes)

    @app.middleware("http")
    async def guard(request: Request, go_on: Callable[[Request], Awaitable[Any]]) -> Any:
        refused = _refusal(request, token, hosts)
        return refused or await go_on(request)

    @app.exception_handler(InterplayError)
    async def told(_: Request, error: InterplayError) -> JSONResponse:
        return _error(STATUS.get(type(error), 500), type(error).__name__, str(error))

    @app.exception_handler(RequestValidationError)
    async def misread(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = "/".join(str(part) for part in first["loc"])
        return _error(422, "InvalidRequest", f"{place}: {first['msg']}")

    @app.exception_handler(HTTPException)
    async def refused(_: Request, error: HTTPException) -> JSONResponse:
        return _error(error.status_code, "HTTPError", str(error.detail))

    @app.get("/tasks")
    async def tasks(
        split: str | None = None,
        pattern: str | None = None,
        difficulty: str = "0,1",
        pass_rate: str = "0,1",
        offset: Annotated[int, Query(ge=0)] = 0,
        limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 100,
    ) -> dict[str, Any]:
        return service.tasks(split, pattern, _band(difficulty), _band(pass_rate), offset, limit)

    @app.get("/tasks/{name}")
    async def task(name: str, seed: Annotated[int, Query(ge=0, le=MOST_SEED)] = 0) -> dict[str, Any]:
        return await service.task(name, seed)

    @app.get("/tools")
    async def tools() -> dict[str, Any]:
        return service.tools()

    @app.post("/sessions")
    async def open_(request: Request) -> dict[str, Any]:
        asked = await _body(request, OpenRequest)
        return await service.open(asked.task, asked.seed)

    @app.get("/sessions/{name}")
    async def transcript(name: str) -> dict[str, Any]:
        return await service.transcript(name)

    @app.post("/sessions/{name}/call")
    async def call(name: str, request: Request) -> Step:
        asked = await _body(request, CallRequest)
        return await service.call(name, asked.made(), asked.text)

    @app.post("/sessions/{name}/say")
    async def say(name: str, request: Request) -> Step:
        asked = await _body(request, SayRequest)
        return await service.say(name, asked.text)

    @app.post("/sessions/{name}/close")
    async def close(name: str) -> dict[str, Any]:
        return (await service.close(name)).model_dump(mode="json")

    @app.post("/verify")
    async def judge(request: Request) -> dict[str, Any]:
        asked = await _body(request, VerifyRequest)
        reward = await service.verify(asked.task, asked.messages, asked.seed)
        return reward.model_dump(mode="json")

    @app.get("/")
    async def look() -> HTMLResponse:
        return HTMLResponse(live_page(service), headers=HEADERS)

    @app.get(STYLE)
    async def style() -> Response:
        return Response(asset("viewer.css"), media_type=ASSETS["viewer.css"], headers=HEADERS)

    @app.get("/status")
    async def status() -> dict[str, Any]:
        return service.status()

    return app


class _Bounded:
    """Refuses requests whose bodies are too large, told or not, before they are read as a whole."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        told = dict(scope["headers"]).get(b"content-length", b"0")
        read = 0
        body: list[Message] = []
        if told.isdigit() and int(told) <= self._most:
            while True:
                message = await receive()
                body.append(message)
                read += len(message.get("body", b""))
                if read > self._most or message["type"] == "http.disconnect" or not message.get("more_body"):
                    break
        if read > self._most or not told.isdigit() or int(told) > self._most:
            answer = _error(413, "RequestTooLarge", f"At most {self._most} bytes are read (gym: body).")
            await answer(scope, receive, send)
            return

        async def again() -> Message:
            return body.pop(0) if body else await receive()

        await self._app(scope, again, send)


def _refusal(request: Request, token: str, hosts: tuple[str, ...]) -> JSONResponse | None:
    """Return why a request is not served, if it is not: who asks has to know the token, or to be on this machine."""
    if token:
        borne = request.headers.get("authorization", "")
        if request.method == "GET" and request.url.path in ("/", STYLE):  # a browser has no other way
            borne = borne or f"Bearer {request.query_params.get('token', '')}"
        if not hmac.compare_digest(borne.encode(), f"Bearer {token}".encode()):
            return _error(401, "Unauthorized", "Send the token that was printed: Authorization: Bearer TOKEN")
        return None
    host = request.headers.get("host", "").rsplit(":", 1)[0]
    if host not in hosts:
        return _error(403, "Forbidden", "This server answers requests to this machine alone.")
    if request.headers.get("origin") is not None:
        return _error(403, "Forbidden", "This server does not answer pages of a browser.")
    return None


async def _body(request: Request, kind: type[Asked]) -> Asked:
    try:
        return kind.model_validate_json(await request.body())
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = "/".join(str(part) for part in first["loc"]) or "body"
        raise InvalidRequest(f"{place}: {first['msg']}") from error


def _band(text: str) -> tuple[float, float]:
    """Read two numbers as `0.1,0.9`."""
    low, _, high = text.partition(",")
    try:
        return float(low), float(high or low)
    except ValueError as error:
        raise HTTPException(422, f"{text[:40]!r}: expected two numbers such as 0.1,0.9") from error


def _error(status: int, kind: str, message: str) -> JSONResponse:
    return JSONResponse({"error": {"kind": kind, "message": message}}, status_code=status)
