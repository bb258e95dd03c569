"""How many there are in all is the sum of those in each state."""

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
