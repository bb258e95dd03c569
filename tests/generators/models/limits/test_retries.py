"""How long a request waits before it is asked again: longer after each failure, as told where it is told, and not for ever."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from interplay.generators.models.limits.limit_settings import RetrySettings
from interplay.generators.models.limits.limiter import SendTurn
from interplay.generators.models.limits.retries import LONGEST_WAIT, LOOK_AGAIN, RetryState
from interplay.generators.models.transport.transport_errors import RateLimited, ServerFailed
from interplay.schemas.errors import ModelUnavailable


def waits(
    failures: list[ModelUnavailable], settings: RetrySettings | None = None, *, probe: bool = False
) -> list[float]:
    """Return how long a request waits after each failure."""

    async def told() -> list[float]:
        state = RetryState(b"key", settings or RetrySettings())
        found = []
        for failure in failures:
            state.note(failure, SendTurn("user", asyncio.get_running_loop().time(), 1, probe), lambda _: 0.0)
            outcome: Any = SimpleNamespace(outcome=SimpleNamespace(exception=lambda failure=failure: failure))
            found.append(state.wait(outcome))
        return found

    return asyncio.run(told())


def test_waits_longer_after_each_failure_up_to_a_bound() -> None:
    found = waits([ServerFailed("500", 500)] * 11)
    assert all(0.5 * LONGEST_WAIT <= wait <= 1.5 * LONGEST_WAIT for wait in found[8:])
    assert all(0.05 * 2**number <= wait <= 0.15 * 2**number for number, wait in enumerate(found[:6]))


def test_the_same_request_waits_the_same_time() -> None:
    assert waits([ServerFailed("500", 500)] * 3) == waits([ServerFailed("500", 500)] * 3)


def test_a_probe_is_no_attempt() -> None:
    assert waits([ServerFailed("500", 500)] * 3, probe=True) == [0.0] * 3


@pytest.mark.parametrize("failure", [RateLimited("later", 20.0), ServerFailed("later", 503, 20.0)])
def test_waits_as_long_as_the_endpoint_says(failure: ModelUnavailable) -> None:
    [wait] = waits([failure])
    assert 20.0 < wait < 20.2


def test_asks_earlier_where_it_would_be_too_late() -> None:
    [wait] = waits([RateLimited("later", retry_after=20.0)], RetrySettings(deadline=10))
    assert LOOK_AGAIN < wait < LOOK_AGAIN + 0.2


def test_gives_up_after_as_many_attempts_as_are_set_and_not_before() -> None:
    async def told() -> list[bool]:
        state = RetryState(b"key", RetrySettings(attempts=3))
        found = []
        for _ in range(3):
            state.note(
                ServerFailed("500", 500), SendTurn("user", asyncio.get_running_loop().time(), 1, False), lambda _: 0.0
            )
            sleeps: Any = SimpleNamespace(upcoming_sleep=0.0)
            found.append(state.stop(sleeps))
        return found

    assert asyncio.run(told()) == [False, False, True]


def test_time_counts_from_the_first_sending_and_pauses_do_not() -> None:
    async def told() -> tuple[float, float, list[bool]]:
        state, now = RetryState(b"key", RetrySettings(deadline=10)), asyncio.get_running_loop().time()
        failure = ServerFailed("503", 503, retry_after=4.0)
        state.note(failure, SendTurn("user", now - 8, 1, False), lambda _: 30.0)
        outcome: Any = SimpleNamespace(outcome=SimpleNamespace(exception=lambda: failure))
        sleeps: list[Any] = [SimpleNamespace(upcoming_sleep=seconds) for seconds in (1.0, 3.0)]
        return state.elapsed, state.wait(outcome), [state.stop(sleep) for sleep in sleeps]

    elapsed, wait, stops = asyncio.run(told())
    assert elapsed == pytest.approx(8, abs=0.5)
    assert wait >= LOOK_AGAIN, "4 s more would be too late"
    assert stops == [False, True]
