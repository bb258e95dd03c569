"""Failures of an endpoint -> a pause for all requests while it is dead, with one probe at a time to see if it is back."""

import logging

SHORTEST_STREAK = 4
LONGEST_STREAK = 16
SILENT_ROUNDS = 2
"""Bounds of the number of failures in a row (a quarter of the window) that make an endpoint dead, provided that no answer
came for two round trips, since failures return sooner than answers, or that a whole window of requests failed."""

FIRST_PROBE = 0.25
PROBE_SHARE = 0.1
LONGEST_WAIT = 10.0
PROBE_SILENCE = 5.0
"""In seconds, but for the share. After a failed probe the next one is sent after a tenth of the pause so far, within bounds, so
that recovery is noticed at most 10 % late; a probe without any outcome is followed by another one after `PROBE_SILENCE`."""

STRANGER = 6.0
"""Most seconds to wait for an endpoint that has never answered: its address may be wrong."""

log = logging.getLogger(__name__)


class Breaker:
    """A circuit breaker: closed while the endpoint answers, open from a streak of failures until the next answer."""

    def __init__(self, name: str, patience: float) -> None:
        """Start closed; `name` is for the log, and after `patience` seconds of a pause it is `hopeless`."""
        self.name = name
        self.patience = patience
        self.opened_at: float | None = None
        self.why = ""
        self.told = ""
        self._streak = 0
        self._alive_at = float("-inf")
        self._probe_at = 0.0
        self._paused_before = 0.0

    @property
    def open(self) -> bool:
        """Tell whether the endpoint counts as dead."""
        return self.opened_at is not None

    @property
    def known(self) -> bool:
        """Tell whether the endpoint has ever answered."""
        return self._alive_at > float("-inf")

    def hopeless(self, now: float) -> bool:
        """Tell whether the endpoint has been dead for longer than the patience."""
        patience = self.patience if self.known else min(self.patience, STRANGER)
        return self.opened_at is not None and now - self.opened_at >= patience

    def paused(self, now: float) -> float:
        """Return the seconds of all pauses so far, including the current one."""
        return self._paused_before + (now - self.opened_at if self.opened_at is not None else 0.0)

    def wait(self, now: float) -> float:
        """Return the seconds until a request may be sent as a probe."""
        return max(0.0, self._probe_at - now)

    def probe(self, now: float) -> None:
        """Note that a probe is sent."""
        self._probe_at = now + PROBE_SILENCE

    def probe_unsent(self) -> None:
        """Note that a probe was not sent after all."""
        self._probe_at = 0.0

    def answered(self, now: float) -> bool:
        """Note any answer of the endpoint; return whether it ends a pause."""
        self._streak, self._alive_at = 0, now
        if self.opened_at is None:
            return False
        log.warning("%s answers again after %.1f s.", self.name, now - self.opened_at)
        self._paused_before += now - self.opened_at
        self.opened_at = None
        return True

    def failed(self, now: float, why: str, told: str, probe: bool, limit: float, round_trip: float) -> None:
        """Note a failure; enough of them in a row open the breaker.

        `why` is its kind, `told` its message, `limit` the window's size, `round_trip` is in seconds.
        """
        self._streak += 1
        if self.opened_at is not None:
            if probe:
                pause = PROBE_SHARE * (now - self.opened_at)
                self._probe_at = now + min(max(pause, FIRST_PROBE), LONGEST_WAIT)
        elif self._streak >= min(max(limit / 4, SHORTEST_STREAK), LONGEST_STREAK) and (
            now - self._alive_at > SILENT_ROUNDS * round_trip or self._streak >= limit
        ):
            self.opened_at, self.why, self.told = now, why, told
            self._probe_at = now + FIRST_PROBE
            log.warning("%s is paused after %d failures in a row: %s", self.name, self._streak, told)
