import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.flows.command_line import Answer, copy_clinic, interplay, interplay_process

from interplay.outputs.exporters.reload_check import Comparison

SHARED = Path(os.environ.get("INTERPLAY_SHARED", "../shared"))
Run = Callable[..., Answer]
NOTES = """
class Notes:
    def __init__(self) -> None:
        self.notes: dict[str, dict[str, str]] = {}

    def add_note(self, title: str) -> dict[str, str]:
        \"\"\"Add a note.

        Args:
            title: The title of the note.
        \"\"\"
        note = {"note_id": f"N-{len(self.notes) + 1:03d}", "title": title}
        self.notes[note["note_id"]] = note
        return note
"""
PETS = """
openapi: 3.0.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      operationId: list pets
      responses: {"200": {content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}}}
    post: {operationId: addPet, requestBody: {$ref: "#/nowhere"}}
  /pets/{pet_id}:
    get:
      operationId: get_pet
      parameters: [{name: pet_id, in: path, required: true, schema: {type: string}}]
      responses: {"200": {content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}
  /broken: 7
components:
  schemas:
    Pet: {type: object, properties: {pet_id: {type: string}, name: {type: string}}, required: [pet_id, name]}
"""


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """The command line, run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: interplay(monkeypatch, capsys, *arguments)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A configuration of shards of four indices; by default, as many as fifty are made for one record."""
    (tmp_path / "small.yaml").write_text("shard_size: 4\n")
    return tmp_path / "small.yaml"


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clinic") / "workspace"
    copy_clinic(folder)
    return folder


def answer_of(answer: Answer) -> Any:
    assert answer.code == 0, answer.err
    return json.loads(answer.out)


def test_help_answers_at_once() -> None:
    before = os.times()
    assert interplay_process("--help").code == 0
    after = os.times()
    # Processor time: on a busy machine, wall time tells of its neighbours.
    assert after.children_user + after.children_system - before.children_user - before.children_system < 0.5


def test_help_imports_nothing_heavy() -> None:
    heavy = ("pydantic", "duckdb", "pyarrow", "prefect", "networkx", "datasets")
    code = f"import sys, interplay.flows.commands.cli; print([name for name in {heavy!r} if name in sys.modules])"
    assert os.popen(f'"{sys.executable}" -c "{code}"').read().strip() == "[]"


def test_unknown_usage_exits_with_two(command: Run) -> None:
    assert command("frobnicate").code == 2
    assert command("run", "--records", "0").code == 2
    assert command("export").code == 2


def test_an_error_on_purpose_is_one_line(command: Run) -> None:
    answer = command("import", "--toolset", "openapi:nowhere.yaml")
    assert answer.code == 1
    assert answer.out == ""
    assert answer.err == "interplay: nowhere.yaml: no such file. Give the path of a YAML or JSON file.\n"


def test_a_bug_keeps_its_traceback(command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interplay.flows.runs.stages.list_tools", lambda specs: specs["bug"])
    with pytest.raises(TypeError):
        command("import", "--toolset", "domain:clinic")


def test_demo_shows_a_dialogue_and_what_to_do_next(command: Run, tmp_path: Path) -> None:
    started = time.monotonic()
    answer = command("demo")
    assert answer.code == 0
    assert time.monotonic() - started < 15
    for part in ("user  ", "assistant  ", "call  ", "result  ", "20 accepted", "interplay export"):
        assert part in answer.out
    assert (tmp_path / "workspace-demo/shards/shard-000001.parquet").exists()
    assert (tmp_path / "workspace-demo/report.html").read_text().count("<article") == 20


def test_report_shows_dialogues_spread_over_the_run(command: Run, tmp_path: Path) -> None:
    copy_clinic(tmp_path / "w")
    assert command("report", "w", "--to", "mail/report.html", "-n", "4").code == 0
    page = (tmp_path / "mail/report.html").read_text()
    assert page.count("<article") == 4
    assert "<script" not in page
    for told in ("95 % interval", "Of all there is", "22 tools, "):
        assert told in page
    assert command("report", "nowhere").code == 1


def test_import_lists_what_became_of_each_tool(command: Run, tmp_path: Path) -> None:
    (tmp_path / "pets.yaml").write_text(PETS)
    listed = answer_of(command("import", "--toolset", "openapi:pets.yaml", "--json"))
    assert [entry["name"] for entry in listed["imported"]] == ["get_pet"]
    assert "list_pets" in [entry["name"] for entry in listed["repaired"]]
    assert "/paths/~1broken" in [entry["pointer"] for entry in listed["rejected"]]
    for entry in [*listed["repaired"], *listed["rejected"]]:
        assert entry["reasons"]
        assert set(entry) == {"name", "file", "pointer", "reasons", "effect"}


def test_import_tells_reason_and_place_to_people(command: Run, tmp_path: Path) -> None:
    (tmp_path / "pets.yaml").write_text(PETS)
    answer = command("import", "--toolset", "openapi:pets.yaml", "--toolset", "domain:clinic")
    assert "rejected" in answer.out
    assert "pets.yaml#/paths/~1broken" in answer.out
    assert "book_appointment" in answer.out


def test_graph_gives_edges_with_their_evidence(command: Run) -> None:
    report = answer_of(command("graph", "--toolset", "domain:clinic", "--json"))
    names = [node["name"] for node in report["nodes"]]
    assert "search_tools" not in names
    assert report["orphans"] == [name for name in names if not _touched(name, report["edges"])]
    edge = next(edge for edge in report["edges"] if edge["consumer"] == "book_appointment" and edge["verified"])
    assert edge["score"] > 0
    assert edge["evidence"][0]["kind"]


def _touched(node: str, edges: list[dict[str, Any]]) -> bool:
    return any(node in (edge["producer"], edge["consumer"]) for edge in edges)


def test_run_writes_nothing_but_its_summary_to_standard_output(command: Run, small: Path) -> None:
    answer = command("run", small, "--records", "3", "--json")
    assert answer_of(answer)["accepted"] == 3
    assert answer.err == ""
    assert answer_of(command("run", "--records", "3", "--json"))["made"] == 0


def test_run_without_anything_continues_the_workspace(command: Run, small: Path) -> None:
    first = answer_of(command("run", small, "--toolset", "domain:clinic", "--seed", "5", "--records", "3", "--json"))
    again = answer_of(command("run", "--records", "4", "--json"))
    assert again["run"] == first["run"]
    assert again["accepted"] == 4


def test_run_takes_its_settings_from_the_folder(command: Run, tmp_path: Path) -> None:
    (tmp_path / "interplay.yaml").write_text("toolset: domain:clinic\nrecords: 2\nshard_size: 2\nseed: 3\n")
    assert answer_of(command("run", "--json"))["accepted"] == 2
    assert json.loads((tmp_path / "workspace/run.json").read_text())["config"]["seed"] == 3


def test_a_changed_setting_in_the_folder_is_noticed(command: Run, tmp_path: Path) -> None:
    config = tmp_path / "interplay.yaml"
    config.write_text("toolset: domain:clinic\nrecords: 2\nshard_size: 2\nseed: 3\n")
    command("run")
    config.write_text("toolset: domain:clinic\nrecords: 2\nshard_size: 2\nseed: 4\n")
    answer = command("run")
    assert answer.code == 1
    assert "seed: 3 -> 4" in answer.err


def test_options_override_the_configuration(command: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("toolset: domain:clinic\nrecords: 50\nshard_size: 2\nseed: 3\n")
    answer = command("run", "mine.yaml", "--records", "2", "--seed", "9", "--workspace", "other", "--json")
    assert answer_of(answer)["accepted"] == 2
    assert json.loads((tmp_path / "other/run.json").read_text())["config"]["seed"] == 9


def test_a_wrong_key_in_the_configuration_is_named(command: Run, tmp_path: Path) -> None:
    (tmp_path / "interplay.yaml").write_text("toolset: domain:clinic\nrecrods: 2\n")
    answer = command("run")
    assert answer.code == 1
    assert "/recrods: unknown key. Did you mean 'records'?" in answer.err


def test_init_writes_paths_that_work_from_its_folder(command: Run, tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/pets.yaml").write_text(PETS)
    answer = command("init", "mine", "--toolset", "openapi:specs/pets.yaml", "--toolset", "domain:clinic")
    assert answer.code == 0
    assert "get_pet" in answer.out
    config = (tmp_path / "mine/interplay.yaml").read_text()
    assert "openapi:../specs/pets.yaml" in config
    (tmp_path / "mine/interplay.yaml").write_text(config.replace("shard_size: 50", "shard_size: 2"))
    assert command("run", "mine/interplay.yaml", "--records", "2").code == 0
    os.chdir(tmp_path / "mine")
    assert "Nothing had to be made" in command("run", "--records", "2", "--workspace", "../workspace").out


def test_a_workspace_does_not_depend_on_where_the_tools_lie(command: Run, small: Path, tmp_path: Path) -> None:
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pets.yaml").write_text(PETS)
    runs = [
        answer_of(
            command(
                "run", small, "--toolset", f"openapi:{name}/pets.yaml", "--records", "1", "--workspace", name, "--json"
            )
        )
        for name in ("here", "there")
    ]
    assert runs[0]["run"] == runs[1]["run"]


def test_changed_tools_are_noticed(command: Run, small: Path, tmp_path: Path) -> None:
    (tmp_path / "pets.yaml").write_text(PETS)
    command("run", small, "--toolset", "openapi:pets.yaml", "--records", "1")
    (tmp_path / "pets.yaml").write_text(PETS.replace("get_pet", "read_pet"))
    answer = command("run", "--records", "2")
    assert answer.code == 1
    assert "openapi:pets.yaml have changed since" in answer.err


def test_init_never_overwrites_unless_forced(command: Run, tmp_path: Path) -> None:
    (tmp_path / "interplay.yaml").write_text("mine")
    answer = command("init")
    assert answer.code == 1
    assert "--force" in answer.err
    assert (tmp_path / "interplay.yaml").read_text() == "mine"
    assert command("init", "--force").code == 0
    assert "domain:clinic" in (tmp_path / "interplay.yaml").read_text()


def test_init_writes_no_folder_called_like_a_source(command: Run, tmp_path: Path) -> None:
    (tmp_path / "pets.yaml").write_text(PETS)
    for given in ("openapi:pets.yaml", "pets.yaml"):
        answer = command("init", given)
        assert answer.code == 1
        assert "--toolset" in answer.err
    assert [path.name for path in tmp_path.iterdir()] == ["pets.yaml"]


def test_stats_counts_the_tools_without_the_built_in_search(command: Run, clinic: Path) -> None:
    figures = answer_of(command("stats", "--workspace", clinic, "--json"))
    tools = answer_of(command("import", "--toolset", "domain:clinic", "--json"))
    assert figures["tools_total"] == len(tools["imported"])
    assert figures["accepted"] == 12
    wanted = "rejected rejected_by_issue turns_mean calls_mean acts patterns tools_covered distinct_user_utterances"
    assert set(wanted.split()) <= figures.keys()


def test_show_finds_a_record_by_id_prefix_and_index(command: Run, clinic: Path) -> None:
    whole = answer_of(command("show", "3", "--workspace", clinic, "--json"))
    assert whole["index"] == 3
    for name in (whole["id"], whole["id"][:12]):
        assert answer_of(command("show", name, "--workspace", clinic, "--json")) == whole
    assert "assistant  " in command("show", whole["id"], "--workspace", clinic).out


def test_show_tells_when_there_is_no_such_record(command: Run, clinic: Path) -> None:
    answer = command("show", "zzz", "--workspace", clinic)
    assert answer.code == 1
    assert "no record has an id that begins with 'zzz'" in answer.err


def test_show_tells_which_indices_there_are(command: Run, clinic: Path) -> None:
    answer = command("show", "99999", "--workspace", clinic)
    assert "no record has the index 99999. There are 0 to 11." in answer.err


@pytest.mark.parametrize("shape", ["jsonl", "parquet", "dataset"])
@pytest.mark.parametrize("format", ["openai", "trl", "sharegpt"])
def test_export_comes_back_identical(command: Run, clinic: Path, tmp_path: Path, format: str, shape: str) -> None:
    answer = command("export", "--workspace", clinic, "--format", format, "--as", shape, "--to", tmp_path / "out")
    assert "](pictures/graph.svg)" in (tmp_path / "out" / "README.md").read_text()
    assert (tmp_path / "out" / "pictures" / "graph.svg").read_text().startswith("<svg")
    assert answer.code == 0
    assert "reloaded 12/12 identical" in answer.out


def test_an_export_that_comes_back_different_exits_with_one(
    command: Run, clinic: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "interplay.outputs.exporters.export.compare", lambda *_: Comparison(11, 0, "train: row 7 is missing")
    )
    answer = command("export", "--workspace", clinic, "--to", tmp_path / "out")
    assert answer.code == 1
    assert "reloaded 11/12 identical; first difference: train: row 7 is missing" in answer.out


def test_a_missing_workspace_is_named(command: Run) -> None:
    answer = command("stats", "--workspace", "nowhere")
    assert answer.code == 1
    assert answer.err.startswith("interplay: nowhere: holds no run.")


def test_schemas_are_written_one_file_each(command: Run, tmp_path: Path) -> None:
    assert command("schemas", "--to", tmp_path / "schemas").code == 0
    schema = json.loads((tmp_path / "schemas/DatasetRecord.schema.json").read_text())
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"]


def test_tools_of_a_python_module_can_be_run(command: Run, small: Path, tmp_path: Path) -> None:
    (tmp_path / "my_notes.py").write_text(NOTES)
    listed = answer_of(command("import", "--toolset", "python:my_notes:Notes", "--json"))
    assert [entry["name"] for entry in listed["imported"]] == ["add_note"]
    assert command("run", small, "--toolset", "python:my_notes:Notes", "--records", "2").code in (0, 1)


@pytest.mark.skipif(not SHARED.exists(), reason="needs real API descriptions (INTERPLAY_SHARED)")
@pytest.mark.parametrize("name", ["petstore_v3.yaml", "museum.yaml", "train_travel.yaml"])
def test_real_descriptions_go_all_the_way(command: Run, small: Path, tmp_path: Path, name: str) -> None:
    place = SHARED if SHARED.is_absolute() else Path(__file__).parents[3] / SHARED
    shutil.copy(place / "data/openapi" / name, tmp_path / name)
    assert command("run", small, "--toolset", f"openapi:{name}", "--records", "5").code == 0
    assert "reloaded 5/5 identical" in command("export", "--to", "out").out
