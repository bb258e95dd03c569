"""What commands say of runs that had little to go on, came to an end, or made more than was asked for."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.flows.command_line import Answer, interplay

from interplay.flows.viewer.index_upkeep import bring_up_to_date
from interplay.flows.viewer.page_server import looked_at
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.viewer.index_search import Search

Say = Callable[..., Answer]
HOOK = """
openapi: 3.0.0
info: {title: Streams, version: "1"}
paths:
  /streams:
    post:
      parameters: [{name: callbackUrl, in: query, required: true, schema: {type: string, format: uri}}]
      responses: {"201": {description: Subscribed.}}
"""


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Say:
    """The command line, run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: interplay(monkeypatch, capsys, *words)


@pytest.fixture
def hook(say: Say, tmp_path: Path) -> str:
    """What a run says of a description whose only tool nobody would ask for."""
    (tmp_path / "hook.yaml").write_text(HOOK)
    return say("run", "--toolset", "openapi:hook.yaml", "--records", "2", "--workspace", "hook").out


def test_a_run_of_tasks_without_sense_says_so_and_names_a_dialogue_to_read(say: Say, hook: str) -> None:
    assert "No accepted dialogue calls a tool of the toolset." in hook
    assert "recipes: {sense: 0}" in hook
    [example] = re.findall(r"interplay show (\d+) ", hook)
    assert "assistant" in say("show", example, "--workspace", "hook").out


def test_a_task_that_makes_too_little_sense_tells_the_bar_and_is_no_dialogue_that_went_wrong(
    say: Say, hook: str
) -> None:
    assert "little_sense" in hook
    told = json.loads(say("show", "0", "--workspace", "hook", "--json").out)
    [issue] = told["verdicts"][0]["issues"]
    assert "is below recipes: {sense: 0.66}: technical_value (callback url" in issue["message"]
    assert told["failure"] is None
    assert json.loads(say("stats", "--workspace", "hook", "--json").out)["rejected_by_fault"] == {}
    place = Workspace(Path("hook"))
    bring_up_to_date(place, place.viewer_file)
    [listed] = [row for row in looked_at([place.folder])[0].search(Search()).rows if row["idx"] == 0]
    assert listed["opening"].startswith("post_streams: its sense")


def test_a_preview_without_a_dialogue_says_where_and_why(say: Say, hook: str) -> None:
    assert "little_sense" in hook
    told = " ".join(say("preview", "--toolset", "openapi:hook.yaml", "-n", "1").out.split())
    assert "no task: rejected at compose" in told
    assert "is below recipes: {sense: 0.66}" in told


def test_what_is_made_beyond_the_records_asked_for_is_told_and_taken_in_later(say: Say) -> None:
    (Path.cwd() / "interplay.yaml").write_text("toolset: domain:clinic\nshard_size: 4\n")
    assert "2 more than needed are kept." in say("run", "--records", "2").out
    assert "0 to 1; 2 to 3 are made" in say("show", "3.0").err
    again = say("run", "--records", "3").out
    assert "3 accepted" in again
    assert "Nothing had to be made. 1 more than needed are kept." in again


def test_a_run_without_further_indices_says_so(say: Say) -> None:
    (Path.cwd() / "interplay.yaml").write_text("toolset: domain:clinic\nindices: 2\n")
    assert "fewer than the 5 records that were asked for" in say("run", "--records", "5").out
    assert "fewer than" not in say("run", "--records", "1", "--workspace", "one").out


def test_a_run_of_branches_that_is_whole_lacks_nothing_and_its_reasons_add_up(say: Say) -> None:
    (Path.cwd() / "interplay.yaml").write_text("toolset: domain:clinic\nshard_size: 8\n")
    say("run", "--records", "8")
    told = say("branch", "--to", "branched").out
    [rejected, reasons] = re.findall(r"(\d+) rejected \((.*)\)\.", told)[0]
    assert sum(map(int, re.findall(r"\d+", reasons))) == int(rejected) > 0
    answer = say("stats", "--workspace", "branched", "--json")
    assert answer.err == ""
    assert say("watch", "--once", "branched").out.startswith("finished")
    place = Workspace(Path("branched"))
    bring_up_to_date(place, place.viewer_file)
    seen = looked_at([place.folder])[0].progress()
    steps = {step["step"]: step["left"] for step in json.loads(answer.out)["funnel"]}
    assert seen["wanted"] == seen["accepted"]
    shown = {step[0]: step[1] for step in seen["funnel"]}
    assert shown["tasks composed"] == steps["composed"]
    assert shown["dialogues played"] == steps["played"]
