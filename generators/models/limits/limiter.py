"""Requests of all roles to one model at one address -> each is sent as soon as the endpoint can take it, not before.

A request waits for a place in the `window`, for the `pace` and the tokens, and while the endpoint is dead (`breaker`);
`fair_queue` chooses the next one. A free place is passed on at once.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import Literal, NamedTuple

from interplay.generators.models.limits.breaker import Breaker
from interplay.generators.models.limits.fair_queue import FairQueue
from interplay.generators.models.limits.limit_settings import LimitSettings, LimitSnapshot
from interplay.generators.models.limits.pace import Bucket, LearntPace, Ramp
from interplay.generators.models.limits.window import Window
from interplay.schemas.errors import ModelUnavailable
from interplay.schemas.records.dialogue import Usage

NOTHING = Usage()

EXHAUSTED = 8
"""Refusals in a row after which a long Retry-After is taken to hold for all requests to the endpoint."""

UNWANTED = 16
"""Rejected requests of one role, with none accepted, after which the cause is taken to be the settings."""

Outcome = Literal["answered", "rate_limited", "failed", "rejected", "cancelled", "unsent"]


class EndpointDown(ModelUnavailable):
    """The endpoint is paused because it does not answer."""


@dataclass(slots=True)
class SendTurn:
    """The permission to send one request now."""

    role: str
    sent_at: float
    tokens: int
    probe: bool


class _Waiter(NamedTuple):
    """A request that waits for its turn."""

    future: asyncio.Future[SendTurn]
    tokens: int
    patient: bool


class Limiter:
    """Decides when requests to one endpoint are sent; to be used by one event loop at a time."""

    def __init__(self, name: str, settings: LimitSettings) -> None:
        """Start with no requests; `name` is the endpoint's in the log and in `snapshot`."""
        self.name = name
        self.window = Window(settings.concurrency)
        self.breaker = Breaker(name, settings.patience)
        self.pace = LearntPace()
        self.in_flight = 0
        self.sleeping = 0
        self._requests = _per_minute(settings.requests_per_minute)
        self._tokens = _per_minute(settings.tokens_per_minute)
        self._ramp = Ramp(self.window.limit)
        self._queue: FairQueue[_Waiter] = FairQueue(settings.weights)
        self._entrants: FairQueue[asyncio.Future[None]] = FairQueue(settings.weights)
        self._preparing = 0
        self._timer: tuple[asyncio.AbstractEventLoop, asyncio.TimerHandle] | None = None
        self._refused_in_a_row = 0
        self._taken: set[str] = set()
        self._rejected: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()
        self._errors: Counter[str] = Counter()

    async def enter(self, role: str) -> None:
        """Wait until a request should be prepared, so that thousands can wait without holding payloads in memory."""
        if self._has_room():
            self._preparing += 1
            return
        future = asyncio.get_running_loop().create_future()
        self._entrants.push(role, future)
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self.prepared()
            raise

    def prepared(self) -> None:
        """Note that a request is prepared, or need not be sent; must follow each `enter`."""
        self._preparing -= 1
        while self._entrants and self._has_room():
            _, future = self._entrants.pop()
            if not future.done():
                self._preparing += 1
                future.set_result(None)

    async def turn(self, role: str, tokens: int, again: bool = False, patient: bool = True) -> SendTurn:
        """Wait until a request of about `tokens` tokens may be sent; return the turn with `leave` afterwards.

        `again` puts a retry before the others of its role. Without `patient` the request does not wait for a dead endpoint,
        and is sent to it only as a probe.

        Raises:
            EndpointDown: the endpoint is dead, and has been for too long or the request is not patient.
        """
        loop = asyncio.get_running_loop()
        now = loop.time()
        if self.breaker.open and (not patient or self.breaker.hopeless(now)) and self.breaker.wait(now) > 0:
            raise self._down()
        if not self._queue and self._delay(now) == 0:
            return self._take(role, tokens, now)
        future: asyncio.Future[SendTurn] = loop.create_future()
        self._queue.push(role, _Waiter(future, tokens, patient), first=again)
        self._let_out()
        try:
            return await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled() and future.exception() is None:
                self.leave(future.result(), "unsent")
            raise

    def leave(
        self,
        turn: SendTurn,
        outcome: Outcome,
        usage: Usage = NOTHING,
        why: str = "",
        told: str = "",
        keeps_place: bool = False,
    ) -> None:
        """End a turn with its outcome, and pass its place on.

        `why` is the kind of a failure, `told` its message. With `keeps_place` the place is passed on later, by `kept`, when the
        answer is written and can no longer be lost to a kill.
        """
        now = asyncio.get_running_loop().time()
        busy = self.in_flight
        self.in_flight -= not keeps_place
        if self._tokens is not None:
            self._tokens.take(usage.prompt + usage.completion - turn.tokens)
        if outcome == "unsent":
            self._take_back(turn)
        else:
            self._counts["requests"] += 1
            self._counts["prompt"] += usage.prompt
            self._counts["completion"] += usage.completion
            self._note(turn, outcome, why, told, now, busy)
        self._let_out()

    def kept(self) -> None:
        """Pass on the place of an answer that survives a kill by now."""
        self.in_flight -= 1
        self._let_out()

    def exhausted(self, told: str, wait: float) -> EndpointDown | None:
        """Return an error if the endpoint refuses all requests for the next `wait` seconds, else None."""
        if self._refused_in_a_row < EXHAUSTED:
            return None
        return EndpointDown(
            f"{self.name} refuses all requests, and says to come back in {wait:.0f} s: {told} "
            "Nothing is lost: start the same run again then, or raise the deadline of requests."
        )

    def took(self, role: str) -> None:
        """Note that the endpoint accepted a request of a role, now or in an earlier run."""
        self._taken.add(role)

    def takes_none(self, role: str) -> bool:
        """Tell whether the endpoint has rejected every request of a role so far, and enough of them to blame the settings."""
        return self._rejected[role] >= UNWANTED and role not in self._taken

    def count_error(self, kind: str) -> None:
        """Count an error of this kind for `snapshot`."""
        self._errors[kind] += 1

    def snapshot(self) -> LimitSnapshot:
        """Return the current state."""
        held_back = len(self._queue) if self.in_flight < int(self.window.limit) and not self.breaker.open else 0
        return LimitSnapshot(
            name=self.name,
            in_flight=self.in_flight,
            limit=int(self.window.limit),
            waiting=len(self._queue) + len(self._entrants),
            waiting_on_rate_limit=self.sleeping + held_back,
            rate=self.pace.rate,
            paused=self.breaker.open,
            pause_reason=self.breaker.why if self.breaker.open else "",
            requests=self._counts["requests"],
            answers=self._counts["answers"],
            prompt_tokens=self._counts["prompt"],
            completion_tokens=self._counts["completion"],
            errors=dict(sorted(self._errors.items())),
        )

    def _has_room(self) -> bool:
        """Tell whether one more request may be prepared; while the endpoint is dead all may, to look in the journal."""
        return self.breaker.open or self._preparing + len(self._queue) < max(2.0, self.window.limit)

    def _delay(self, now: float) -> float:
        """Return the seconds until the next request may be sent; infinity if it must wait for the end of another one."""
        if self.breaker.open:
            return self.breaker.wait(now)
        if self.in_flight >= int(self.window.limit):
            return float("inf")
        waits = [bucket.wait(now) for bucket in (self._requests, self._tokens) if bucket is not None]
        return max(self.pace.wait(now), self._ramp.wait(now), *waits)

    def _let_out(self) -> None:
        """Give turns to all waiting requests that may be sent now, and schedule the next call."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        if self.breaker.open and self._queue:
            self._disappoint(everybody=self.breaker.hopeless(now))
        while self._queue:
            delay = self._delay(now)
            if delay > 0:
                self._wake(loop, delay)
                break
            role, waiter = self._queue.pop()
            if not waiter.future.done():
                waiter.future.set_result(self._take(role, waiter.tokens, now))
        self._preparing += 1
        self.prepared()

    def _wake(self, loop: asyncio.AbstractEventLoop, delay: float) -> None:
        """Call `_let_out` again after `delay` seconds, unless an earlier call is scheduled."""
        if delay == float("inf"):
            return
        if self._timer is not None and self._timer[0] is loop:
            if not self._timer[1].cancelled() and loop.time() < self._timer[1].when() <= loop.time() + delay:
                return
            self._timer[1].cancel()
        self._timer = (loop, loop.call_later(delay, self._let_out))

    def _disappoint(self, everybody: bool) -> None:
        """Raise `EndpointDown` for the requests that wait for a dead endpoint: all, or those that are not patient."""
        for waiter in self._queue.take_out(lambda waiter: everybody or not waiter.patient):
            if not waiter.future.done():
                waiter.future.set_exception(self._down())

    def _down(self) -> EndpointDown:
        advice = "" if self.breaker.known else " Is it running, and the base_url right? Try: interplay check."
        return EndpointDown(
            f"{self.name} does not answer: {self.breaker.told}{advice} "
            "Nothing is lost: start the same run again when it does."
        )

    def _take(self, role: str, tokens: int, now: float) -> SendTurn:
        probe = self.breaker.open
        if probe:
            self.breaker.probe(now)
        self.in_flight += 1
        self.pace.sent(now)
        if self._requests is not None:
            self._requests.take(1)
        if self._tokens is not None:
            self._tokens.take(tokens)
        self._ramp.sent()
        return SendTurn(role, now, tokens, probe)

    def _take_back(self, turn: SendTurn) -> None:
        self.pace.unsent()
        if self._requests is not None:
            self._requests.take(-1)
        if turn.probe:
            self.breaker.probe_unsent()

    def _note(self, turn: SendTurn, outcome: Outcome, why: str, told: str, now: float, busy: int) -> None:
        """Adjust breaker, window, pace and counts to the outcome of a request."""
        if outcome == "cancelled":
            return
        if outcome == "failed":
            self._errors[why] += 1
            self.breaker.failed(now, why, told or why, turn.probe, self.window.limit, self.window.round_trip)
            return
        if self.breaker.answered(now):
            self._ramp = Ramp(self.window.limit)
        self._refused_in_a_row = self._refused_in_a_row + 1 if outcome == "rate_limited" else 0
        if outcome == "rate_limited":
            self._errors[why] += 1
            self.pace.refused(turn.sent_at, now)
            self.window.refused(turn.sent_at, now, self.pace.rate is None or busy >= self.window.limit / 2)
            return
        self.pace.answered()
        if outcome == "rejected":
            self._errors[why] += 1
            self._rejected[turn.role] += 1
            return
        self.took(turn.role)
        self._counts["answers"] += 1
        self.window.answered(turn.sent_at, now, busy)
        if self.window.round_trip:
            self.pace.forget(self.window.limit / self.window.round_trip)


def _per_minute(amount: float | None) -> Bucket | None:
    """Return a bucket with a capacity of one second's amount; None for no limit."""
    return None if amount is None else Bucket(amount / 60, max(amount / 60, 1.0))
