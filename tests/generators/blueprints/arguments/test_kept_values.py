"""A change that has to give all of a row tells what it changes, and takes the rest from the look that showed the row."""

import json
from pathlib import Path
from typing import Any

from tests.generators.worlds import records

TEXT: dict[str, Any] = {"type": "string"}
FIELDS = {"street": TEXT, "city": TEXT, "zip": TEXT, "owner": TEXT}
PLACE = {"/city", "/zip"}
"""Another city has another postcode."""


def _spec(folder: Path) -> str:
    home = {"type": "object", "title": "Home", "properties": {"id": TEXT, **FIELDS}, "required": ["id", *FIELDS]}
    body = {"type": "object", "properties": FIELDS, "required": [*FIELDS]}
    identity = {"name": "id", "in": "path", "required": True, "schema": TEXT}

    def shown(schema: dict[str, Any]) -> dict[str, Any]:
        return {"200": {"description": "Found.", "content": {"application/json": {"schema": schema}}}}

    change = {"content": {"application/json": {"schema": body}}, "required": True}
    paths = {
        "/homes": {"get": {"operationId": "listHomes", "responses": shown({"type": "array", "items": home})}},
        "/homes/{id}": {
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
