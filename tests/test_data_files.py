"""The data that ships with the package says nothing twice: of two entries of one name, YAML keeps the last in silence."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
ROOMS = ("schemas", "generators", "validators", "outputs", "flows")
FILES = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.yaml"))]


def repeated(node: yaml.Node) -> Iterator[str]:
    """Yield the keys that a mapping has more than once, with their lines."""
    if isinstance(node, yaml.MappingNode):
        counts = Counter(key.value for key, _ in node.value)
        yield from (f"line {key.start_mark.line + 1}: {key.value}" for key, _ in node.value if counts[key.value] > 1)
    for child in node.value if not isinstance(node, yaml.ScalarNode) else ():
        for part in child if isinstance(child, tuple) else (child,):
            yield from repeated(part)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_entry_stands_there_twice(path: Path) -> None:
    assert list(repeated(yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))) == []


def test_an_entry_that_stands_there_twice_is_found() -> None:
    assert list(repeated(yaml.compose("a: {b: 1, c: [{d: 1, d: 2}]}"))) == ["line 1: d", "line 1: d"]
