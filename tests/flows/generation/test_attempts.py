"""Attempts at one task: kept beside each other in the store."""

from pathlib import Path

from tests.flows.command_line import run_clinic

from interplay.flows.workspaces.record_lookup import attempts_at, find_record
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.dialogue_limits import Limits
from interplay.outputs.report.statistics import statistics


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
