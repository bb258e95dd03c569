"""Every benchmark runs, at its smallest size."""

import ast
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from tests.flows.commands.test_command_line import PETS
from tests.generators.worlds import records

ROOT = Path(__file__).parents[1]
BENCH = ROOT / "bench"
SHARED = Path(os.environ.get("INTERPLAY_SHARED", ROOT.parent / "shared")) / "data"
READ_SHARED = {"dataflow", "graph_scale", "judging", "word_variety"}
"""Benchmarks of real descriptions and recordings alone."""
RUN_BY_OTHERS = {"dialogue_client", "dialogue_server", "model_client"}
"""Processes that other benchmarks start."""
FORKED = """
import faulthandler, gc, json, os, runpy, sys
import datasets
import interplay.flows.runs.run, interplay.flows.worlds.corrections, interplay.outputs.exporters.export
from tests.generators.worlds import records
records("domain:clinic", 1)
gc.freeze()
gc.set_threshold(50_000)
for line in sys.stdin:
    program, written, told = json.loads(line)
    child = os.fork()
    if not child:
        faulthandler.dump_traceback_later(1200, exit=True)
        for number, path in ((0, os.devnull), (1, written), (2, told)):
            os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
        sys.argv, sys.path[0] = program, os.path.dirname(program[0])
        runpy.run_path(program[0], run_name="__main__")
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""A process that has imported and read what most benchmarks do, and runs each of them in a child of its own."""


def smallest(path: Path) -> tuple[str, ...] | None:
    """Return the arguments of a benchmark's smallest run, as the file says; none where it says nothing."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SMALLEST":
            return tuple(ast.literal_eval(node.value))
    return None


SIZES = {path.stem: smallest(path) for path in sorted(BENCH.glob("*.py"))}
SIZED = {name: size for name, size in SIZES.items() if size is not None}


def test_every_benchmark_has_a_smallest_size() -> None:
    programs = {
        name for name in SIZES if '__name__ == "__main__"' in (BENCH / f"{name}.py").read_text(encoding="utf-8")
    }
    assert len(programs) > 15
    assert programs - RUN_BY_OTHERS == set(SIZED)


@pytest.fixture(scope="module")
def run() -> Iterator[Callable[[Sequence[str], Path], subprocess.CompletedProcess[str]]]:
    """Return what runs a program with its arguments, and keeps what it writes in a folder."""
    with subprocess.Popen(
        [sys.executable, "-c", FORKED], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        asked, told = process.stdin, process.stdout

        def make(program: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
            written = [folder / "written.txt", folder / "told.txt"]
            asked.write(json.dumps([program, *map(str, written)]) + "\n")
            asked.flush()
            code = int(told.readline())
            return subprocess.CompletedProcess(program, code, *(path.read_text(encoding="utf-8") for path in written))

        yield make
        asked.close()


@pytest.mark.parametrize("name", SIZED)
def test_a_benchmark_runs_at_its_smallest_size(
    name: str, run: Callable[[Sequence[str], Path], subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    if name in READ_SHARED and not SHARED.is_dir():
        pytest.skip(f"{SHARED}: is not there; set INTERPLAY_SHARED to the folder that holds data/")
    (tmp_path / "pets.yaml").write_text(PETS, encoding="utf-8")
    arguments = [str(tmp_path / "pets.yaml") if part == "FILE" else part for part in SIZED[name]]
    done = run([str(BENCH / f"{name}.py"), *arguments], tmp_path)

    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode in (0, 1), done.stderr  # 1: a limit is not kept, which so small a run does not tell
    assert done.stdout.strip()
    if "--json" in arguments:
        json.loads(done.stdout)


def test_digests_do_not_depend_on_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    digests = importlib.import_module("digests")
    record = records("domain:clinic", 1)[0]
    assert record.trajectory is not None
    newer = record.model_copy(update={"trajectory": record.trajectory.model_copy(update={"version": "99"})})
    assert digests._text(newer) == digests._text(record)
