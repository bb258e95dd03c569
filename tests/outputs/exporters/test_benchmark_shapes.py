"""Exports for benchmarks: what is in their files has the shape of the recorded ones, and calls are as they were."""

import ast
import json
from itertools import chain
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.outputs.builders import RUN, load_all, make_record, make_shard

from interplay.flows.curation.benchmark_files import read_benchmark
from interplay.outputs.exporters.export import export
from interplay.outputs.store.dataset_store import DatasetStore

RECORDED = Path(__file__).parents[4] / "shared" / "data"
COUNT = 12


def made(folder: Path, format: Any) -> Path:
    with DatasetStore(folder / "dataset.duckdb") as store:
        load_all(store, make_shard(folder, [make_record(index) for index in range(COUNT)]))
        export(store, RUN, format, folder / "out")
    return folder / "out" / format


def test_tasks_of_tau2_call_tools_that_are_there_with_arguments_that_fit(tmp_path: Path) -> None:
    place = made(tmp_path, "tau2")
    tasks = json.loads((place / "tasks.json").read_text("utf-8"))
    tools = {tool["name"]: tool for tool in json.loads((place / "tools.json").read_text("utf-8"))}
    actions = [action for task in tasks for action in task["evaluation_criteria"]["actions"]]
    assert len(tasks) == COUNT
    assert actions
    for action in actions:
        assert action["requestor"] == tools[action["name"]]["requestor"]
        jsonschema.validate(action["arguments"], tools[action["name"]]["parameters"])
    splits = json.loads((place / "split_tasks.json").read_text("utf-8"))
    assert sorted(splits.pop("base")) == sorted(task["id"] for task in tasks)
    assert sorted(chain.from_iterable(splits.values())) == sorted(task["id"] for task in tasks)
    assert all(isinstance(text, str) for task in tasks for text in task["evaluation_criteria"]["communicate_info"])


def test_actions_of_tau2_have_the_fields_of_recorded_ones(tmp_path: Path) -> None:
    path = RECORDED / "tau" / "mock.json"
    if not path.exists():
        pytest.skip("the recorded tasks are not there")
    recorded = json.loads(path.read_text("utf-8"))["tasks"]
    task = json.loads((made(tmp_path, "tau2") / "tasks.json").read_text("utf-8"))[0]
    wanted = {name for each in recorded for action in each["actions"] for name in action} - {"observation", "error"}
    assert wanted <= set(task["evaluation_criteria"]["actions"][0])
    assert set(task["evaluation_criteria"]["reward_basis"]) <= {
        name for each in recorded for name in each["reward_basis"]
    }


def test_answers_of_bfcl_are_calls_of_documented_functions_turn_by_turn(tmp_path: Path) -> None:
    place = made(tmp_path, "bfcl")
    (file,) = place.glob("*.json")
    entries = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    answers = [json.loads(line) for line in (place / "possible_answer" / file.name).read_text("utf-8").splitlines()]
    documents = {}
    for path in (place / "multi_turn_func_doc").glob("*.json"):
        documents |= {document["name"]: document for document in map(json.loads, path.read_text("utf-8").splitlines())}
    for entry, answer in zip(entries, answers, strict=True):
        assert entry["id"] == answer["id"]
        assert len(entry["question"]) == len(answer["ground_truth"])
        for text in chain.from_iterable(answer["ground_truth"]):
            call = ast.parse(text, mode="eval").body
            assert isinstance(call, ast.Call)
            document = documents[ast.unparse(call.func)]
            assert document["parameters"]["type"] == "dict"
            assert {word.arg for word in call.keywords} <= set(document["parameters"]["properties"])
        assert {name.rpartition(".")[2] for name in entry["path"]} <= set(documents)


@pytest.mark.parametrize(("format", "file"), [("tau2", "tasks.json"), ("bfcl", "*/BFCL_v4_multi_turn_interplay.json")])
def test_what_is_exported_is_read_as_tasks_of_the_benchmark(tmp_path: Path, format: str, file: str) -> None:
    (path,) = made(tmp_path, format).glob(file)
    tasks = read_benchmark(path)
    assert len(tasks) == COUNT
    assert any(task.calls for task in tasks)
