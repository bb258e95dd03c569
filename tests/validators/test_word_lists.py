"""No verdict follows from a list of words: checks hold none, and know none of those by which rules hear a model."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

VALIDATORS = Path(__file__).parents[2] / "validators"
MODULES = sorted(VALIDATORS.rglob("*.py"))
ALTERNATIVES = re.compile(r"(?<![\\(?<>!=:A-Za-z])[a-z]{3,}\|[a-z]{3,}|\(\?:[a-z]{3,}\|[a-z]{3,}")
VALUES = {"trajectories/statements.py": "units of amounts", "blueprints/referents.py": "names of fields"}
"""Modules whose patterns name words that are no free language."""


def patterns(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        compiles = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "compile"
        for part in ast.walk(node) if compiles else ():
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value


def test_checks_hold_no_lists_of_words() -> None:
    assert [path.name for path in VALIDATORS.rglob("*") if path.suffix in (".yaml", ".yml", ".txt", ".json")] == []


def test_checks_read_no_lists_of_words() -> None:
    readers = [path.name for path in MODULES if "schemas.words.lists" in path.read_text(encoding="utf-8")]
    assert readers == []


def test_patterns_of_checks_name_no_words() -> None:
    found = {
        str(module.relative_to(VALIDATORS))
        for module in MODULES
        for text in patterns(module)
        if ALTERNATIVES.search(text)
    }
    assert found - VALUES.keys() == set()


def test_a_pattern_of_words_would_be_found() -> None:
    assert ALTERNATIVES.search(r"\b(?:sorry|unable|afraid)\b")
    assert ALTERNATIVES.search(r"done|booked")
    assert not ALTERNATIVES.search(r"(?P<name>[a-z]+)|\d{3}")
