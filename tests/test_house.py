"""What `bench/house.py` counts of a project that has one of each fault."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HOUSE = Path(__file__).parents[1] / "bench" / "house.py"
DOZEN = "red green blue white black brown orange purple yellow silver golden grey"
FILES = {
    "shop/__init__.py": '"""Sells things."""\n',
    "shop/orders.py": '"""Orders.\n\nTwo lines."""\n\n\ndef total(prices: list[int]) -> int:\n    return sum(prices)\n',
    "shop/pricing.py": f'"""Prices."""\n\nCOLOURS = "{DOZEN}".split()\nSIZES = {{"small", "large"}}\n',
    "shop/carts.py": "from shop.orders import total\n\nprint(total([1]))\n",
    "stock/orders.py": f'"""Orders of the stock."""\n\nNAMES = {tuple(DOZEN.split())!r}\n',
    "stock/colours.yaml": "- red\n- green\n",
    "stock/links.py": f'"""Colours in a text."""\nimport re\n\nFOUND = re.compile(r"({"|".join(DOZEN.split())})")\n',
    "tests/test_orders.py": "def test_total() -> None: ...\n",
    "stock/broken.py": "def (\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one of each fault."""
    for name, text in FILES.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "project"


def house(*arguments: object) -> Any:
    """Run it on a project and return what it counted."""
    command = [sys.executable, str(HOUSE), "--json", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    return json.loads(done.stdout)


def test_counts_rooms_and_functions(project: Path) -> None:
    found = house(project)
    assert found["rooms"]["shop"] == {"modules": 4, "lines": 15, "statements": 9}
    assert found["rooms"]["stock"]["data"] == 2
    assert next(iter(found["folders"].items())) == ("shop", 3)
    assert found["functions"] == {"count": 1, "median": 2, "p90": 2, "longest": 2, "where": "shop/orders.py:6 total"}


def test_finds_word_lists_in_literals_split_texts_and_patterns(project: Path) -> None:
    found = house(project)
    assert sorted(line.split(":")[0] for line in found["word_lists"]) == [
        "shop/pricing.py", "stock/links.py", "stock/orders.py",
    ]  # fmt: skip
    assert (found["words"], found["distinct_words"]) == (36, 12)


def test_finds_names_docstrings_and_uses(project: Path) -> None:
    found = house(project)
    assert found["names_twice"] == ["orders: shop, stock"]
    assert found["gerunds"] == ["shop/pricing.py"]
    assert found["used_once"] == ["shop/orders.py:6 total"]
    assert found["no_docstring"] == ["shop/carts.py"]
    assert found["no_map"] == ["shop"]


def test_a_docstring_that_names_the_modules_is_a_map(project: Path) -> None:
    (project / "shop" / "__init__.py").write_text('"""Prices (pricing.py) -> orders.py, by way of carts."""\n')
    assert house(project)["no_map"] == []


def test_finds_long_subjects_where_there_is_a_history(project: Path) -> None:
    assert house(project)["long_subjects"] == []
    git = ["git", "-C", str(project), "-c", "user.name=A", "-c", "user.email=a@example.com"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "a" * 73]):
        subprocess.run([*git, *command], check=True)
    assert house(project)["long_subjects"] == ["a" * 73]


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(HOUSE), str(tmp_path / "none")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "is no folder" in done.stderr
