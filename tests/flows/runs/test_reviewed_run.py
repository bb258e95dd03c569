"""Whole runs whose dialogues are reviewed, against a server on this machine."""

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from tests.flows.brains import Objection, ReplayingBrain, ReviewingBrain
from tests.flows.command_line import quiet
from tests.flows.runs.test_model_run import by_rules
from tests.model_server.answers import Answer, Ask
from tests.model_server.misbehaviour import Settings
from tests.model_server.server import ModelServer

from interplay.flows.reviewers.gold_file import Label
from interplay.flows.reviewers.reviewer_calibration import specimens_in
from interplay.flows.runs.committer import RunSummary
from interplay.flows.runs.run import run
from interplay.flows.runs.shards import make_shard
from interplay.flows.runs.stages import prepare
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import parse_config
from interplay.flows.workspaces.run_store import export_run, loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.report.statistics import statistics
from interplay.outputs.store.shard_file import read_shard
from interplay.schemas.records.calibration import Calibration, PersonLabel, ReviewerFigures, Votes
from interplay.schemas.records.verdict import DatasetRecord

LAST_WORDS = re.compile(r"^\[(\d+)\] assistant: (?!\w+\(\{)(.{6,200}?)(?:\n|$)", re.MULTILINE)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", "any")


def config(server: ModelServer, **settings: Any) -> RunConfig:
    model = {"model": "tiny", "base_url": server.openai_url, "api_key_env": "PLANTED_KEY", "concurrency": 8}
    roles = {"user": "m", "assistant": "m", "reviewer": "m"}
    return parse_config({"models": {"m": model}, "roles": roles, "shard_size": 4, **settings}, "test")


def made(folder: Path, brain: Any, records: int = 4, **settings: Any) -> tuple[RunSummary, list[DatasetRecord]]:
    """Return the summary and the records of a run against a server that has this brain."""

    async def play() -> RunSummary:
        async with ModelServer(Settings(), brain) as server:
            return await run(Workspace(folder), config(server, **settings), quiet, records=records)

    summary = asyncio.run(play())
    return summary, [record for path in Workspace(folder).finished_shards() for record in read_shard(path)]


def shard(folder: Path, brain: Any, **settings: Any) -> list[DatasetRecord]:
    """Return the played records of one shard, however few are accepted."""

    async def play() -> list[DatasetRecord]:
        async with ModelServer(Settings(), brain) as server:
            generator = await prepare(Workspace(folder), config(server, **settings))
            try:
                return list(read_shard(await make_shard(generator, Workspace(folder), 0)))
            finally:
                await generator.aclose()

    return [record for record in asyncio.run(play()) if record.trajectory is not None]


def players() -> ReplayingBrain:
    return ReplayingBrain(by_rules())


def last_words(question: str) -> Sequence[Objection]:
    """Object to the last words of the assistant."""
    found = LAST_WORDS.findall(question.split("Messages:\n")[1])
    return [("deeds", int(found[-1][0]), found[-1][1])] if found else []


def every_other(objects: Callable[[str], Sequence[Objection]]) -> Callable[[str], Sequence[Objection]]:
    return lambda question: objects(question) if crc32(question[::-1].encode()) % 3 else ()


def test_dialogues_that_pass_all_checks_are_reviewed(tmp_path: Path) -> None:
    brain = ReviewingBrain(players())
    summary, records = made(tmp_path, brain)
    played = [record for record in records if record.trajectory is not None]
    assert summary.accepted == 4
    assert not summary.unreviewed
    assert all(record.reviewed for record in played)
    assert all(record.verdicts[-1].check == "review" for record in played)
    assert brain.asked == 3 * len(played)
    with loaded_store(Workspace(tmp_path)) as store:
        figures = statistics(store, records[0].run)
    assert figures["reviewed"] == figures["accepted"] == 4


def test_what_reviewers_object_to_is_rejected_with_its_quote(tmp_path: Path) -> None:
    _, records = made(tmp_path, ReviewingBrain(players(), every_other(last_words)))
    rejected = [record for record in records if record.stage == "review"]
    assert rejected
    for record in rejected:
        assert record.reviewed
        assert record.failure is not None
        assert record.trajectory is not None
        assert record.failure.fault == "false_claim"
        quote = record.verdicts[-1].reviews[0].answers[6].quote
        assert quote in record.trajectory.messages[record.failure.message or 0].content
        assert quote in record.verdicts[-1].issues[0].message
    with loaded_store(Workspace(tmp_path)) as store:
        figures = statistics(store, records[0].run)
    assert any("false_claim" in line for line in figures["objections"])
    steps = {step["step"]: step for step in figures["funnel"]}
    lost = sum(steps["judged"]["lost"].values())
    assert steps["checks"]["left"] - lost == steps["judged"]["left"]
    assert lost > 0


def test_faulty_turns_are_masked_where_that_is_asked_for(tmp_path: Path) -> None:
    brain = ReviewingBrain(players(), every_other(last_words))
    summary, records = made(tmp_path, brain, 8, review={"keep": "masked"})
    marked = [
        record
        for record in records
        if record.trajectory and any(not message.train for message in record.trajectory.messages)
    ]
    assert marked
    assert all(record.status == "accepted" and record.reviewed for record in marked)
    loaded = summary.accepted
    held = export_run(Workspace(tmp_path), "openai", tmp_path / "openai")
    lost = export_run(Workspace(tmp_path), "trl", tmp_path / "trl")
    assert held.rows == loaded
    assert held.masked["kept"] == lost.masked["left_out"] > 0
    assert lost.rows == loaded - lost.masked["left_out"]
    lines = [line for path in (tmp_path / "openai").glob("*.jsonl") for line in path.read_text().splitlines()]
    weights = [[message.get("weight") for message in json.loads(line)["messages"]] for line in lines]
    assert sum(0 in row for row in weights) == held.masked["kept"]
    assert "not to be learnt" in (tmp_path / "openai" / "README.md").read_text()


def nonsense(ask: Ask) -> Answer | None:
    fields = (ask.output or {}).get("properties", {})
    return Answer(text="I like it.") if "naturalness" in fields else None


def test_nonsense_accepts_nothing(tmp_path: Path) -> None:
    inner = ReviewingBrain(players())
    played = shard(tmp_path, lambda ask: nonsense(ask) or inner(ask))
    assert {record.stage for record in played} == {"review"}
    assert not any(record.reviewed for record in played)
    assert all(record.verdicts[-1].issues[-1].code == "no_quorum" for record in played)


def test_a_run_without_reviewers_says_so(tmp_path: Path) -> None:
    summary, records = made(tmp_path, players(), roles={"user": "m", "assistant": "m"})
    assert summary.unreviewed
    assert summary.accepted == 4
    assert not any(record.reviewed for record in records)
    export_run(Workspace(tmp_path), "openai", tmp_path / "out")
    assert "reviewed: false" in (tmp_path / "out" / "README.md").read_text()


def test_people_overrule_reviewers_in_both_directions(tmp_path: Path) -> None:
    _, records = made(tmp_path, ReviewingBrain(players(), every_other(last_words)))
    accepted = next(record for record in records if record.status == "accepted")
    rejected = next(record for record in records if record.stage == "review")
    labels = [PersonLabel(id=accepted.id, person="ada", sound=False), PersonLabel(id=rejected.id, sound=True)]
    file = tmp_path / "labels.jsonl"
    before = export_run(Workspace(tmp_path), "openai", tmp_path / "out")
    file.write_text("".join(f"{label.model_dump_json()}\n" for label in labels))
    after = export_run(Workspace(tmp_path), "openai", tmp_path / "out")
    assert after.rows == before.rows
    assert after.overruled == {"left_out": 1, "taken_in": 1}
    assert "People overruled" in (tmp_path / "out" / "README.md").read_text()


def test_labels_of_people_are_gold(tmp_path: Path) -> None:
    _, records = made(tmp_path, ReviewingBrain(players(), every_other(last_words)))
    one, two = records[:2]
    labels = [
        PersonLabel(id=one.id, person="ada", sound=False, kind="false_claim", message=3),
        PersonLabel(id=one.id, person="bo", sound=False),
        PersonLabel(id=two.id, person="ada", sound=True),
        PersonLabel(id=two.id, person="ada", sound=True),
        PersonLabel(id="unheard of", sound=True),
    ]
    file = tmp_path / "given.jsonl"
    file.write_text("".join(f"{label.model_dump_json()}\n" for label in labels))
    found = specimens_in(file, Workspace(tmp_path))
    assert [one.label for one in found] == [Label(sound=False, kind="false_claim", message=3), Label(sound=True)]
    assert one.trajectory is not None
    assert found[0].case.messages == one.trajectory.messages


def test_votes_of_the_workspace_count(tmp_path: Path) -> None:
    figures = ReviewerFigures(reviewer="m", dialogues=10, always="yes")
    known = Calibration(
        gold="gold.jsonl", dialogues=10, reviewers=(figures,), committee=figures, votes=Votes(weights={"m": 0.0})
    )
    Workspace(tmp_path).calibration_file.write_text(known.model_dump_json())
    assert {record.stage for record in shard(tmp_path, ReviewingBrain(players()))} == {"review"}


def test_a_task_at_fault_goes_back_to_its_composer(tmp_path: Path) -> None:
    told: list[str] = []

    def compose(ask: Ask) -> Answer | None:
        if "mendable" not in (ask.output or {}).get("properties", {}):
            return players()(ask)
        told.append(ask.text)
        return Answer(text=json.dumps({"mendable": False, "goals": [], "tell_at_once": []}))

    def blame(question: str) -> Sequence[Objection]:
        return [("task", at, quote) for _, at, quote in last_words(question)]

    roles = {"user": "m", "assistant": "m", "reviewer": "m", "composer": "m"}
    records = shard(tmp_path, ReviewingBrain(compose, blame), roles=roles, shard_size=2)
    assert told
    assert {record.verdicts[-1].issues[0].code for record in records} == {"task_at_fault"}
