"""Refuses requests that do not come from the person who was given the address.

The printed address holds a token. The first visit with it sets a cookie, and redirects to the same page without it.
Requests under a host name other than this machine's are refused too (DNS rebinding).
"""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import PlainTextResponse, RedirectResponse, Response

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Forbid resources from elsewhere and scripts within pages, and keep pages out of caches and referrers."""

_Next = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Guard:
    """Middleware that lets requests to one port through if they hold the token."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @property
    def address(self) -> str:
        """The address to open, with the token."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    @property
    def _cookie(self) -> str:
        return f"interplay-{self.port}"  # browsers share cookies between all ports of a host

    async def __call__(self, request: Request, call_next: _Next) -> Response:
        """Pass a request on, or refuse it."""
        response = self._refusal(request) or await call_next(request)
        response.headers.update(HEADERS)
        return response

    def _refusal(self, request: Request) -> Response | None:
        if request.headers.get("host") not in (f"127.0.0.1:{self.port}", f"localhost:{self.port}"):
            return PlainTextResponse("This page is looked at from this machine alone.\n", 403)
        origin = request.headers.get("origin")
        if request.method != "GET" and origin != f"http://{request.headers['host']}":
            return PlainTextResponse("This was not sent from this page.\n", 403)
        if self._is_token(request.query_params.get("token", "")):
            rest = [(key, value) for key, value in request.query_params.multi_items() if key != "token"]
            there = RedirectResponse(f"/{request.url.path.lstrip(chr(47))}{'?' if rest else ''}{urlencode(rest)}", 303)
            there.set_cookie(self._cookie, self.token, httponly=True, samesite="strict")
            return there
        if self._is_token(request.cookies.get(self._cookie, "")):
            return None
        return PlainTextResponse("Open the address that `interplay view` printed: it holds a token.\n", 401)

    def _is_token(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self.token.encode())
