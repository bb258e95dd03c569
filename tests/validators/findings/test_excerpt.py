"""What is found in the own part of a dialogue is told of the whole, and back."""

from tests.validators.builders import GOOD, make_blueprint, make_trajectory

from interplay.schemas.records.dialogue import Start
from interplay.schemas.records.failure import Failure
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.findings.excerpt import excerpt, failure_of_whole, in_excerpt, in_whole

BEFORE = GOOD[:6]
LATER = make_blueprint(start=Start(origin="session", source="r1", messages=BEFORE))
AT = Verdict(
    check="structure", issues=(Issue.of("empty", "Says nothing.", "/messages/3/content"), Issue.of("odd", "?"))
)


def test_the_own_part_begins_after_what_came_before() -> None:
    whole = make_trajectory((*BEFORE, *GOOD), kept=8)
    own = excerpt(whole, LATER)
    assert own.messages == GOOD
    assert own.kept == 8 - LATER.begins == 2


def test_pointers_move_by_what_came_before() -> None:
    told = in_whole(AT, LATER)
    assert [issue.pointer for issue in told.issues] == ["/messages/9/content", ""]
    assert in_excerpt(told, LATER) == AT


def test_a_label_moves_as_pointers_do() -> None:
    label = Failure(fault="wrong_argument", stage="execution", message=3)
    moved = failure_of_whole(label, LATER)
    assert moved is not None
    assert moved.message == 9


def test_a_dialogue_from_its_beginning_stays_as_it_is() -> None:
    assert in_whole(AT, make_blueprint()) is AT
    assert excerpt(whole := make_trajectory(), make_blueprint()) is whole
