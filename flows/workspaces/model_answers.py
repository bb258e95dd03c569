"""A workspace -> what its models answered: listed, counted, written to a file."""

import itertools
from pathlib import Path

from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.models.journal.journal_report import (
    BatchRow,
    JournalCount,
    JournalEntry,
    batches,
    counts,
    entries,
    exported,
)
from interplay.schemas.errors import StoreError


def list_answers(workspace: Workspace, role: str | None, model: str | None, limit: int) -> list[JournalEntry]:
    """Return the first answers.

    Raises:
        StoreError: there is no journal, or it cannot be read.
    """
    return list(itertools.islice(entries(workspace.journal_file, role, model), limit))


def count_answers(workspace: Workspace, role: str | None, model: str | None) -> tuple[JournalCount, ...]:
    """Return the answers and tokens by role, model and outcome.

    Raises:
        StoreError: there is no journal, or it cannot be read.
    """
    return counts(workspace.journal_file, role, model)


def list_batches(workspace: Workspace, model: str | None) -> tuple[BatchRow, ...]:
    """Return the batches in which questions were asked.

    Raises:
        StoreError: there is no journal, or it cannot be read.
    """
    return batches(workspace.journal_file, model)


def export_answers(workspace: Workspace, to: Path, role: str | None, model: str | None) -> int:
    """Write all answers to a file, one a line; return how many.

    Raises:
        StoreError: there is no journal, or the file cannot be written.
    """
    answers = exported(workspace.journal_file, role, model)
    first = list(itertools.islice(answers, 1))  # a missing journal is noticed before the file is made
    written = 0
    partial = to.with_name(f"{to.name}.partial")
    try:
        with partial.open("w", encoding="utf-8") as file:
            for line in itertools.chain(first, answers):
                written += bool(file.write(line + "\n"))
        partial.replace(to)
    except OSError as error:
        raise StoreError(f"{to}: cannot be written ({error.strerror}). Name another file.") from error
    return written
