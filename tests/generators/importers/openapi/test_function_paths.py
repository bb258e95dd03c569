"""APIs whose paths name functions: each a POST, a key in each body, an ending at each path."""

from pathlib import Path
from typing import Any

from tests.generators.importers.sources import load, openapi, taking

from interplay.flows.worlds.assembly import open_world
from interplay.generators.importers.documents.tool_names import name_from_path
from interplay.generators.phrases.intents import intents_of
from interplay.schemas.records.tool import Tool

TEXT = {"type": "string"}


def function(told: str, shown: Any = None, **fields: Any) -> dict[str, Any]:
    operation = taking({"type": "object", "properties": {"key": TEXT, **fields}, "required": ["key"]}, description=told)
    content = {"application/json": {"schema": shown or {"type": "object", "properties": {"id": TEXT, "url": TEXT}}}}
    del operation["operationId"]
    return {"post": {**operation, "responses": {"200": {"description": "", "content": content}}}}


HOOK = {"type": "object", "properties": {"id": TEXT, "url": TEXT}}
HOOKS = {"type": "array", "items": HOOK}
PATHS = {
    "/webhooks/add.json": function("Add a new webhook", url=TEXT),
    "/webhooks/list.json": function("Get the list of all webhooks", HOOKS),
    "/webhooks/info.json": function("Given the id of a webhook, return the data about it", id=TEXT),
    "/webhooks/delete.json": function("Delete an existing webhook", id=TEXT),
    "/mail/add-domain.json": function("Add a domain to your account", domain=TEXT),
    "/mail/domains.json": function("Lists the domains of your account", HOOKS),
}


def imported(folder: Path) -> dict[str, Tool]:
    return {tool.name: tool for tool in load(folder, openapi(PATHS)).toolset.tools}


def test_are_named_after_their_paths(tmp_path: Path) -> None:
    tools = imported(tmp_path)
    assert list(tools) == [
        "webhooks_add",
        "webhooks_list",
        "webhooks_info",
        "webhooks_delete",
        "mail_add_domain",
        "post_mail_domains",
    ]
    assert name_from_path("get", "/pets/{id}.json") == "get_pets_by_id"
    assert name_from_path("post", "/pets/{id}/publish") == "post_pets_by_id_publish"


def test_read_where_they_say_so(tmp_path: Path) -> None:
    tools = imported(tmp_path)
    assert [name for name, tool in tools.items() if tool.effect == "read"] == [
        "webhooks_list",
        "webhooks_info",
        "post_mail_domains",
    ]


def test_take_no_key_that_all_of_them_take(tmp_path: Path) -> None:
    assert all("key" not in tool.parameters["properties"] for tool in imported(tmp_path).values())


def test_are_asked_for_without_their_endings(tmp_path: Path) -> None:
    tools = imported(tmp_path)
    assert intents_of(tools["webhooks_delete"])[0] == "delete a webhook"
    assert intents_of(tools["webhooks_info"])[0] == "look up a webhook"


def test_act_on_what_they_name(tmp_path: Path) -> None:
    imported(tmp_path)
    roles = {
        role.tool: role
        for role in open_world([f"openapi:{tmp_path / 'api.yaml'}"]).environment.resources.roles
        if role.resource
    }
    assert {name: (role.operation, role.resource) for name, role in roles.items()} == {
        "webhooks_add": ("create", "webhook"), "webhooks_list": ("list", "webhook"), "webhooks_info": ("read", "webhook"),
        "webhooks_delete": ("delete", "webhook"), "mail_add_domain": ("create", "domain"), "post_mail_domains": ("list", "domain"),
    }  # fmt: skip
