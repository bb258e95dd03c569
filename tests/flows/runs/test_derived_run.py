"""A run that evolves the tasks of another one: harder ones, with what they come from, the same bytes again."""

import json
from pathlib import Path

import pytest
from tests.flows.command_line import copy_clinic
from typer.testing import CliRunner

from interplay.flows.commands.cli import app
from interplay.flows.runs.derived_run import begin_evolution
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.canonical import digest


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "workspace"
    copy_clinic(folder)
    return folder


def evolved(made: Path, to: Path, direction: str = "harder", records: int = 8) -> dict[str, object]:
    options = ["--workspace", str(made), "--to", str(to), "--direction", direction, "--records", str(records), "--json"]
    result = CliRunner().invoke(app, ["evolve", *options])
    assert result.exit_code == 0, result.output
    summary: dict[str, object] = json.loads(result.stdout)
    return summary


def blueprints(folder: Path) -> dict[str, tuple[float, str | None]]:
    place = Workspace(folder)
    with loaded_store(place) as store:
        records = list(store.accepted(place.existing_run().run))
    return {
        record.blueprint.id: (record.blueprint.difficulty.score, record.blueprint.lineage.parent)
        for record in records
        if record.blueprint and record.blueprint.difficulty
    }


@pytest.mark.parametrize("direction", ["harder", "easier"])
def test_each_task_goes_from_one_that_is_stored(made: Path, tmp_path: Path, direction: str) -> None:
    assert evolved(made, tmp_path / "to", direction, 6)["accepted"] == 6
    parents, children = blueprints(made), blueprints(tmp_path / "to")
    moved = 0
    for score, parent in children.values():
        assert parent in parents
        before = parents[str(parent)][0]
        moved += score > before if direction == "harder" else score < before
    assert moved >= 5  # one may stay as hard as it was


def test_gives_the_same_bytes_again_and_goes_on(made: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        evolved(made, tmp_path / name)
    shards = [Workspace(tmp_path / name).shard(0).read_bytes() for name in ("one", "two")]
    assert shards[0] == shards[1]
    assert evolved(made, tmp_path / "one", records=9)["accepted"] == 9


def test_tells_of_parents_that_are_not_those_of_the_run(made: Path, tmp_path: Path) -> None:
    evolved(made, tmp_path / "to", records=2)
    config = Workspace(tmp_path / "to").existing_run().config
    assert config.evolution is not None
    place = Workspace(tmp_path / "to")
    told = place.parents_file.read_text(encoding="utf-8")
    for other in ("", told.replace('"seed":', '"seed":1', 1)):  # none, and one that is no more as it was
        assert other != told
        place.parents_file.write_text(other, encoding="utf-8")
        with pytest.raises(ConfigError, match="other tasks"):
            place.parents(config.evolution)
    ids = config.evolution.model_copy(
        update={"parents": digest([parent["id"] for parent in map(json.loads, told.splitlines())])}
    )
    place.parents_file.write_text(told, encoding="utf-8")
    assert place.parents(config.evolution) == place.parents(ids)  # as earlier versions noted them


def test_does_not_evolve_a_run_into_itself(made: Path) -> None:
    with pytest.raises(ConfigError, match="--to"):
        begin_evolution(Workspace(made), Workspace(made), "harder", None)
