"""Decides which requests to the gym are served: not too large, and with the token or from this machine."""

import hmac

from fastapi import Request
from fastapi.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from interplay.flows.gym.live_page import STYLE

LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")


class BoundedBodies:
    """Middleware that refuses requests with too large bodies, declared or not, before they are read as a whole."""

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
            answer = error_answer(413, "RequestTooLarge", f"At most {self._most} bytes are read (gym: body).")
            await answer(scope, receive, send)
            return

        async def again() -> Message:
            return body.pop(0) if body else await receive()

        await self._app(scope, again, send)


def refusal(request: Request, token: str, hosts: tuple[str, ...]) -> JSONResponse | None:
    """Return the response that refuses a request, or None: it must bear the token, or, without one, name a local host."""
    if token:
        borne = request.headers.get("authorization", "")
        if request.method == "GET" and request.url.path in ("/", STYLE):  # a browser cannot send the header
            borne = borne or f"Bearer {request.query_params.get('token', '')}"
        if not hmac.compare_digest(borne.encode(), f"Bearer {token}".encode()):
            return error_answer(401, "Unauthorized", "Send the token that was printed: Authorization: Bearer TOKEN")
        return None
    host = request.headers.get("host", "").rsplit(":", 1)[0]
    if host not in hosts:
        return error_answer(403, "Forbidden", "This server answers requests to this machine alone.")
    if request.headers.get("origin") is not None:
        return error_answer(403, "Forbidden", "This server does not answer pages of a browser.")
    return None


def error_answer(status: int, kind: str, message: str) -> JSONResponse:
    """Return an error response in the form that all routes use."""
    return JSONResponse({"error": {"kind": kind, "message": message}}, status_code=status)
