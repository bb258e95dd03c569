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
