"""The HTTP routes of the gym and their handlers."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

from interplay.flows.gym.live_page import HEADERS, STYLE, live_page
from interplay.flows.gym.service import GymService
from interplay.flows.gym.session import Step
from interplay.flows.gym.session_requests import (
    MOST_SEED,
    CallRequest,
    OpenRequest,
    SayRequest,
    VerifyRequest,
    read_body,
)
from interplay.outputs.viewer.viewer_pages import ASSETS, asset

MOST_LISTED = 1000
Seed = Annotated[int, Query(ge=0, le=MOST_SEED)]


@dataclass(frozen=True)
class GymRoutes:
    """Handlers for agents in training, and a page for people."""

    service: GymService

    def router(self) -> APIRouter:
        """Return the router with all routes."""
        router, session = APIRouter(), "/sessions/{name}"
        router.add_api_route("/tasks", self.tasks)
        router.add_api_route("/tasks/{name}", self.task)
        router.add_api_route("/tools", self.tools)
        router.add_api_route("/sessions", self.open_, methods=["POST"])
        router.add_api_route(session, self.transcript)
        router.add_api_route(session + "/call", self.call, methods=["POST"])
        router.add_api_route(session + "/say", self.say, methods=["POST"])
        router.add_api_route(session + "/close", self.close, methods=["POST"])
        router.add_api_route("/verify", self.judge, methods=["POST"])
        router.add_api_route("/", self.look)
        router.add_api_route(STYLE, self.style)
        router.add_api_route("/status", self.status)
        return router

    async def tasks(
        self,
        split: str | None = None,
        pattern: str | None = None,
        difficulty: str = "0,1",
        pass_rate: str = "0,1",
        offset: Annotated[int, Query(ge=0)] = 0,
        limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 100,
    ) -> dict[str, Any]:
        """List tasks."""
        return self.service.tasks(split, pattern, _band(difficulty), _band(pass_rate), offset, limit)

    async def task(self, name: str, seed: Seed = 0) -> dict[str, Any]:
        """Return one task, with its prompt and tools."""
        return await self.service.task(name, seed)

    async def tools(self) -> dict[str, Any]:
        """Return all tools of the toolset."""
        return self.service.tools()

    async def open_(self, request: Request) -> dict[str, Any]:
        """Open a session of a task."""
        asked = await read_body(request, OpenRequest)
        return await self.service.open(asked.task, asked.seed)

    async def transcript(self, name: str) -> dict[str, Any]:
        """Return what was said and called in a session so far."""
        return await self.service.transcript(name)

    async def call(self, name: str, request: Request) -> Step:
        """Make calls in a session."""
        asked = await read_body(request, CallRequest)
        return await self.service.call(name, asked.made(), asked.text)

    async def say(self, name: str, request: Request) -> Step:
        """Say something to the user of a session."""
        asked = await read_body(request, SayRequest)
        return await self.service.say(name, asked.text)

    async def close(self, name: str) -> dict[str, Any]:
        """End a session, and return its reward."""
        return (await self.service.close(name)).model_dump(mode="json")

    async def judge(self, request: Request) -> dict[str, Any]:
        """Return the reward of a finished transcript."""
        asked = await read_body(request, VerifyRequest)
        reward = await self.service.verify(asked.task, asked.messages, asked.seed)
        return reward.model_dump(mode="json")

    async def look(self) -> HTMLResponse:
        """Show sessions and rewards to people."""
        return HTMLResponse(live_page(self.service), headers=HEADERS)

    async def style(self) -> Response:
        """Return the style sheet of that page."""
        return Response(asset("viewer.css"), media_type=ASSETS["viewer.css"], headers=HEADERS)

    async def status(self) -> dict[str, Any]:
        """Return the figures of sessions and rewards."""
        return self.service.status()


def _band(text: str) -> tuple[float, float]:
    """Read two numbers written as `0.1,0.9`."""
    low, _, high = text.partition(",")
    try:
        return float(low), float(high or low)
    except ValueError as error:
        raise HTTPException(422, f"{text[:40]!r}: expected two numbers such as 0.1,0.9") from error
