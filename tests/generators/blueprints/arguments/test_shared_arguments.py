"""What a call and its look-up have in common is said once; what a change sets is not how the row is found."""

import json
from pathlib import Path

from tests.generators.worlds import generator, records

from interplay.flows.worlds.assembly import open_world
from interplay.schemas.records.blueprint import Action, Blueprint

TEXT = {"type": "string", "description": "What is written on it"}


def _tool(name: str, *required: str, **optional: object) -> dict[str, object]:
    properties = {**dict.fromkeys(required, TEXT), **optional}
    return {
        "name": name,
        "description": name.replace("_", " ").capitalize() + ".",
        "input_schema": {"type": "object", "properties": properties, "required": list(required)},
    }


TOOLS = [
    _tool("list_boxes", "access_token", "shelf", label=TEXT),
    _tool("get_box", "access_token", "shelf", "box_id"),
    _tool("empty_box", "access_token", "shelf", "box_id", force={"type": "boolean"}),
    _tool("update_box", "access_token", "shelf", "box_id", label=TEXT),
    _tool("create_box", "access_token", "shelf", "label"),
]


def _looked_up(tmp_path: Path) -> list[tuple[Blueprint, Action, Action]]:
    """Return each action of some tasks that takes something from a list, with the call that lists it."""
    path = tmp_path / "boxes.json"
    path.write_text(json.dumps(TOOLS))
    tasks = [
        record.blueprint
        for record in records(f"json:{path}", 60, recipes={"sense": 0.0})
        if record.blueprint is not None
    ]
    assert (
        len(tasks) >= 58
    )  # nobody says a token by heart, which is not looked at here; who can only ask for what it has said has no task
    return [
        (task, action, task.action(origin.action))
        for task in tasks
        for action in task.actions
        for origin in action.origins.values()
        if origin.action and task.action(origin.action).tool == "list_boxes"
    ]


def test_a_look_up_takes_what_the_call_that_needs_it_takes(tmp_path: Path) -> None:
    found = _looked_up(tmp_path)
    # a box shows its label and no more, by which it is chosen: nobody asks to see it
    assert {action.tool for _, action, _ in found} >= {"empty_box", "update_box"}
    for task, action, source in found:
        for name in ("access_token", "shelf"):
            assert action.arguments[name] == source.arguments[name]
        assert not {"box's access token", "box's shelf"} & {fact.label for fact in task.scenario.facts}


def test_a_change_sets_what_its_look_up_does_not_search_for(tmp_path: Path) -> None:
    changes = [(action, source) for _, action, source in _looked_up(tmp_path) if action.tool == "update_box"]
    assert changes
    assert not [action for action, source in changes if source.arguments.get("label") == action.arguments["label"]]


def test_nobody_has_another_access_token_for_each_request(tmp_path: Path) -> None:
    told = [
        {action.arguments.get("access_token") for action in task.actions} - {None}
        for task in {id(task): task for task, _, _ in _looked_up(tmp_path)}.values()
    ]
    assert told
    assert {len(tokens) for tokens in told} == {1}


def test_what_lets_a_call_pass_is_no_field_of_what_it_is_about(tmp_path: Path) -> None:
    box = {"type": "object", "properties": {"metadata": {"type": "object", "properties": {"name": TEXT}}, "size": TEXT}}
    path = tmp_path / "wrapped.json"
    made = _tool("create_box", box=box, base_url=TEXT)
    path.write_text(json.dumps([made, _tool("get_box", "box_name", base_url=TEXT), _tool("list_boxes", base_url=TEXT)]))
    environment = open_world([f"json:{path}"]).environment
    (resource,) = environment.resources.resources
    assert resource.identity == "metadata.name"
    rows = environment.state()[resource.table].values()
    assert rows
    assert not [row for row in rows if "base_url" in row or "box" in row]


def _operation(parameters: list[dict[str, object]], fields: dict[str, object]) -> dict[str, object]:
    body = {"content": {"application/json": {"schema": {"type": "object", "properties": fields}}}}
    return {"parameters": parameters, "requestBody": body, "responses": {"204": {"description": "Done."}}}


def test_nobody_renames_what_a_change_names_nor_moves_where_it_is_found(tmp_path: Path) -> None:
    named = {"name": "shelfName", "in": "path", "required": True, "schema": TEXT}
    where = {"name": "hall", "in": "query", "schema": TEXT}
    shelf = {"type": "object", "properties": {"name": TEXT, "hall": TEXT, "colour": TEXT}}
    found = {
        "200": {"description": "Found.", "content": {"application/json": {"schema": {"type": "array", "items": shelf}}}}
    }
    paths = {
        "/shelves": {"get": {"operationId": "listShelves", "parameters": [where], "responses": found}},
        "/shelves/{shelfName}": {
            "put": {"operationId": "changeShelf", **_operation([named, where], {"name": TEXT, "colour": TEXT})}
        },
    }
    path = tmp_path / "shelves.json"
    path.write_text(json.dumps({"openapi": "3.0.0", "info": {"title": "Shelves", "version": "1"}, "paths": paths}))
    spec = f"openapi:{path}"
    tasks = [record.blueprint for record in records(spec, 40, recipes={"sense": 0.0}) if record.blueprint]
    changes = [(task, action.arguments) for task in tasks for action in task.actions if action.tool == "changeShelf"]
    assert changes
    for task, arguments in changes:
        table = next(iter(generator(spec).workshop(task.recipe.index).world.environment.state().values()))
        rows = {row["name"]: row for row in table.values()}
        assert "name" not in arguments
        assert arguments.get("hall") in (None, rows[arguments["shelfName"]]["hall"])


def test_nobody_names_another_row_beside_the_one_that_a_path_names(tmp_path: Path) -> None:
    site = {key: {"type": "string"} for key in ("name", "account_id", "account_slug", "owner_account_id")}
    listed = {"type": "array", "items": {"properties": {"id": {"type": "string"}, "name": {"type": "string"}}}}
    slug = {"name": "account_slug", "in": "path", "required": True, "schema": {"type": "string"}}
    body = {"content": {"application/json": {"schema": {"type": "object", "properties": site, "required": ["name"]}}}}
    path = tmp_path / "sites.json"
    paths = {
        "/accounts": {"get": {"responses": {"200": {"content": {"application/json": {"schema": listed}}}}}},
        "/accounts/{account_slug}/sites": {"post": {"parameters": [slug], "requestBody": body, "responses": {}}},
    }
    path.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "Sites", "version": "1"}, "paths": paths}))
    tasks = [record.blueprint for record in records(f"openapi:{path}", 60) if record.blueprint is not None]
    made = [set(action.arguments) for task in tasks for action in task.actions if "name" in action.arguments]
    assert set.union(*made) >= {"account_slug", "name"}
    assert not set.union(*made) & {"account_id", "account_slug_body"}
