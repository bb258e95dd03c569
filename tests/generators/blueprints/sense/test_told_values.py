"""Values that nobody would say: what only repeats the name of its field, and identities that nobody knows by heart."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.generators.worlds import records

ANSWER = {"type": "object", "properties": {"id": {"type": "string"}}}


def _tool(name: str, **fields: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": fields, "required": list(fields)}
    return {
        "name": name,
        "description": f"{name.replace('_', ' ').capitalize()}.",
        "input_schema": schema,
        "returns": ANSWER,
    }


@pytest.mark.parametrize(
    ("field", "schema"),
    [
        ("subject", {"type": "string", "enum": ["Subject", "subject"]}),
        ("channel", {"type": "string", "format": "uuid", "description": "Where it goes"}),
    ],
)
def test_what_nobody_would_say_is_no_part_of_a_task(tmp_path: Path, field: str, schema: dict[str, Any]) -> None:
    path = tmp_path / "messages.json"
    path.write_text(json.dumps([_tool("send_message", **{field: schema}), _tool("send_note", text={"type": "string"})]))
    calls = {}
    for sense in (0.0, 0.66):
        made = records(f"json:{path}", 12, recipes={"sense": sense, "patterns": {"single": 1.0}})
        tasks = [record.blueprint for record in made if record.blueprint is not None]
        calls[sense] = sum(action.tool == "send_message" for task in tasks for action in task.actions)
    assert calls[0.0] > 0
    assert calls[0.66] == 0


@pytest.mark.parametrize(
    ("asked", "is_asked"), [({"type": "string", "format": "uuid"}, True), ({"type": "string"}, False)]
)
def test_a_user_may_say_a_code_that_only_a_tool_shows_which_nobody_can_call(
    tmp_path: Path, asked: dict[str, Any], is_asked: bool
) -> None:
    code = {"type": "string", "examples": ["CA75278"]}
    card = {"type": "object", "properties": {"id": code, "balance": {"type": "number"}}}
    tools = [
        {
            **_tool("list_cards", channel={**asked, "description": "Where it runs"}),
            "returns": {"type": "array", "items": card},
        },
        {**_tool("get_card", card_id=code), "returns": card},
    ]
    path = tmp_path / "cards.json"
    path.write_text(json.dumps(tools))
    made = records(f"json:{path}", 12, recipes={"patterns": {"single": 1.0}})
    tasks = [record.blueprint for record in made if record.blueprint is not None]
    told = [
        task
        for task in tasks
        for action in task.actions
        if action.tool == "get_card" and not any(other.tool == "list_cards" for other in task.actions)
    ]
    assert bool(told) is is_asked
