"""What reviewers are asked of a dialogue: what is always asked, and items of its own writes, rules and answers."""

from tests.validators.builders import GOOD, TOOLSET, make_blueprint

from interplay.schemas.records.recorded import RecordedDialogue
from interplay.validators.review.checklist import ASKED_ALWAYS, TASK, items_of_blueprint, items_of_recorded


def recorded(**changes: object) -> RecordedDialogue:
    whole = {"id": "d1", "messages": GOOD, "toolset": TOOLSET, "system": "Be kind.\n1. Ask first.\n2. Never shout."}
    return RecordedDialogue.model_validate({**whole, **changes})


def test_each_item_is_held_against_who_may_break_it() -> None:
    sides = {item.id: item.side for item in ASKED_ALWAYS}
    assert sides["user"] == "user"
    assert sides[TASK] == "either"
    assert {side for name, side in sides.items() if name not in ("user", TASK)} == {"assistant"}


def test_rules_of_a_toolset_go_before_numbered_lines() -> None:
    of_rules = {item.id for item in items_of_recorded(recorded())}
    assert "r.confirm_finish" in of_rules
    assert not {"r1", "r2"} & of_rules
    plain = recorded(toolset=TOOLSET.model_copy(update={"rules": ()}))
    assert [item.id for item in items_of_recorded(plain)][-2:] == ["r1", "r2"]


def test_each_write_has_an_item() -> None:
    items = items_of_blueprint(make_blueprint(), GOOD, TOOLSET)
    assert [item.id for item in items if item.id.startswith("w")] != []
    assert {int(item.id[1:]) for item in items if item.kind == "missing_confirmation" and item.id[0] == "w"} == {3, 12}
