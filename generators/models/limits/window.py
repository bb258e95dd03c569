"""Answers and 429s -> how many requests may be in flight: slow start, then additive growth; refusals shrink it."""

SLOW_START = 8.0
CEILING = 256
"""Initial and largest size of a window without a configured size."""

BUSY_SHARE = 0.8
"""Least share of the window in use for an answer to make it grow."""

STEPS_TO_CEILING = 50
MEMORY = 16
"""Number of answers over which round trips are averaged; the share of refusals is averaged over a window of them if larger."""


class Window:
    """A limit for requests in flight, as the congestion window of TCP.

    It shrinks at most once per round trip, by half of the share of refused requests, and grows otherwise: a few steady 429s
    cost a few places, nothing but 429s halve it. Source: Data Center TCP (RFC 8257, section 3.3); slow start and growth
    as in RFC 5681. Other failures do not affect it; see `breaker`.
    """

    def __init__(self, configured: int | None) -> None:
        """Start at the configured size, which is then also the maximum, or with slow start."""
        self.ceiling = configured or CEILING
        self.limit = float(configured or SLOW_START)
        self.round_trip = 0.0
        self._slow_start = configured is None
        self._refusals = 0.0
        self._shrunk_at = float("-inf")
        self._heard = 0

    def answered(self, sent_at: float, now: float, in_flight: int) -> None:
        """Note an answer; grow if enough of the window was in use."""
        took = now - sent_at
        self.round_trip += (took - self.round_trip) / MEMORY if self.round_trip else took
        self._refusals -= self._refusals * self._weight()
        if self.limit >= self.ceiling or in_flight < BUSY_SHARE * self.limit:
            return
        step = 1.0 if self._slow_start else max(1.0, self.ceiling / STEPS_TO_CEILING) / self.limit
        self.limit = min(self.limit + step, self.ceiling)

    def refused(self, sent_at: float, now: float, shrinks: bool) -> None:
        """Note a 429; if `shrinks`, shrink unless that happened since the request was sent."""
        self._refusals += (1 - self._refusals) * self._weight()
        if self._slow_start:
            self._slow_start, self._refusals = False, 1.0
        if not shrinks or sent_at < self._shrunk_at:
            return
        self.limit = max(1.0, self.limit * (1 - self._refusals / 2))
        self._shrunk_at = now

    def _weight(self) -> float:
        """Return the weight of the newest answer in the running share of refusals; the first answers have equal weights."""
        self._heard += 1
        return 1 / min(self._heard, max(MEMORY, self.limit))
