"""Attempts at one task: kept beside each other, the same dialogue accepted once."""

from pathlib import Path

from tests.flows.command_line import run_clinic
from tests.validators.builders import assistant, make_blueprint, make_trajectory, replace

from interplay.flows.generation.attempts import compare_attempts
from interplay.flows.workspaces.record_lookup import attempts_at, find_record
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.dialogue_limits import Limits
from interplay.outputs.report.statistics import statistics
from interplay.schemas.records.failure import Failure
from interplay.schemas.records.verdict import DatasetRecord


def attempt(number: int, **changes: object) -> DatasetRecord:
    made = DatasetRecord(
        id=str(number), run="r", index=0, attempt=number, status="accepted", blueprint=make_blueprint(),
        trajectory=make_trajectory(),
    )  # fmt: skip
    return made.model_copy(update=changes)


def test_accepts_what_is_said_otherwise_and_rejects_what_is_the_same_turn_by_turn() -> None:
    otherwise = make_trajectory(replace(5, assistant("It is noted for May 4. What else?", "response")))
    failed = Failure(fault="loop", stage="structure", message=3)
    made = compare_attempts(
        [
            attempt(0),
            attempt(1),
            attempt(2, trajectory=otherwise),
            attempt(3, status="rejected", stage="structure", failure=failed),
        ]
    )
    assert [(record.status, record.stage) for record in made] == [
        ("accepted", None), ("rejected", "attempts"), ("accepted", None), ("rejected", "structure"),
    ]  # fmt: skip
    assert [verdict.scores for record in made for verdict in record.verdicts if verdict.check == "solver"] == [
        {"pass_rate": 0.75, "attempts": 4.0}
    ] * 4
    assert made[1].failure is None
    assert made[3].failure == failed


def test_one_attempt_alone_says_nothing_of_how_hard_a_task_is() -> None:
    assert compare_attempts([attempt(0)]) == (attempt(0),)


def test_the_store_holds_every_attempt_with_its_label(tmp_path: Path) -> None:
    run_clinic(tmp_path, records=6, attempts=2, limits=Limits(turns=7), shard_size=6)
    workspace = Workspace(tmp_path)
    with loaded_store(workspace) as store:
        figures = statistics(store, workspace.existing_run().run)
        rows = store.query("SELECT index, attempt, status, stage, fault FROM records ORDER BY index, attempt")
    assert {row["attempt"] for row in rows} == {0, 1}
    assert all(row["fault"] for row in rows if row["stage"] == "structure")
    assert sum(figures["rejected_by_fault"].values()) == sum(row["fault"] is not None for row in rows)
    assert figures["accepted"] >= 6
    assert figures["tasks_solved"] <= figures["tasks_attempted"]
    index = rows[0]["index"]
    second = find_record(workspace, f"{index}.1")
    assert second.attempt == 1
    assert [told.split()[0] for told in attempts_at(workspace, second)] == [f"{index}.0", f"{index}.1"]
