"""What is imported is declared, and what is declared is bounded: no release of tomorrow changes what a run does."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ROOMS = ("schemas", "generators", "validators", "outputs", "flows")
BY_USERS = {extra: items for extra, items in PROJECT["optional-dependencies"].items() if extra not in ("dev", "docs")}


def plain(name: str) -> str:
    """Return the name of a package as an index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def named(requirements: list[str]) -> set[str]:
    """Return the packages of requirements."""
    return {plain(found[0]) for item in requirements if (found := re.match(r"[\w.-]+", item))}


def imported(path: Path) -> set[str]:
    """Return the names at the top of what a module imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found - set(sys.stdlib_module_names) - {"interplay"}


def test_what_is_imported_is_declared() -> None:
    declared = named(PROJECT["dependencies"]) | set().union(*(named(items) for items in BY_USERS.values()))
    sources = packages_distributions()
    unknown = {
        f"{name} in {path.relative_to(ROOT)}"
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        if not (path.parent / "pyproject.toml").exists()  # a package of its own, installed beside a trainer
        for name in imported(path)
        if not declared & {plain(source) for source in sources.get(name, [name])}
    }
    assert unknown == set()


def test_every_dependency_is_bounded() -> None:
    wanted = [*PROJECT["dependencies"], *(item for items in BY_USERS.values() for item in items)]
    assert [item for item in wanted if "<" not in item and "==" not in item] == []
