"""Failures of an endpoint -> a pause for everybody while it is dead, with one request at a time to see if it is back."""

import logging

SHORTEST_STREAK = 4
LONGEST_STREAK = 16
SILENT_ROUNDS = 2
"""How many failures without one answer between make an endpoint dead, by the number of requests under way; provided that
there was none for as long as two answers take, since failures are heard sooner; or that as many failed as may be under
way."""

FIRST_PROBE = 0.25
PROBE_SHARE = 0.1
LONGEST_WAIT = 10.0
PROBE_SILENCE = 5.0
"""A probe goes out after a tenth of the pause so far, so that its end is noticed at most 10 % late; and another
one when nothing was heard of it for some seconds, since the answer to a silent one may never come."""

STRANGER = 6.0
"""Seconds for which one that has never answered is waited for at most: an address may be wrong."""

log = logging.getLogger(__name__)


class Breaker:
    """Closed while the endpoint answers; open from a streak of failures until an answer comes."""

    def __init__(self, name: str, patience: float) -> None:
        """Name the endpoint for the log; after `patience` seconds without an answer, waiting ends."""
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
        """Tell whether it has been dead for so long that waiting makes no sense."""
        patience = self.patience if self.known else min(self.patience, STRANGER)
        return self.opened_at is not None and now - self.opened_at >= patience

    def paused(self, now: float) -> float:
        """Return the seconds of all pauses so far."""
        return self._paused_before + (now - self.opened_at if self.opened_at is not None else 0.0)

    def wait(self, now: float) -> float:
        """Return the seconds until a request may go out as a probe."""
        return max(0.0, self._probe_at - now)

    def probe(self, now: float) -> None:
        """Note that a probe goes out."""
        self._probe_at = now + PROBE_SILENCE

    def probe_unsent(self) -> None:
        """Note that a probe did not go out after all."""
        self._probe_at = 0.0

    def answered(self, now: float) -> bool:
        """Note any sign of life; tell whether it ends a pause."""
        self._streak, self._alive_at = 0, now
        if self.opened_at is None:
            return False
        log.warning("%s answers again after %.1f s.", self.name, now - self.opened_at)
        self._paused_before += now - self.opened_at
        self.opened_at = None
        return True

    def failed(self, now: float, why: str, told: str, probe: bool, limit: float, round_trip: float) -> None:
        """Note a failure with its kind and message; enough of them in a row open the breaker."""
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
