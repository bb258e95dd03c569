"""The issue codes that each check lists, compared with those that its module and its parts can yield."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.validators.builders import TOOLSET, opens

import interplay.validators as validators
from interplay.validators.blueprints.gates import blueprint_checks
from interplay.validators.chain import trajectory_checks

CHECKS = (*trajectory_checks(TOOLSET, opens()), *blueprint_checks(TOOLSET, opens()))
ROOM = Path(inspect.getfile(validators)).parent


def literals(module: Path) -> Iterator[str]:
    """Yield the codes of the issues that a module makes, where they are written out."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Issue.of", "violations"):
            code = node.args[2 if ast.unparse(node.func) == "violations" else 0]
            yield from (
                part.value for part in ast.walk(code) if isinstance(part, ast.Constant) and "_" in str(part.value)
            )


def parts(module: Path, folders: tuple[str, ...]) -> Iterator[Path]:
    """Yield a module and those of some folders that it imports, directly or by way of others."""
    yield module
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("interplay.validators."):
            other = ROOM.joinpath(*(node.module or "").split(".")[2:]).with_suffix(".py")
            if other.parent.name in folders:
                yield from parts(other, folders)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: type(check).__name__)
def test_a_check_lists_the_codes_of_its_issues(check: Any) -> None:
    module = Path(inspect.getfile(type(check))).resolve()
    own = {code for part in parts(module, (module.parent.name,)) for code in literals(part)}
    assert own - {"wrong_"} <= set(check.codes)
    words = "\n".join(part.read_text(encoding="utf-8") for part in parts(module, (module.parent.name, "findings")))
    made_up = [code for code in check.codes if words.count(f'"{code}"') < (2 if code in own else 1)]
    assert [code for code in made_up if not code.startswith("wrong_")] == []
    assert list(check.codes) == sorted(set(check.codes))


def test_what_means_a_fault_is_a_code_of_the_check() -> None:
    for check in trajectory_checks(TOOLSET, opens()):
        assert set(check.faults) <= set(check.codes)


ROW = re.compile(r"^\| ((?:`\w+`(?:, )?)+) \| ([^|]+) \|", re.MULTILINE)


def explained() -> set[tuple[str, str]]:
    """Return the stages and codes of the page that explains issues."""
    page = (ROOM.resolve().parent / "docs/issues.md").read_text(encoding="utf-8")
    rows = [(re.findall(r"`(\w+)`", stages), re.findall(r"`(\w+)`", codes)) for stages, codes in ROW.findall(page)]
    return {(stage, code) for stages, codes in rows for stage in stages for code in codes}


def test_every_code_of_a_check_and_every_doubt_is_explained_on_a_page() -> None:
    codes = {(check.name, code) for check in CHECKS for code in check.codes if code not in ANYWHERE}
    assert codes - explained() == set()
    checks = {check.name for check in CHECKS}
    assert {(stage, code) for stage, code in explained() if stage in checks} - codes == set()
    made = "".join(path.read_text(encoding="utf-8") for path in (ROOM.resolve().parent / "generators").rglob("*.py"))
    page = (ROOM.resolve().parent / "docs/issues.md").read_text(encoding="utf-8")
    doubts = set(re.findall(r'Doubt\(code="(\w+)"', made))
    assert {doubt for doubt in doubts if f"`{doubt}`" not in page} == set()


def test_the_page_names_the_module_that_makes_each_code() -> None:
    page = (ROOM.resolve().parent / "docs/issues.md").read_text(encoding="utf-8")
    told, made = page.split("\n## Where each code is made\n")
    modules = dict(re.findall(r"^\| `([\w/]+\.py)` \| (.+) \|$", made, re.MULTILINE))
    named = {code for codes in modules.values() for code in re.findall(r"`(\w+)`", codes)}
    doubts = told.split("| doubt |")[1].split("\n\n")[0]
    assert ({code for _, code in explained()} | set(re.findall(r"`(\w+)`", doubts))) - named == set()
    assert "`no_quorum`" in modules["validators/review/committee.py"]
    assert "`low_correctness`" in modules["validators/review/committee.py"]
    assert "`wrong_default`" in modules["validators/blueprints/solvable.py"]


ANYWHERE = {"environment_failure"}
"""Codes that many checks share."""


def test_every_check_is_in_the_glossary() -> None:
    glossary = (ROOM.resolve().parent / "docs/glossary.md").read_text(encoding="utf-8")
    checks = glossary.split("\n## Checks\n")[1].split("\n## ")[0]
    assert {check.name for check in CHECKS if f"`{check.name}`" not in checks} == set()
