"""Whole runs in which a committee reviews tasks, against a server on this machine."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.flows.brains import MARK, StrictCommittee
from tests.flows.command_line import quiet
from tests.model_server.answers import Answer, Ask
from tests.model_server.misbehaviour import Settings
from tests.model_server.server import ModelServer

from interplay.flows.runs.run import run
from interplay.flows.runs.shards import make_shard
from interplay.flows.runs.stages import prepare
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import parse_config
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.report.statistics import statistics
from interplay.outputs.store.shard_file import read_shard
from interplay.schemas.errors import BudgetExceeded
from interplay.schemas.records.verdict import DatasetRecord

SIZE = 8


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", "any")


def config(server: ModelServer, **settings: Any) -> RunConfig:
    model = {"model": "tiny", "base_url": server.openai_url, "api_key_env": "PLANTED_KEY", "concurrency": 8}
    roles = {"reviewer": "m", "composer": "m"}
    told = {"models": {"m": model}, "roles": roles, "shard_size": SIZE, "records": 5, **settings}
    return parse_config(told, "test")


def served(play: Callable[[ModelServer], Any], script: Callable[[Ask], Answer | None]) -> Any:
    async def main() -> Any:
        async with ModelServer(Settings(), script) as server:
            return await play(server)

    return asyncio.run(main())


async def first_shard(server: ModelServer, folder: Path, **settings: Any) -> list[DatasetRecord]:
    generator = await prepare(Workspace(folder), config(server, **settings))
    try:
        return list(read_shard(await make_shard(generator, Workspace(folder), 0)))
    finally:
        await generator.aclose()


def test_what_is_found_fault_with_is_rewritten_and_every_round_is_kept(tmp_path: Path) -> None:
    brain = StrictCommittee()
    made = served(lambda server: first_shard(server, tmp_path), brain)
    revised = [record for record in made if record.rounds and record.blueprint]
    assert revised
    assert brain.asked["review"] >= 3 * len(revised)
    for record in revised:
        first, last = record.rounds[0], record.blueprint
        assert last is not None
        assert first.verdicts[-1].check == "committee"
        assert len(first.verdicts[-1].reviews) == 3
        assert "does not say how soon" in first.feedback.points[0]
        assert (last.lineage.parent, last.lineage.revision) == (
            record.rounds[-1].blueprint.id, record.rounds[-1].blueprint.lineage.revision + 1,
        )  # fmt: skip
        if last.lineage.operator == "rewrite":
            assert all(MARK in last.goals[goal].intent for goal in first.feedback.goals)
    with loaded_store(Workspace(tmp_path)) as store:
        figures = statistics(store, made[0].run)
        assert store.query("SELECT count(*) AS n FROM reviews")[0]["n"] > 0
    assert figures["yield_with_feedback"] > figures["yield_without_feedback"]
    assert figures["yield_by_check"]["committee"]["judged"] > SIZE - 2


def test_without_a_rewriter_another_task_is_drawn(tmp_path: Path) -> None:
    made = served(lambda server: first_shard(server, tmp_path), StrictCommittee(composes=False))
    revised = [record for record in made if record.rounds and record.blueprint]
    assert revised
    for record in revised:
        assert record.blueprint is not None
        assert record.blueprint.lineage.operator == "revise"
        stories = [item.blueprint.story() for item in record.rounds]
        assert record.blueprint.story() not in stories


def test_a_committee_that_rejects_all_is_asked_no_more_than_so_often(tmp_path: Path) -> None:
    brain = StrictCommittee(1.0, composes=False)
    settings = {"committee": {"reviewers": 2, "rounds": 1}}
    made = served(lambda server: first_shard(server, tmp_path, **settings), brain)
    assert {record.stage for record in made} <= {"committee", "compose", "duplicates", "crash"}
    assert {len(record.rounds) for record in made if record.stage == "committee"} <= {0, 1}
    assert brain.asked["review"] <= SIZE * 2 * 2


def test_reviewers_that_say_nothing_usable_reject_without_a_revision(tmp_path: Path) -> None:
    made = served(lambda server: first_shard(server, tmp_path), lambda _: Answer(text="I like it."))
    judged = [record for record in made if record.stage == "committee"]
    assert judged
    for record in judged:
        assert record.rounds == ()
        assert "no_quorum" in {issue.code for issue in record.verdicts[-1].issues}
        assert all(review.abstained for review in record.verdicts[-1].reviews)


def test_a_spent_budget_stops_and_goes_on_without_asking_twice(tmp_path: Path) -> None:
    async def play(server: ModelServer) -> tuple[int, list[DatasetRecord]]:
        with pytest.raises(BudgetExceeded, match="tokens"):
            await run(Workspace(tmp_path), config(server, budget={"tokens": 15_000}), quiet)
        await run(Workspace(tmp_path), config(server), quiet)
        return max(server.seen.answered.values()), list(read_shard(Workspace(tmp_path).shard(0)))

    most, made = served(play, StrictCommittee())
    assert most == 3  # each of three seats is asked the same, once
    whole = served(lambda server: first_shard(server, tmp_path / "whole"), StrictCommittee())
    assert [record.blueprint for record in made] == [record.blueprint for record in whole]
    assert [record.rounds for record in made] == [record.rounds for record in whole]


def test_rules_alone_may_review() -> None:
    asked = RunConfig().panel(), parse_config({"committee": {"rubric": True}}, "test").panel()
    assert asked[0] is None
    assert asked[1] is not None
    assert RunConfig().identity().keys() == {*RunConfig().identity().keys()} - {"committee"}


def test_no_scenario_is_told_twice_in_a_run(tmp_path: Path) -> None:
    notes = Path(__file__).parents[1] / "notes.json"
    told = parse_config({"toolset": f"json:{notes}", "shard_size": 20, "records": 40}, "test")
    try:
        asyncio.run(run(Workspace(tmp_path), told, quiet))
    except BudgetExceeded as spent:
        assert "copies" in str(spent)  # noqa: PT017
    with loaded_store(Workspace(tmp_path)) as store:
        [row] = store.query(
            "SELECT count(*) AS accepted, count(DISTINCT story) AS stories FROM records WHERE status = 'accepted'"
        )
    assert row["accepted"] == row["stories"] > 0
