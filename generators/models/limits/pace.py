"""Start-up ramp, requests and tokens per minute, and 429s -> how long the next request has to wait."""

NOTICED = 5
NOTICED_SHARE = 0.25
"""Least number of 429s, and least share of the requests sent within `FIRST_SECONDS`, that show a rate limit rather than a
hiccup. The share is of requests, not of answers, since refusals return sooner than answers."""

FIRST_SECONDS = 1.0
"""Shortest time over which a rate is measured: an endpoint may admit a second's requests all at its beginning."""

FIRST_RATE = 4.0
"""Least initial rate, in requests per second: an endpoint that admits only an even pace seems to admit none at first."""

SEARCH_SECONDS, SEARCH_REQUESTS, SEARCH_GROWTH = 0.3, 3, 1.5
"""A rate is good if nothing is refused for that many seconds and requests; while no bad rate is known, the next one tried is
higher by the factor."""

TRIAL_SECONDS, TRIAL_REQUESTS, LONGEST_TRIAL = 1.0, 10, 16.0
"""Seconds and requests for which the middle between a good and a bad rate is tried; the time doubles after each bad rate, up
to the longest: a burst allowance saved up at a lower rate hides for a while that a rate is too high."""

REFUSED = 2
"""Number of 429s at a rate that make it a bad one; a single one may be the end of a burst, or bad timing."""

PARDON_REQUESTS = 40
"""Number of requests after which a single 429 is forgotten."""

CLOSE = 1.05
BACK = 0.95
"""Ratio of bad to good rate at which the search ends, and the factor by which to go below a bad rate."""

CRUISE_SECONDS = 30.0
HIGHER = 1.1
"""Seconds without a change of rate after which a higher one is tried, and its factor: the endpoint may admit more by then."""

RAMP_START, RAMP_STEP, RAMP_FASTEST = 150.0, 10.0, 1500.0
"""Requests per second at which the first window is sent: the start, the increase with each request, and the maximum. So
connections are set up one by one, and a refusal comes before all requests are sent."""

LONGEST_GAP = 5.0
SLOWEST = 0.2
"""Longest pause after a refusal, in seconds, and least rate, in requests per second."""


class Bucket:
    """A token bucket; it may run into debt, since estimated amounts are corrected afterwards."""

    def __init__(self, per_second: float, capacity: float) -> None:
        self.per_second = per_second
        self.capacity = capacity
        self._level = capacity
        self._at: float | None = None

    def wait(self, now: float) -> float:
        """Return the seconds until the level is above zero."""
        self._fill(now)
        return 0.0 if self._level > 1e-9 else -self._level / self.per_second + 1e-6

    def take(self, amount: float) -> None:
        """Take an amount out, or put a negative one back."""
        self._level = min(self._level - amount, self.capacity)

    def _fill(self, now: float) -> None:
        if self._at is not None:
            self._level = min(self.capacity, self._level + (now - self._at) * self.per_second)
        self._at = now


class Ramp:
    """Spaces out the first window of requests at a growing rate; later requests do not wait."""

    def __init__(self, window: float) -> None:
        self._left = int(window)
        self._bucket = Bucket(RAMP_START, 1.0)

    def wait(self, now: float) -> float:
        """Return the seconds until the next request may be sent."""
        return self._bucket.wait(now) if self._left > 0 else 0.0

    def sent(self) -> None:
        """Note that a request is sent."""
        if self._left > 0:
            self._left -= 1
            self._bucket.take(1)
            self._bucket.per_second = min(self._bucket.per_second + RAMP_STEP, RAMP_FASTEST)


class LearntPace:
    """Learns from refusals how many requests per second an endpoint admits, and stays just below that rate.

    Some endpoints admit a burst first; others admit none, and refuse every other request above the rate.
    """

    def __init__(self) -> None:
        self.rate: float | None = None
        self._good = 0.0
        self._bad = float("inf")
        self._trial = TRIAL_SECONDS
        self._refused_in_a_row = 0
        self._slowed_at = float("-inf")
        self._next_at = 0.0
        self._began = float("-inf")
        self._sent = self._refused = 0
        self._binding = False

    def wait(self, now: float) -> float:
        """Return the seconds until the next request may be sent."""
        if self.rate is None or now >= self._next_at:
            return 0.0
        self._binding = True
        return self._next_at - now

    def sent(self, now: float) -> None:
        """Note that a request is sent."""
        if self.rate is None:
            if now - self._began > FIRST_SECONDS:
                self._begin(now)
        else:
            self._review(self.rate, now)
            # A late timer must not lower the rate, and idle time must not be saved up for a burst.
            self._next_at = max(self._next_at + 1 / self.rate, now + 0.5 / self.rate)
        self._sent += 1

    def unsent(self) -> None:
        """Take back the last `sent`."""
        self._sent -= 1
        self._next_at = 0.0

    def answered(self) -> None:
        """Note a request that was not refused."""
        self._refused_in_a_row = 0

    def refused(self, sent_at: float, now: float) -> None:
        """Note a 429 for a request sent at `sent_at`."""
        self._refused += sent_at >= self._began
        if self.rate is None:
            if self._refused >= max(NOTICED, NOTICED_SHARE * self._sent):
                self._learn(now)
        elif sent_at > self._slowed_at:
            self._slowed_at = now
            self._refused_in_a_row += 1
            gap = min(2 ** (self._refused_in_a_row - 1) / self.rate, LONGEST_GAP)
            self._next_at = max(self._next_at, now + gap)

    def forget(self, needed: float) -> None:
        """Drop a rate far above the needed one, since it has no effect."""
        if self.rate is not None and self.rate > 2 * needed:
            self.rate = None
            self._began = float("-inf")

    def _learn(self, now: float) -> None:
        """Start with the rate that was admitted since the beginning; requests in flight count as admitted."""
        rate = (self._sent - self._refused) / max(now - self._began, FIRST_SECONDS)
        self._good, self._bad, self._trial, self._refused_in_a_row = 0.0, float("inf"), TRIAL_SECONDS, 0
        self._take_up(max(rate * BACK, FIRST_RATE), now)
        self._next_at, self._slowed_at = now + 1 / max(rate, FIRST_RATE), now

    def _take_up(self, rate: float, now: float) -> None:
        self.rate = rate
        self._begin(now)

    def _begin(self, now: float) -> None:
        self._began, self._sent, self._refused, self._binding = now, 0, 0, False

    def _review(self, rate: float, now: float) -> None:
        """Switch to another rate if enough is known about the current one."""
        span, admitted = now - self._began, self._sent - self._refused
        if self._refused >= REFUSED and admitted:
            self._turn_back(rate, admitted / span, now)
        elif self._refused or not self._binding:
            searching = not self._good and self._bad == float("inf")
            if self._sent >= (2 * SEARCH_REQUESTS if searching else PARDON_REQUESTS):
                self._begin(now)
        elif self._bad > rate * 100:
            if span >= SEARCH_SECONDS and self._sent >= SEARCH_REQUESTS:
                self._good = rate
                self._take_up(rate * SEARCH_GROWTH, now)
        elif self._bad > rate * CLOSE:
            if span >= self._trial and self._sent >= TRIAL_REQUESTS:
                self._good = rate
                self._take_up((rate * self._bad) ** 0.5, now)
        elif span >= CRUISE_SECONDS:
            self._good = rate
            self._bad = float("inf")
            self._take_up(rate * HIGHER, now)

    def _turn_back(self, rate: float, admitted: float, now: float) -> None:
        """Leave a rate at which requests are refused for a good one, or for the admitted rate."""
        if self._good and self._good < rate:
            self._bad, self._trial = rate, min(2 * self._trial, LONGEST_TRIAL)
            self._take_up(self._good, now)
        else:
            # The refusals may be due to requests sent at a higher rate, so only a rate above this one counts as bad.
            self._bad, self._good = rate * HIGHER, 0.0
            self._take_up(max(min(rate * BACK, admitted), rate / 2, SLOWEST), now)
