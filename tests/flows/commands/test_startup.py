"""What the command line imports, and when: nobody waits for a library that is not needed yet."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {
    "anthropic",
    "datasets",
    "duckdb",
    "httpcore2",
    "jinja2",
    "mcp",
    "networkx",
    "numpy",
    "openai",
    "pandas",
    "prefect",
    "pyarrow",
}
NEEDED = {"numpy", "openai"}
"""What the first request of a run takes: the provider's library, and the forms of English words, which read with numpy."""

AT_THE_FIRST_REQUEST = """\
import json, os, sys
from interplay.flows.commands.cli import command_line
from interplay.generators.models.providers import endpoint

async def post(*_):
    print(json.dumps(sorted(sys.modules)), flush=True)
    os._exit(0)

endpoint.post = post
command_line()
"""
AT_THE_END = """\
import json, sys
from interplay.flows.commands.cli import command_line
try:
    command_line()
except SystemExit:
    print(json.dumps(sorted(sys.modules)))
"""

OPENED = """\
import json, sys
from interplay.flows import open_store
with open_store(sys.argv[1]):
    print(json.dumps(sorted(sys.modules)))
"""

LAST_WORDS = """\
import atexit
from interplay.flows.commands.cli import main
atexit.register(print, "last words")
main()
"""


def imported(script: str, *arguments: object) -> set[str]:
    """Return the modules of a command in a process of its own."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_help_imports_no_heavy_library() -> None:
    modules = imported(AT_THE_END, "--help")
    assert modules & HEAVY == set()
    assert {name for name in modules if name.startswith("interplay.generators")} == set()


def test_a_run_imports_nothing_that_its_first_request_does_not_need(tmp_path: Path) -> None:
    model = {"model": "m", "base_url": "http://127.0.0.1:9/v1", "concurrency": 4}
    config = tmp_path / "interplay.yaml"
    config.write_text(json.dumps({"models": {"m": model}, "roles": {"user": "m", "assistant": "m"}}))
    modules = imported(AT_THE_FIRST_REQUEST, "run", config, "--workspace", tmp_path / "w", "--records", 1)
    assert modules & HEAVY == NEEDED


def test_an_import_of_tools_needs_neither_models_nor_a_store() -> None:
    modules = imported(AT_THE_END, "import", "--toolset", "domain:clinic", "--json")
    assert modules & HEAVY == set()


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace whose run has ended."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "interplay.yaml").write_text("shard_size: 4\n")
    assert "pyarrow" in imported(AT_THE_END, "run", "--workspace", folder, "--records", "1")
    return folder


def test_records_and_figures_of_a_finished_run_are_read_with_the_database_alone(finished: Path) -> None:
    for asked in (["show", "0"], ["stats"]):
        modules = imported(AT_THE_END, *asked, "--workspace", finished, "--json")
        assert modules & (HEAVY | {"tenacity"}) == {"duckdb"}
        assert "interplay.flows.runs.run" not in modules
        assert {name for name in modules if name.startswith("interplay.validators.trajectories")} == set()


def test_the_store_of_a_finished_run_is_opened_without_what_makes_records(finished: Path) -> None:
    modules = imported(OPENED, finished)
    assert modules & HEAVY == {"duckdb"}
    assert {name for name in modules if name.startswith("interplay.flows.runs")} == set()


def test_a_command_ends_in_short_with_its_code_and_all_that_it_had_to_say(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LAST_WORDS]

    helped = subprocess.run([*command, "run", "--help"], capture_output=True, text=True, timeout=600, check=False)
    failed = subprocess.run(
        [*command, "show", "none", "--workspace", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )

    assert (helped.returncode, helped.stdout.splitlines()[-1]) == (0, "last words")
    assert (failed.returncode, failed.stdout) == (1, "last words\n")
    assert failed.stderr.startswith("interplay: ")
