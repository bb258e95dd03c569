"""Start-up, requests and tokens a minute, and 429s -> how long the next request has to wait."""

NOTICED = 5
NOTICED_SHARE = 0.25
"""So many 429s, and such a share of what was sent within a second, mean that the endpoint admits a rate, and not that it
has a hiccup. Refusals are heard sooner than answers: compared with answers, they would always seem to be many."""

FIRST_SECONDS = 1.0
"""Over less than this nothing can be said of a rate: what is admitted a second may all come at its beginning."""

FIRST_RATE = 4.0
"""Requests a second to begin with at least: so early, one that admits nothing but an even pace seems to admit none."""

SEARCH_SECONDS, SEARCH_REQUESTS, SEARCH_GROWTH = 0.3, 3, 1.5
"""A rate at which nothing is refused for so long is good; while no bad one is known, the next one is higher by half."""

TRIAL_SECONDS, TRIAL_REQUESTS, LONGEST_TRIAL = 1.0, 10, 16.0
"""Between a good and a bad rate, the one in the middle is tried for so long, and twice as long after each bad one: what an
endpoint saved up while less was asked of it hides for a while that a rate is too high."""

REFUSED = 2
"""So many 429s since a rate was taken up make it a bad one; one alone may be the end of a burst, or bad timing."""

PARDON_REQUESTS = 40
"""Number of requests after which a single 429 is forgotten."""

CLOSE = 1.05
BACK = 0.95
"""How near the bad rate may be to the good one where the search ends, and how much lower to go on from a bad one."""

CRUISE_SECONDS = 30.0
HIGHER = 1.1
"""Every now and then the endpoint may admit more than before: so much is tried."""

RAMP_START, RAMP_STEP, RAMP_FASTEST = 150.0, 10.0, 1500.0
"""A first window of requests goes out at so many a second, with each faster by a step: connections are set up one after the
other, and a refusal is heard before the rest is sent."""

LONGEST_GAP = 5.0
SLOWEST = 0.2
"""Requests a second below which a pace never falls."""


class Bucket:
    """Something of which so much a second may be used. It may run into debt: an estimate is put right afterwards."""

    def __init__(self, per_second: float, capacity: float) -> None:
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


class Ramp:
    """A first window of requests, sent one after the other and each sooner; what follows goes out at once."""

    def __init__(self, window: float) -> None:
        self._left = int(window)
        self._bucket = Bucket(RAMP_START, 1.0)

    def wait(self, now: float) -> float:
        """Return the seconds until the next request may go out."""
        return self._bucket.wait(now) if self._left > 0 else 0.0

    def sent(self) -> None:
        """Note that a request goes out."""
        if self._left > 0:
            self._left -= 1
            self._bucket.take(1)
            self._bucket.per_second = min(self._bucket.per_second + RAMP_STEP, RAMP_FASTEST)


class LearntPace:
    """Learns from refusals how many requests a second an endpoint admits.

    It stays just below the rate at which requests are refused: some endpoints admit a burst first, others none at all, and
    above the rate the latter refuse every other request.
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
        """Return the seconds until the next request may go out."""
        if self.rate is None or now >= self._next_at:
            return 0.0
        self._binding = True
        return self._next_at - now

    def sent(self, now: float) -> None:
        """Note that a request goes out."""
        if self.rate is None:
            if now - self._began > FIRST_SECONDS:
                self._begin(now)
        else:
            self._review(self.rate, now)
            # A timer that fires late must not lower the rate, nor may idle time be saved up for a burst.
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
        """Note a 429 to a request of `sent_at`."""
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
        """Drop a pace that is far above what is needed, since it has no effect."""
        if self.rate is not None and self.rate > 2 * needed:
            self.rate = None
            self._began = float("-inf")

    def _learn(self, now: float) -> None:
        """Take up what was admitted in the last second; what is under way counts as admitted."""
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
        """Go on to another rate, if enough is known of this one."""
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
        """Leave a rate at which requests are refused: for a good one, or for what was admitted."""
        if self._good and self._good < rate:
            self._bad, self._trial = rate, min(2 * self._trial, LONGEST_TRIAL)
            self._take_up(self._good, now)
        else:
            # It may have been refused for what was sent before: it is not known to be bad, only something above it is.
            self._bad, self._good = rate * HIGHER, 0.0
            self._take_up(max(min(rate * BACK, admitted), rate / 2, SLOWEST), now)
