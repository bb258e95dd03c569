"""Finds records to read: one by index or id, and a good example."""

import re
from typing import Any

from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.errors import NoSuchRecord, StoreError
from interplay.schemas.records.verdict import DatasetRecord

SURELY_OF_AN_ID = 8
"""The least digits that may be the beginning of an id; fewer digits are an index, even if it does not exist."""

_ATTEMPT = re.compile(r"([0-9]{1,18})(?:\.([0-9]{1,4}))?", re.ASCII)

FITS_A_SCREEN = 28
"""The most messages of a dialogue that can be read at a glance."""


def find_record(workspace: Workspace, wanted: str) -> DatasetRecord:
    """Return the record with this index, this id, or the only one whose id begins so; of several attempts, the best one.

    `7.2` is attempt 2 at the task of index 7.

    Raises:
        ConfigError: the workspace holds no run yet.
        NoSuchRecord: there is none, or several.
        StoreError: the store or a shard file is broken.
    """
    run = workspace.existing_run().run
    if not wanted.strip():
        raise NoSuchRecord(f"{workspace.name}: name a record by its index, such as 0, or by how its id begins.")
    with loaded_store(workspace) as store:
        number = _ATTEMPT.fullmatch(wanted)
        if number is not None:
            found = store.query(
                "SELECT id FROM records WHERE run = ? AND index = ? AND attempt = coalesce(?, attempt) "
                "ORDER BY status, attempt",
                [run, int(number[1]), int(number[2]) if number[2] else None],
            )
            if found:
                return store.record(found[0]["id"])
            held = store.query("SELECT min(index) AS low, max(index) AS high FROM records WHERE run = ?", [run])[0]
            query = "SELECT 1 FROM records WHERE starts_with(id, ?) LIMIT 1"
            begins = len(wanted) >= SURELY_OF_AN_ID and store.query(query, [wanted])
            if not begins:
                told = f"no record has the index {wanted}{_told(workspace, held)}"
                raise NoSuchRecord(f"{workspace.name}: {told}{_gap(workspace)}")
        try:
            return store.record(wanted)
        except NoSuchRecord as error:
            raise NoSuchRecord(f"{workspace.name}: {error}{_gap(workspace)}") from None


def _gap(workspace: Workspace) -> str:
    """Return which shard is missing, as a sentence to append, or ""; a record that is not found may be in it."""
    missing = workspace.missing_shard()
    remedy = f"Make it again with: interplay verify {workspace.argument} --repair"
    return f" {missing} is missing, though later shards are there. {remedy}" if missing is not None else ""


def _told(workspace: Workspace, held: dict[str, Any]) -> str:
    """Return the end of a sentence: which indices are loaded, and which are made but not asked for yet."""
    if held["low"] is None:
        return ": none is loaded yet. A run that goes on loads what it made every few seconds."
    told, last = f". There are {held['low']} to {held['high']}", workspace.made() - 1
    if last <= held["high"]:
        return f"{told}."
    more = f"interplay run --records N --workspace {workspace.argument}"
    return f"{told}; {held['high'] + 1} to {last} are made, and kept for when more records are asked for: {more}"


def attempts_at(workspace: Workspace, record: DatasetRecord) -> list[str]:
    """Return the outcome of each attempt at the task of a record, as text; empty if there is only one."""
    with loaded_store(workspace) as store:
        rows = store.query(
            "SELECT attempt, status, stage, fault FROM records WHERE run = ? AND index = ? ORDER BY attempt",
            [record.run, record.index],
        )
    told = [
        f"{record.index}.{row['attempt']} {row['status']}"
        + (f" at {row['stage']}" if row["stage"] else "")
        + (f" ({row['fault']})" if row["fault"] else "")
        for row in rows
    ]
    return told if len(told) > 1 else []


def example_record(workspace: Workspace) -> DatasetRecord:
    """Return the accepted record with the most kinds of acts among those that fit a screen.

    Raises:
        StoreError: nothing was accepted.
    """
    run = workspace.existing_run().run
    with loaded_store(workspace) as store:
        rows = store.query(
            "SELECT id FROM records JOIN messages ON messages.record_id = records.id "
            "WHERE run = ? AND status = 'accepted' GROUP BY id, index, calls "
            "ORDER BY count(*) > ?, count(DISTINCT act) DESC, calls DESC, index LIMIT 1",
            [run, FITS_A_SCREEN],
        )
        if not rows:
            raise StoreError(f"{workspace.store_file}: holds no accepted record.")
        return store.record(rows[0]["id"])
