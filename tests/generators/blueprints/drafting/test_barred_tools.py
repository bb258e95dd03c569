"""A wish that a tool would serve, where none that could is offered."""

import json
from pathlib import Path
from random import Random

from tests.generators.environments.inline import TEXT, operation, row, sandbox
from tests.generators.worlds import records

from interplay.generators.blueprints.drafting.barred_tools import barred_wish
from interplay.schemas.records.recipe import Recipe

PARCEL, LOCKER = row(title=TEXT), row(place=TEXT)
OPENED = sandbox(
    operation("list_parcels", "GET", "/parcels", {"type": "array", "items": PARCEL}),
    operation("delete_parcel", "DELETE", "/parcels/{parcel_id}", PARCEL),
    operation("list_lockers", "GET", "/lockers", {"type": "array", "items": LOCKER}),
    operation("open_locker", "POST", "/lockers/{locker_id}/open", LOCKER),
    operation("update_locker", "PATCH", "/lockers/{locker_id}", LOCKER, place=TEXT),
)


def recipe(**told: object) -> Recipe:
    made = records("domain:clinic", 1)[0].blueprint
    assert made is not None
    return made.recipe.model_copy(update={"registry": False, "tool_search": False, "tool_changes": False, **told})


def test_all_that_change_a_kind_of_thing_are_left_out() -> None:
    drawn = [barred_wish(OPENED, recipe(), (), Random(seed)) for seed in range(20)]
    found = {(wish.intent, wish.tools) for wish in drawn if wish is not None}
    assert {tools for _, tools in found} == {frozenset({"delete_parcel"}), frozenset({"open_locker", "update_locker"})}
    assert any("parcel" in intent for intent, _ in found)


def test_what_is_used_stays_and_what_could_be_found_is_not_wished_for() -> None:
    drawn = [barred_wish(OPENED, recipe(), ("update_locker",), Random(seed)) for seed in range(20)]
    assert {wish.tools for wish in drawn if wish is not None} == {frozenset({"delete_parcel"})}
    for hidden in ({"tool_search": True}, {"registry": True}, {"language": "de"}):
        assert barred_wish(OPENED, recipe(**hidden), (), Random(1)) is None


def test_nobody_is_offered_what_cannot_be_had(tmp_path: Path) -> None:
    nouns, text = ("parcel", "locker", "courier"), {"type": "string"}
    listed = [
        {"name": f"list_{noun}s", "description": f"List {noun}s", "input_schema": {"type": "object"}} for noun in nouns
    ]
    renamed = [
        {
            "name": f"rename_{noun}",
            "description": f"Rename a {noun}",
            "input_schema": {"type": "object", "properties": {f"{noun}_id": text, "name": text}, "required": ["name"]},
        }
        for noun in nouns
    ]
    path = tmp_path / "depot.json"
    path.write_text(json.dumps(listed + renamed))
    seen = 0
    for record in records(f"json:{path}", 40, recipes={"patterns": {"no_call": 1}, "sense": 0}):
        made = record.blueprint
        unserved = [goal.intent for goal in made.goals if not goal.tool] if made is not None else []
        wished = {f"rename_{noun}" for noun in nouns if f"rename a {noun}" in unserved}
        seen += bool(wished)
        assert made is None or wished.isdisjoint(made.tools)
    assert seen > 3
