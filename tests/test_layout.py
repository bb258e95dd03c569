"""The house: rooms of few modules, each with a map that names them."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("flows", "generators", "outputs", "schemas", "validators")
FOLDERS = sorted(path.parent for room in ROOMS for path in (ROOT / room).rglob("__init__.py"))
MOST_MODULES, MOST_KINDS = 16, 24
KINDS = (
    "generators/blueprints/behaviours",
    "generators/blueprints/patterns",
    "outputs/exporters/formats",
    "validators/trajectories",
)
"""Folders with one module for each kind, to which people add."""


def modules(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.py") if path.name != "__init__.py")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_the_map_of_a_folder_names_what_is_in_it(folder: Path) -> None:
    told = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
    inner = [f"{path.name}/" for path in folder.iterdir() if (path / "__init__.py").exists()]
    assert [name for name in (*modules(folder), *inner) if name not in told] == []


def test_a_map_tells_in_which_order_to_read() -> None:
    silent = []
    for folder in FOLDERS:
        told = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
        silent += [str(folder.relative_to(ROOT))] if len(modules(folder)) > 1 and "Order" not in told else []
    assert silent == []


def test_a_map_names_no_module_that_is_gone() -> None:
    gone = []
    for folder in FOLDERS:
        told = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
        listed = [line.split()[0] for line in told.splitlines() if line[:1].strip() and line.split()[0].endswith(".py")]
        gone += [f"{folder.relative_to(ROOT)}: {name}" for name in listed if not (folder / name).exists()]
    assert gone == []


def test_instructions_name_no_module_that_is_gone() -> None:
    texts = [ROOT / "CONTRIBUTING.md", *(folder / "__init__.py" for folder in FOLDERS)]
    there = {path.name for room in (*ROOMS, "tests", "bench", "docs") for path in (ROOT / room).rglob("*.py")}
    examples = set(re.findall(r"^<!-- file: \S*?(\w+\.py) -->", texts[0].read_text(encoding="utf-8"), re.M))
    named = {
        (path, name) for path in texts for name in re.findall(r"`(?:[\w./]*/)?(\w+\.py)`", path.read_text("utf-8"))
    }
    assert {(str(path.relative_to(ROOT)), name) for path, name in named if name not in there | examples} == set()


def test_a_folder_holds_few_modules() -> None:
    most = {folder: MOST_KINDS if str(folder.relative_to(ROOT)) in KINDS else MOST_MODULES for folder in FOLDERS}
    assert {str(folder): len(modules(folder)) for folder in FOLDERS if len(modules(folder)) > most[folder]} == {}
    assert {ROOT / name for name in KINDS} <= set(FOLDERS)


def test_modules_are_called_by_nouns() -> None:
    names = {Path(name).stem for folder in FOLDERS for name in modules(folder)}
    assert {name for name in names if name.endswith("ing")} == set()
