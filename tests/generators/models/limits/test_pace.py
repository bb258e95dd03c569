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


def test_refusals_of_what_was_sent_before_say_nothing_of_a_pace() -> None:
    pace = slowed(100.0)
    learnt = pace.rate
    for _ in range(4):
        pace.refused(100.5, 101.1)
    for number in range(8):
        pace.sent(110.0 + number)
    assert learnt is not None
    assert pace.rate is not None
    assert pace.rate >= learnt
