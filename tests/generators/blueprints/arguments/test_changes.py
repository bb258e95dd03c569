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


def test_what_a_tool_is_named_for_is_how_things_stand_after_it(tmp_path: Path) -> None:
    lesson = {"name": "lessonId", "in": "path", "required": True, "schema": {"type": "string"}}
    status = {"type": "string", "enum": ["scheduled", "completed", "canceled"]}
    fields = {"id": {"type": "string"}, "subject": {"type": "string"}, "status": status}
    shown = answering({"type": "object", "properties": fields})
    body = {"type": "object", "required": ["status"], "properties": {"status": status}}
    given = {"requestBody": {"required": True, "content": {"application/json": {"schema": body}}}}
    named = {"parameters": [lesson], **shown}
    document = {
        "openapi": "3.0.3",
        "info": {"title": "lessons", "version": "1"},
        "paths": {
            "/lessons": {
                "get": {
                    "summary": "List lessons",
                    **answering({"type": "array", "items": {"type": "object", "properties": fields}}),
                }
            },
            "/lessons/{lessonId}": {"get": {"summary": "Get a lesson", **named}},
            "/lessons/{lessonId}/cancel": {"patch": {"summary": "Cancel a lesson", **given, **named}},
        },
    }
    path = tmp_path / "lessons.json"
    path.write_text(json.dumps(document))
    given_states = [
        call.arguments["status"]
        for _, trajectory in played(f"openapi:{path}", 30)
        for message in trajectory.messages
        for call in message.tool_calls
        if "status" in call.arguments and "cancel" in call.name
    ]
    assert given_states
    assert {*given_states} == {"canceled"}
