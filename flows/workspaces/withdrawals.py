"""What was withdrawn from a workspace, that is removed or redacted, and the records that replace it.

`withdrawn.jsonl` lists the withdrawals. It is written first, so that an interrupted withdrawal can be completed, and
nothing that is made again brings the record back:

    {"index": 7, "records": ["5d41..."], "redacted": false, "why": "a customer asked for it"}

Each shard repeats the lines about its own indices, so that a loss of the file is noticed and can be repaired.

Of a removed index, its shard holds only that it was removed. If a shard is made again, a redacted index is removed too, as
the redacted text is not kept.
"""

from collections.abc import Sequence

from interplay.flows.workspaces.run_files import read_lines
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.json.canonical import digest
from interplay.schemas.json.record import Record
from interplay.schemas.records.verdict import DatasetRecord, Issue, Verdict

STAGE = "removed"
REMEDY = 'Restore the file, or mend the line: {"index": 7, "records": ["5d41..."], "redacted": false, "why": "..."}'


class Withdrawal(Record):
    """What was withdrawn at one index, and why."""

    index: int
    records: tuple[str, ...]
    redacted: bool = False
    why: str


def withdrawals(workspace: Workspace) -> tuple[Withdrawal, ...]:
    """Return what was withdrawn from a workspace.

    Raises:
        ConfigError: the file is broken.
    """
    path = workspace.withdrawn_file
    return read_lines(path, Withdrawal, REMEDY) if path.exists() else ()


def noted_for(known: Sequence[Withdrawal], indices: range) -> list[str]:
    """Return the lines that the shard of some indices repeats: see `write_shard`."""
    return [each.model_dump_json() for each in known if each.index in indices]


def removed(record: DatasetRecord, why: str) -> DatasetRecord:
    """Return the record that replaces a removed one."""
    verdict = Verdict(check=STAGE, issues=(Issue.of("removed", f"It was taken out: {why}"),))
    return DatasetRecord(
        id=digest([STAGE, record.id]),
        run=record.run,
        index=record.index,
        attempt=record.attempt,
        status="rejected",
        stage=STAGE,
        verdicts=(verdict,),
    )


def withhold(known: Sequence[Withdrawal], records: Sequence[DatasetRecord]) -> list[DatasetRecord]:
    """Return records that were made again, with withdrawn ones replaced."""
    why = {each.index: each.why for each in known}
    return [removed(record, why[record.index]) if record.index in why else record for record in records]
