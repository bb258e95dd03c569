"""Files of earlier versions are read and brought up to date, and files of later ones are refused with what to do.

`older/` holds what the first version that had a command line wrote, one of the day after, and the last one before versions were
noted: workspaces of two records with their stores, configurations, a file of overrides, deployments.
"""

import asyncio
import json
import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from tests.flows.command_line import Answer, interplay, run_clinic

from interplay.flows import pipeline
from interplay.flows.settings.config_file import load_config
from interplay.flows.workspaces.run_store import export_run, loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.environments.overrides.override_file import load_overrides
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.shard_file import SHARD_SCHEMA
from interplay.outputs.store.tables import VERSION
from interplay.schemas.errors import ConfigError, StoreError
from interplay.schemas.versions import CONFIGURATION, OVERRIDES, WORKSPACE, Format

OLDER = Path(__file__).with_name("older")
WORKSPACES = [path.name for path in sorted(OLDER.glob("workspace-*.tar.xz"))]


Command = Callable[..., Answer]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs `interplay` with the arguments given."""
    return partial(interplay, monkeypatch, capsys)


def unpacked(name: str, to: Path) -> Workspace:
    shutil.unpack_archive(OLDER / name, to / "workspace")
    return Workspace(to / "workspace")


def test_console_scripts_of_earlier_installations_find_the_command_line() -> None:
    from interplay.flows.cli import main  # noqa: PLC0415 - as the script does
    from interplay.flows.commands import cli  # noqa: PLC0415

    assert main is cli.main


@pytest.mark.parametrize("name", WORKSPACES)
@pytest.mark.parametrize("keeps_store", [True, False], ids=["with its store", "from its shards"])
def test_an_older_workspace_is_read_and_exported(
    command: Command, tmp_path: Path, name: str, keeps_store: bool
) -> None:
    workspace = unpacked(name, tmp_path)
    if not keeps_store:
        workspace.store_file.unlink()
    report = export_run(workspace, "openai", tmp_path / "out")
    assert report.identical == report.rows > 0
    with loaded_store(workspace) as store:
        assert store.query("SELECT version FROM migrations") == [{"version": VERSION}]
        assert len(list(store.accepted(workspace.existing_run().run))) == 2
    assert command("show", 0, "--workspace", workspace.folder).code == 0
    assert command("stats", "--workspace", workspace.folder).code == 0


def with_older_labels(workspace: Workspace, fault: str, termination: str) -> None:
    """Have the second record of a workspace rejected, with a label as it was called then."""
    rows = pq.read_table(workspace.shard(0)).to_pylist()
    record = json.loads(rows[1]["record"])
    record |= {"status": "rejected", "stage": "structure", "failure": {"fault": fault, "stage": "structure"}}
    record["trajectory"]["termination"] = termination
    rows[1] |= {"status": "rejected", "record": json.dumps(record)}
    pq.write_table(pa.Table.from_pylist(rows, SHARD_SCHEMA), workspace.shard(0))


@pytest.mark.parametrize("keeps_store", [True, False], ids=["with its store", "from its shards"])
@pytest.mark.parametrize(
    ("fault", "termination", "now"),
    [
        ("users_fault", "user_ended", "went wrong: user_fault"),
        ("missed_step", "turn_limit", "went wrong: missed_goal"),
        ("other", "stuck", "unclear: what went wrong cannot be told"),
    ],
)
def test_older_labels_have_the_names_of_today(
    command: Command, tmp_path: Path, keeps_store: bool, fault: str, termination: str, now: str
) -> None:
    workspace = unpacked(WORKSPACES[-1], tmp_path)
    with_older_labels(workspace, fault, termination)
    if not keeps_store:
        workspace.store_file.unlink()
    report = export_run(workspace, "openai", tmp_path / "out")
    assert report.identical == report.rows == 1
    shown = command("show", 1, "--workspace", workspace.folder)
    assert shown.code == 0
    assert now in shown.out
    stats = command("stats", "--json", "--workspace", workspace.folder)
    assert json.loads(stats.out)["unclear"] == (fault == "other")


def test_an_older_store_learns_which_records_go_on_from_which(tmp_path: Path) -> None:
    workspace = unpacked("workspace-3.tar.xz", tmp_path)
    with loaded_store(workspace) as store:
        first, second = store.accepted(workspace.existing_run().run)
        assert store.continued(first.run) == {first.id}
        assert store.query("SELECT continues FROM records ORDER BY index") == [
            {"continues": None},
            {"continues": first.id},
        ]
    assert second.blueprint is not None


def test_an_older_store_is_made_anew_once_and_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    workspace = unpacked(WORKSPACES[0], tmp_path)
    (workspace.folder / "dataset.duckdb.new").write_text("what a killed process left")
    with caplog.at_level("INFO"):
        for _ in range(2):
            with loaded_store(workspace) as store:
                assert len(list(store.dialogues(workspace.existing_run().run))) == 2
    assert [line.getMessage() for line in caplog.records] == [
        f"{workspace.name}: its store is of an older version, and is made anew from the shards."
    ]
    assert [path.name for path in workspace.folder.glob("dataset.duckdb*")] == ["dataset.duckdb"]


def test_an_older_store_that_holds_more_than_the_shards_is_kept(tmp_path: Path) -> None:
    workspace = unpacked(WORKSPACES[0], tmp_path)
    workspace.shard(0).unlink()
    before = workspace.store_file.read_bytes()
    with (
        pytest.raises(StoreError, match=r"holds what shard-000000\.parquet held, which .* Bring that file back"),
        loaded_store(workspace),
    ):
        pass
    assert workspace.store_file.read_bytes() == before


def test_a_workspace_of_another_build_is_not_added_to_and_says_what_to_do(command: Command, tmp_path: Path) -> None:
    workspace = unpacked("workspace-2.tar.xz", tmp_path)
    shutil.copy(OLDER / "notes.json", tmp_path)
    noted = json.loads(workspace.run_file.read_text())
    noted["config"]["toolset"] = [f"json:{tmp_path / 'notes.json'}"]
    workspace.run_file.write_text(json.dumps(noted))
    answer = command("run", "--records", 3, "--workspace", workspace.folder)
    assert answer.code == 1
    assert "It can be read and exported as it is; to make more, use that version again, or another" in answer.err


def test_a_newer_workspace_is_refused_and_left_alone(command: Command, tmp_path: Path) -> None:
    workspace = unpacked(WORKSPACES[-1], tmp_path)
    newer = json.dumps(json.loads(workspace.run_file.read_text()) | {"format": 99, "unheard_of": 1})
    workspace.run_file.write_text(newer)
    for arguments in (["stats"], ["run", "--records", 5]):
        answer = command(*arguments, "--workspace", workspace.folder)
        assert answer.code == 1
        assert "this workspace is of version 99, this interplay knows versions up to" in answer.err
        assert "pip install --upgrade interplay" in answer.err
        assert len(answer.err.strip().splitlines()) == 1
    assert workspace.run_file.read_text() == newer


def test_a_newer_store_is_refused_with_what_to_do(tmp_path: Path) -> None:
    workspace = unpacked(WORKSPACES[-1], tmp_path)
    with loaded_store(workspace):
        pass
    with DatasetStore(workspace.store_file) as store:
        store.query("INSERT INTO migrations VALUES (99)")
    with pytest.raises(
        StoreError, match=r"dataset\.duckdb: the tables are of version 99, .* Use a newer interplay, or delete"
    ):
        export_run(workspace, "openai", tmp_path / "out")


def test_a_new_workspace_says_its_version(tmp_path: Path) -> None:
    run_clinic(tmp_path, records=1, shard_size=1)
    assert json.loads((tmp_path / "run.json").read_text())["format"] == WORKSPACE.version


@pytest.mark.parametrize("name", ["interplay-1.yaml", "interplay-2.yaml"])
def test_an_older_configuration_is_read(name: str) -> None:
    config = load_config(OLDER / name)
    assert config.toolset == (f"json:{OLDER / 'notes.json'}",)
    assert config.version == CONFIGURATION.version


def test_an_older_file_of_overrides_is_read_and_its_version_is_no_part_of_the_tools(tmp_path: Path) -> None:
    authored = load_overrides(OLDER / "notes.interplay.yaml")
    assert authored.overrides.resources["note"].rows == 9
    versioned = tmp_path / "notes.interplay.yaml"
    versioned.write_text(f"version: {OVERRIDES.version}\n" + (OLDER / "notes.interplay.yaml").read_text())
    assert load_overrides(versioned).mark == authored.mark


def test_the_version_of_a_configuration_changes_no_record(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("records: 3")
    (tmp_path / "b.yaml").write_text(f"version: {CONFIGURATION.version}\nrecords: 3")
    assert load_config(tmp_path / "a.yaml") == load_config(tmp_path / "b.yaml")


@pytest.mark.parametrize("load", [load_config, load_overrides])
@pytest.mark.parametrize(
    ("version", "told"),
    [("9", "of version 9, .* pip install --upgrade"), ("'1'", "/version: expected a number"), ("0", "found 0")],
)
def test_a_file_of_a_newer_or_no_version_is_refused(tmp_path: Path, load: Any, version: str, told: str) -> None:
    (tmp_path / "file.yaml").write_text(f"version: {version}\nunheard_of: 1\n")
    with pytest.raises(ConfigError, match=f"file.yaml: .*{told}"):
        load(tmp_path / "file.yaml")


def test_older_deployments_fit_the_flows_and_newer_ones_are_refused() -> None:
    for deployment in yaml.safe_load((OLDER / "prefect.yaml").read_text())["deployments"]:
        flow = getattr(pipeline, deployment["entrypoint"].rpartition(".")[2])
        flow.validate_parameters(deployment["parameters"])
    state = asyncio.run(pipeline.load_store.fn("workspace", version=2))
    assert re.search(r"this deployment is of version 2, .* pip install --upgrade", state.message)


def test_each_step_takes_a_file_one_version_on() -> None:
    renamed = Format("list", steps=(lambda old: {"b": old["a"]}, lambda old: {"c": old["b"]}))
    assert renamed.current({"a": 1}, "x") == renamed.current({"version": 2, "b": 1}, "x") == {"c": 1}
    assert renamed.current({"version": 3, "c": 1}, "x") == {"c": 1}
