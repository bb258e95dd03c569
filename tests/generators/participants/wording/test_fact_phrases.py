"""Moments of a thing: the start is said as such, an end with what it is."""

from interplay.generators.participants.wording.fact_phrases import comes_later

SLOT = {"ends_at": "2026-04-02T11:00", "day": "2026-04-02", "starts_at": "2026-04-02T10:00"}


def test_an_end_comes_later_and_a_start_does_not() -> None:
    assert comes_later(SLOT, SLOT["ends_at"])
    assert not comes_later(SLOT, SLOT["starts_at"])
    assert not comes_later(SLOT, SLOT["day"])
    assert not comes_later(SLOT, "Talk about the roadmap")
