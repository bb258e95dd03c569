import json
from pathlib import Path
from typing import Any

from tests.generators.environments.shop import open_shop
from tests.generators.worlds import shared_spec

from interplay.flows.worlds.assembly import OpenedWorld, open_world
from interplay.generators.environments.accounts.account_words import tool_notes
from interplay.generators.environments.accounts.explanation import Account, explain
from interplay.generators.environments.accounts.override_template import overrides_template
from interplay.generators.environments.overrides.override_file import load_overrides
from interplay.schemas.records.tool import SEARCH_TOOL


def account_of(world: OpenedWorld) -> Account:
    part = world.parts[0]
    return explain(
        part.environment.toolset, part.environment.resources, part.environment.state(), part.plan, part.overrides
    )


def tools_of(account: Account) -> dict[str, Any]:
    return {tool.tool: tool for item in account.resources for tool in item.tools} | {
        t.tool: t for t in account.computations
    }


def test_tells_of_each_resource_what_identifies_it_and_what_it_refers_to(tmp_path: Path) -> None:
    account = account_of(open_shop(tmp_path))
    (order,) = [item for item in account.resources if item.name == "order"]
    assert (order.identity, order.rows, order.references) == ("id", 9, {"/customer_id": "customer"})
    assert order.because == {"id": "a field of the row that a read shows", "/customer_id": "the noun of an identifier"}
    assert [(tool.tool, tool.does) for tool in order.tools] == [
        ("placeOrder", "create"), ("getOrder", "read"), ("listOrders", "list"), ("cancelOrder", "delete")
    ]  # fmt: skip


def test_gives_a_reason_for_every_tool(tmp_path: Path) -> None:
    tools = tools_of(account_of(open_shop(tmp_path)))
    assert tools["placeOrder"].why == "POST /orders: a new row of a collection"
    assert tools["getOrder"].why == "GET /orders/{id}: a row by its identity"
    assert all(tool.why for tool in tools.values())


def test_tells_what_the_author_corrected(tmp_path: Path) -> None:
    said = {
        "tools": {"cancelOrder": {"operation": "action", "sets": {"status": "cancelled"}, "errors": [{"error": "no"}]}}
    }
    account = account_of(open_shop(tmp_path, said))
    tool = tools_of(account)["cancelOrder"]
    assert (tool.sets, tool.errors, tool.why) == (
        ('status: "cancelled"',),
        1,
        "DELETE /orders/{id}: shop.interplay.yaml says so",
    )
    assert account.overrides == "shop.interplay.yaml"


def test_every_doubt_says_how_to_put_it_right(tmp_path: Path) -> None:
    account = account_of(open_shop(tmp_path))
    assert account.doubts
    assert all(doubt.what and doubt.remedy for doubt in account.doubts)


def test_the_word_that_makes_an_operation_a_write_is_told_and_a_list_that_writes_is_in_doubt(tmp_path: Path) -> None:
    spec = tmp_path / "found.yaml"
    paths = {"/search": "createSearch", "/things/search": "searchThings"}
    shape = {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}
    answers = {"200": {"description": "Found.", "content": {"application/json": {"schema": shape}}}}
    found = {path: {"post": {"operationId": name, "responses": answers}} for path, name in paths.items()}
    spec.write_text(json.dumps({"openapi": "3.0.0", "info": {"title": "Found", "version": "1"}, "paths": found}))
    account = account_of(open_world((f"openapi:{spec}",)))
    why = {name: (tool.effect, tool.effect_why) for name, tool in tools_of(account).items()}
    assert why == {"createSearch": ("write", "the word `create`"), "searchThings": ("read", "the word `search`")}
    told = {doubt.about: doubt for doubt in account.doubts if "for a write by the word `create`" in doubt.what}
    assert [(doubt.about, doubt.remedy) for doubt in told.values()] == [
        ("createSearch", "tools: {createSearch: {effect: read}}")
    ]


def described(folder: Path, **paths: str) -> Account:
    """Return the account of POSTs by their names and paths that answer with a list."""
    shape = {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}
    answers = {"200": {"description": "Done.", "content": {"application/json": {"schema": shape}}}}
    posts = {path: {"post": {"operationId": name, "responses": answers}} for name, path in paths.items()}
    spec = folder / "posts.yaml"
    spec.write_text(json.dumps({"openapi": "3.0.0", "info": {"title": "Posts", "version": "1"}, "paths": posts}))
    return account_of(open_world((f"openapi:{spec}",)))


def test_where_no_word_says_what_a_call_does_that_is_told_and_in_doubt(tmp_path: Path) -> None:
    account = described(tmp_path, rummage="/parcels/rummage", createParcels="/parcels", searchParcels="/parcels/search")
    notes = {name: " ".join(tool_notes(tool)) for name, tool in tools_of(account).items()}
    assert "write by the method POST, since no word says that it only reads" in notes["rummage"]
    assert "write by the word `create`" in notes["createParcels"]
    found = [doubt for doubt in account.doubts if "no word says" in doubt.what]
    assert [(doubt.about, doubt.remedy) for doubt in found] == [
        ("rummage", "tools: {rummage: {effect: read, operation: list}}")
    ]


def test_a_method_that_decides_is_not_told_twice(tmp_path: Path) -> None:
    tool = tools_of(account_of(open_shop(tmp_path)))["cancelOrder"]
    assert (tool.effect_why, tool.why.split()[0]) == ("the method DELETE", "DELETE")
    assert not any("method" in note for note in tool_notes(tool))


def test_an_effect_that_the_author_decided_is_told(tmp_path: Path) -> None:
    said = {"tools": {"cancelOrder": {"effect": "read", "operation": "read"}}}
    tool = tools_of(account_of(open_shop(tmp_path, said)))["cancelOrder"]
    assert "read by what its author says, not by the method DELETE" in tool_notes(tool)


def test_accounts_for_every_tool_of_real_descriptions() -> None:
    for name in ("petstore_v3.yaml", "notion.json", "trello.yaml", "asana.yaml"):
        world = open_world([shared_spec(name)])
        explained = [tool.tool for tool in tools_of(account_of(world)).values()]
        assert sorted(explained) == sorted(tool.name for tool in world.toolset.tools if tool.name != SEARCH_TOOL)


def test_explains_code_as_well() -> None:
    world = open_world(["domain:clinic"])
    account = account_of(world)
    assert tools_of(account)["get_patient"].why == "The verb 'get' and the table of 'patient'."
    patients = world.environment.state()["patients"]
    assert next(item for item in account.resources if item.name == "patient").rows == len(patients) > 0


def test_a_template_changes_nothing_until_a_comment_is_taken_away(tmp_path: Path) -> None:
    world = open_shop(tmp_path)
    text = overrides_template(account_of(world), "openapi:shop.yaml")
    (tmp_path / "shop.interplay.yaml").write_text(text)
    assert load_overrides(tmp_path / "shop.interplay.yaml").overrides.resources == {}
    assert open_shop(tmp_path).environment.resources == world.environment.resources
    rows = "  # order:\n  #   identity: id\n  #   parent: null\n"
    assert rows in text
    (tmp_path / "shop.interplay.yaml").write_text(text.replace(rows, rows.replace("  # ", "  ").replace("  #", "  ")))
    said = open_shop(tmp_path).environment.resources
    assert said.resource("order").because["id"] == "shop.interplay.yaml says so"
    was = world.environment.resources.resource("order").because
    same = [item.model_copy(update={"because": was}) if item.name == "order" else item for item in said.resources]
    assert said.model_copy(update={"resources": tuple(same)}) == world.environment.resources
