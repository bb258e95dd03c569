"""The interval of a share that was counted."""

import pytest

from interplay.outputs.report.intervals import wilson


@pytest.mark.parametrize(
    ("passed", "judged", "interval"),
    [
        (0, 10, (0.0, 0.2775)),
        (5, 10, (0.2366, 0.7634)),
        (10, 10, (0.7225, 1.0)),
        (1, 29, (0.0061, 0.1718)),
        (0, 0, (0.0, 1.0)),
    ],
)
def test_is_that_of_wilson(passed: int, judged: int, interval: tuple[float, float]) -> None:
    assert wilson(passed, judged) == pytest.approx(interval, abs=1e-4)
