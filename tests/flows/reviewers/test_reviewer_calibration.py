"""Calibration on labelled dialogues, and recorded dialogues judged by reviewers, from the command line."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.flows.brains import Objection, ReviewingBrain
from tests.flows.command_line import interplay
from tests.flows.serving import serving
from tests.model_server.misbehaviour import Settings
from tests.model_server.server import ModelServer

from interplay.flows.reviewers.gold_file import Label, read_labelled
from interplay.flows.reviewers.reviewer_calibration import evenly, specimen
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.errors import ImportFailure

PAY = {
    "type": "function",
    "function": {
        "name": "pay_invoice",
        "description": "Pay an invoice.",
        "parameters": {"type": "object", "properties": {"invoice": {"type": "string"}}, "required": ["invoice"]},
    },
}
LIE = "I have paid it."


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", "any")


def row(number: int, lies: bool) -> dict[str, Any]:
    said = LIE if lies else "Shall I pay it?"
    fault = {"kind": "false_claim", "message": 1, "quote": LIE, "why": "no call"}
    return {
        "id": f"d{number}",
        "system": "You pay invoices.",
        "tools": [PAY],
        "scenario": f"You want invoice IN-{number} paid.",
        "messages": [
            {"role": "user", "content": f"Please pay IN-{number}."},
            {"role": "assistant", "content": said},
            {"role": "user", "content": "Thanks."},
            {"role": "assistant", "content": "You're welcome."},
        ],
        "sound": not lies,
        "fault": fault if lies else None,
    }


def gold(folder: Path, count: int = 8) -> Path:
    path = folder / "gold.jsonl"
    path.write_text("".join(json.dumps(row(number, number % 2 == 0)) + "\n" for number in range(count)))
    return path


def configured(folder: Path, server: ModelServer, **settings: Any) -> Path:
    model = {"model": "tiny", "base_url": server.openai_url, "api_key_env": "PLANTED_KEY"}
    path = folder / "interplay.yaml"
    told = {"models": {"m": model}, "roles": {"reviewer": "m"}, "review": {"reviewers": 1}, **settings}
    path.write_text(json.dumps(told))
    return path


def honest(question: str) -> Sequence[Objection]:
    return [("deeds", 1, LIE)] if LIE in question.split("Messages:\n")[1] else []


def test_figures_of_a_good_reviewer_stand_in_the_workspace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    brain = ReviewingBrain(objects=honest)
    with serving(Settings(), brain) as server:
        config = configured(tmp_path, server)
        told = interplay(monkeypatch, capsys, "calibrate", gold(tmp_path), config, "--workspace", tmp_path / "w")
        interplay(monkeypatch, capsys, "calibrate", gold(tmp_path), config, "--workspace", tmp_path / "w")
        prompts = [ask.text for ask in server.asks]
    assert told.code == 0, told.err
    assert brain.asked == 8  # the second time, the journal answers
    assert "sound rejected 0 of 4; faulty found 4 of 4; turn right 4, kind right 4 of 4; kappa 1.00" in told.out
    assert not any("no call" in prompt for prompt in prompts)
    found = Workspace(tmp_path / "w").calibration()
    assert found is not None
    assert found.votes.weights == {"m": 1.0}
    assert found.reviewers[0].tokens > 0


@pytest.mark.parametrize("always", ["yes", "no"])
def test_a_reviewer_that_always_says_the_same_is_shown_as_such(
    always: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    brain = ReviewingBrain(objects=lambda _: [("speech", 3, "You're welcome")] if always == "no" else [])
    with serving(Settings(), brain) as server:
        config = configured(tmp_path, server)
        told = interplay(monkeypatch, capsys, "calibrate", gold(tmp_path), config, "--workspace", tmp_path)
    assert ("rejects every dialogue" if always == "no" else "accepts every dialogue") in told.out
    assert "kappa 0.00" in told.out
    assert "m 0.00" in told.out


def test_without_a_reviewer_it_says_what_to_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "interplay.yaml").write_text("records: 3\n")
    told = interplay(
        monkeypatch, capsys, "calibrate", gold(tmp_path), tmp_path / "interplay.yaml", "--workspace", tmp_path
    )
    assert told.code == 1
    assert "roles/reviewer" in told.err


def test_recorded_dialogues_are_judged_by_reviewers_where_facts_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(Settings(), ReviewingBrain(objects=honest)) as server:
        config = configured(tmp_path, server)
        told = interplay(
            monkeypatch, capsys, "judge", gold(tmp_path, 4), config, "--workspace", tmp_path / "w", "--json"
        )  # fmt: skip
    judged = [json.loads(line) for line in told.out.splitlines() if line.startswith('{"id"')]
    assert [one["id"] for one in judged] == ["d0", "d1", "d2", "d3"]
    assert [one["accepted"] for one in judged] == [False, True, False, True]
    assert all(one["reviewed"] for one in judged)
    assert (judged[0]["fault"], judged[0]["turn"]) == ("false_claim", 1)
    assert LIE in judged[0]["issues"][0]["message"]


def test_faulty_turns_of_recorded_dialogues_are_masked_or_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(Settings(), ReviewingBrain(objects=honest)) as server:
        config = configured(tmp_path, server, review={"reviewers": 1, "keep": "masked"})
        for format in ("openai", "trl"):
            options = (config, "--workspace", tmp_path / "w", "--to", tmp_path / format, "--format", format)
            told = interplay(monkeypatch, capsys, "judge", gold(tmp_path, 4), *options)
            assert told.code == 0, told.err
    rows = [json.loads(line) for line in (tmp_path / "openai" / "train.jsonl").read_text().splitlines()]
    marked = {
        row["id"]: [place for place, said in enumerate(row["messages"]) if said.get("weight") == 0] for row in rows
    }
    assert marked == {"d0": [2], "d1": [], "d2": [2], "d3": []}  # the system prompt is message 0 of a row
    assert len((tmp_path / "trl" / "train.jsonl").read_text().splitlines()) == 2
    assert json.loads((tmp_path / "trl" / "export.json").read_text())["masked"] == {"kept": 0, "left_out": 2}


def test_gold_is_read_with_its_labels(tmp_path: Path) -> None:
    one, two, *_ = read_labelled(gold(tmp_path))
    assert one.label == Label(sound=False, kind="false_claim", message=1)
    assert two.label == Label(sound=True)
    assert "sound" not in one.dialogue.model_dump_json()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"id": "a", "messages": []}', "no labelled dialogue"),
        ("", "no labelled dialogue"),
        ("{", "no labelled dialogue"),
    ],
)
def test_a_file_without_labels_is_refused(line: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "gold.jsonl").write_text(line + "\n")
    with pytest.raises(ImportFailure, match=told):
        read_labelled(tmp_path / "gold.jsonl")


def test_an_unknown_kind_is_named(tmp_path: Path) -> None:
    wrong = {**row(0, True), "fault": {"kind": "bad_mood", "message": 1}}
    (tmp_path / "gold.jsonl").write_text(json.dumps(wrong) + "\n")
    with pytest.raises(ImportFailure, match="'bad_mood' is no kind of fault"):
        read_labelled(tmp_path / "gold.jsonl")


def test_a_few_are_drawn_evenly(tmp_path: Path) -> None:
    all_of_them = [specimen(one) for one in read_labelled(gold(tmp_path, 20))]
    few = evenly(all_of_them, 6)
    assert [one.label.sound for one in few].count(True) == 3
    assert evenly(all_of_them, None) == all_of_them
