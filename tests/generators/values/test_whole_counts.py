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
