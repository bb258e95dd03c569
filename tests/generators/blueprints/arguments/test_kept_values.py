"""A change that has to give all of a row tells what it changes, and takes the rest from the look that showed the row."""

import json
from pathlib import Path
from typing import Any

from tests.generators.worlds import records

TEXT: dict[str, Any] = {"type": "string"}
FIELDS = {"street": TEXT, "city": TEXT, "zip": TEXT, "owner": TEXT}
PLACE = {"/city", "/zip"}
"""Another city has another postcode."""


def _spec(folder: Path, reads: bool = False) -> str:
    home = {"type": "object", "title": "Home", "properties": {"id": TEXT, **FIELDS}, "required": ["id", *FIELDS]}
    body = {"type": "object", "properties": FIELDS, "required": [*FIELDS]}
    identity = {"name": "id", "in": "path", "required": True, "schema": TEXT}

    def shown(schema: dict[str, Any]) -> dict[str, Any]:
        return {"200": {"description": "Found.", "content": {"application/json": {"schema": schema}}}}

    change = {"content": {"application/json": {"schema": body}}, "required": True}
    listed = {"/homes": {"get": {"operationId": "listHomes", "responses": shown({"type": "array", "items": home})}}}
    read = {"get": {"operationId": "getHome", "parameters": [identity], "responses": shown(home)}} if reads else {}
    paths = ({} if reads else listed) | {
        "/homes/{id}": read
        | {
            "put": {
                "operationId": "updateHome",
                "parameters": [identity],
                "requestBody": change,
                "responses": shown(home),
            }
        },
    }
    path = folder / "homes.json"
    path.write_text(json.dumps({"openapi": "3.0.0", "info": {"title": "Homes", "version": "1"}, "paths": paths}))
    return f"openapi:{path}"


def test_what_does_not_change_is_taken_from_the_look_that_showed_it(tmp_path: Path) -> None:
    made = records(_spec(tmp_path), 30)
    tasks = [record.blueprint for record in made if record.status == "accepted" and record.blueprint]
    changes = [action for task in tasks for action in task.calls if action.tool == "updateHome"]
    assert changes
    for action in changes:
        told = [at for at, origin in action.origins.items() if origin.kind == "user" and at != "/id"]
        shown = [at for at, origin in action.origins.items() if origin.kind == "output" and at != "/id"]
        assert len({"/city" if at in PLACE else at for at in told}) <= 2
        assert len(told) + len(shown) == len(FIELDS)


def test_a_row_that_the_user_only_named_is_read_before_the_rest_of_it_is_given_again(tmp_path: Path) -> None:
    made = records(_spec(tmp_path, reads=True), 40)
    tasks = [record.blueprint for record in made if record.status == "accepted" and record.blueprint]
    changes = [action for task in tasks for action in task.calls if action.tool == "updateHome"]
    assert changes
    for action in changes:
        shown = [at for at, origin in action.origins.items() if origin.kind == "output"]
        assert len(shown) >= len(FIELDS) - 2 - len(PLACE)
    for record in made:
        for message in record.trajectory.messages if record.status == "accepted" and record.trajectory else ():
            assert "(result " not in message.content
