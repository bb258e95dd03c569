"""The order of the tests: the file that takes longest comes first, so that no worker is left alone with it at the end."""

import pytest

LONGEST = "test_bench.py"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of the longest file first; all others stay in their order."""
    items.sort(key=lambda item: item.path.name != LONGEST)
