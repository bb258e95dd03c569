"""What holds for all tests: the longest files come first, workers share records, commands run as in most shells."""

import gc
import os
from tempfile import TemporaryDirectory

import pytest

LONGEST = (
    "test_bench.py",
    "test_pipeline.py",
    "test_browser.py",
    "test_contributing.py",
    "test_shared_workspace.py",
    "test_model_run.py",
    "test_others_code.py",
    "test_docs.py",
    "test_interruption.py",
    "test_run.py",
    "test_export.py",
    "test_nonsense_answers.py",
    "test_fault_plan.py",
    "test_same_bytes.py",
    "test_turns.py",
    "test_blueprint_composer.py",
)
"""Names of files: no worker is left alone with one of them at the end."""
COLLECTED_EVERY = 50_000
"""New objects between two looks for garbage; the command line has more."""

os.environ.pop("PYTHONUNBUFFERED", None)  # what commands write into pipes has to arrive without it
gc.disable()  # while thousands of tests are collected, nothing is thrown away


def pytest_configure(config: pytest.Config) -> None:
    """Give all workers one folder for the records that several of them read."""
    if not hasattr(config, "workerinput"):
        folder = TemporaryDirectory()
        config.add_cleanup(folder.cleanup)
        os.environ["INTERPLAY_TEST_RECORDS"] = folder.name


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of the longest files first; all others stay in their order."""
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(LONGEST)))


def pytest_collection_finish() -> None:
    """Leave what stands after the collection out of every look for garbage from now on."""
    gc.freeze()
    gc.set_threshold(COLLECTED_EVERY)
    gc.enable()


def pytest_unconfigure() -> None:
    """Let libraries that count what is left behind find it thrown away."""
    gc.unfreeze()
