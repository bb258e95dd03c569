"""Failures of one request -> when to ask again, and when to give up; a pure function of the request, not of chance."""

import asyncio
from collections.abc import Callable
from random import Random

from tenacity import RetryCallState

from interplay.generators.models.limits.limit_settings import RetrySettings
from interplay.generators.models.limits.limiter import SendTurn
from interplay.generators.models.transport.transport_errors import RateLimited, ServerFailed
from interplay.schemas.errors import ModelUnavailable

FIRST_WAIT = 0.1
LONGEST_WAIT = 8.0
LOOK_AGAIN = 5.0
"""Seconds to wait where the server's Retry-After lies beyond the deadline."""

FIRST_LATER = 0.1
LONGEST_LATER = 1.0
"""Waits after a 429 that does not say how long: short, since the pace of all is what helps."""


class RetryState:
    """How one request has fared so far; gives tenacity its answers."""

    __slots__ = ("_began", "_key", "_settings", "attempts", "elapsed", "refusals")

    def __init__(self, key: bytes, settings: RetrySettings) -> None:
        self._key = key
        self._settings = settings
        self.attempts = 0
        self.refusals = 0
        self.elapsed = 0.0
        self._began: float | None = None

    def note(self, error: ModelUnavailable, turn: SendTurn, paused: Callable[[float], float]) -> None:
        """Count a failure, unless it only told that the endpoint is still dead; `paused` tells how long it has been."""
        if isinstance(error, RateLimited):
            self.refusals += 1
        elif not turn.probe:
            self.attempts += 1
        now = asyncio.get_running_loop().time()
        if self._began is None:
            self._began = turn.sent_at - paused(turn.sent_at)
        self.elapsed = now - paused(now) - self._began

    def wait(self, state: RetryCallState) -> float:
        """Return the seconds to wait: what the endpoint says, else longer each time and scattered."""
        error = state.outcome.exception() if state.outcome else None
        told = error.retry_after if isinstance(error, (RateLimited, ServerFailed)) else None
        scatter: float = 0.5 + Random(self._key + bytes((self.attempts % 256, self.refusals % 256))).random()
        if told is not None and self.elapsed + told > self._settings.deadline:
            told = LOOK_AGAIN  # it may be meant for this request alone; see `Limiter.exhausted`
        if told is not None:
            return told + 0.1 * scatter
        if isinstance(error, RateLimited):
            return min(FIRST_LATER * 2.0 ** min(self.refusals - 1, 10), LONGEST_LATER) * scatter
        return min(FIRST_WAIT * 2.0 ** min(self.attempts - 1, 10), LONGEST_WAIT) * scatter if self.attempts else 0.0

    def stop(self, state: RetryCallState) -> bool:
        """Tell whether to give up; a wait that ends after the deadline is not begun."""
        return (
            self.attempts >= self._settings.attempts
            or self.elapsed + float(state.upcoming_sleep or 0.0) > self._settings.deadline
        )
