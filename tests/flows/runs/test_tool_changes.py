"""Runs in which tools are searched for, or come and go: exports that say what is offered."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.flows.command_line import interplay, run_clinic

from interplay.flows.workspaces.run_store import export_run, loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.outputs.exporters.export_formats import FORMATS, FormatName, named_format
from interplay.schemas.records.recipe import Pattern

REGISTRY = RecipeSettings(registry=1.0)
CHANGES = RecipeSettings(registry=0.0, tool_changes=1.0)


@pytest.fixture(scope="module")
def changing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with dialogues of both kinds."""
    folder = tmp_path_factory.mktemp("changing")
    plain: dict[Pattern, float] = {"sequential": 0.4, "parallel": 0.2, "multi_goal": 0.4}
    recipes = RecipeSettings(registry=0.5, tool_changes=0.5, patterns=plain, behaviours={})
    run_clinic(folder, records=16, recipes=recipes)
    return folder


@pytest.mark.parametrize("format", [name for name in FORMATS if named_format(name).of_pair is None])
def test_an_export_comes_back_identical_and_tells_of_the_changes(
    changing: Path, tmp_path: Path, format: FormatName
) -> None:
    report = export_run(Workspace(changing), format, tmp_path / "out")
    assert (report.identical, report.first_difference) == (report.rows, "")
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "tools come and go" in card
    assert ("The column `tools`" in card) == ("tools" in named_format(format).features())
    holds = "tool_changes" in named_format(format).features()
    assert ("`tool_changes`" in card) == holds
    assert not holds or not report.left_out.get("tool_changes", 0)
    assert format != "sharegpt" or report.left_out["tool_changes"] > 8


def test_what_is_offered_at_each_message_can_be_read_off_a_row(changing: Path, tmp_path: Path) -> None:
    export_run(Workspace(changing), "openai", tmp_path / "out")
    rows = [json.loads(line) for path in (tmp_path / "out").glob("*.jsonl") for line in path.open(encoding="utf-8")]
    assert len(rows) == 16
    for row in rows:
        changes = json.loads(row["tool_changes"])
        assert changes
        offered = _at_the_start(row, changes)
        for index, message in enumerate(row["messages"]):
            assert {call["function"]["name"] for call in message.get("tool_calls") or ()} <= offered
            for change in changes:
                if change["message"] == index:
                    assert not offered & set(change["added"])
                    assert set(change["removed"]) <= offered
                    offered = (offered | set(change["added"])) - set(change["removed"])


@pytest.mark.parametrize("format", ["trl", "sharegpt"])
def test_where_all_tools_are_seen_at_once_none_is_denied(changing: Path, tmp_path: Path, format: FormatName) -> None:
    report = export_run(Workspace(changing), format, tmp_path / "out")
    with loaded_store(Workspace(changing)) as store:
        records = {record.id: record for record in store.accepted(Workspace(changing).existing_run().run)}
    early = {name for name, record in records.items() if record.blueprint and record.blueprint.scenario.early}
    assert early
    assert report.left_out["denied_tools"] == len(early)
    for row in (
        json.loads(line) for path in (tmp_path / "out").glob("*.jsonl") for line in path.open(encoding="utf-8")
    ):
        tools = json.loads(row["tools"]) if format == "sharegpt" else [tool["function"] for tool in row["tools"]]
        offered = {tool["name"] for tool in tools}
        blueprint, trajectory = records[row["id"]].blueprint, records[row["id"]].trajectory
        assert blueprint is not None
        assert trajectory is not None
        assert (offered < set(trajectory.all_tools())) == (row["id"] in early)
        if blueprint.scenario.early:
            wanted = {
                blueprint.goals[goal].tool for goal in blueprint.scenario.requests[blueprint.scenario.early.request]
            }
            assert not wanted <= offered
            said = row["messages"][-1]["content"] if format == "trl" else row["conversations"][-1]["value"]
            assert said in [message.content for message in trajectory.messages if message.role == "assistant"]


def _at_the_start(row: dict[str, Any], changes: list[dict[str, Any]]) -> set[str]:
    names = {tool["function"]["name"] for tool in json.loads(row["tools"])}
    first = {name: kind for change in reversed(changes) for kind in ("added", "removed") for name in change[kind]}
    return {name for name in names if first.get(name) != "added"}


def test_a_dialogue_is_shown_with_its_changes(
    changing: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = interplay(monkeypatch, capsys, "show", 0, "--workspace", changing)
    assert shown.code == 0
    assert any(line.strip().startswith("tools") and ("+" in line or "-" in line) for line in shown.out.splitlines())
