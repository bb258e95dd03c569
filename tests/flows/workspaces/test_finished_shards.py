"""Which records of finished shards count: the first that pass and were not told before, as many as are wanted."""

from pathlib import Path

from tests.outputs.builders import make_record, not_composed

from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.finished_shards import ShardTally, tallies, tally_outcomes
from interplay.flows.workspaces.manifest import identify
from interplay.flows.workspaces.withdrawals import Withdrawal, noted_for
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.store.shard_file import Outcome, write_shard
from interplay.validators.blueprints.duplicates import Duplicates

OUTCOMES = [Outcome(0, "accepted", "a"), Outcome(1, "rejected", "b"), Outcome(2, "accepted", "a"), Outcome(3, "accepted", "c")]  # fmt: skip


def tallied(wanted: int, outcomes: list[Outcome] | None = None) -> ShardTally:
    return tally_outcomes(Path("shard"), outcomes or OUTCOMES, range(4), wanted, Duplicates())


def test_what_was_told_before_does_not_count() -> None:
    found = tallied(9)
    assert (found.accepted, found.tried, found.until, [*found.repeats]) == (2, 4, 3, [2])


def test_counts_no_further_than_to_the_last_that_is_wanted() -> None:
    assert [(found.accepted, found.tried, found.until) for found in map(tallied, (1, 2))] == [(1, 1, 0), (2, 4, 3)]


def test_all_attempts_at_a_task_that_passed_count() -> None:
    found = tallied(9, [OUTCOMES[0], OUTCOMES[0], *OUTCOMES[1:]])
    assert (found.accepted, found.records) == (3, 5)


def test_shards_count_until_there_are_as_many_as_asked_for(tmp_path: Path) -> None:
    workspace, config = Workspace(tmp_path), RunConfig(records=3, shard_size=2)
    for number, records in enumerate([[0, 1], [2, 3], [4, 5]]):
        made = [not_composed(index) if index == 1 else make_record(index) for index in records]
        write_shard(workspace.shard(number), made)
    found = [tally for _, tally in tallies(workspace, identify(config, "0" * 32, "1", None))]
    assert [(tally.accepted, tally.until) for tally in found] == [(1, 1), (2, 3)]


def test_a_shard_notes_what_was_taken_out_of_its_own_indices() -> None:
    known = [Withdrawal(index=index, records=("a",), why="asked") for index in (1, 2, 7)]
    assert noted_for(known, range(2, 4)) == [known[1].model_dump_json()]
