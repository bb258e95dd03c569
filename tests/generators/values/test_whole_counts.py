"""The count of all is the sum of the counts of those in each state."""

import pytest

from interplay.generators.values.reconciliation import reconciled

COUNT = {"type": "integer"}


def agreed(**made: int) -> dict[str, int]:
    return reconciled(dict(made), dict.fromkeys(made, COUNT))


def test_won_and_lost_are_all_there_are() -> None:
    assert agreed(trades_total=35, trades_won=21, trades_lost=39)["trades_total"] == 60
    assert agreed(total_count=2, open_count=3, closed_count=4)["total_count"] >= 4


@pytest.mark.parametrize(
    "made",
    [
        {"trades_total": 35, "trades_won": 21},  # one state alone: others may be neither
        {"price": 20, "discounted_price": 18, "taxed_price": 22},  # nothing is counted
    ],
)
def test_what_is_no_count_of_several_states_stays(made: dict[str, int]) -> None:
    after = agreed(**made)
    assert sum(after.values()) == sum(made.values())


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
