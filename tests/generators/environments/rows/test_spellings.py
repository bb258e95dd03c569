"""A field that a call spells in one way and rows in another: what is written is what is shown."""

import asyncio
import json
from pathlib import Path
from typing import Any

from interplay.flows.worlds.assembly import open_world
from interplay.schemas.records.dialogue import ToolCall

SERVICE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "sid": {"type": "string", "pattern": "^IS[0-9a-f]{8}$"},
        "friendly_name": {"type": "string"},
        "max_users": {"type": "integer", "minimum": 1, "maximum": 50},
    },
}
BODY = {
    "type": "object",
    "properties": {"FriendlyName": {"type": "string"}, "MaxUsers": {"type": "integer", "maximum": 50}},
}
ONE = {"200": {"description": "one", "content": {"application/json": {"schema": SERVICE}}}}
GIVEN = {"content": {"application/x-www-form-urlencoded": {"schema": BODY}}}
SID = [{"name": "Sid", "in": "path", "required": True, "schema": SERVICE["properties"]["sid"]}]
API = {
    "openapi": "3.0.1",
    "info": {"title": "Chat", "version": "1"},
    "paths": {
        "/Services": {"post": {"operationId": "CreateService", "requestBody": GIVEN, "responses": ONE}},
        "/Services/{Sid}": {
            "parameters": SID,
            "get": {"operationId": "FetchService", "responses": ONE},
            "post": {"operationId": "UpdateService", "requestBody": GIVEN, "responses": ONE},
        },
    },
}


def test_what_is_written_is_shown_in_the_spelling_of_rows(tmp_path: Path) -> None:
    (tmp_path / "chat.json").write_text(json.dumps(API))
    environment = open_world([f"openapi:{tmp_path / 'chat.json'}"]).environment
    names = {tool.original_name: tool.name for tool in environment.toolset.tools}

    def call(name: str, **arguments: Any) -> Any:
        return asyncio.run(environment.call(ToolCall(id="a", name=names[name], arguments=arguments))).value

    made = call("CreateService", FriendlyName="Desk of Ada", MaxUsers=7)
    assert (made["friendly_name"], made["max_users"]) == ("Desk of Ada", 7)
    changed = call("UpdateService", Sid=made["sid"], FriendlyName="Desk of Bob")
    assert changed["friendly_name"] == call("FetchService", Sid=made["sid"])["friendly_name"] == "Desk of Bob"
