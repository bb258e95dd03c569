"""What a call and its look-up have in common is said once; what a change sets is not how the row is found."""

import json
from pathlib import Path

from tests.generators.worlds import records

TEXT = {"type": "string", "description": "As written on it."}


def _tool(name: str, *required: str, **optional: object) -> dict[str, object]:
    properties = {**dict.fromkeys(required, TEXT), **optional}
    return {
        "name": name,
        "description": name.replace("_", " ").capitalize() + ".",
        "input_schema": {"type": "object", "properties": properties, "required": list(required)},
    }


TOOLS = [
    _tool("list_boxes", "access_token", "shelf", label=TEXT),
    _tool("get_box", "access_token", "shelf", "box_id"),
    _tool("empty_box", "access_token", "shelf", "box_id", force={"type": "boolean"}),
    _tool("update_box", "access_token", "shelf", "box_id", label=TEXT),
    _tool("create_box", "access_token", "shelf", "label"),
]


def test_a_look_up_takes_what_the_call_that_needs_it_takes(tmp_path: Path) -> None:
    path = tmp_path / "boxes.json"
    path.write_text(json.dumps(TOOLS))
    pairs = []
    for record in records(f"json:{path}", 60):
        assert record.blueprint is not None, record.verdicts
        assert not [fact.label for fact in record.blueprint.scenario.facts if fact.label.startswith("box's")]
        for action in record.blueprint.actions:
            sources = [record.blueprint.action(origin.action) for origin in action.origins.values() if origin.action]
            pairs += [(action, source) for source in sources if source.tool == "list_boxes"]
    assert {action.tool for action, _ in pairs} >= {"get_box", "empty_box", "update_box"}
    for action, source in pairs:
        for name in ("access_token", "shelf"):
            assert action.arguments[name] == source.arguments[name]


def test_a_change_sets_what_its_look_up_does_not_search_for(tmp_path: Path) -> None:
    path = tmp_path / "boxes.json"
    path.write_text(json.dumps(TOOLS))
    changed = []
    for record in records(f"json:{path}", 60):
        actions = record.blueprint.actions if record.blueprint else ()
        found = {a.arguments["label"] for a in actions if a.tool == "list_boxes" and "label" in a.arguments}
        changed += [a.arguments["label"] in found for a in actions if a.tool == "update_box" and "label" in a.arguments]
    assert changed
    assert not any(changed)
