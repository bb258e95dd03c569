"""Tasks, sessions and rewards over HTTP with JSON, served by one process.

    GET  /tasks?split=train&pattern=sequential&difficulty=0.2,0.6&pass_rate=0.1,0.9&offset=0&limit=100
    GET  /tasks/ID                                                    -> one task, with its prompt and tools
    GET  /tools                                                       -> all tools of the toolset
    POST /sessions                {"task": "...", "seed": 0}          -> session, system prompt, tools, the user's first message
    POST /sessions/NAME/call      {"tool": "...", "arguments": {}}    -> the result of the call
    POST /sessions/NAME/say       {"text": "..."}                     -> the user's answer
    POST /sessions/NAME/close                                         -> the reward
    POST /verify                  {"task": "...", "messages": [...]}  -> the same reward for a finished transcript
    GET  /status                                                      -> numbers of sessions, rewards, which parts were not full
    GET  /                                                            -> the same for people: a page that reloads itself

Errors are {"error": {"kind": ..., "message": ...}} with a fitting status.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

import interplay
from interplay.flows.gym.catalogue import Catalogue
from interplay.flows.gym.gym_guard import LOOPBACK, BoundedBodies, error_answer, refusal
from interplay.flows.gym.gym_routes import GymRoutes
from interplay.flows.gym.mcp_server import McpGym
from interplay.flows.gym.open_sessions import TooManySessions, UnknownSession
from interplay.flows.gym.service import GymService, UnknownTask
from interplay.flows.gym.session import SessionOver
from interplay.flows.gym.session_requests import InvalidRequest
from interplay.schemas.errors import InterplayError

STATUS: Mapping[type[InterplayError], int] = {
    UnknownSession: 404, UnknownTask: 404, SessionOver: 409, InvalidRequest: 422, TooManySessions: 429
}  # fmt: skip


def gym_app(catalogue: Catalogue, token: str = "", hosts: tuple[str, ...] = LOOPBACK) -> FastAPI:
    """Return the server of a catalogue: over HTTP, and over MCP if that is installed.

    With a `token`, requests must bear it; without, they must be addressed to a host of `hosts`.
    """
    service = GymService(catalogue)
    mcp = McpGym(service)
    app = FastAPI(
        title="interplay gym", version=interplay.__version__, docs_url=None, redoc_url=None, lifespan=mcp.running
    )
    app.add_middleware(BoundedBodies, most=catalogue.config.gym.body)
    app.router.routes.extend(mcp.routes)
    app.include_router(GymRoutes(service).router())

    @app.middleware("http")
    async def guard(request: Request, go_on: Callable[[Request], Awaitable[Any]]) -> Any:
        refused = refusal(request, token, hosts)
        return refused or await go_on(request)

    @app.exception_handler(InterplayError)
    async def told(_: Request, error: InterplayError) -> JSONResponse:
        return error_answer(STATUS.get(type(error), 500), type(error).__name__, str(error))

    @app.exception_handler(RequestValidationError)
    async def misread(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = "/".join(str(part) for part in first["loc"])
        return error_answer(422, "InvalidRequest", f"{place}: {first['msg']}")

    @app.exception_handler(HTTPException)
    async def refused(_: Request, error: HTTPException) -> JSONResponse:
        return error_answer(error.status_code, "HTTPError", str(error.detail))

    return app
