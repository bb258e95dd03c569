"""What a call is about is not left empty, however deep it stands: no mail to nobody."""

import json
from pathlib import Path

import pytest
from tests.generators.worlds import records

from interplay.schemas.json.canonical import leaves

TEXT = {"type": "string"}
MAIL = {"type": "object", "properties": {"id": TEXT, "subject": TEXT}}


def api(folder: Path, whom: dict[str, object]) -> str:
    """Return the specification of an API that sends mails in batches to `whom`."""
    batch = {"type": "object", "required": ["to"], "properties": {"to": whom}}
    asked = {"subject": TEXT, "batches": {"type": "array", "items": batch}}
    body = {"type": "object", "required": list(asked), "properties": asked}
    ways = {
        "post": {
            "operationId": "sendMail",
            "summary": "Send a mail",
            "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
            "responses": {"201": {"description": "", "content": {"application/json": {"schema": MAIL}}}},
        },
        "get": {
            "operationId": "listMails",
            "summary": "List mails",
            "responses": {
                "200": {
                    "description": "",
                    "content": {"application/json": {"schema": {"type": "array", "items": MAIL}}},
                }
            },
        },
    }
    told = {"openapi": "3.0.0", "info": {"title": "Post", "version": "1"}, "paths": {"/mails": ways}}
    (folder / "mail.json").write_text(json.dumps(told))
    return f"openapi:{folder / 'mail.json'}"


@pytest.mark.parametrize("most", [3, 0])
def test_a_mail_goes_to_somebody_or_is_not_sent(tmp_path: Path, most: int) -> None:
    somebody = {"type": "object", "required": ["email"], "properties": {"email": {**TEXT, "format": "email"}}}
    made = records(api(tmp_path, {"type": "array", "maxItems": most, "items": somebody}), 20)
    tasks = [record.blueprint for record in made if record.blueprint is not None]
    sent = [action for task in tasks for action in task.actions if action.tool == "sendMail"]
    assert bool(sent) is (most > 0)
    for action in sent:
        assert all(value != [] for _, value in leaves(action.arguments))
        assert {origin.kind for pointer, origin in action.origins.items() if "/to/" in pointer} == {"user"}


def test_a_transfer_from_nowhere_to_nowhere_is_not_made(tmp_path: Path) -> None:
    end = {"type": "object", "properties": {"href": TEXT}}
    links = {"type": "object", "properties": {"source": end, "destination": end}}
    asked = {"_links": links, "amount": {"type": "integer", "minimum": 1, "maximum": 90}}
    document = json.loads(Path(api(tmp_path, {"type": "array"}).removeprefix("openapi:")).read_text())
    ways = document["paths"]["/mails"]
    ways["post"]["requestBody"]["content"]["application/json"]["schema"] = {
        "type": "object",
        "required": [*asked],
        "properties": asked,
    }
    (tmp_path / "mail.json").write_text(json.dumps(document))
    made = records(f"openapi:{tmp_path / 'mail.json'}", 10)
    sent = [
        action
        for record in made
        if record.blueprint is not None
        for action in record.blueprint.actions
        if action.tool == "sendMail"
    ]
    assert all(any(end.values()) for action in sent for end in [action.arguments["_links"]])
