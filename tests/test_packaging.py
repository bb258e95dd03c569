"""What is installed is what is in the tree."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("flows", "generators", "outputs", "schemas", "validators")
PACKAGE = ROOT / ".typing" / "interplay"
DATA = {".toml", ".json", ".yaml", ".md", ".j2", ".html", ".css", ".js", ".typed"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel that was built without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for room in ROOMS:  # a copy, since a build leaves files behind that the next one would pack
        shutil.copytree(ROOT / room, source / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(PACKAGE, source / ".typing" / "interplay", symlinks=True)
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, source / name)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run(
        [*command, "--no-index", "--wheel-dir", str(folder), str(source)], check=True, capture_output=True, timeout=600
    )
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(built: Path) -> set[str]:
    """The names of the files in the wheel."""
    with zipfile.ZipFile(built) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of an environment, far from this repository, in which the wheel is installed; it borrows the dependencies.

    They are linked one by one: what makes this repository importable stays behind.
    """
    environment = tmp_path_factory.mktemp("environment")
    venv.create(environment, symlinks=True)
    own = Path(sysconfig.get_path("purelib", vars={"base": str(environment)}))
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if "interplay" not in entry.name and entry.suffix != ".pth":
            (own / entry.name).symlink_to(entry)
    python = environment / "bin" / "python"
    install = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile", built]
    subprocess.run(install, check=True, capture_output=True, timeout=600)
    return environment / "bin" / "interplay"


def in_tree() -> set[str]:
    return {"interplay/__init__.py", "interplay/py.typed"} | {
        f"interplay/{path.relative_to(ROOT).as_posix()}"
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and (path.suffix == ".py" or path.suffix in DATA) and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_every_file_of_the_rooms(wheel: set[str]) -> None:
    assert in_tree() - wheel == set()


def test_the_wheel_holds_nothing_else(wheel: set[str]) -> None:
    assert {name for name in wheel if ".dist-info/" not in name} - in_tree() == set()


def test_the_wheel_works_far_from_the_repository(installed: Path, tmp_path: Path) -> None:
    """In an empty folder, with an environment that knows nothing of this one."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}

    def interplay(*arguments: str) -> str:
        command = [str(installed), *arguments]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=600, cwd=tmp_path, env=clean
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    where = [str(installed.with_name("python")), "-c", "import interplay.flows; print(interplay.flows.__file__)"]
    found = subprocess.run(where, capture_output=True, text=True, check=True, cwd=tmp_path, env=clean).stdout
    assert Path(found.strip()).is_relative_to(installed.parents[1])
    assert "Turn any API into verified" in interplay("--help")
    interplay("init", "--deployments")
    assert (tmp_path / "prefect.yaml").read_bytes() == (ROOT / "prefect.yaml").read_bytes()
    assert json.loads(interplay("run", "--records", "3", "--json"))["accepted"] == 3
    assert "reloaded 3/3 identical" in interplay("export", "--to", "exported")
    assert len(list((tmp_path / "exported").glob("*.jsonl"))) > 0


def test_constraints_name_exact_versions_and_no_addresses() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert all(line.count("==") == 1 and "/" not in line for line in lines)
    assert {"fastapi", "SQLAlchemy", "setuptools"} <= {line.split("==")[0] for line in lines}


def test_editors_find_the_package_and_the_benchmarks_without_further_settings() -> None:
    pyright = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pyright"]
    code = json.loads((ROOT / ".vscode" / "settings.json").read_text(encoding="utf-8"))
    assert code["python.analysis.extraPaths"] == pyright["extraPaths"]
    found = [ROOT / folder for folder in pyright["extraPaths"]]
    assert all(any((folder / name).exists() for folder in found) for name in ("interplay/flows/api.py", "house.py"))
    assert {path.name for path in PACKAGE.iterdir() if path.is_symlink()} == set(ROOMS)
