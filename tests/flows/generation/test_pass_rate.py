"""Attempts at one task: the share that passes, the band in which it has to lie, the same dialogue accepted once."""

from pathlib import Path

import pytest
from tests.flows.command_line import run_clinic
from tests.validators.builders import assistant, make_blueprint, make_trajectory, replace

from interplay.flows.generation.pass_rate import compare_attempts
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import parse_config
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.dialogue_limits import Limits
from interplay.outputs.report.statistics import statistics
from interplay.schemas.errors import BudgetExceeded, ConfigError
from interplay.schemas.records.failure import Failure
from interplay.schemas.records.verdict import DatasetRecord, Issue, Verdict

FAILED = {
    "status": "rejected",
    "stage": "structure",
    "failure": Failure(fault="loop", stage="structure", message=3),
    "verdicts": (Verdict(check="structure", issues=(Issue(code="turn_limit", message="Too long."),)),),
}


def attempt(number: int, **changes: object) -> DatasetRecord:
    said = make_trajectory(replace(5, assistant(f"It is noted for May {number}. What else?", "response")))
    made = DatasetRecord(
        id=str(number), run="r", index=0, attempt=number, status="accepted", blueprint=make_blueprint(), trajectory=said,
    )  # fmt: skip
    return made.model_copy(update=changes)


def solved(records: tuple[DatasetRecord, ...]) -> list[dict[str, float]]:
    return [verdict.scores for record in records for verdict in record.verdicts if verdict.check == "solver"]


def test_accepts_what_is_said_otherwise_and_rejects_what_is_the_same_turn_by_turn() -> None:
    first = attempt(0)
    made = compare_attempts([first, attempt(1, trajectory=first.trajectory), attempt(2), attempt(3, **FAILED)])
    assert [(record.status, record.stage) for record in made] == [
        ("accepted", None), ("rejected", "attempts"), ("accepted", None), ("rejected", "structure"),
    ]  # fmt: skip
    assert solved(made) == [{"pass_rate": 0.75, "pass_low": 0.3006, "pass_high": 0.9544, "attempts": 4.0}] * 4
    assert made[1].failure is None
    assert made[3].failure == FAILED["failure"]
    assert [record.filter_reason for record in made] == [None, "attempts/same_dialogue", None, "structure/turn_limit"]


def test_one_attempt_alone_says_nothing_of_how_hard_a_task_is() -> None:
    assert compare_attempts([attempt(0)], (0.1, 0.6)) == (attempt(0),)


@pytest.mark.parametrize(
    ("passed", "reasons"),
    [
        (0, {"structure/turn_limit"}),
        (1, {"solve_band/too_hard", "structure/turn_limit"}),
        (2, {None, "structure/turn_limit"}),
        (3, {"solve_band/too_easy", "structure/turn_limit"}),
        (4, {"solve_band/too_easy"}),
    ],
)
def test_keeps_only_tasks_in_the_band(passed: int, reasons: set[str | None]) -> None:
    made = compare_attempts([attempt(number, **({} if number < passed else FAILED)) for number in range(4)], (0.3, 0.6))
    assert {record.filter_reason for record in made} == reasons
    outside = [record for record in made if record.stage == "solve_band"]
    assert all(
        record.failure is None and "of 4 attempts pass" in record.verdicts[-1].issues[0].message for record in outside
    )


def test_an_attempt_that_a_model_broke_off_tells_nothing_of_the_task() -> None:
    broken = attempt(2).trajectory
    assert broken is not None
    silent = FAILED | {"trajectory": broken.model_copy(update={"termination": "model_failed"})}
    made = compare_attempts([attempt(0), attempt(1), attempt(2, **silent), attempt(3, **FAILED | {"trajectory": None})])
    assert [scores["attempts"] for scores in solved(made)] == [2.0] * 4


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"attempts": 3, "solve_band": [0.6, 0.1]}, "two shares from 0 to 1, the lower one first"),
        ({"attempts": 3, "solve_band": [0.1, 1.1]}, "two shares from 0 to 1"),
        ({"solve_band": [0.1, 0.6]}, "set attempts to 2 or more"),
    ],
)
def test_a_band_that_cannot_be_is_told(settings: dict[str, object], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        parse_config(settings, "here")


def test_a_run_without_a_band_is_the_same_as_ever() -> None:
    assert "solve_band" not in RunConfig().identity()
    assert RunConfig(attempts=2, solve_band=(0.1, 0.6)).fingerprint() != RunConfig(attempts=2).fingerprint()


def test_the_funnel_tells_what_was_lost_where_and_the_store_how_hard_each_task_is(tmp_path: Path) -> None:
    asked = {"attempts": 3, "solve_band": (0.2, 0.9), "limits": Limits(turns=6), "shard_size": 8}
    with pytest.raises(BudgetExceeded, match="solve_band"):
        run_clinic(tmp_path, records=8, max_tries_per_record=2.0, **asked)
    workspace = Workspace(tmp_path)
    with loaded_store(workspace) as store:
        figures = statistics(store, workspace.existing_run().run)
        rows = store.query("SELECT * FROM records")
    steps = {step["step"]: step for step in figures["funnel"]}
    assert [*steps] == ["recipes", "composed", "gates", "played", "checks", "accepted"]
    assert steps["played"]["left"] == steps["checks"]["left"] + sum(steps["checks"]["lost"].values()) == len(rows)
    assert steps["checks"]["left"] == steps["accepted"]["left"] + sum(steps["accepted"]["lost"].values())
    assert set(steps["checks"]["lost"]) == {"structure/turn_limit"}
    assert "solve_band/too_easy" in steps["accepted"]["lost"]
    assert all(row["pass_low"] <= row["pass_rate"] <= row["pass_high"] for row in rows)
    assert all((row["filter_reason"] is None) == (row["status"] == "accepted") for row in rows)
    assert all(0.2 <= row["pass_rate"] <= 0.9 for row in rows if row["status"] == "accepted")
    assert figures["solving"]["attempts"] == len(rows)
    assert figures["solving"]["low"] < figures["solving"]["pass_rate"] < figures["solving"]["high"]
