"""The Python API: lazily imported, typed, and usable where an event loop runs already; its page in the docs is run."""

import ast
import asyncio
import inspect
import json
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.flows.brains import ReplayingBrain
from tests.flows.commands.test_startup import HEAVY
from tests.flows.runs.test_model_run import by_rules
from tests.model_server.misbehaviour import Settings
from tests.model_server.server import ModelServer

import interplay
from interplay import flows
from interplay.flows import build_graph, export, import_tools, open_store, preview, run
from interplay.flows.runs.committer import RunSummary
from interplay.flows.settings.config import RunConfig
from interplay.schemas.errors import ConfigError, ImportFailure, StoreError
from interplay.schemas.records.verdict import DatasetRecord

PAGE = (Path(__file__).parents[2] / "docs" / "python-api.md").read_text(encoding="utf-8")
CELLS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
SHOWN = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
"""What cells of the page print, for the first and the last of them."""

SMALL = {"toolset": "domain:clinic", "records": 3, "shard_size": 4}


def imported(code: str) -> set[str]:
    """Return the modules that a process has imported after some code."""
    code = f"{code}\nimport json, sys; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    return set(json.loads(done.stdout))


def test_the_package_itself_imports_nothing() -> None:
    modules = imported("import interplay.flows")
    assert {name for name in modules if name.startswith("interplay")} == {"interplay", "interplay.flows"}


def test_the_functions_import_neither_models_nor_a_store() -> None:
    modules = imported("from interplay.flows import run, preview, import_tools, build_graph, export, open_store")
    assert modules & HEAVY == set()


def test_no_module_hides_a_function_of_the_same_name() -> None:
    modules = {module.name for module in pkgutil.iter_modules(flows.__path__)}
    assert modules & set(flows.__all__) == set()
    assert set(flows.__all__) <= set(dir(flows))


@pytest.mark.parametrize("name", flows.__all__)
def test_every_function_is_typed_and_says_what_it_raises(name: str) -> None:
    function = getattr(flows, name)
    signature = inspect.signature(function)
    assert all(item.annotation is not inspect.Parameter.empty for item in signature.parameters.values())
    assert signature.return_annotation is not inspect.Signature.empty
    assert "Raises:" in (function.__doc__ or "")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="simulate"):
        _ = flows.simulate
    with pytest.raises(AttributeError, match="simulate"):
        _ = interplay.simulate


def test_a_run_continues_and_is_exported_as_on_the_command_line(tmp_path: Path) -> None:
    told: list[int] = []
    first = asyncio.run(run(tmp_path / "w", SMALL, tell=lambda progress: told.append(progress.accepted)))
    more = asyncio.run(run(str(tmp_path / "w"), SMALL, records=5))
    again = asyncio.run(run(tmp_path / "w", RunConfig(toolset=("domain:clinic",), records=5, shard_size=4)))

    assert first.accepted >= 3
    assert told[-1] == first.accepted
    assert more.accepted >= 5
    assert again.made == 0
    exported = export(tmp_path / "w", tmp_path / "out", format="trl", shape="parquet")
    assert exported.identical == exported.rows == more.accepted
    with open_store(tmp_path / "w") as store:
        assert len(list(store.accepted(more.run))) == more.accepted


def test_settings_and_a_file_of_them_are_the_same_configuration(tmp_path: Path) -> None:
    (tmp_path / "interplay.yaml").write_text(json.dumps({**SMALL, "seed": 4}))
    by_file = asyncio.run(preview(tmp_path / "interplay.yaml", 2, start=1))
    by_settings = asyncio.run(preview({**SMALL, "seed": 4}, 2, start=1))
    assert by_file == by_settings
    assert [record.index for record in by_file] == [1, 2]


def test_paths_are_taken_from_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = {"name": "get_note", "description": "Get a note.", "parameters": {"type": "object", "properties": {}}}
    (tmp_path / "tools.json").write_text(json.dumps([tool]))
    monkeypatch.chdir(tmp_path)
    assert [found.name for found in import_tools("json:tools.json").toolset.tools] == ["get_note"]
    assert [node.name for node in asyncio.run(build_graph("json:tools.json")).nodes] == ["get_note"]


def test_what_is_wrong_is_said_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"/record: unknown key\. Did you mean 'records'"):
        asyncio.run(preview({"record": 3}))
    with pytest.raises(ImportFailure, match=r"none\.yaml"):
        import_tools("openapi:none.yaml")
    with pytest.raises(ConfigError, match="interplay run"), open_store(tmp_path / "empty"):
        pass
    asyncio.run(run(tmp_path / "w", SMALL))
    with open_store(tmp_path / "w"):
        assert export(tmp_path / "w", tmp_path / "out").rows > 0
    (tmp_path / "w" / "dataset.duckdb").write_text("broken")
    with pytest.raises(StoreError, match="Delete the file"), open_store(tmp_path / "w"):
        pass


def test_the_page_runs_where_a_loop_runs_already(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    printed: list[str] = []

    async def notebook() -> None:
        for cell in CELLS:  # as IPython runs a cell
            code = compile(cell, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            waits = eval(code, names)
            if inspect.iscoroutine(waits):
                await waits
            printed.append(capsys.readouterr().out)

    asyncio.run(notebook())
    assert [printed[0], printed[-1]] == SHOWN
    assert (tmp_path / "exported" / "openai").is_dir()


def outputs(notebook: Any) -> Iterator[str]:
    """Yield what each cell of a notebook printed."""
    for cell in notebook.cells:
        yield "".join(output.get("text", "") for output in cell.outputs)


def test_the_page_runs_in_a_real_notebook(tmp_path: Path) -> None:
    reason = "needs a notebook's kernel: pip install -e '.[dev]'"
    nbclient = pytest.importorskip("nbclient", reason=reason)
    nbformat = pytest.importorskip("nbformat", reason=reason)
    pytest.importorskip("ipykernel", reason=reason)
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    done = nbclient.NotebookClient(book, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    printed = list(outputs(done))
    assert [printed[0], printed[-1]] == SHOWN
    assert (tmp_path / "exported" / "openai").is_dir()


def test_several_processes_work_beside_a_running_loop(tmp_path: Path) -> None:
    async def notebook() -> tuple[int, int]:
        one = await run(tmp_path / "one", SMALL)
        two = await run(tmp_path / "two", {**SMALL, "workers": 2})
        return one.accepted, two.accepted

    one, two = asyncio.run(notebook())
    assert one == two
    shard = "shards/shard-000000.parquet"
    assert (tmp_path / "one" / shard).read_bytes() == (tmp_path / "two" / shard).read_bytes()


def test_models_are_asked_in_the_loop_that_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "unused")

    async def notebook() -> tuple[RunSummary, tuple[DatasetRecord, ...]]:
        async with ModelServer(Settings(), ReplayingBrain(by_rules())) as server:
            model = {"model": "tiny", "base_url": server.openai_url, "api_key_env": "API_KEY"}
            config = {**SMALL, "models": {"m": model}, "roles": {"user": "m", "assistant": "m"}}
            return await run(tmp_path / "w", config), await preview(config, 1)

    rules = by_rules()  # not in the loop
    summary, previewed = asyncio.run(notebook())
    assert summary.accepted >= 3
    assert summary.spent is not None
    assert summary.spent.tokens > 0
    assert previewed[0].blueprint == rules[0].blueprint


def test_the_version_is_that_of_the_distribution() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", interplay.__version__)
