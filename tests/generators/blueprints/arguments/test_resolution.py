"""Arguments get their origins: what names a new row is told first, and rows are found by numbers written as text."""

import json
from pathlib import Path
from typing import Any

from tests.generators.worlds import records

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}


def _spec(folder: Path) -> str:
    """Describe a box office whose answers have no schema, whose paths do not say of what type an id is, and whose bodies do."""

    def body(**fields: Any) -> dict[str, Any]:
        schema = {"type": "object", "properties": fields, "required": [*fields][:2]}
        return {"required": True, "content": {"application/json": {"schema": schema}}}

    done = {"200": {"description": "OK"}}
    identity = {"name": "id", "in": "path", "required": True}
    paths = {
        "/events": {
            "get": {"summary": "Get all events", "responses": done},
            "post": {
                "summary": "Create event",
                "requestBody": body(title=TEXT, capacity=WHOLE, date=TEXT),
                "responses": done,
            },
        },
        "/events/{id}/attendance": {
            "post": {
                "summary": "Mark attendance",
                "parameters": [identity],
                "requestBody": body(code=TEXT),
                "responses": done,
            }
        },
        "/bookings": {
            "post": {"summary": "Book ticket", "requestBody": body(eventId=WHOLE, seats=WHOLE), "responses": done}
        },
    }
    path = folder / "events.json"
    path.write_text(json.dumps({"openapi": "3.0.0", "info": {"title": "Events", "version": "1"}, "paths": paths}))
    return f"openapi:{path}"


def test_whoever_tells_anything_unasked_about_a_new_thing_tells_what_it_is_called(tmp_path: Path) -> None:
    seen = 0
    for record in records(_spec(tmp_path), 80, recipes={"late": 0, "evolved": 0}):
        task = record.blueprint
        for action in task.calls if task is not None and record.status == "accepted" else ():
            if action.tool == "post_events":
                facts = [task.scenario.fact(str(origin.fact)) for origin in action.origins.values() if origin.fact]
                named = next(fact for fact in facts if fact.label == "title")
                told = [fact for fact in facts if fact.reveal == "opening"]
                seen += bool(told)
                assert not told or named.reveal != "asked"
    assert seen


def test_an_event_is_found_by_its_name_where_a_booking_takes_its_id_as_a_number(tmp_path: Path) -> None:
    made = [record for record in records(_spec(tmp_path), 80) if record.status == "accepted" and record.blueprint]
    booked = [
        action.origins["/eventId"].kind
        for record in made
        if record.blueprint
        for action in record.blueprint.calls
        if action.tool == "post_bookings"
    ]
    assert "output" in booked
