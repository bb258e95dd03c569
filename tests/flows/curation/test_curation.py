"""What stays out of exports: planted repeats, tasks of benchmarks, credentials and data of people."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.flows.command_line import interplay, run_clinic
from tests.flows.serving import serving
from tests.model_server.misbehaviour import Settings

from interplay.flows.curation.benchmark_files import read_benchmark
from interplay.flows.curation.curated_run import curate, forget
from interplay.flows.settings.curation_settings import CurationSettings, SelectSettings
from interplay.flows.workspaces.run_store import export_run
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.outputs.store.shard_file import read_shard, write_shard
from interplay.schemas.errors import ConfigError, ImportFailure, StoreError
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.verdict import DatasetRecord

KEY = "AKIA" + "IOSFODNN7EXAMPLE"
TASK = "You want to move your root canal to the second Tuesday of May, and to pay with the gift card of your aunt."


def saying(record: DatasetRecord, text: str) -> DatasetRecord:
    """Return a record whose user says one thing more at the beginning."""
    assert record.trajectory is not None
    place = next(place for place, message in enumerate(record.trajectory.messages) if message.role == "user")
    messages = list(record.trajectory.messages)
    messages[place] = messages[place].model_copy(update={"content": f"{messages[place].content} {text}"})
    return with_messages(record, tuple(messages))


def with_messages(record: DatasetRecord, messages: tuple[Message, ...]) -> DatasetRecord:
    assert record.trajectory is not None
    return record.model_copy(update={"trajectory": record.trajectory.model_copy(update={"messages": messages})})


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, dict[str, str]]:
    """Return a workspace with faults, and by id of a record what is planted in it."""
    workspace = Workspace(tmp_path_factory.mktemp("planted") / "w")
    run_clinic(workspace.folder, records=40)
    shards = list(workspace.finished_shards())
    sound = [record for path in shards for record in read_shard(path) if record.status == "accepted"]
    first, copied, secret, personal, benchmark = sound[:5]
    assert first.trajectory is not None
    faults: dict[str, tuple[str, Callable[[], DatasetRecord]]] = {
        copied.id: ("near_duplicates", lambda: with_messages(copied, first.trajectory.messages)),
        secret.id: ("secrets", lambda: saying(secret, f"My key is {KEY}.")),
        personal.id: ("personal_data", lambda: saying(personal, "Or write to ada.zeller@gmail.com.")),
        benchmark.id: ("contamination", lambda: saying(benchmark, TASK)),
    }
    for path in shards:
        write_shard(path, [faults[each.id][1]() if each.id in faults else each for each in read_shard(path)])
    workspace.store_file.unlink(missing_ok=True)
    return workspace, {id: step for id, (step, _) in faults.items()}


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps({"tasks": [{"id": 7, "instruction": TASK, "actions": []}]}))
    return path


def test_each_planted_fault_is_found_and_nothing_else(planted: tuple[Workspace, dict[str, str]], tasks: Path) -> None:
    workspace, faults = planted
    report = asyncio.run(curate(workspace, CurationSettings(contamination=(tasks,))))
    lines = workspace.curated_file.read_text().splitlines()
    found = {line["id"]: line["verdict"]["check"] for line in map(json.loads, lines)}
    assert found == faults
    assert report.kept == report.looked_at - 4
    assert report.benchmark_tasks == 1
    assert KEY not in workspace.curated_file.read_text()


def test_exports_leave_out_what_was_curated_until_that_is_taken_back(
    planted: tuple[Workspace, dict[str, str]], tasks: Path, tmp_path: Path
) -> None:
    workspace, faults = planted
    asyncio.run(curate(workspace, CurationSettings(contamination=(tasks,))))
    report = export_run(workspace, "openai", tmp_path / "curated")
    assert report.curated == len(faults)
    assert report.rows == report.accepted - len(faults) == report.identical
    told = (tmp_path / "curated" / "README.md").read_text()
    assert KEY not in "".join(path.read_text() for path in (tmp_path / "curated").glob("*.jsonl"))
    assert "left out by near duplicates" in told
    noted = workspace.curated_file.read_text()
    workspace.curated_file.write_text(noted.replace('"id":"', '"id":"x', 1))
    with pytest.raises(ConfigError, match=r"curated\.jsonl: holds other verdicts.*interplay curate"):
        export_run(workspace, "openai", tmp_path / "damaged")
    forget(workspace)
    assert export_run(workspace, "openai", tmp_path / "whole").rows == report.accepted


def test_a_few_rows_are_selected_that_show_most(planted: tuple[Workspace, dict[str, str]]) -> None:
    workspace, _ = planted
    settings = CurationSettings(near_duplicates=None, secrets=False, personal_data=False)
    report = asyncio.run(
        curate(workspace, settings.model_copy(update={"select": SelectSettings(rows=20, by=("tools", "edges"))}))
    )
    assert report.kept == 20
    assert report.covered["tools"] == 1.0
    again = workspace.curated_file.read_bytes()
    asyncio.run(
        curate(workspace, settings.model_copy(update={"select": SelectSettings(rows=20, by=("tools", "edges"))}))
    )
    assert workspace.curated_file.read_bytes() == again
    forget(workspace)


def test_the_command_says_what_it_left_out(
    planted: tuple[Workspace, dict[str, str]],
    tasks: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    workspace, _ = planted

    def told_by(*arguments: object) -> str:
        return interplay(monkeypatch, capsys, *arguments).out

    index = tmp_path / "index.jsonl"
    assert "1 tasks" in told_by("benchmark-index", tasks, "--to", index)
    told = told_by("curate", "--workspace", workspace.folder, "--against", index)
    assert "secrets: 1 left out" in told
    assert "contamination: 1 left out" in told
    assert "nothing is left out" in told_by("curate", "--workspace", workspace.folder, "--off")


@pytest.mark.parametrize("content", ["no json", "{}", "[1, 2]", '{"tasks": []}', '[{"name": "x"}]'])
def test_a_file_in_a_shape_that_nobody_knows_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "tasks.json"
    path.write_text(content)
    with pytest.raises(ImportFailure, match="tau-bench"):
        read_benchmark(path)


def test_for_a_file_that_is_not_there_it_is_said_which_to_give(tmp_path: Path) -> None:
    with pytest.raises(ImportFailure, match=r"No such file.*Give a file that holds a list of tasks as tau-bench"):
        read_benchmark(tmp_path / "tasks.json")


def test_calls_that_are_written_as_python_are_read(tmp_path: Path) -> None:
    path = tmp_path / "bfcl.jsonl"
    entry = {
        "id": "multi_turn_1",
        "question": [[{"role": "user", "content": "Please move final_report.pdf to the temp folder now."}]],
        "ground_truth": [["cd(folder='document')", "mkdir(dir_name='temp')"], ["mv(source='a', destination='temp')"]],
    }
    path.write_text(json.dumps(entry) + "\n")
    (task,) = read_benchmark(path)
    assert (len(task.calls), len(task.grams)) == (3, 5)


def test_what_other_roles_say_in_a_task_is_not_looked_for(tmp_path: Path) -> None:
    path = tmp_path / "bfcl.jsonl"
    asked = {"role": "user", "content": "Please move final_report.pdf to the temp folder now."}
    rules = {"role": "system", "content": "You look after files. " * 20}
    path.write_text(json.dumps({"id": "a", "question": [[asked]]}) + "\n")
    (alone,) = read_benchmark(path)
    path.write_text(json.dumps({"id": "a", "question": [[rules, asked]]}) + "\n")
    (beside,) = read_benchmark(path)
    assert beside == alone


def test_a_secret_in_an_attempt_that_failed_is_in_no_pair(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "w")
    run_clinic(workspace.folder, records=8, branches={"count": 3, "mistakes": 2})
    shards = list(workspace.finished_shards())
    failed = [each for path in shards for each in read_shard(path) if each.failure and each.failure.message is not None]
    for path in shards:
        write_shard(path, [saying(each, f"My key is {KEY}.") if each in failed else each for each in read_shard(path)])
    workspace.store_file.unlink(missing_ok=True)
    report = asyncio.run(curate(workspace, CurationSettings(near_duplicates=None)))
    assert (report.kept, report.left_out) == (report.looked_at, {})
    assert report.failed_left_out == sum(each.index <= report.last for each in failed) > 3
    export_run(workspace, "kto", tmp_path / "kto")
    assert KEY not in "".join(path.read_text() for path in (tmp_path / "kto").glob("*.jsonl"))
    with pytest.raises(StoreError):
        export_run(workspace, "preference", tmp_path / "pairs")


def test_an_export_of_which_curation_left_nothing_says_so(
    planted: tuple[Workspace, dict[str, str]], tmp_path: Path
) -> None:
    workspace = planted[0]
    forget(workspace)
    export_run(workspace, "bfcl", tmp_path / "entries")
    (entries,) = (tmp_path / "entries" / "bfcl").glob("*.json")
    report = asyncio.run(curate(workspace, CurationSettings(contamination=(entries,))))
    assert report.kept == 0
    with pytest.raises(StoreError, match="curation left out 40 dialogues"):
        export_run(workspace, "openai", tmp_path / "out")
    forget(workspace)


def test_users_who_mean_the_same_are_found_by_the_embedding_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANTED_KEY", "sk-planted")
    workspace = Workspace(tmp_path / "w")
    with serving(Settings()) as server:
        model = EndpointSettings(model="tiny", base_url=server.openai_url, api_key_env="PLANTED_KEY")
        run_clinic(workspace.folder, records=12, embeddings=model)
        shards = list(workspace.finished_shards())
        sound = [each for path in shards for each in read_shard(path) if each.status == "accepted"]
        first, copied = sound[:2]
        assert first.trajectory is not None
        again = with_messages(copied, first.trajectory.messages)
        for path in shards:
            write_shard(path, [again if each.id == copied.id else each for each in read_shard(path)])
        workspace.store_file.unlink(missing_ok=True)
        plain = {"near_duplicates": None, "secrets": False, "personal_data": False}
        report = asyncio.run(curate(workspace, CurationSettings.model_validate({**plain, "same_meaning": 0.999})))
    assert report.left_out == {"same_meaning": 1}
    [line] = workspace.curated_file.read_text().splitlines()
    assert json.loads(line)["id"] == copied.id


def test_without_a_model_meanings_cannot_be_told(planted: tuple[Workspace, dict[str, str]]) -> None:
    with pytest.raises(ConfigError, match="embeddings"):
        asyncio.run(curate(planted[0], CurationSettings(same_meaning=0.9)))
