"""What a reward takes off: for changes that nobody wanted, for other writes, and not for readings."""

import pytest
from tests.validators.builders import TOOLSET, make_blueprint, make_trajectory

from interplay.schemas.json.canonical import Change
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.rewards.case import Case
from interplay.validators.rewards.reward_parts import state, writes

READING, WRITING = "/messages/7", "/messages/12"
"""Messages of the dialogue that call a tool that reads, and one that writes."""


def case(*issues: Issue, more: tuple[Change, ...] = (), final: str = "") -> Case:
    blueprint = make_blueprint()
    trajectory = make_trajectory(final_digest=final or blueprint.expected.digest)
    verdicts = {"outcome": Verdict(check="outcome", issues=issues)}
    return Case(trajectory, blueprint, TOOLSET, (*blueprint.expected.difference, *more), verdicts)


def test_each_change_that_nobody_wanted_takes_one_off() -> None:
    wanted = len(make_blueprint().expected.difference)
    assert state(case(final="another")).score == 1
    found = state(case(more=(Change(path="/notes/n9", before=None, after="x"),), final="another"))
    assert found.score == pytest.approx(1 - 1 / wanted)
    assert [issue.pointer for issue in found.reasons] == ["/notes/n9"]


@pytest.mark.parametrize(
    ("code", "pointer", "score"),
    [("dropped_value", READING, 1), ("dropped_value", WRITING, 0), ("extra_write", READING, 0)],
)
def test_what_a_reading_call_leaves_out_is_not_held_against_the_writes(code: str, pointer: str, score: float) -> None:
    assert writes(case(Issue.of(code, "It is so.", pointer))).score == score


def test_other_writes_that_lead_to_the_same_state_do_as_well_where_none_is_needless() -> None:
    missed = Issue.of("missed_write", "It was not made.", "/actions/0")
    assert writes(case(missed)).score == 1
    assert writes(case(missed, Issue.of("needless_call", "Nobody needs it.", WRITING))).score == 0
