"""A pace that was learnt from refusals: how long the next request waits."""

from interplay.generators.models.limits.pace import LearntPace


def slowed(now: float) -> LearntPace:
    pace = LearntPace()
    for number in range(100):
        pace.sent(now + number / 100)
    for _ in range(60):
        pace.refused(now, now + 1)
    assert pace.rate is not None
    return pace


def test_nobody_waits_before_anything_was_refused() -> None:
    pace = LearntPace()
    pace.sent(10.0)
    assert pace.wait(10.0) == 0


def test_the_next_request_waits_its_turn_and_no_longer() -> None:
    pace = slowed(100.0)
    assert 0 < pace.wait(101.0) < 1
    assert pace.wait(200.0) == 0


def test_time_that_passed_is_not_saved_up() -> None:
    pace = slowed(100.0)
    pace.sent(200.0)
    assert pace.wait(200.0) > 0
