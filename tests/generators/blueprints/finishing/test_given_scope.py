"""What conversations take place in: the account that nearly all tools take, and that none shows, is told by the system prompt."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config_file import parse_config
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.schemas.records.verdict import DatasetRecord

COUNT = 30


def _answer(schema: dict[str, Any]) -> dict[str, Any]:
    return {"200": {"description": "OK", "content": {"application/json": {"schema": schema}}}}


def _described(listed: bool) -> dict[str, Any]:
    """Return a service all of whose domains and keys lie below an account; with a list of accounts where it is `listed`."""
    account = {"name": "account_id", "in": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}
    name = {"name": {"type": "string"}, "status": {"type": "string", "enum": ["active", "suspended"]}}
    row = {"type": "object", "properties": {"id": {"type": "string", "format": "uuid"}, **name}}
    paths: dict[str, Any] = {}
    for noun in ("project", "webhook"):
        own = {**account, "name": f"{noun}_id"}
        body = {
            "content": {"application/json": {"schema": {"type": "object", "properties": name, "required": ["name"]}}}
        }
        paths[f"/accounts/{{account_id}}/{noun}s"] = {
            "get": {
                "summary": f"List {noun}s",
                "parameters": [account],
                "responses": _answer({"type": "array", "items": row}),
            },
            "post": {
                "summary": f"Create a {noun}",
                "parameters": [account],
                "requestBody": body,
                "responses": _answer(row),
            },
        }
        paths[f"/accounts/{{account_id}}/{noun}s/{{{noun}_id}}"] = {
            "get": {"summary": f"Get a {noun}", "parameters": [account, own], "responses": _answer(row)},
            "delete": {
                "summary": f"Delete a {noun}",
                "parameters": [account, own],
                "responses": {"204": {"description": "Gone"}},
            },
        }
    paths["/accounts/{account_id}"] = {
        "get": {"summary": "Get an account", "parameters": [account], "responses": _answer(row)}
    }
    if listed:
        every = {"type": "array", "items": row}
        paths["/accounts"] = {"get": {"summary": "List accounts", "responses": _answer(every)}}
    return {"openapi": "3.1.0", "info": {"title": "Hosting", "version": "1"}, "paths": paths}


def _records(folder: Path, listed: bool) -> list[DatasetRecord]:
    path = folder / "hosting.json"
    path.write_text(json.dumps(_described(listed)), encoding="utf-8")
    spec = f"openapi:{path}"

    async def make() -> list[DatasetRecord]:
        world = open_world([spec])
        source = Generator(parse_config({"toolset": [spec], "seed": 3}, "test"), world, await open_graph(world), "run")
        return [await source.make_record(index) for index in range(COUNT)]

    return asyncio.run(make())


@pytest.fixture(scope="module")
def unlisted(tmp_path_factory: pytest.TempPathFactory) -> list[DatasetRecord]:
    return _records(tmp_path_factory.mktemp("unlisted"), listed=False)


def test_the_system_prompt_tells_what_no_tool_shows(unlisted: list[DatasetRecord]) -> None:
    accepted = [record for record in unlisted if record.status == "accepted"]
    assert len(accepted) >= COUNT * 0.9
    called = 0
    for record in accepted:
        assert record.blueprint is not None
        assert record.trajectory is not None
        assert record.blueprint.given is not None
        account = record.blueprint.given.value
        assert account in record.trajectory.system_prompt
        for call in record.trajectory.calls():
            if "account_id" in call.arguments:
                called += 1
                assert call.arguments["account_id"] == account
        assert not any(account in message.content for message in record.trajectory.messages if message.role == "user")
        assert not any("account" in fact.label for fact in record.blueprint.scenario.facts)
    assert called >= COUNT / 2


def test_conversations_take_place_in_more_than_one_account(unlisted: list[DatasetRecord]) -> None:
    given = {record.blueprint.given.value for record in unlisted if record.blueprint and record.blueprint.given}
    assert len(given) > 2


def test_an_account_that_can_be_looked_up_is_looked_up(tmp_path: Path) -> None:
    made = _records(tmp_path, listed=True)
    assert sum(record.status == "accepted" for record in made) >= COUNT / 2
    assert all(record.blueprint.given is None for record in made if record.blueprint is not None)
