"""Answers and 429s -> how many requests may be under way: slow start, then additive growth, shrinking by refusals."""

SLOW_START = 8.0
CEILING = 256
"""Bounds of a window without a configured size."""

BUSY_SHARE = 0.8
"""A window that is used less than this does not grow: it would say nothing."""

STEPS_TO_CEILING = 50
MEMORY = 16
"""Answers over which round trips and the share of refusals are averaged at least; of the latter, a window of them."""


class Window:
    """A limit for requests under way.

    It shrinks at most once a round trip, by half of the share of refused requests, and grows meanwhile: a steady few 429s
    cost a few places, nothing but 429s halves it. Source: Data Center TCP (RFC 8257, section 3.3); slow start and growth
    as in RFC 5681. Other failures say nothing of a limit; see `breaker`.
    """

    def __init__(self, configured: int | None) -> None:
        """Start at the configured size, which is never exceeded, or slowly."""
        self.ceiling = configured or CEILING
        self.limit = float(configured or SLOW_START)
        self.round_trip = 0.0
        self._slow_start = configured is None
        self._refusals = 0.0
        self._shrunk_at = float("-inf")
        self._heard = 0

    def answered(self, sent_at: float, now: float, in_flight: int) -> None:
        """Grow, if so much was in use and nothing speaks against it."""
        took = now - sent_at
        self.round_trip += (took - self.round_trip) / MEMORY if self.round_trip else took
        self._refusals -= self._refusals * self._weight()
        if self.limit >= self.ceiling or in_flight < BUSY_SHARE * self.limit:
            return
        step = 1.0 if self._slow_start else max(1.0, self.ceiling / STEPS_TO_CEILING) / self.limit
        self.limit = min(self.limit + step, self.ceiling)

    def refused(self, sent_at: float, now: float, shrinks: bool) -> None:
        """Note a 429; shrink unless that was done since the request was sent."""
        self._refusals += (1 - self._refusals) * self._weight()
        if self._slow_start:
            self._slow_start, self._refusals = False, 1.0
        if not shrinks or sent_at < self._shrunk_at:
            return
        self.limit = max(1.0, self.limit * (1 - self._refusals / 2))
        self._shrunk_at = now

    def _weight(self) -> float:
        """Return the weight of the newest answer in the share of refusals: the first ones count as much as they are."""
        self._heard += 1
        return 1 / min(self._heard, max(MEMORY, self.limit))
