"""The gym over MCP (streamable HTTP, at /mcp): tasks, open, call, say, close and verify as tools; needs `interplay[mcp]`."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import wraps
from importlib.util import find_spec
from typing import Any

from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

import interplay
from interplay.flows.gym.service import GymService
from interplay.flows.gym.session import AgentCall
from interplay.schemas.errors import InterplayError
from interplay.schemas.json.canonical import json_text


class McpGym:
    """The MCP server of a gym: its routes, and the task that must run while they are served.

    It is created by the first request, as its library takes half as long to load as everything else at the start.
    """

    def __init__(self, service: GymService) -> None:
        self._service = service
        self._making = asyncio.Lock()
        self._app: ASGIApp | None = None
        self._runs: asyncio.Task[None] | None = None
        self._over = asyncio.Event()

    @property
    def routes(self) -> list[Route]:
        """The routes, if the package mcp is installed."""
        return [Route("/mcp", endpoint=self)] if find_spec("mcp") is not None else []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        async with self._making:
            if self._app is None:
                server, self._app = _made(self._service)
                ready = asyncio.Event()
                self._runs = asyncio.create_task(self._run(server, ready))
                await ready.wait()
        await self._app(scope, receive, send)

    @asynccontextmanager
    async def running(self, _: Any) -> AsyncIterator[None]:
        """End the task of the MCP server when the server ends."""
        yield
        self._over.set()
        if self._runs is not None:
            await self._runs

    async def _run(self, server: Any, ready: asyncio.Event) -> None:
        async with server.session_manager.run():
            ready.set()
            await self._over.wait()


def _made(service: GymService) -> tuple[Any, ASGIApp]:
    from mcp.server.mcpserver import MCPServer  # noqa: PLC0415 - an optional, heavy library
    from mcp.server.mcpserver.exceptions import ToolError  # noqa: PLC0415
    from mcp.server.transport_security import TransportSecuritySettings  # noqa: PLC0415

    server = MCPServer("interplay-gym", version=interplay.__version__, log_level="WARNING")
    for tool in _tools(service):
        server.tool(name=tool.__name__.rstrip("_"), structured_output=False)(_told(tool, ToolError))
    app: ASGIApp = server.streamable_http_app(
        json_response=True,
        stateless_http=True,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )  # fmt: skip - hosts and tokens are looked at before
    return server, app


def _told(tool: Any, refused: type[Exception]) -> Any:
    """Return a tool that raises interplay's errors as `refused`, the protocol's own error."""

    @wraps(tool)
    async def told(*arguments: Any, **given: Any) -> str:
        try:
            return str(await tool(*arguments, **given))
        except InterplayError as error:
            raise refused(f"{type(error).__name__}: {error}") from error

    return told


def _tools(service: GymService) -> tuple[Any, ...]:
    async def tasks(
        split: str | None = None, pattern: str | None = None, difficulty_from: float = 0.0, difficulty_to: float = 1.0,
        offset: int = 0, limit: int = 100,
    ) -> str:  # fmt: skip
        """List tasks by split, pattern and difficulty."""
        return json_text(service.tasks(split, pattern, (difficulty_from, difficulty_to), offset=offset, limit=limit))

    async def open_(task: str, seed: int = 0) -> str:
        """Open a task: returns the session, its system prompt, its tools and what the user says first."""
        return json_text(await service.open(task, seed))

    async def call(session: str, tool: str, arguments: dict[str, Any]) -> str:
        """Call a tool in a session."""
        return (await service.call(session, [AgentCall(tool=tool, arguments=arguments)])).model_dump_json()

    async def say(session: str, text: str) -> str:
        """Say something to the user of a session, and hear what it says next."""
        return (await service.say(session, text)).model_dump_json()

    async def close(session: str) -> str:
        """End a session, and return the reward with its parts and reasons."""
        return (await service.close(session)).model_dump_json()

    async def verify(task: str, messages: list[dict[str, Any]], seed: int = 0) -> str:
        """Return the reward of a finished transcript, in messages of OpenAI's chat API."""
        return (await service.verify(task, messages, seed)).model_dump_json()

    return tasks, open_, call, say, close, verify
