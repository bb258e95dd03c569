"""The row behind an argument is what the argument means, not the row that refers to it."""

import json
from pathlib import Path
from typing import Any

from tests.generators.worlds import records

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}


def _spec(folder: Path) -> str:
    def shown(title: str, **fields: Any) -> dict[str, Any]:
        schema = {"type": "object", "title": title, "properties": {"id": WHOLE, **fields}, "required": ["id", *fields]}
        return {"200": {"description": "Found.", "content": {"application/json": {"schema": schema}}}}

    identity = {"name": "id", "in": "path", "required": True, "schema": WHOLE}
    animal, user = shown("Animal", name=TEXT, user_id=WHOLE), shown("User", name=TEXT, email=TEXT)
    paths = {
        "/animals/{id}": {"get": {"operationId": "getAnimal", "parameters": [identity], "responses": animal}},
        "/users/{id}": {"get": {"operationId": "getUser", "parameters": [identity], "responses": user}},
    }
    path = folder / "pets.json"
    path.write_text(json.dumps({"openapi": "3.0.0", "info": {"title": "Pets", "version": "1"}, "paths": paths}))
    return f"openapi:{path}"


def test_the_owner_of_an_animal_is_not_called_like_the_animal(tmp_path: Path) -> None:
    looked = 0
    for record in records(_spec(tmp_path), 60):
        messages = record.trajectory.messages if record.status == "accepted" and record.trajectory else ()
        results = [
            json.loads(message.content) for message in messages if message.role == "tool" and message.content[:1] == "{"
        ]
        animals = {str(result["name"]) for result in results if "user_id" in result and "name" in result}
        looked += bool(animals) and any("email" in result for result in results)
        for message in messages:
            assert not any(f'user "{name}"' in message.content or f"user {name}" in message.content for name in animals)
    assert looked
