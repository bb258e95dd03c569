"""One firing of a deployment -> the records that it adds to a workspace, or the part that it makes.

    {"firing": "0198...", "part": "2026-11-24", "records": null}
    {"firing": "0199...", "part": "", "records": 2000}

The request of a firing is noted in `firings.jsonl` before anything is made, so that one that is restarted after a kill
asks for the same and not for more.
"""

from datetime import date

from interplay.flows.prefect.choices import PartBy
from interplay.flows.workspaces.lock import hold_workspace
from interplay.flows.workspaces.run_files import read_lines, write_lines
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.json.canonical import digest
from interplay.schemas.json.record import Record

SEED_DIGITS = 15
"""Hexadecimal digits of a digest used as a seed, which keeps it below 2 ** 63."""


class Firing(Record):
    """The request of one firing: the total of accepted records in the workspace, or one of its parts."""

    firing: str
    records: int | None = None
    part: str = ""


def records_after(workspace: Workspace, firing: str, add: int) -> int:
    """Return the total of accepted records in a workspace after a firing that adds `add` to what was asked for before.

    Raises:
        StoreInUse: another process works there.
        StoreError: the note cannot be written.
    """
    with hold_workspace(workspace):
        noted, run = _noted(workspace), workspace.run()
        known = next((note.records for note in noted if note.firing == firing and note.records is not None), None)
        if known is not None:
            return known
        before = max([note.records or 0 for note in noted] + [run.config.records if run else 0])
        _note(workspace, noted, Firing(firing=firing, records=before + add))
        return before + add


def part_of(parent: Workspace, firing: str, by: PartBy, day: date) -> str:
    """Return the name of the part that a firing makes, a folder in `parent`: the day it was due, or the next number.

    Raises:
        StoreInUse: another process works there.
        StoreError: the note cannot be written.
    """
    with hold_workspace(parent):
        noted = _noted(parent)
        known = next((note.part for note in noted if note.firing == firing and note.part), None)
        if known is not None:
            return known
        part = f"{day:%Y-%m-%d}" if by == "date" else f"{len({note.part for note in noted if note.part}) + 1:04d}"
        _note(parent, noted, Firing(firing=firing, part=part))
        return part


def seed_of_part(seed: int, part: str) -> int:
    """Return the seed of a part, which depends on the seed of the run and the part's name only."""
    return int(digest([seed, part])[:SEED_DIGITS], 16)


def _noted(workspace: Workspace) -> tuple[Firing, ...]:
    if not workspace.firings_file.exists():
        return ()
    return read_lines(workspace.firings_file, Firing, "Restore the file, or use another workspace.")


def _note(workspace: Workspace, noted: tuple[Firing, ...], new: Firing) -> None:
    write_lines(workspace.firings_file, (*noted, new))
