"""Counts of those in each state sum up, and moments of one thing come in their order."""

import pytest

from interplay.generators.values.reconciliation import reconciled


@pytest.mark.parametrize(
    ("made", "every", "wanted"),
    [
        ({"total": 16, "passed": 42, "failed": 92, "pending": 53}, "total", 187),
        ({"total_runs": 18, "total_tests": 59, "total_passed": 23, "total_failed": 27}, "total_tests", 50),
        ({"total": 16, "passed": 42}, "total", 16),
        ({"total": 16.5, "passed": 42, "failed": 3}, "total", 16.5),
    ],
)
def test_all_are_as_many_as_those_in_each_state(made: dict[str, float], every: str, wanted: float) -> None:
    assert reconciled(made, {name: {"type": "number"} for name in made})[every] == wanted


def test_what_was_created_first_ends_after_it_started() -> None:
    moments = {
        "started_at": "2025-07-31T11:30:00Z",
        "finished_at": "2025-09-05T07:30:00Z",
        "created_at": "2025-10-01T10:00:00Z",
    }
    made = reconciled(moments, {name: {"type": "string"} for name in moments})
    assert made["created_at"] <= made["started_at"] < made["finished_at"]
