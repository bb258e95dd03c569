import json
import subprocess
import sys
from pathlib import Path

import pytest

from interplay.generators.models.transport.deferred_imports import deferred_reexports, reexported

FILES = {
    "__init__.py": "from . import types\nfrom .types import Small\nversion = 1\n",
    "types/__init__.py": "from __future__ import annotations\nfrom . import big\nfrom .small import Small as Small\n"
    "from .big import Big as Great\n",
    "types/small.py": "class Small: pass\n",
    "types/big.py": "class Big: pass\n",
    "busy/__init__.py": "from ..types.small import Small\nSmall.seen = True\n",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    for name, text in FILES.items():
        file = tmp_path / "parcel" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] == "parcel"]:
        monkeypatch.delitem(sys.modules, name)
    return "parcel"


IN_TURN = """
import sys
from interplay.generators.models.transport.deferred_imports import deferred_reexports
finders = list(sys.meta_path)
with deferred_reexports("parcel"):
    import parcel
assert sys.meta_path == finders
assert parcel.version == 1
assert "parcel.types.small" in sys.modules
assert "parcel.types.big" not in sys.modules
assert parcel.types.Great is sys.modules["parcel.types.big"].Big
assert parcel.types.big is sys.modules["parcel.types.big"]
try:
    parcel.types.Huge
except AttributeError as error:
    assert "module 'parcel.types' has no attribute 'Huge'" in str(error)
else:
    raise AssertionError
"""


@pytest.mark.usefixtures("package")
def test_a_name_is_imported_when_it_is_asked_for(tmp_path: Path) -> None:
    """In a process of its own: others in this one may look into every module that is imported."""
    told = subprocess.run([sys.executable, "-c", IN_TURN], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr


def test_a_package_that_does_more_is_imported_as_it_is(package: str) -> None:
    with deferred_reexports(package):
        busy = __import__("parcel.busy").busy
    assert busy.Small.seen


@pytest.mark.parametrize("source", ["from .a import *", "import os", "x = 1", "from os import path", "if x: pass"])
def test_more_than_imports_of_its_own_is_not_deferred(source: str) -> None:
    assert reexported("from .a import A\n" + source) is None


TYPES = """
import contextlib, json, sys
from interplay.generators.models.transport.deferred_imports import deferred_reexports
with deferred_reexports({sdk!r}) if {deferred} else contextlib.nullcontext():
    import {sdk}
    from {sdk}.types import beta
early = sum(name.startswith("{sdk}.types.") for name in sys.modules)
packages = ({sdk}.types, beta)
names = [sorted(set(getattr(package, "__all__", ())) or {{n for n in vars(package) if n[0].isupper()}}) for package in packages]
print(json.dumps([early, [[name, repr(getattr(p, name))] for p, listed in zip(packages, names) for name in listed if name[0].isupper()]]))
"""


@pytest.mark.parametrize("sdk", ["openai", "anthropic"])
def test_the_types_of_an_sdk_are_the_same(sdk: str) -> None:
    (all_early, plain), (few_early, deferred) = (
        json.loads(subprocess.check_output([sys.executable, "-c", TYPES.format(sdk=sdk, deferred=deferred)]))
        for deferred in (False, True)
    )
    assert few_early < all_early * 0.8
    assert len(plain) > 100
    assert deferred == plain
