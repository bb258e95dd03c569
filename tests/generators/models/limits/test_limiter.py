import asyncio
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from tests.generators.models.clock import run_fast

from interplay.generators.models.limits.fair_queue import FairQueue
from interplay.generators.models.limits.limit_settings import LimitSettings
from interplay.generators.models.limits.limiter import EXHAUSTED, UNWANTED, EndpointDown, Limiter
from interplay.generators.models.limits.window import Window
from interplay.generators.models.providers.usage import usage_of
from interplay.schemas.records.dialogue import Usage

LATENCY = 0.05


def now() -> float:
    return asyncio.get_running_loop().time()


class Admitting:
    """A server that admits `rate` requests a second, after a burst."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst, self.level, self.at = rate, burst, burst, 0.0

    def __call__(self) -> bool:
        self.level, self.at = min(self.burst, self.level + (now() - self.at) * self.rate), now()
        admitted = self.level >= 1
        self.level -= admitted
        return admitted


async def ask(limiter: Limiter, admits: Callable[[], bool], role: str = "user", tokens: int = 10) -> int:
    """Ask until there is an answer; return how often it was refused."""
    refused = 0
    while True:
        turn = await limiter.turn(role, tokens, again=refused > 0)
        await asyncio.sleep(0.002)
        if admits():
            await asyncio.sleep(LATENCY)
            limiter.leave(turn, "answered", Usage(prompt=tokens))
            return refused
        limiter.leave(turn, "rate_limited", why="429")
        refused += 1
        await asyncio.sleep(min(0.1 * 2**refused, 1.0))


def played(limiter: Limiter, admits: Callable[[], bool], requests: int) -> tuple[float, float]:
    """Return the answers a second and the share of refused requests."""

    async def scenario() -> tuple[float, float]:
        refused = sum(await asyncio.gather(*(ask(limiter, admits) for _ in range(requests))))
        return requests / now(), refused / (requests + refused)

    return run_fast(scenario())


def test_learns_the_rate_that_is_admitted() -> None:
    for burst in (1, 10):
        limiter = Limiter("m", LimitSettings(concurrency=100))
        per_second, wasted = played(limiter, Admitting(10, burst), 600)
        assert per_second > 9
        assert wasted < 0.1


def test_keeps_the_window_full() -> None:
    limiter = Limiter("m", LimitSettings(concurrency=100))
    per_second, _ = played(limiter, lambda: True, 5000)
    assert per_second > 0.9 * 100 / (LATENCY + 0.002)


def test_starts_slowly_where_nothing_is_configured() -> None:
    limiter = Limiter("m", LimitSettings())
    assert limiter.snapshot().limit == 8
    played(limiter, lambda: True, 2000)
    assert limiter.snapshot().limit == 256


def test_shrinks_once_a_round_trip_and_only_by_429s() -> None:
    async def scenario() -> list[int]:
        limiter = Limiter("m", LimitSettings(concurrency=20))
        limits = []
        for outcome in ("failed", "rate_limited"):
            turns = [await limiter.turn("user", 1) for _ in range(10)]
            await asyncio.sleep(1)
            for turn in turns:
                limiter.leave(turn, outcome, why=outcome)  # type: ignore[arg-type]
                limits.append(limiter.snapshot().limit)
            limiter.breaker.answered(now())
        return limits

    limits = run_fast(scenario())
    assert set(limits[:10]) == {20}
    assert len(set(limits[10:])) == 1
    assert limits[10] < 20


def test_keeps_to_requests_and_tokens_a_minute() -> None:
    per_second, _ = played(Limiter("m", LimitSettings(concurrency=100, requests_per_minute=600)), lambda: True, 300)
    assert 9 < per_second < 11
    per_second, _ = played(Limiter("m", LimitSettings(concurrency=100, tokens_per_minute=6000)), lambda: True, 300)
    assert 9 < per_second < 11


def test_shares_places_by_weight_and_starves_nobody() -> None:
    queue: FairQueue[int] = FairQueue({"user": 3, "reviewer": 1})
    for number in range(400):
        queue.push("user", number)
    for number in range(40):
        queue.push("reviewer", number)
    first = Counter(queue.pop()[0] for _ in range(80))
    assert first == {"user": 60, "reviewer": 20}


def test_does_not_wait_for_a_dead_endpoint_without_patience() -> None:
    async def scenario() -> None:
        limiter = Limiter("m", LimitSettings(concurrency=4))
        for _ in range(4):
            limiter.leave(await limiter.turn("user", 1), "failed", why="dropped")
        assert limiter.snapshot().paused
        assert limiter.snapshot().pause_reason == "dropped"
        with pytest.raises(EndpointDown, match="dropped"):
            await limiter.turn("user", 1, patient=False)
        probe = await limiter.turn("user", 1)
        assert probe.probe
        limiter.leave(probe, "answered")
        assert not limiter.snapshot().paused

    run_fast(scenario())


def test_those_without_patience_do_not_stay_in_the_queue_of_an_endpoint_that_dies() -> None:
    async def scenario() -> None:
        limiter = Limiter("m", LimitSettings(concurrency=4))
        turns = [await limiter.turn("user", 1) for _ in range(4)]
        waiting = [asyncio.ensure_future(limiter.turn("user", 1, patient=number % 2 == 0)) for number in range(10)]
        await asyncio.sleep(0)
        for turn in turns:
            limiter.leave(turn, "failed", why="timed_out")
        await asyncio.sleep(0)
        assert limiter.snapshot().paused
        gone = [number for number, waiter in enumerate(waiting) if waiter.done() and waiter.exception() is not None]
        assert gone == [3, 5, 7, 9]  # the first three took the places of those that failed
        assert limiter.snapshot().waiting == 3
        for waiter in waiting:
            waiter.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await asyncio.sleep(1)
        probe = await limiter.turn("user", 1, patient=False)
        assert probe.probe  # somebody has to see whether it is back
        limiter.leave(probe, "answered")
        assert not limiter.snapshot().paused

    run_fast(scenario())


@pytest.mark.parametrize(("answers", "seconds"), [(False, 6), (True, 300)])
def test_waits_less_long_for_an_endpoint_that_never_answered(answers: bool, seconds: int) -> None:
    async def scenario() -> None:
        limiter = Limiter("m", LimitSettings(concurrency=4))
        if answers:
            limiter.leave(await limiter.turn("user", 1), "answered")
            await asyncio.sleep(1)
        began = asyncio.get_running_loop().time()

        async def ask() -> None:
            while True:
                limiter.leave(await limiter.turn("user", 1), "failed", why="dropped", told="refused.")

        with pytest.raises(EndpointDown, match="refused") as gone:
            await ask()
        assert seconds <= asyncio.get_running_loop().time() - began < seconds * 1.2 + 1
        assert ("interplay check" in str(gone.value)) == (not answers)

    run_fast(scenario())


def test_gives_back_the_place_of_one_who_is_cancelled() -> None:
    async def scenario() -> None:
        limiter = Limiter("m", LimitSettings(concurrency=1))
        turn = await limiter.turn("user", 1)
        waiting = [asyncio.ensure_future(limiter.turn("user", 1)) for _ in range(3)]
        await asyncio.sleep(0)
        limiter.leave(turn, "answered")
        waiting[0].cancel()
        await asyncio.sleep(1)
        assert waiting[1].done()
        assert limiter.in_flight == 1

    run_fast(scenario())


def test_reads_the_tokens_of_every_wire() -> None:
    chat = b'{"usage": {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}}'
    messages = b'{"usage": {"input_tokens": 5, "cache_read_input_tokens": 4, "output_tokens": 2}}'
    responses = b'{"usage": {"input_tokens": 9, "output_tokens": 2, "input_tokens_details": {"cached_tokens": 4}}}'
    assert usage_of(chat) == usage_of(messages) == usage_of(responses) == Usage(prompt=9, cached=4, completion=2)
    on_top = b'{"usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 1015, "completion_tokens_details": {"reasoning_tokens": 1000}}}'
    assert usage_of(on_top) == Usage(prompt=10, completion=1005, reasoning=1000)
    assert usage_of(b'{"x": NaN, "usage": {"prompt_tokens": 9.0, "completion_tokens": null}}') == Usage(prompt=9)


@pytest.mark.parametrize("told", ["-1", '"many"', "1e21", "NaN", "true", "1000000000000000000000"])
def test_does_not_believe_what_is_no_number_of_tokens(told: str) -> None:
    assert usage_of(b'{"usage": {"prompt_tokens": %s, "completion_tokens": 1}}' % told.encode()) is None
    assert usage_of(b"<html>") is None


@pytest.mark.parametrize(("share", "least"), [(0.02, 90), (0.05, 55), (0.5, 1)])
def test_a_steady_share_of_refusals_costs_a_share_of_the_window_and_not_all_of_it(share: float, least: int) -> None:
    window, chance, now = Window(100), Random(1), 0.0
    for _ in range(1_000):
        sent, now = now, now + 0.05
        size = int(window.limit)
        for _ in range(size):
            if chance.random() < share:
                window.refused(sent, now, shrinks=True)
            else:
                window.answered(sent, now, size)
    assert least <= window.limit <= least * 2 + 10


def test_a_probe_that_is_not_sent_leaves_room_for_the_next() -> None:
    async def scenario() -> None:
        limiter = Limiter("m", LimitSettings(concurrency=4))
        for _ in range(4):
            limiter.leave(await limiter.turn("user", 1), "failed", why="dropped")
        limiter.leave(await limiter.turn("user", 1), "unsent")
        before = now()
        assert (await limiter.turn("user", 1)).probe
        assert now() == before

    run_fast(scenario())


def test_counts_the_tokens_of_answers_too() -> None:
    limiter = Limiter("m", LimitSettings(concurrency=100, tokens_per_minute=6000))

    async def scenario() -> float:
        for _ in range(50):
            limiter.leave(await limiter.turn("user", 10), "answered", Usage(prompt=10, completion=10))
        return 50 / now()

    assert 4.5 < run_fast(scenario()) < 6


def test_a_request_that_is_not_sent_does_not_count() -> None:
    limiter = Limiter("m", LimitSettings(concurrency=100, requests_per_minute=60))

    async def scenario() -> float:
        for _ in range(50):
            limiter.leave(await limiter.turn("user", 1), "unsent")
        return now()

    assert run_fast(scenario()) < 5


def test_refusals_with_an_answer_among_them_are_no_sign_of_exhaustion() -> None:
    async def refused(limiter: Limiter, times: int) -> EndpointDown | None:
        for _ in range(times):
            limiter.leave(await limiter.turn("user", 1), "rate_limited", why="429")
        return limiter.exhausted("come back", 3600)

    async def scenario() -> None:
        limiter = Limiter("m", LimitSettings(concurrency=4))
        assert await refused(limiter, EXHAUSTED - 1) is None
        limiter.leave(await limiter.turn("user", 1), "answered")
        assert await refused(limiter, 1) is None
        assert await refused(limiter, EXHAUSTED - 1) is not None

    run_fast(scenario())


def test_a_role_that_was_served_once_is_not_taken_for_one_that_never_is() -> None:
    async def scenario() -> None:
        limiter = Limiter("m", LimitSettings(concurrency=4))
        for role in ("user", "reviewer"):
            for _ in range(UNWANTED):
                limiter.leave(await limiter.turn(role, 1), "rejected", why="400")
        limiter.took("user")
        assert (limiter.takes_none("user"), limiter.takes_none("reviewer")) == (False, True)

    run_fast(scenario())


def test_who_asks_again_goes_before_those_who_ask_first() -> None:
    async def scenario() -> list[str]:
        limiter, served = Limiter("m", LimitSettings(concurrency=1)), list[str]()

        async def ask_once(name: str, again: bool) -> None:
            turn = await limiter.turn("user", 1, again=again)
            served.append(name)
            limiter.leave(turn, "answered")

        held = await limiter.turn("user", 1)
        waiting = [asyncio.ensure_future(ask_once(name, name == "again")) for name in ("first", "again")]
        await asyncio.sleep(0)
        limiter.leave(held, "answered")
        await asyncio.gather(*waiting)
        return served

    assert run_fast(scenario()) == ["again", "first"]


def test_one_more_request_is_prepared_than_may_be_sent_where_there_is_one_place() -> None:
    async def scenario() -> bool:
        limiter = Limiter("m", LimitSettings(concurrency=1))
        for _ in range(2):
            await asyncio.wait_for(limiter.enter("user"), 1)
        third = asyncio.ensure_future(limiter.enter("user"))
        await asyncio.sleep(1)
        waits = not third.done()
        limiter.prepared()
        await third
        return waits

    assert run_fast(scenario())


def test_one_who_is_let_in_and_cancelled_at_once_lets_the_next_one_in() -> None:
    async def scenario() -> None:
        limiter = Limiter("m", LimitSettings(concurrency=1))
        for _ in range(2):
            await asyncio.wait_for(limiter.enter("user"), 1)
        third, fourth = (asyncio.ensure_future(limiter.enter("user")) for _ in range(2))
        await asyncio.sleep(0)
        limiter.prepared()  # lets the third in, which does not know it yet
        third.cancel()
        await asyncio.wait_for(fourth, 1)

    run_fast(scenario())


def test_a_request_that_was_cancelled_is_no_answer() -> None:
    async def scenario() -> None:
        limiter = Limiter("m", LimitSettings(concurrency=1))
        limiter.leave(await limiter.turn("user", 1), "cancelled")
        for _ in range(UNWANTED):
            limiter.leave(await limiter.turn("user", 1), "rejected", why="400")
        assert limiter.snapshot().answers == 0
        assert limiter.takes_none("user")

    run_fast(scenario())


def test_a_refusal_of_one_among_half_of_the_window_shrinks_it_and_of_one_alone_does_not() -> None:
    async def refused(in_flight: int) -> float:
        limiter = Limiter("m", LimitSettings(concurrency=8))
        before = limiter.window.limit
        turns = [await limiter.turn("user", 1) for _ in range(in_flight)]
        limiter.pace.rate = 100.0  # it is known, and may be why
        limiter.leave(turns[0], "rate_limited", why="429")
        return limiter.window.limit / before

    assert run_fast(refused(5)) < 1
    assert run_fast(refused(1)) == 1


def test_who_waits_for_a_place_does_not_wait_on_a_rate_limit() -> None:
    async def scenario() -> tuple[int, int]:
        limiter = Limiter("m", LimitSettings(concurrency=1))
        held = await limiter.turn("user", 1)
        waiting = asyncio.ensure_future(limiter.turn("user", 1))
        await asyncio.sleep(1)
        told = limiter.snapshot()
        limiter.leave(held, "answered")
        await waiting
        return told.waiting, told.waiting_on_rate_limit

    assert run_fast(scenario()) == (1, 0)


def test_few_requests_a_minute_go_out_as_whole_ones() -> None:
    async def scenario() -> list[float]:
        limiter, times = Limiter("m", LimitSettings(concurrency=4, requests_per_minute=6)), list[float]()
        for _ in range(4):
            await limiter.turn("user", 1)
            times.append(now())
        return times

    assert [round(time) for time in run_fast(scenario())] == [0, 0, 10, 20]


def test_a_pace_far_above_what_the_window_lets_out_is_forgotten() -> None:
    async def left(rate: float) -> float | None:
        limiter = Limiter("m", LimitSettings(concurrency=4))
        turn = await limiter.turn("user", 1)
        limiter.pace.rate = rate
        await asyncio.sleep(1)
        limiter.leave(turn, "answered")
        return limiter.pace.rate

    assert run_fast(left(9.0)) is None
    assert run_fast(left(7.0)) == 7.0


def test_a_window_that_is_hardly_used_does_not_grow() -> None:
    window = Window(None)
    window.answered(0.0, 1.0, in_flight=5)
    assert window.limit == 8
    window.answered(0.0, 1.0, in_flight=8)
    assert window.limit == 9


def test_a_role_that_was_silent_has_saved_nothing_up() -> None:
    queue: FairQueue[int] = FairQueue({})
    for number in range(10):
        queue.push("user", number)
        queue.pop()
    for number in range(4):
        queue.push("user", number)
        queue.push("reviewer", number)
    assert Counter(queue.pop()[0] for _ in range(4)) == {"user": 2, "reviewer": 2}


def test_after_a_pause_requests_go_out_one_after_the_other_again() -> None:
    async def scenario() -> float:
        limiter = Limiter("m", LimitSettings(concurrency=20))
        for turn in [await limiter.turn("user", 1) for _ in range(20)]:
            limiter.leave(turn, "failed", why="refused")
        probe = await limiter.turn("user", 1)
        assert probe.probe
        limiter.leave(probe, "answered", Usage(prompt=1))
        began = now()
        await asyncio.gather(*(limiter.turn("user", 1) for _ in range(20)))
        return now() - began

    assert run_fast(scenario()) > 0.05
