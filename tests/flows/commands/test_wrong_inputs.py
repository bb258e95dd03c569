"""What strangers get wrong: each is told in one line what is wrong, where, and what to do."""

import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import duckdb
import pytest
from tests.flows.command_line import copy_clinic, interplay

from interplay.flows.orchestration import require_answer
from interplay.flows.viewer.page_server import listening
from interplay.flows.workspaces.run_files import write_text
from interplay.schemas.errors import ConfigError, StoreError

MODEL = "models: {m: {model: x, %s}}\nroles: {assistant: m}\n"


@pytest.mark.parametrize(
    ("config", "told"),
    [
        (MODEL % "temperature: 0.5", "/models/m/temperature: unknown key here. It stands under sampling"),
        (MODEL % "provider: gemini", "provider: openai, and its address as base_url"),
        ("records: 99999999999999999999\n", "/records: "),
        ("gym: {rewards: 5}\n", "/gym/rewards: unknown key. Known keys: weights, "),
        ("worlds: {shard_size: 5}\n", "/worlds/shard_size: unknown key. Known keys: records, rows"),
        (
            "records: yes\n",
            "/records: Input should be a valid integer, unable to parse string as an integer (found 'yes')",
        ),
        ("records: 3\nseed: 1\nrecords: 4\n", "interplay.yaml:3: records stands in line 1 already. Keep one."),
        ("branches: {count: 2, mistakes: 5}\n", "mistakes: 5 of 2 continuations cannot have one; set count higher"),
        ("seed: true\n", "/seed: Input should be a valid integer (found 'True')"),
        ("budget: -3\n", "/budget: expected settings, one `key: value` a line (found '-3')."),
    ],
)
def test_a_configuration_that_is_wrong(
    config: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "interplay.yaml").write_text(config)
    monkeypatch.chdir(tmp_path)
    answer = interplay(monkeypatch, capsys, "run")
    assert answer.code == 1
    assert told in answer.err
    assert len(answer.err.strip().splitlines()) == 1
    assert not (tmp_path / "workspace").exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--to", "s3://bucket/x"), "exports are written to folders"),
        (("--to", "."), "is the folder that this runs in"),
        (("--to", "w/journal.sqlite"), "is a place of the workspace itself"),
        (("--to", "w/shards/more"), "is a place of the workspace itself"),
        (("--to", "out", "--private"), "name the dataset there with --push OWNER/NAME"),
        (("--to", "out", "--revision", "dev"), "name the dataset there with --push OWNER/NAME"),
    ],
)
def test_an_export_that_cannot_be_meant(
    options: tuple[str, ...],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    copy_clinic(tmp_path / "w", records=4)
    monkeypatch.chdir(tmp_path)
    answer = interplay(monkeypatch, capsys, "export", "--workspace", "w", *options)
    assert answer.code == 1
    assert told in answer.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["w"]


@pytest.mark.parametrize("text", ["", "[]", '{"messages": 3}'])
def test_judging_nothing_is_no_success(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "said.jsonl").write_text(text)
    answer = interplay(monkeypatch, capsys, "judge", tmp_path / "said.jsonl")
    assert answer.code == 1
    assert "No dialogue was judged. Give files that hold some" in answer.err


def test_an_export_of_nothing_that_was_judged_is_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "said.jsonl").write_text('{"messages": [{"role": "user", "content": "Hello"}]}')
    answer = interplay(monkeypatch, capsys, "judge", tmp_path / "said.jsonl", "--to", tmp_path / "kept")
    assert answer.code == 1
    assert "kept is not written" in answer.err
    assert not (tmp_path / "kept").exists()


def test_what_is_forgotten_is_not_selected_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = interplay(monkeypatch, capsys, "curate", "--off", "--select", "3", "--workspace", tmp_path)
    assert answer.code == 2
    assert "--off" in answer.err


@pytest.mark.parametrize("text", ["[]", '{"tools": []}'])
def test_a_list_without_tools_is_no_success(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tools.json").write_text(text)
    answer = interplay(monkeypatch, capsys, "import", "--toolset", f"json:{tmp_path / 'tools.json'}")
    assert (answer.code, answer.out) == (1, "")
    assert "tools.json" in answer.err


def test_tools_that_are_all_rejected_are_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tools.json").write_text("[1, 2]")
    answer = interplay(monkeypatch, capsys, "import", "--toolset", f"json:{tmp_path / 'tools.json'}")
    assert answer.code == 1
    assert "instead of a tool definition" in answer.out
    assert (
        answer.err == "interplay: no tool could be imported. Mend what each is rejected for, or name another source.\n"
    )


def test_more_records_than_can_be_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = interplay(monkeypatch, capsys, "run", "--records", "99999999999999999999")
    assert answer.code == 2
    assert "--records" in answer.err


def test_an_export_may_go_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy_clinic(tmp_path / "w", records=4)
    for name in ("exp[x]/ex", "a*b", "what?", "ends in a blank "):
        answer = interplay(monkeypatch, capsys, "export", "--workspace", tmp_path / "w", "--to", tmp_path / name)
        assert answer.code == 0, answer.err
        assert "reloaded 4/4 identical" in answer.out


def test_an_id_that_is_not_there_names_the_workspace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy_clinic(tmp_path, records=4)
    answer = interplay(monkeypatch, capsys, "show", "zzz", "--workspace", tmp_path)
    assert answer.code == 1
    assert ".duckdb" not in answer.err
    assert str(tmp_path) in answer.err


def test_the_graph_is_of_the_tools_of_the_configuration_that_lies_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "interplay.yaml").write_text("toolset: [domain:rental]\n")
    monkeypatch.chdir(tmp_path)
    answer = interplay(monkeypatch, capsys, "graph", "--no-verify")
    assert answer.code == 0
    assert "tools" in answer.out


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("", "The name of the workspace is empty."),
        ("s3:/bucket/x", "s3:/bucket/x: is a URL with one slash. Write s3://bucket/x"),
        ("s3://", "s3://: names no bucket."),
    ],
)
def test_a_workspace_that_has_no_place(
    place: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = interplay(monkeypatch, capsys, "run", "--toolset", "domain:clinic", "--records", "1", "--workspace", place)
    assert answer.code in (1, 2)
    assert told in answer.err
    assert list(tmp_path.iterdir()) == []


def test_functions_of_python_itself_are_not_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = interplay(monkeypatch, capsys, "graph", "--toolset", "python:os")
    assert answer.code == 1
    assert "os belongs to Python itself" in answer.err


def test_an_address_that_cannot_be_had_is_told_with_what_to_do() -> None:
    with listening(0) as held, pytest.raises(StoreError, match=r"Port \d+ of 127.0.0.1 cannot .* --port"):
        listening(held.getsockname()[1])
    with pytest.raises(StoreError, match=r"--host no\.such\.invalid: is no address of this machine"):
        listening(0, "no.such.invalid")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--add", 5, "--records", 5), "records and add: name one of them"),
        (("--to", "x"), "to: is where an export goes, and none is asked for."),
        (("--scheduler", "tcp://x:1"), "scheduler: is for Dask alone."),
        (("--name", "a/b"), "--name 'a/b': Prefect takes names without / % & < >"),
        (("--pool", " "), "--pool ' ': Prefect takes names without"),
        (("--cron", "every night"), 'At two each night is "0 2 * * *"'),
        (("--cron", "0 2 * * *", "--timezone", "Mars/One"), "timezone 'Mars/One': there is no such zone."),
    ],
)
def test_a_deployment_that_could_not_run_is_not_made(
    options: tuple[object, ...],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "interplay.yaml").write_text("toolset: domain:clinic\n")
    monkeypatch.chdir(tmp_path)
    answer = interplay(monkeypatch, capsys, "deploy", *options)
    assert answer.code == 1
    assert told in answer.err


@pytest.mark.parametrize("server", ["nonsense", "http://", "localhost:4200/api"])
def test_an_address_that_is_none_is_told(server: str) -> None:
    with pytest.raises(ConfigError, match="is no address of a server, such as http"):
        require_answer(server)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("show", "-1"), "No such option: -1 Indices begin at 0."),
        (("show", ""), "name a record by its index, such as 0, or by how its id begins."),
        (("export", "--format", "opnai", "--to", "x"), "'--format': 'opnai' is not one of 'openai'"),
        (("export", "--to", "x", "--max-tokens", 1), "Raise --max-tokens, or hold out less"),
        (("export", "--to", "x", "--template", "missing"), "Give a Jinja file, as models have it."),
        (("stats", "w"), "Got unexpected extra argument(s) (w): a workspace is named with --workspace."),
        (
            ("remove", "0", "--why", "asked"),
            "withdrawn.jsonl: line 2 is no Withdrawal, of which each holds one. Restore the file",
        ),
    ],
)
def test_what_a_command_cannot_take_is_told_with_what_it_takes(
    command: tuple[object, ...],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    copy_clinic(tmp_path / "w", records=4)
    (tmp_path / "w/withdrawn.jsonl").write_text('{"index": 9, "records": [], "why": "x"}\nnonsense\n')
    monkeypatch.chdir(tmp_path)
    answer = interplay(monkeypatch, capsys, *command, "--workspace", "w")
    assert answer.code in (1, 2)
    assert told in answer.err


@pytest.mark.parametrize(
    "command", [("report", "w", "--to"), ("benchmark-index", "tasks.json", "--to"), ("journal", "export")], ids=str
)
def test_a_file_that_holds_something_else_is_not_replaced(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy_clinic(tmp_path / "w", records=4)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tasks.json").write_text('[{"id": "a", "instruction": "Book a room."}]')
    before = (tmp_path / "w/run.json").read_bytes()
    answer = interplay(monkeypatch, capsys, *command, "w/run.json")
    assert answer.code == 1
    assert "w/run.json: is there already, and holds something else. Name another file" in answer.err
    assert (tmp_path / "w/run.json").read_bytes() == before
    if command[0] != "journal":  # which is not there
        assert [interplay(monkeypatch, capsys, *command, "own").code for _ in range(2)] == [0, 0]


def test_a_home_in_an_option_is_that_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    copy_clinic(tmp_path / "w", records=4)
    answer = interplay(monkeypatch, capsys, "export", "--workspace=~/w", "--to=~/out")
    assert answer.code == 0, answer.err
    assert (tmp_path / "out" / "export.json").exists()
    answer = interplay(monkeypatch, capsys, "verify", "~/w", "--export=~/out")
    assert answer.code == 0, answer.err
    assert not (tmp_path / "~").exists()


def test_what_lies_in_a_workspace_as_a_link_is_not_written_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own").write_text("precious")
    (tmp_path / "w").mkdir()
    for name in ("run.json.partial", "lock"):
        (tmp_path / "w" / name).symlink_to(tmp_path / "own")
    answer = interplay(monkeypatch, capsys, "run", "--records", "1", "--workspace", "w")
    assert answer.code == 1
    assert "w/lock: is a link, and no lock. Delete it, and run again." in answer.err
    write_text(tmp_path / "w" / "run.json", "{}")
    assert (tmp_path / "own").read_text() == "precious"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("stats", "--workspace", "x" * 300), "File name too long). Put this right and run again."),
        (("run", "--workspace", "x" * 300), "File name too long. Put this right and run again."),
        (("import", "--toolset", "python:./tools/mine.py"), "name the module and not its file: python:tools.mine"),
        (("import", "--toolset", "python:./mine"), "name the module and not its file: python:mine"),
    ],
)
def test_a_name_that_cannot_be_read(
    options: tuple[str, ...],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = interplay(monkeypatch, capsys, *options)
    assert answer.code == 1
    assert told in answer.err


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_output_that_cannot_be_written_is_told(tmp_path: Path, options: tuple[str, ...]) -> None:
    copy_clinic(tmp_path / "w", records=4)
    command = [str(Path(sys.executable).with_name("interplay")), "stats", "--workspace", str(tmp_path / "w"), *options]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "interplay: output: No space left on device. Put this right and run again.\n"
    closed = f"{shlex.join(command)} >&-"
    done = subprocess.run(["sh", "-c", closed], stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_store_of_another_program_is_told_and_nothing_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy_clinic(tmp_path / "w", records=4)
    store = tmp_path / "w" / "dataset.duckdb"
    with duckdb.connect(store) as changed:
        changed.execute("DROP TABLE issues")
    answer = interplay(monkeypatch, capsys, "stats", "--workspace", str(tmp_path / "w"))
    assert "the store was changed. Delete the file: the store is built anew" in answer.err
    store.unlink()
    with closing(sqlite3.connect(store)) as other:
        other.execute("CREATE TABLE records (id)")
        other.commit()
    answer = interplay(monkeypatch, capsys, "stats", "--workspace", str(tmp_path / "w"))
    assert "is not a dataset store" in answer.err
    assert "download" not in answer.err
