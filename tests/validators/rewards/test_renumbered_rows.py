"""New rows that came in another order than expected are as wanted; others stay what they are."""

from typing import Any

from interplay.schemas.json.canonical import MISSING, Change
from interplay.validators.rewards.reward import renumbered


def mail(number: int, to: str, thread: int, note: str = "We will be short") -> Change:
    row: dict[str, Any] = {"mail_id": f"mail-{number}", "to": [to], "thread": {"id": f"T-{thread}"}, "note": note}
    return Change(path=f"/mails/mail-{number}", before=MISSING, after=row)


WANTED = (mail(1, "ada", 7), mail(2, "ben", 8))


def test_rows_in_another_order_are_as_wanted() -> None:
    assert set(map(str, renumbered((mail(1, "ben", 7), mail(2, "ada", 8)), WANTED, {"ada", "ben"}))) == set(
        map(str, WANTED)
    )


def test_what_calls_have_given_is_not_exchanged() -> None:
    mixed = (mail(1, "ada", 7, "See you"), mail(2, "ben", 8, "We will be short"))
    wanted = (mail(1, "ada", 7, "We will be short"), mail(2, "ben", 8, "See you"))
    assert renumbered(mixed, wanted, {"ada", "ben", "See you", "We will be short"}) == mixed


def test_other_names_more_rows_and_changes_stay() -> None:
    for made in (
        (mail(1, "ada", 7), mail(3, "ben", 8)),
        (mail(1, "ada", 7),),
        (mail(1, "ada", 7), mail(2, "eve", 8)),
        (mail(1, "ben", 9), mail(2, "ada", 8)),
    ):
        assert renumbered(made, WANTED, {"ada", "ben", "eve"}) == made
    changed = Change(path="/mails/mail-1/note", before="a", after="b")
    assert renumbered((*WANTED, changed), (*WANTED, changed), set()) == (*WANTED, changed)
