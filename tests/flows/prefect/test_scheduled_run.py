"""What one firing of a deployment asks for."""

from datetime import date
from pathlib import Path

import pytest
from tests.flows.command_line import copy_clinic

from interplay.flows.prefect.scheduled_run import part_of, records_after, seed_of_part
from interplay.flows.workspaces.lock import hold_workspace
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.errors import ConfigError, StoreInUse

DAY = date(2026, 11, 24)


def test_each_firing_adds_to_what_was_asked_for_and_one_that_is_taken_up_again_does_not(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    assert records_after(workspace, "a", 10) == 10
    assert records_after(workspace, "b", 5) == 15
    assert records_after(workspace, "a", 10) == 10
    assert records_after(workspace, "b", 5) == 15
    assert records_after(workspace, "c", 1) == 16


def test_a_firing_adds_to_what_a_run_by_hand_asked_for(tmp_path: Path) -> None:
    copy_clinic(tmp_path, records=4)
    assert records_after(Workspace(tmp_path), "a", 3) == 7


def test_parts_are_named_by_the_day_or_by_number_and_keep_their_names(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    assert [part_of(workspace, name, "number", DAY) for name in ("a", "b", "a", "c")] == [
        "0001",
        "0002",
        "0001",
        "0003",
    ]
    dated = Workspace(tmp_path / "dated")
    assert part_of(dated, "a", "date", DAY) == "2026-11-24"
    assert part_of(dated, "a", "date", date(2026, 11, 25)) == "2026-11-24"  # taken up again after midnight


def test_each_part_has_a_seed_of_its_own() -> None:
    seeds = {seed_of_part(seed, part) for seed in (0, 1) for part in ("2026-11-24", "2026-11-25", "0001")}
    assert len(seeds) == 6
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_a_workspace_that_is_in_use_and_a_broken_note_are_told(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    with hold_workspace(workspace), pytest.raises(StoreInUse):
        records_after(workspace, "a", 1)
    workspace.firings_file.write_text("{}\n")
    with pytest.raises(ConfigError, match=r"firings\.jsonl"):
        records_after(workspace, "a", 1)
