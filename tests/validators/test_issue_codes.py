"""The issue codes that each check lists, compared with those that its module and its parts can yield."""

import ast
import inspect
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
