"""What a task changes is other afterwards."""

import json
from pathlib import Path
from typing import Any

from tests.generators.worlds import played

STATUS = {"type": "string", "enum": ["open", "closed"]}
TICKET = {"type": "object", "properties": {"id": {"type": "string"}, "title": {"type": "string"}, "status": STATUS}}


def answering(schema: dict[str, Any]) -> dict[str, Any]:
    return {"responses": {"200": {"description": "", "content": {"application/json": {"schema": schema}}}}}


def test_an_action_sets_no_value_that_holds_already(tmp_path: Path) -> None:
    ticket = {"name": "ticketId", "in": "path", "required": True, "schema": {"type": "string"}}
    body = {"type": "object", "required": ["status"], "properties": {"status": STATUS}}
    given = {"requestBody": {"required": True, "content": {"application/json": {"schema": body}}}}
    document = {
        "openapi": "3.0.3",
        "info": {"title": "tickets", "version": "1"},
        "paths": {
            "/tickets": {"get": {"summary": "List tickets", **answering({"type": "array", "items": TICKET})}},
            "/tickets/{ticketId}": {"get": {"summary": "Get a ticket", "parameters": [ticket], **answering(TICKET)}},
            "/tickets/{ticketId}/status": {
                "put": {"summary": "Set the status of a ticket", "parameters": [ticket], **given, **answering(TICKET)}
            },
        },
    }
    path = tmp_path / "tickets.json"
    path.write_text(json.dumps(document))
    set_, idle = 0, 0
    for _, trajectory in played(f"openapi:{path}", 30):
        held: dict[str, str] = {}
        for message in trajectory.messages:
            for call in message.tool_calls:
                if "status" in call.arguments and call.arguments["ticketId"] in held:
                    set_ += 1
                    idle += held[call.arguments["ticketId"]] == call.arguments["status"]
            if message.role == "tool" and message.content.startswith(("[", "{")):
                told = json.loads(message.content)
                rows = told if isinstance(told, list) else [told]
                held |= {row["id"]: row["status"] for row in rows if "id" in row and "status" in row}
    assert set_
    assert not idle
