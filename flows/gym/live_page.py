"""The sessions of a server, their rewards and failures -> a page for people, which reloads itself."""

from collections.abc import Mapping
from typing import Any

from interplay.flows.gym.open_sessions import ClosedSession
from interplay.flows.gym.service import GymService
from interplay.flows.gym.session import Session
from interplay.outputs.viewer.viewer_pages import page

STYLE = "/assets/viewer.css"
AGAIN = 5
"""Seconds after which the page is reloaded."""

SHOWN = 50
"""The most open sessions shown, the latest used."""

MESSAGES = 60

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Refresh": str(AGAIN),
}


def live_page(service: GymService) -> str:
    """Return the page; it hides the names of sessions, as whoever knows one can act in it."""
    sessions = service.sessions
    under_way = [{**_told(number, session), "idle": round(idle)} for number, session, idle in sessions.under_way()]
    return page(
        "gym", places=(), place=None, status=service.status(), under_way=under_way[:SHOWN],
        closed=[_closed(one) for one in sessions.recent], again=AGAIN,
    )  # fmt: skip


def _told(number: int, session: Session) -> dict[str, Any]:
    task = session.task
    said = sum(message.role == "assistant" for message in session.messages[session.blueprint.begins :])
    return {
        "number": number, "task": task.index, "pattern": task.blueprint.pattern, "seed": session.seed, "turns": said,
        "calls": session.calls, "ended": session.ended,
    }  # fmt: skip


def _closed(one: ClosedSession) -> dict[str, Any]:
    reward = one.reward
    lacking = [
        (name, part.score, [reason.message for reason in part.reasons])
        for name, part in reward.parts.items()
        if part.score < 1
    ]
    spoken = [
        (message["role"], message["content"] or "", [call["function"] for call in message.get("tool_calls") or ()])
        for message in one.session.transcript(before=False)[:MESSAGES]
    ]
    return {
        **_told(one.number, one.session), "reward": reward.reward, "standing": reward.standing,
        "lacking": lacking, "messages": spoken,
    }  # fmt: skip
