"""Failures of one request -> when to retry, and when to give up; jitter derives from the request, not from chance."""

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
"""Seconds to wait if the server's Retry-After is beyond the deadline."""

FIRST_LATER = 0.1
LONGEST_LATER = 1.0
"""Seconds to wait after a 429 without Retry-After: few, since the common pace slows all requests down anyway."""


class RetryState:
    """The failures of one request so far; provides `wait` and `stop` for tenacity."""

    __slots__ = ("_began", "_key", "_settings", "attempts", "elapsed", "refusals")

    def __init__(self, key: bytes, settings: RetrySettings) -> None:
        self._key = key
        self._settings = settings
        self.attempts = 0
        self.refusals = 0
        self.elapsed = 0.0
        self._began: float | None = None

    def note(self, error: ModelUnavailable, turn: SendTurn, paused: Callable[[float], float]) -> None:
        """Count a failure, unless it is that of a probe; `paused` is `Breaker.paused`, whose time does not count."""
        if isinstance(error, RateLimited):
            self.refusals += 1
        elif not turn.probe:
            self.attempts += 1
        now = asyncio.get_running_loop().time()
        if self._began is None:
            self._began = turn.sent_at - paused(turn.sent_at)
        self.elapsed = now - paused(now) - self._began

    def wait(self, state: RetryCallState) -> float:
        """Return the seconds to wait: what the endpoint says, else exponential backoff with jitter."""
        error = state.outcome.exception() if state.outcome else None
        told = error.retry_after if isinstance(error, (RateLimited, ServerFailed)) else None
        scatter: float = 0.5 + Random(self._key + bytes((self.attempts % 256, self.refusals % 256))).random()
        if told is not None and self.elapsed + told > self._settings.deadline:
            told = LOOK_AGAIN  # other requests may pass; see `Limiter.exhausted`
        if told is not None:
            return told + 0.1 * scatter
        if isinstance(error, RateLimited):
            return min(FIRST_LATER * 2.0 ** min(self.refusals - 1, 10), LONGEST_LATER) * scatter
        return min(FIRST_WAIT * 2.0 ** min(self.attempts - 1, 10), LONGEST_WAIT) * scatter if self.attempts else 0.0

    def stop(self, state: RetryCallState) -> bool:
        """Tell whether to give up: no attempts are left, or the wait would end after the deadline."""
        return (
            self.attempts >= self._settings.attempts
            or self.elapsed + float(state.upcoming_sleep or 0.0) > self._settings.deadline
        )
