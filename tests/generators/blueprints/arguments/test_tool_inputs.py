"""Which arguments people bring up: what changes something changes it, whatever way its fields are written."""

from functools import partial
from random import Random
from typing import Any

from tests.generators.environments.inline import TEXT, operation, row, sandbox

from interplay.generators.blueprints.arguments.argument_choice import Chooser
from interplay.generators.blueprints.arguments.row_choice import RowChoice
from interplay.generators.blueprints.arguments.tool_inputs import inputs_of, said_at_least
from interplay.generators.blueprints.drafting.draft import Draft
from interplay.generators.graph.sampling.world import World
from interplay.schemas.records.tool import Tool

NOTHING = {"type": "null"}
SHELVES = operation("list_shelves", "GET", "/shelves", {"type": "array", "items": row(name=TEXT)})


def chosen(tool: Tool, seed: int) -> dict[str, Any]:
    rooms = operation("get_room", "GET", "/rooms/{room_id}", row(name=TEXT))
    world = World(sandbox(SHELVES, operation("get_shelf", "GET", "/shelves/{shelf_id}", row(name=TEXT)), rooms, tool))
    chooser = Chooser(RowChoice(world, Draft(world.environment), Random(seed)), lambda name: inputs_of(world, name))
    return chooser.arguments(tool, None, lookup=False)


def test_an_optional_field_that_may_be_null_is_brought_up() -> None:
    name = {"anyOf": [TEXT, NOTHING], "title": "Name"}
    patch = operation("patch_shelf", "PATCH", "/shelves/{shelf_id}", row(name=TEXT), name=name)
    assert all(isinstance(chosen(patch, seed)["name"], str) for seed in range(9))


def test_a_body_of_one_of_several_kinds_is_given() -> None:
    kinds = [{"type": "object", "properties": {kind: TEXT}, "required": [kind]} for kind in ("colour", "size")]
    paint = operation("paint_shelf", "POST", "/shelves/{shelf_id}/paint", None, body={"oneOf": kinds})
    assert {next(iter(chosen(paint, seed)["body"])) for seed in range(9)} == {"colour", "size"}
    boards = {"type": "array", "items": {"type": "object", "properties": {"label": TEXT}, "required": ["label"]}}
    fill = operation("fill_shelf", "POST", "/shelves/{shelf_id}/fill", None, boards=boards)
    assert all(chosen(fill, seed)["boards"][0]["label"] for seed in range(9))


def test_an_update_changes_something_though_all_that_it_takes_names_rows() -> None:
    rooms = operation("list_rooms", "GET", "/rooms", {"type": "array", "items": row(name=TEXT)})
    room = operation("get_room", "GET", "/rooms/{room_id}", row(name=TEXT))
    move = operation("move_shelf", "PUT", "/shelves/{shelf_id}", row(name=TEXT), room_id=TEXT)
    body = {"type": "object", "properties": {"room_id": TEXT, "name": TEXT}}
    patch = operation("patch_shelf", "PATCH", "/shelves/{shelf_id}", row(name=TEXT), data=body)
    for tool, name in ((move, "room_id"), (patch, "data")):
        world = World(sandbox(SHELVES, rooms, room, tool))
        assert any(pointer.endswith("/room_id") for pointer in world.roles[tool.name].references)
        chooser = Chooser(RowChoice(world, Draft(world.environment), Random(1)), partial(inputs_of, world))
        assert chooser.arguments(tool, None, lookup=False)[name]


def test_a_change_names_the_row_that_it_is_about_though_its_argument_is_optional() -> None:
    rooms = operation("get_room", "GET", "/rooms/{room_id}", row(name=TEXT))
    lamp = operation("get_lamp", "GET", "/lamps/{lamp_id}", row(name=TEXT))
    put = operation("put_lamp", "PUT", "/lamps", row(name=TEXT), query_lamp_id=TEXT, room_id=TEXT, colour=TEXT)
    put = put.model_copy(update={"parameters": {**put.parameters, "required": ["room_id"]}})
    world = World(sandbox(rooms, lamp, put))
    chooser = Chooser(RowChoice(world, Draft(world.environment), Random(1)), partial(inputs_of, world))
    assert set(chooser.arguments(put, None, lookup=False)) == {"lamp_id", "room_id", "colour"}


def test_who_makes_something_says_what_it_is_called_and_what_it_is_for() -> None:
    """Though nothing of it is required; the number that it gets is made where it is kept."""
    page = {"type": "string", "format": "uri"}
    fields = {"id": TEXT, "room_id": TEXT, "title": TEXT, "note": TEXT, "worn": {"type": "boolean"}, "page": page}
    project = operation("create_project", "POST", "/projects", row(room_id=TEXT, title=TEXT), **fields)
    told = [chosen(project, seed) for seed in range(30)]
    assert all({"room_id", "title"} <= set(arguments) for arguments in told)
    assert not any("id" in arguments for arguments in told)
    assert {"note" in arguments for arguments in told} == {True, False}
    assert not any({"worn", "page"} & set(arguments) for arguments in told)  # who builds on it sets these


def test_who_makes_something_has_no_words_for_it_of_which_nothing_is_known() -> None:
    fields = {"room_id": TEXT, "title": TEXT, "note": TEXT}
    desk = operation("create_desk", "POST", "/desks", row(room_id=TEXT, title=TEXT), **fields)
    assert not any("note" in chosen(desk, seed) for seed in range(30))


def test_what_a_description_requires_is_enough_but_for_a_name() -> None:
    fields = {"room_id": TEXT, "title": TEXT, "pages": {"type": "integer"}}
    desk = operation("create_desk", "POST", "/desks", row(room_id=TEXT, title=TEXT), **fields)
    desk = desk.model_copy(update={"parameters": {**desk.parameters, "required": ["pages"]}})
    told = [chosen(desk, seed) for seed in range(30)]
    assert all("title" in arguments for arguments in told)
    assert {"room_id" in arguments for arguments in told} == {True, False}


def test_rows_of_one_call_belong_together_though_no_path_says_so() -> None:
    base, table = row(name=TEXT), row(name=TEXT, base_id=TEXT)
    tools = (
        operation("get_base", "GET", "/bases/{base_id}", base),
        operation("get_table", "GET", "/tables/{table_id}", table),
        operation("count_records", "GET", "/records", None, query_base_id=TEXT, query_table_id=TEXT),
    )
    counting = tools[-1].model_copy(
        update={"parameters": {**tools[-1].parameters, "required": ["base_id", "table_id"]}}
    )
    world = World(sandbox(*tools[:2], counting))
    tables = world.environment.state()["table"]
    for seed in range(9):
        chooser = Chooser(RowChoice(world, Draft(world.environment), Random(seed)), partial(inputs_of, world))
        made = chooser.arguments(counting, None, lookup=False)
        assert tables[made["table_id"]]["base_id"] == made["base_id"]


def test_two_arguments_that_name_the_like_name_different_ones() -> None:
    way = operation(
        "list_ways", "GET", "/ways", {"type": "array", "items": row(name=TEXT)}, query_from_id=TEXT, query_to_id=TEXT
    )
    way = way.model_copy(update={"parameters": {**way.parameters, "required": ["from_id", "to_id"]}})
    rooms = operation("list_rooms", "GET", "/rooms", {"type": "array", "items": row(name=TEXT)})
    world = World(sandbox(rooms, operation("get_room", "GET", "/rooms/{room_id}", row(name=TEXT)), way))
    roles = world.roles["list_ways"]
    world.roles = {
        **world.roles,
        "list_ways": roles.model_copy(update={"references": dict.fromkeys(("/from_id", "/to_id"), "room")}),
    }
    for seed in range(9):
        chooser = Chooser(RowChoice(world, Draft(world.environment), Random(seed)), lambda name: inputs_of(world, name))
        made = chooser.arguments(way, None, lookup=False)
        assert made["from_id"] != made["to_id"]
        assert {made["from_id"], made["to_id"]} <= set(world.environment.state()["room"])


def test_a_list_is_not_narrowed_by_what_it_would_tell() -> None:
    rooms = {"type": "array", "items": row(name=TEXT)}
    listed = operation("list_rooms", "GET", "/rooms", rooms, query_room_id=TEXT)
    world = World(sandbox(listed, operation("get_room", "GET", "/rooms/{room_id}", row(name=TEXT))))
    role = world.roles["list_rooms"].model_copy(update={"references": {"/room_id": "room"}})
    world.roles = {**world.roles, "list_rooms": role}
    for seed in range(9):
        chooser = Chooser(RowChoice(world, Draft(world.environment), Random(seed)), lambda name: inputs_of(world, name))
        assert "room_id" not in chooser.arguments(listed, world.subjects("room")[0], lookup=False)


def test_what_a_tool_takes_anyway_is_not_said_but_where_it_is_what_changes() -> None:
    dogs = {"type": "boolean", "default": False}
    for method, path, said in (
        ("GET", "/shelves", {"name": "A"}),
        ("PUT", "/shelves/{shelf_id}", {"name": "A", "dogs": False, "shelf_id": 1}),
    ):
        known = {"shelf_id": {"type": "integer"}} if "{" in path else {}
        tool = operation("use_shelves", method, path, None, name=TEXT, dogs=dogs, **known)
        inputs = inputs_of(World(sandbox(SHELVES, tool)), "use_shelves")
        given = {"name": "A", "dogs": False, **({"shelf_id": 1} if known else {})}
        assert said_at_least(inputs, given) == said
        assert said_at_least(inputs, {**given, "dogs": True})["dogs"] is True


def test_a_wish_that_names_a_state_is_for_what_is_in_it() -> None:
    invoice = row(status={"type": "string", "enum": ["draft", "paid"]}, name=TEXT)
    finalize = operation("finalize_invoice", "POST", "/invoices/{invoice_id}/finalize", invoice)
    finalize = finalize.model_copy(update={"summary": "Finalize a draft invoice"})
    environment = sandbox(operation("get_invoice", "GET", "/invoices/{invoice_id}", invoice), finalize)
    assert inputs_of(World(environment), "finalize_invoice").states == {"status": frozenset({"draft"})}
    assert inputs_of(World(environment), "get_invoice").states == {}
