"""The adapters for trainers: each plays tasks to the reward of the server, in an environment where its trainer is installed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from gym_trainers import GYM, TRAINERS, played

ENVIRONMENTS = Path(os.environ.get("INTERPLAY_TRAINERS", "/nowhere"))
"""A folder with a virtual environment for each trainer, named as it."""

FORBIDDEN = ("import interplay\n", "from interplay.", "import interplay.")


def test_the_client_plays_tasks_to_their_reward(tmp_path: Path) -> None:
    assert played("none", Path(sys.executable), 3, tmp_path) == [1.0] * 3


@pytest.mark.parametrize("trainer", TRAINERS)
def test_an_adapter_plays_tasks_to_their_reward(trainer: str, tmp_path: Path) -> None:
    python = ENVIRONMENTS / trainer / "bin" / "python"
    if not python.exists():
        pytest.skip(f"{python}: is not there; set INTERPLAY_TRAINERS to a folder of environments, one for each trainer")
    command = [python, "-c", f"import interplay_gym_{trainer}"]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip(f"{python}: has no adapter; install ./outputs/gym/client and ./outputs/gym/{trainer} there")

    rewards = played(trainer, python, 2, tmp_path)

    assert rewards == [1.0] * 2, rewards


@pytest.mark.parametrize("trainer", ["client", *TRAINERS])
def test_an_adapter_is_a_package_that_needs_nothing_of_ours(trainer: str) -> None:
    folder = GYM / trainer
    assert (folder / "pyproject.toml").exists()
    texts = [path.read_text(encoding="utf-8") for path in folder.glob("*.py")]
    assert texts
    assert not [line for text in texts for line in FORBIDDEN if line in text]
