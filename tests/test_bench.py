"""The benchmarks can be loaded: what they take from the package is there."""

import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parents[1] / "bench"


def test_every_benchmark_loads() -> None:
    names = sorted(path.stem for path in BENCH.glob("*.py"))
    assert len(names) > 10
    done = subprocess.run(
        [sys.executable, "-c", f"import {', '.join(names)}"], cwd=BENCH, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
