"""What was taken out of a workspace, and what stands in its place.

`withdrawn.jsonl` tells what was taken out. It is written first, so that what was broken off goes on when it is asked for
again, and nothing that is made again brings the record back:

    {"index": 7, "records": ["5d41..."], "redacted": false, "why": "a customer asked for it"}

Each shard notes the same of its own indices, so that a file that is lost is told, and can be written again.

Of an index that is removed, its shard tells that it was, and nothing else. A shard that is made again tells the same of an
index of which something was redacted, for the redacted text is not kept.
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
    """What was taken out at one index, and why."""

    index: int
    records: tuple[str, ...]
    redacted: bool = False
    why: str


def withdrawals(workspace: Workspace) -> tuple[Withdrawal, ...]:
    """Return what was taken out of a workspace.

    Raises:
        ConfigError: the file is broken.
    """
    path = workspace.withdrawn_file
    return read_lines(path, Withdrawal, REMEDY) if path.exists() else ()


def noted_for(known: Sequence[Withdrawal], indices: range) -> list[str]:
    """Return what the shard of some indices notes of what was taken out: see `write_shard`."""
    return [each.model_dump_json() for each in known if each.index in indices]


def removed(record: DatasetRecord, why: str) -> DatasetRecord:
    """Return what stands in the place of a record that was taken out."""
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
    """Return records that were made again, those out that were taken out before."""
    why = {each.index: each.why for each in known}
    return [removed(record, why[record.index]) if record.index in why else record for record in records]
