"""An endpoint that is dead is asked by single probes, and late failures of earlier requests do not put these off."""

from interplay.generators.models.limits.breaker import (
    FIRST_PROBE,
    LONGEST_STREAK,
    PROBE_SHARE,
    SHORTEST_STREAK,
    Breaker,
)


def opened_at(now: float) -> Breaker:
    breaker = Breaker("echo", patience=60.0)
    for _ in range(100):
        breaker.failed(now, "refused", "refused", probe=False, limit=16, round_trip=0.1)
    assert breaker.open
    return breaker


def failed(breaker: Breaker, now: float, *, probe: bool) -> None:
    breaker.failed(now, "refused", "refused", probe=probe, limit=16, round_trip=0.1)


def test_the_failure_of_a_probe_puts_the_next_one_off() -> None:
    breaker = opened_at(100.0)
    failed(breaker, 120.0, probe=True)
    assert breaker.wait(120.0) == PROBE_SHARE * 20


def test_the_failure_of_what_was_under_way_does_not() -> None:
    breaker = opened_at(100.0)
    failed(breaker, 120.0, probe=False)
    assert breaker.wait(120.0) == 0
    assert breaker.wait(100.0) == FIRST_PROBE


def test_an_answer_ends_the_pause() -> None:
    breaker = opened_at(100.0)
    assert breaker.answered(107.0)
    assert not breaker.open
    assert breaker.paused(200.0) == 7


def failures_until_open(limit: float) -> int:
    breaker = Breaker("echo", patience=60.0)
    for count in range(1, 200):
        breaker.failed(1000.0, "refused", "refused", probe=False, limit=limit, round_trip=0.1)
        if breaker.open:
            return count
    return 0


def test_a_quarter_of_what_may_be_under_way_opens_it_within_bounds() -> None:
    assert failures_until_open(4 * (SHORTEST_STREAK + 1)) == SHORTEST_STREAK + 1
    assert failures_until_open(1) == SHORTEST_STREAK
    assert failures_until_open(100 * LONGEST_STREAK) == LONGEST_STREAK


def test_one_that_answered_just_now_is_dead_where_all_that_may_be_under_way_fails() -> None:
    breaker = Breaker("echo", patience=60.0)
    breaker.answered(100.0)
    found = []
    for _ in range(12):
        breaker.failed(100.1, "refused", "refused", probe=False, limit=12, round_trip=0.1)
        found.append(breaker.open)
    assert found == [False] * 11 + [True]
