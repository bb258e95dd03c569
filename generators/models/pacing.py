"""Requests a minute, tokens a minute, and what 429s tell of them -> how long the next request has to wait."""

from collections import deque

NOTICED = 6
NOTICED_OF = 12
"""So many 429s among so many last requests mean that the endpoint admits a rate, and not that it has a hiccup."""

WINDOW_SECONDS = 1.0
WINDOW_REQUESTS = 20
LONGEST_WINDOW = 10.0
"""What was admitted is measured over at least a second and this many requests, or over the longest window."""

GROWTH = (1.03, 1.05, 1.1, 1.25, 1.5, 2.0)
"""How the rate grows from one window without a 429 to the next: a step of 3 % wastes 3 % where it was right."""

LONGEST_GAP = 2.0
SLOWEST = 0.02
"""Requests a second below which a pace never falls."""


class Bucket:
    """Something of which so much a second may be used. It may run into debt: an estimate is put right afterwards."""

    def __init__(self, per_second: float, capacity: float) -> None:
        """Start full."""
        self.per_second = per_second
        self.capacity = capacity
        self._level = capacity
        self._at: float | None = None

    def wait(self, now: float) -> float:
        """Return the seconds until there is something in it."""
        self._fill(now)
        return 0.0 if self._level > 1e-9 else -self._level / self.per_second + 1e-6

    def take(self, amount: float) -> None:
        """Take out, or with a negative amount put back."""
        self._level = min(self._level - amount, self.capacity)

    def _fill(self, now: float) -> None:
        if self._at is not None:
            self._level = min(self.capacity, self._level + (now - self._at) * self.per_second)
        self._at = now


class LearntPace:
    """The requests a second that an endpoint admits, learnt from those that it refused."""

    def __init__(self) -> None:
        """Start without a pace."""
        self.rate: float | None = None
        self._last: deque[bool] = deque(maxlen=NOTICED_OF)
        self._refused_in_a_row = 0
        self._last_refused_sent = float("-inf")
        self._next_at = 0.0
        self._began = float("-inf")
        self._sent = self._refused = self._clean_windows = 0
        self._binding = False

    def wait(self, now: float) -> float:
        """Return the seconds until the next request may go out."""
        if self.rate is None or now >= self._next_at:
            return 0.0
        self._binding = True
        return self._next_at - now

    def sent(self, now: float) -> None:
        """Note that a request goes out."""
        if self.rate is None:
            if now - self._began > WINDOW_SECONDS:
                self._begin(now)
            self._sent += 1
            return
        self._adjust(now)
        self._sent += 1
        # A timer that fires late must not lower the rate, nor may idle time be saved up for a burst.
        self._next_at = max(self._next_at + 1 / self.rate, now + 0.5 / self.rate)

    def unsent(self) -> None:
        """Take back the last `sent`."""
        self._sent -= 1
        self._next_at = 0.0

    def answered(self) -> None:
        """Note a request that was not refused."""
        self._last.append(False)
        self._refused_in_a_row = 0

    def refused(self, sent_at: float, now: float) -> None:
        """Note a 429 to a request of `sent_at`."""
        self._last.append(True)
        if sent_at >= self._began:
            self._refused += 1
        if self.rate is None:
            if sum(self._last) >= NOTICED:
                self.rate = self._measured(now)
                self._clean_windows = 0
                self._begin(now)
                self._next_at = now + 1 / self.rate
        elif sent_at > self._last_refused_sent:
            self._refused_in_a_row += 1
            self._next_at = max(self._next_at, now + min(2**self._refused_in_a_row / self.rate, LONGEST_GAP))
        self._last_refused_sent = max(self._last_refused_sent, sent_at)

    def forget(self, needed: float) -> None:
        """Give up a pace that is far above what is needed: it holds nobody back."""
        if self.rate is not None and self.rate > 2 * needed:
            self.rate = None
            self._last.clear()

    def _begin(self, now: float) -> None:
        self._began, self._sent, self._refused, self._binding = now, 0, 0, False

    def _measured(self, now: float) -> float:
        """Return what was admitted a second in this window; what is under way counts as admitted."""
        return max((self._sent - self._refused) / max(now - self._began, WINDOW_SECONDS), SLOWEST)

    def _adjust(self, now: float) -> None:
        """At the end of a window, go on from what was admitted in it, a little faster."""
        span = now - self._began
        if self.rate is None or span < WINDOW_SECONDS or (self._sent < WINDOW_REQUESTS and span < LONGEST_WINDOW):
            return
        if self._refused:
            self._clean_windows = 0
            self.rate = min(self.rate, self._measured(now)) * GROWTH[0]
        elif self._binding:
            self.rate *= GROWTH[min(self._clean_windows, len(GROWTH) - 1)]
            self._clean_windows += 1
        self._begin(now)
